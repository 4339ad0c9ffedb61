"""Taking stores away that nobody needs any more; the next run that needs one makes it anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.inventory import StoreFacts, stores
from kradle_ctx.adapters.index.lock import LOCK_FILE, Busy, writing


class Policy(Struct, frozen=True):
    """What goes: all of it, or what was unused for so long and, of the rest, the least recently used beyond a size."""

    older_than: timedelta
    max_bytes: int | None = None
    everything: bool = False


class Pruned(Struct, frozen=True):
    """A store that is to go, why, and what kept it where it is; empty when it went, or would."""

    store: StoreFacts
    reason: str
    kept: str = ""


def prune(cache: Path, policy: Policy, now: datetime, *, dry_run: bool = False) -> list[Pruned]:
    """Remove the stores that a policy names; `dry_run` touches nothing."""
    pruned = [
        Pruned(store, reason, store.untrusted or ("" if dry_run else removed(store.folder)))
        for store, reason in unneeded(stores(cache), policy, now)
    ]
    if not dry_run:
        for home in {entry.store.folder.parent for entry in pruned if not entry.kept}:
            with suppress(OSError):
                home.rmdir()
    return pruned


def unneeded(found: Iterable[StoreFacts], policy: Policy, now: datetime) -> Iterator[tuple[StoreFacts, str]]:
    """The stores that go, each with the reason; the last used ones come first."""
    total = 0
    for store in found:
        if policy.everything:
            yield store, "all"
        elif not store.is_current:
            yield store, "another version"
        elif now - store.last_used > policy.older_than:
            yield store, "unused"
        else:
            total += store.bytes
            if policy.max_bytes is not None and total > policy.max_bytes:
                yield store, "beyond the size"


def removed(folder: Path) -> str:
    """Remove a store under its lock; in words what kept it, empty when it is gone."""
    try:
        with writing(folder, 0.0):
            for name in (*(name for name in folders.FILES if name != LOCK_FILE), LOCK_FILE):
                (folder / name).unlink(missing_ok=True)
            rest = next(folder.iterdir(), None)
            if rest is None:
                folder.rmdir()
        return "" if rest is None else "its folder holds something that is none of its files"
    except Busy as error:
        return f"{error} is using it"
    except OSError as error:
        return error.strerror or type(error).__name__
