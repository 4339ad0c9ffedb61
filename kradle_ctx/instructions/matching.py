"""Applies the rule table: a search for keywords, then the rules of a keyword's group around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from kradle_ctx.expressions import compiled
from kradle_ctx.instructions.model import Rule
from kradle_ctx.instructions.phrases import expression, keyword_expression, spelling
from kradle_ctx.instructions.rules import GROUPS, MARKUP

if TYPE_CHECKING:
    import re2

_BEFORE, _AFTER = 240, 360
_CONTEXT = 60


class Finding(Struct, frozen=True):
    """What a rule found, as half-open byte offsets in the UTF-8 of the reading."""

    rule: Rule
    start: int
    end: int


def findings(reading: str) -> Iterator[Finding]:
    """What the rules find in a text that `undisguised` has read."""
    data = reading.encode("utf-8", "replace")
    yield from _phrases(data.lower() if reading.isascii() else reading.lower().encode("utf-8", "replace"))
    if _any_of_markup().search(data):
        for rule in MARKUP:
            yield from findings_of(rule, data)


def findings_of(rule: Rule, data: bytes, start: int = 0) -> Iterator[Finding]:
    """What one rule finds in UTF-8 text, whatever the other rules find; offsets count from `start`."""
    for match in _compiled(rule.pattern, rule.language).finditer(data):
        if not _denied(rule, data, match.start(), match.end()):
            yield Finding(rule, start + match.start(), start + match.end())


def _phrases(data: bytes) -> Iterator[Finding]:
    for number, windows in _windows(data).items():
        for start, end in windows:
            window = data[start:end]
            if _any_of_group(number).search(window):
                for rule in GROUPS[number].rules:
                    yield from findings_of(rule, window, start)


def _windows(data: bytes) -> Mapping[int, list[tuple[int, int]]]:
    """Where the rules of each group have to look: around its keywords, in disjoint windows."""
    found: dict[int, list[tuple[int, int]]] = {}
    match = _any_keyword().search(data)
    while match:
        start, end = max(0, match.start() - _BEFORE), match.end() + _AFTER
        for number in _groups().get(spelling(match.group()), ()):
            windows = found.setdefault(number, [])
            if windows and start <= windows[-1][1]:
                windows[-1] = (windows[-1][0], end)
            else:
                windows.append((start, end))
        # Another keyword may begin inside this one.
        match = _any_keyword().search(data, match.start() + 1)
    return found


def _denied(rule: Rule, data: bytes, start: int, end: int) -> bool:
    if rule.preceded:
        before = _compiled(f"(?:{rule.preceded})\\z", rule.language)
        if before.search(data[max(0, start - _CONTEXT) : start]):
            return True
    return bool(rule.followed) and _compiled(rule.followed, rule.language).match(data, end) is not None


@cache
def _groups() -> Mapping[bytes, tuple[int, ...]]:
    """The groups of each keyword, and of the shorter ones that it begins with."""
    own: dict[bytes, set[int]] = {}
    for number, group in enumerate(GROUPS):
        for keyword in group.keywords:
            own.setdefault(spelling(keyword), set()).add(number)
    none: set[int] = set()
    return {
        keyword: tuple(sorted(set().union(*(own.get(keyword[:end], none) for end in range(1, len(keyword) + 1)))))
        for keyword in own
    }


@cache
def _compiled(pattern: str, language: str) -> re2._Regexp:
    return compiled(expression(pattern, language), latin=True, captures=False, mebibytes=16)


@cache
def _any_of_group(number: int) -> re2._Regexp:
    return _union(GROUPS[number].rules)


@cache
def _any_of_markup() -> re2._Regexp:
    return _union(MARKUP)


def _union(rules: tuple[Rule, ...]) -> re2._Regexp:
    union = b"|".join(expression(rule.pattern, rule.language) for rule in rules)
    return compiled(union, latin=True, captures=False, mebibytes=64)


@cache
def _any_keyword() -> re2._Regexp:
    keywords = {keyword for group in GROUPS for keyword in group.keywords}
    return compiled(keyword_expression(keywords), latin=True, captures=False, longest=True, mebibytes=64)
