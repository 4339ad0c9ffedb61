"""Kinds of objects, by the numbers that they have in a pack."""

from __future__ import annotations

from enum import IntEnum


class ObjectType(IntEnum):
    """The kinds that stand for themselves; the other numbers of gitformat-pack(5) are deltas."""

    COMMIT = 1
    TREE = 2
    BLOB = 3
    TAG = 4
