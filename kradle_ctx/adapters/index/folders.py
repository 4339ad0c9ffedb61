"""Where stores lie in the cache folder, and whether they may be trusted."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kradle_ctx.adapters.index.lock import LOCK_FILE, holder
from kradle_ctx.adapters.index.schema import VERSION
from kradle_ctx.adapters.index.text_log import TEXT_LOG

DATABASE = "index.sqlite"
SEAL = "seal.json"
USED = "used"
KEPT = "kept.sqlite"

TABLES = tuple(f"{name}{part}" for name in (DATABASE, f"{DATABASE}.new") for part in ("", "-wal", "-shm"))
VALUES = tuple(f"{KEPT}{part}" for part in ("", "-wal", "-shm"))
FILES = (*TABLES, TEXT_LOG, *VALUES, SEAL, f"{SEAL}.new", LOCK_FILE, USED)
"""Every name that a store's folder may hold."""

USED_EVERY = 3600.0
"""Seconds between two notes that a store was used, so that most runs write nothing."""

MOST_LOOKED_AT = 64
"""Stores, the last used ones first, in which a tree is looked for."""


class Untrusted(Exception):
    """A folder that others can write, or that is no folder; the message says so."""


def store_folders(cache: Path) -> list[Path]:
    """The stores of this version, the last used one first."""
    home = cache / VERSION
    if not home.is_dir():
        return []
    require_own(home)
    found = [entry for entry in home.iterdir() if holds_store(entry)]
    return sorted(found, key=lambda folder: (-last_used(folder), folder.name))[:MOST_LOOKED_AT]


def holds_store(folder: Path) -> bool:
    """Whether a folder can be looked into and holds a database, or what has its name."""
    with suppress(OSError):
        (folder / DATABASE).lstat()
        return True
    return False


def new_folder(cache: Path, tree: str) -> Path:
    """The folder for a brain that is first seen with a tree; two runs that see it at once get the same."""
    home = cache / VERSION
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    home.mkdir(mode=0o700, exist_ok=True)
    require_own(home)
    folder = home / f"brain-{tree[:16]}"
    folder.mkdir(mode=0o700, exist_ok=True)
    require_own_files(folder)
    return folder


def require_own(folder: Path) -> None:
    """Raise `Untrusted` unless a folder is one that belongs to this user and that nobody else can write."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise Untrusted(f"{folder} is no folder")
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise Untrusted(f"{folder} belongs to somebody else")
    if found.st_mode & 0o022:
        raise Untrusted(f"{folder} can be written by others")


def require_own_files(folder: Path) -> None:
    """Raise `Untrusted` unless the store's folder and files are this user's own, and nobody else can write them."""
    require_own(folder)
    for name in FILES:
        with suppress(FileNotFoundError):
            found = (folder / name).lstat()
            own = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
            if not (own and stat.S_ISREG(found.st_mode)) or found.st_mode & 0o022:
                raise Untrusted(f"{folder / name} is not a file of this user's own")


def last_used(folder: Path) -> float:
    """When a store was last used, in seconds since 1970."""
    for name in (USED, DATABASE):
        with suppress(OSError):
            return (folder / name).stat().st_mtime
    return 0.0


def note_use(folder: Path, now: float) -> None:
    """Note that a store is used, where that was not noted lately and can be."""
    if now - last_used(folder) > USED_EVERY:
        with suppress(OSError):
            (folder / USED).touch(mode=0o600)


def state(folder: Path) -> dict[str, list[int]]:
    """What tells whether the files of a store were changed by anybody but their writer."""
    return {name: list(_state(folder / name)) for name in (DATABASE, f"{DATABASE}-wal", TEXT_LOG)}


def _state(file: Path) -> Iterator[int]:
    """Size and times; that of the last change of the file's entry cannot be set by anybody."""
    found = None
    with suppress(FileNotFoundError):
        found = file.stat()
    if found is not None and found.st_size:
        yield from (found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def is_sealed(folder: Path) -> bool:
    """Whether the files are as their last writer left them."""
    try:
        return (folder / SEAL).read_bytes() == json.dumps(state(folder)).encode()
    except OSError:
        return False


def seal(folder: Path) -> None:
    """Say that the files are as they should be; raises `OSError`."""
    _say(folder, json.dumps(state(folder)))


def unseal(folder: Path) -> None:
    """Say that who holds the lock goes on from files that were as they should be; raises `OSError`."""
    _say(folder, json.dumps({"writer": holder(folder)}))


def is_being_written(folder: Path) -> bool:
    """Whether who holds the lock goes on from files that were as they should be, so that all of them can be read."""
    by = holder(folder)
    with suppress(OSError):
        return bool(by) and (folder / SEAL).read_bytes() == json.dumps({"writer": by}).encode()
    return False


def _say(folder: Path, text: str) -> None:
    beside = folder / f"{SEAL}.new"
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    beside.replace(folder / SEAL)


def doubt(folder: Path) -> None:
    """Have a store looked through before it is used again."""
    with suppress(OSError):
        (folder / SEAL).unlink(missing_ok=True)


def clear(folder: Path) -> None:
    """Remove what a store holds, but for its lock."""
    for name in (SEAL, *TABLES, TEXT_LOG, *VALUES):
        (folder / name).unlink(missing_ok=True)
