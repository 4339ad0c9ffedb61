"""Whether the derived files that a commit holds are those that would be written for it."""

from __future__ import annotations

import hashlib
from enum import StrEnum

from kradle_ctx.index.export import Export
from kradle_ctx.place import Place
from kradle_ctx.source_commit import DERIVED


class Committed(StrEnum):
    """The state of a derived file at a commit."""

    CURRENT = "current"
    STALE = "stale"
    MISSING = "missing"


def committed_state(export: Export, place: Place) -> dict[str, Committed]:
    """The state of each derived file, by its path below the brain's root.

    Files are compared by object id, since a derived file may be larger than what is read of a brain.
    """
    folder = f"{place.root}/{DERIVED}" if place.root else DERIVED
    held = place.snapshot.entries(folder)
    return {f"{DERIVED}/{name}": state_of(held.get(name), data) for name, data in export.files.items()}


def state_of(entry: str | None, data: bytes) -> Committed:
    """The state of one file: a tree's entry against the bytes that it should hold."""
    if entry is None:
        return Committed.MISSING
    blob = hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()
    mode, _, object_id = entry.partition(" ")
    return Committed.CURRENT if object_id == blob and mode.startswith("100") else Committed.STALE
