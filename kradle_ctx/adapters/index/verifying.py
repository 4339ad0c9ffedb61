"""Looking stores through, each under its lock, so that none changes meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.checking import faults
from kradle_ctx.adapters.index.inventory import StoreFacts, looked_up, stores
from kradle_ctx.adapters.index.lock import Busy, writing


class Verified(Struct, frozen=True):
    """A store, what is wrong with it, whether it was removed for that, and why it was not looked at."""

    store: StoreFacts
    faults: tuple[str, ...] = ()
    removed: bool = False
    skipped: str = ""


class WantedTree(Struct, frozen=True):
    """A tree of a brain, as it was indexed."""

    tree: str
    ontology_path: str


def verify(cache: Path, wanted: WantedTree | None, *, repair: bool) -> Iterator[Verified]:
    """Look through the stores of this version, or those that hold a tree or cannot tell; clear what is damaged."""
    for store in stores(cache):
        if not store.is_current or not (store.folder / folders.DATABASE).exists():
            continue
        if store.untrusted:
            yield Verified(store, skipped=store.untrusted)
        elif wanted is None or may_hold(store.folder, wanted):
            yield verified(store, repair)


def may_hold(folder: Path, wanted: WantedTree) -> bool:
    """Whether a store holds a tree, or is so damaged that it cannot tell."""
    try:
        return looked_up(folder, wanted.tree, wanted.ontology_path) is not None
    except (sqlite3.Error, OSError):
        return True


def verified(store: StoreFacts, repair: bool) -> Verified:
    """Look one store through."""
    try:
        with writing(store.folder, 0.0):
            found = tuple(faults(store.folder))
            if found and repair:
                folders.clear(store.folder)
            return Verified(store, found, removed=bool(found) and repair)
    except Busy as error:
        return Verified(store, skipped=f"{error} is using it")
    except OSError:
        # Nobody writes where no lock can be taken.
        return Verified(store, tuple(faults(store.folder)))
