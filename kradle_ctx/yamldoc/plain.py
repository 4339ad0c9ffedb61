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
    ( \ *+ ) (?: (\#) [^\n]*+ )? ( - \ ++ )? (?: ({_ITEM}) : (?=[ \n]|\Z) \ *+ )?
    (?: ( [|>]-? ) \ *+ \n ( (?: \1 \ ++ [^ \n] [^\n]*+ (?: \n | \Z ) | \n )+ )
      | (?: ( [^\s\-?:,\[\]{{}}\#&*!|>'"%@`] (?: [^:\n ]++ | :(?![ \n]|\Z) | \ ++(?![#\n]|\Z) )* )
          | ( "[^"\\\n]*+" | '[^'\n]*+' ) | ( \[ (?: {_ITEM} (?: ,\ ++ {_ITEM} )* )? \] ) )? \ *+ (?: \n | \Z )
    ) | ( .++ )
    """,
    re.VERBOSE | re.DOTALL,
)
"""A line: its indent, the mark of a comment, a dash, a key, and a block, or a plain value, a quoted one or a list.

Of a block there are the head and the lines that are deeper than the indent. The last group is all that fits nothing.
"""

_INDENT: Final = lazy_expression(r" ++(?=[^ \n])")
_LEAST_DEPTH: Final = 2
"""What a mapping takes that has a list on one of its lines."""

_DEEPEST: Final = 64
"""Most blanks before the lines of a block."""

_EVENTS: Final = 8
"""The events of a mapping without entries, and a few more."""


def plain_mapping(text: str, limits: Limits) -> dict[str, Value] | None:
    """The value of a text that is one mapping with entries; None where a parser has to tell."""
    if 2 * len(text) + _EVENTS > limits.nodes or limits.depth < _LEAST_DEPTH or not _is_plain(text):
        return None
    return _mapping(text, limits.depth - _LEAST_DEPTH) or None


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

    def enter(self, waiting: str, dash: str, place: int, *, with_key: bool) -> bool:
        """Go to the collection to which a line at a place belongs, which begins there where a key waits for it."""
        if waiting and (place > self.column or (dash and place == self.column)):
            self.begin(waiting, [] if dash else {}, place)
        while self.column > place or (not dash and type(self.container) is list):
            self.container, self.column = self.around.pop()
        if self.column != place or (type(self.container) is list) is not bool(dash):
            return False
        if dash and with_key:
            self.begin(None, {}, place + len(dash))
        return True

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
    container: Any = root
    inner, waiting = _Open(root), ""  # the key whose value may be a collection that begins on the next line
    lines = _LINE.findall(text, len(_MARKER) if text.startswith(_MARKER) else 0)
    for indent, comment, dash, key, head, block, plain, quoted, listed, rest in lines:
        if not key and not dash:
            if rest or plain or quoted or listed or head or (indent and not comment):
                return None
            continue
        if dash or waiting or len(indent) != inner.column or type(container) is list:
            if not inner.enter(waiting, dash, len(indent), with_key=key != "") or len(inner.around) > depth:
                return None
            container = inner.container
        if plain:
            value: Any = resolve(plain) if plain in WORDS or plain[0] in STARTS_NUMBER else plain
        elif head:
            value = None if dash else _block(head, block)
            if value is None:
                return None
        else:
            value = quoted[1:-1] if quoted else _items(listed[1:-1]) if listed else None
        if not key:
            if not (plain or quoted or listed):
                return None
            container.append(value)
            waiting = ""
        elif key in container or key in WORDS:
            return None
        else:
            container[key] = value
            waiting = "" if plain or value is not None else key
    return root


def _items(text: str) -> list[Value]:
    """The items of a list on one line."""
    return [resolve(item.strip()) for item in text.split(",")] if text else []


def _block(head: str, lines: str) -> str | None:
    """The text of a literal or folded block; None where that is not plain."""
    indent = _INDENT.match(lines)
    depth = len(indent.group()) if indent is not None else _DEEPEST + 1
    if depth > _DEEPEST or _lines(depth).fullmatch(lines) is None:
        return None
    content = lines.replace("\n" + " " * depth, "\n")[depth:].rstrip("\n")
    if head[0] == ">":
        if "\n\n" in content or "\n " in content:
            return None
        content = content.replace("\n", " ")
    return content if head[1:] else content + "\n"


@cache
def _lines(depth: int) -> re.Pattern[str]:
    """Lines that begin with so many blanks and have more than blanks, and empty lines."""
    return re.compile(rf"(?:\ {{{depth},}}+[^ \n][^\n]*+\n|\n)+")
