"""What a searcher is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """What to search for: a regular expression in ripgrep's syntax, always matched without regard to case."""

    expression: str


@dataclass(frozen=True, slots=True)
class Span:
    """A match: byte offsets in the searched file."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """All non-overlapping matches in the order of the file; `truncated` when there were too many to read."""

    spans: tuple[Span, ...] = ()
    truncated: bool = False
