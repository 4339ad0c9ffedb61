"""Most documents read without a parser: block mappings and sequences of one-line scalars, a line at a time.

It reads a small part of YAML, on which every parser agrees, several times as fast as the events of libyaml are made.
Whatever is not certainly of that part, a fault above all, is left to the parser: nothing is refused here.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.scalars import STARTS_NUMBER, WORDS, resolve
from kradle_ctx.yamldoc.values import Limits, Value

_MARKER: Final = "---\n"
_PRINTABLE: Final = bytes([10, *range(32, 127)])
_NOT_PLAIN: Final = lazy_expression(
    "[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Tabs, carriage returns, and whatever is a line break, a mark or a fault to some parser."""

_ITEM: Final = "[A-Za-z_][A-Za-z0-9_./-]{0,99}+"
_LINE: Final = lazy_expression(
    rf"""
    ( \ *+ ) (?: (\#) [^\n]*+ )?+ (?: (-) \ ++ )?+ (?: ({_ITEM}) : (?=[ \n]|\Z) \ *+ )?+
    (?: ( [^\s\-?:,\[\]{{}}\#&*!|>'"%@`] (?: [^:\n ]++ | :(?![ \n]|\Z) | \ ++(?![#\n]|\Z) )*+ )
      | ( "[^"\\\n]*+" | '[^'\n]*+' ) | ( [|>]-? ) | \[ ( (?: {_ITEM} (?: ,\ ++ {_ITEM} )*+ )?+ ) \]
    )?+ \ *+ (?: \n | \Z )
    """,
    re.VERBOSE,
)
"""A line: its indent, the mark of a comment, a dash, a key, and a value: plain, quoted, a block's head or a list."""

_INDENT: Final = lazy_expression(r" ++(?=[^ \n])")
_DEEPEST: Final = 64
"""Most blanks before the lines of a block."""

_EVENTS: Final = 8
"""The events of a mapping without entries, and a few more."""

_NOTHING: Final = object()


def plain_mapping(text: str, limits: Limits) -> dict[str, Value] | None:
    """The value of a text that is one mapping with entries; None where a parser has to tell."""
    if 2 * len(text) + _EVENTS > limits.nodes or not _is_plain(text):
        return None
    return _mapping(text, limits.depth - 2) or None


def _is_plain(text: str) -> bool:
    if text.isascii():
        return not text.encode().translate(None, _PRINTABLE)
    return _NOT_PLAIN.search(text) is None


class _Open:
    """The collection that is being read, its column, and those around it."""

    def __init__(self, root: dict[str, Value]) -> None:
        self.container: Any = root
        self.column = 0
        self.around: list[tuple[Any, int]] = []

    def enter(self, key: str, dash: bool, place: int) -> bool:
        """Go to the collection to which a line at a place belongs, which begins there where a key waits for it."""
        if key and (place > self.column or (dash and place == self.column)):
            self.begin(key, [] if dash else {}, place)
        while self.column > place or (not dash and type(self.container) is list):
            self.container, self.column = self.around.pop()
        return self.column == place and (type(self.container) is list) is dash

    def begin(self, key: str | None, collection: list[Value] | dict[str, Value], place: int) -> None:
        """Begin a collection at a key, or as an item of a sequence."""
        self.around.append((self.container, self.column))
        if key is None:
            self.container.append(collection)
        else:
            self.container[key] = collection
        self.container, self.column = collection, place


def _mapping(text: str, depth: int) -> dict[str, Value] | None:
    root: dict[str, Value] = {}
    inner, waiting = _Open(root), ""  # the key whose value may be a collection that begins on the next line
    match, at, end = _LINE.match, len(_MARKER) if text.startswith(_MARKER) else 0, len(text)
    while at < end:
        line = match(text, at)
        if line is None or len(inner.around) > depth:
            return None
        indent, comment, dash, key, plain, quoted, block, items = line.groups()
        start, at = at, line.end()
        if key is None and dash is None:
            if comment is None and text[start] != "\n":
                return None
            continue
        if not inner.enter(waiting, dash is not None, len(indent)):
            return None
        if dash is not None and key is not None:
            inner.begin(None, {}, line.start(4) - start)
        if plain is not None:
            value: Any = resolve(plain) if plain in WORDS or plain[0] in STARTS_NUMBER else plain
        elif block is not None:
            value, at = _block(text, at, inner.column, block)
        else:
            value = _NOTHING if quoted is None and items is None else _items(items) if quoted is None else quoted[1:-1]
        container = inner.container
        if key is None:
            if value is _NOTHING or block is not None:
                return None
            container.append(value)
            waiting = ""
        elif key in container or key in WORDS or at < 0:
            return None
        else:
            container[key], waiting = (None, key) if value is _NOTHING else (value, "")
    return root


def _items(text: str) -> list[Value]:
    """The items of a list on one line."""
    return [resolve(item.strip()) for item in text.split(",")] if text else []


def _block(text: str, at: int, column: int, head: str) -> tuple[str, int]:
    """The text of a literal or folded block after its head's line, and where it ends: -1 where that is not plain."""
    indent = _INDENT.match(text, at)
    depth = len(indent.group()) if indent is not None else 0
    lines = _lines(depth).match(text, at) if column < depth <= _DEEPEST else None
    if lines is None or text.startswith(" " * depth, lines.end()):
        return "", -1
    content = lines.group().replace("\n" + " " * depth, "\n")[depth:].rstrip("\n")
    if head[0] == ">":
        if "\n\n" in content or "\n " in content:
            return "", -1
        content = content.replace("\n", " ")
    return (content if head[1:] else content + "\n"), lines.end()


@cache
def _lines(depth: int) -> re.Pattern[str]:
    """Lines that begin with so many blanks and have more than blanks, and empty lines."""
    return re.compile(rf"(?:\ {{{depth},}}+[^ \n][^\n]*+\n|\n)++")
