"""What a searcher is asked and what it answers."""

from __future__ import annotations

from msgspec import Struct


class Pattern(Struct, frozen=True):
    """What to search for: a regular expression in ripgrep's syntax, always matched without regard to case."""

    expression: str


class Span(Struct, frozen=True):
    """A match: byte offsets in the searched file."""

    start: int
    end: int


class Found(Struct, frozen=True):
    """All non-overlapping matches in the order of the file; `truncated` when there were too many to read."""

    spans: tuple[Span, ...] = ()
    truncated: bool = False
