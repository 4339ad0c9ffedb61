"""The values of redaction: spans, results and the rows of the rule table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from msgspec import Struct


class RedactionFailed(Exception):
    """A rule could not be applied, so the text must be withheld. Names the rule, never the text."""


class Span(Struct, frozen=True, order=True):
    """One secret in the original text, as half-open character offsets, with its kind."""

    start: int
    end: int
    kind: str


class Redaction(Struct, frozen=True):
    """A redacted text with the number of replacements by kind and the spans they stand for."""

    text: str
    counts: Mapping[str, int]
    spans: tuple[Span, ...]


class Match(Protocol):
    """The part of an RE2 match on bytes that rules read."""

    @property
    def re(self) -> Any: ...

    def start(self, group: int = 0) -> int: ...
    def end(self, group: int = 0) -> int: ...
    def group(self, group: int = 0) -> bytes: ...


Extent = tuple[int, int]
"""Half-open byte offsets of a secret in the scan copy.

An empty one says that all before it has been read, so that what begins before it is not read again.
"""

Reader = Callable[[bytes, Match], Iterable[Extent]]
"""Finds the secrets that one match of a rule's pattern leads to."""

Validator = Callable[[bytes], bool]
"""Says whether a found value can be a secret of the rule's kind."""


class Rule(Struct, frozen=True):
    """One row of the rule table.

    `pattern` is an RE2 expression on the UTF-8 bytes of the text, in Latin-1 mode: every byte is a character.
    `opening` matches at the start of every match of the pattern, where the pattern itself is slow to look for.
    The secret is `group`, or what `reader` makes of the match. `keywords` are the literal prefixes of a
    vendor row. A secret counts when `validator` agrees, its entropy reaches the floor (bits per character),
    no pattern of `allow` matches all of it, and `context` matches in the same line. `hits` and `misses` are
    templates that run as tests.
    """

    id: str
    kind: str
    pattern: str
    hits: tuple[str, ...]
    misses: tuple[str, ...]
    keywords: tuple[str, ...] = ()
    opening: str = ""
    group: int = 0
    reader: Reader | None = None
    validator: Validator | None = None
    entropy: float = 0.0
    context: str | None = None
    allow: tuple[str, ...] = ()
