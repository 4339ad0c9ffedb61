"""Which stores a cache folder holds, of this version and of others, and what one knows of a tree."""

from __future__ import annotations

import re
import sqlite3
import stat
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.schema import VERSION, open_reader

VERSION_FOLDER = re.compile(r"v[0-9]+(\.[0-9]+)*")
STORE_FOLDER = re.compile(r"brain-[0-9a-f]{16}")


class StoreFacts(Struct, frozen=True):
    """A store: its folder, the version that made it, its bytes, when it was last used, and why it is not trusted."""

    folder: Path
    version: str
    bytes: int
    last_used: datetime
    untrusted: str

    @property
    def is_current(self) -> bool:
        """Whether this version reads it."""
        return self.version == VERSION


class StoredTree(Struct, frozen=True):
    """What a store knows of a tree: its documents, when it was indexed, and how many trees the store has indexed."""

    folder: Path
    documents: int
    since: datetime
    views: int


def stores(cache: Path) -> list[StoreFacts]:
    """The stores of a cache folder, the last used one first; what is no store is not looked into."""
    found = [
        facts(folder, home.name)
        for home in folders_of(cache, VERSION_FOLDER)
        for folder in folders_of(home, STORE_FOLDER)
    ]
    return sorted(found, key=lambda store: (-store.last_used.timestamp(), store.version, store.folder.name))


def folders_of(parent: Path, name: re.Pattern[str]) -> list[Path]:
    """The folders in a folder whose names fit; links are none."""
    found: list[Path] = []
    with suppress(OSError):
        for entry in parent.iterdir():
            if name.fullmatch(entry.name) and stat.S_ISDIR(entry.lstat().st_mode):
                found.append(entry)
    return sorted(found)


def facts(folder: Path, version: str) -> StoreFacts:
    """What can be said of a store without opening it."""
    untrusted = ""
    try:
        folders.require_own(folder.parent)
        folders.require_own_files(folder)
    except folders.Untrusted as error:
        untrusted = str(error)
    except OSError as error:
        untrusted = f"{folder} cannot be looked into ({error.strerror or type(error).__name__})"
    return StoreFacts(folder, version, size_of(folder), last_used(folder), untrusted)


def last_used(folder: Path) -> datetime:
    """When a store was last used; of one that was never written, when its folder was made."""
    seconds = folders.last_used(folder)
    with suppress(OSError):
        seconds = seconds or folder.lstat().st_mtime
    return instant(seconds)


def size_of(folder: Path) -> int:
    """Bytes of a store's own files."""
    total = 0
    for name in folders.FILES:
        with suppress(OSError):
            total += (folder / name).lstat().st_size
    return total


def stored_tree(cache: Path, tree: str, ontology_path: str | None) -> StoredTree | None:
    """What a store of this version knows of a tree; None where none was indexed with that ontology, or none reads."""
    for store in stores(cache):
        if store.is_current and not store.untrusted:
            with suppress(sqlite3.Error, OSError):
                found = looked_up(store.folder, tree, ontology_path or "")
                if found is not None:
                    return found
    return None


def looked_up(folder: Path, tree: str, ontology_path: str) -> StoredTree | None:
    """What one store knows of a tree; raises what an unsound database does."""
    database = folder / folders.DATABASE
    if not database.exists():
        return None
    with closing(open_reader(database)) as connection:
        query = "SELECT length(documents) / 4, made FROM views WHERE tree = ? AND ontology_path = ?"
        row = connection.execute(query, (tree, ontology_path)).fetchone()
        (views,) = connection.execute("SELECT count(*) FROM views").fetchone()
    return StoredTree(folder, row[0], instant(row[1] / 1e9), views) if row is not None else None


def instant(seconds: float) -> datetime:
    """Seconds since 1970 as an instant; the beginning where there can be no such time."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
