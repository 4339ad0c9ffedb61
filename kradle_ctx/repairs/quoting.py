"""Values that need quotes, put into quotes where nothing else can be meant."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from msgspec import Struct

from kradle_ctx.characters import has_unsafe
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.repairs.layout import LeftAlone, is_flow
from kradle_ctx.yamldoc import InvalidYaml, Value, YamlFault, parse
from kradle_ctx.yamldoc.places import value_places

BEFORE = lazy_expression(r"[ ]*+(?P<dash>-[ ]++)?(?P<key>[A-Za-z_][\w.-]*:[ ]++)?")
"""What stands before the value of a line: a dash, a key, or both."""

HASH = lazy_expression(r"(?<=[ \t])#(?P<next>.?)", re.DOTALL)
STARTS_WRONG = frozenset("*&@%`")
STARTS_OTHERWISE = frozenset("-?:,[]{}#!|>'\"")
"""What begins something else than a plain value."""

BLANKS = " \t\r"

NAME = lazy_expression(r"[*&]([^\s,\[\]{}]+)")
"""The name of an anchor, or of what stands for it."""

MOST_READ = 4_000_000
"""Characters that are read again for one file: a document is, for each of its values that lack quotes."""

NOT_QUOTES = "it lacks more than quotes"
TWO_WAYS = "it can be read in two ways"
TOO_LONG = "it takes too long to find all values that lack quotes"


class Patience(Struct):
    """How many characters may still be read again."""

    characters: int = MOST_READ

    def spend(self, characters: int) -> None:
        """Read so many; raises `LeftAlone` when there have been too many."""
        self.characters -= characters
        if self.characters < 0:
            raise LeftAlone(TOO_LONG)


def quoted(text: str, patience: Patience) -> tuple[str, list[int]]:
    """A document that does not parse with quotes around the values that lack them, and the lines of these, from 1.

    Only such lines change, and everything else is read as if a plain word stood in their places. Raises `LeftAlone`.
    """
    lines = text.split("\n")
    meant: dict[int, tuple[str, str]] = {}
    while (fault := fault_of("\n".join(lines))) is not None:
        place = fault.line - 1
        patience.spend(len(text))
        if fault.duplicate or place in meant or place >= len(lines):
            raise LeftAlone(NOT_QUOTES)
        before, value, after = value_in(lines[place], text)
        spelled = in_quotes(value)
        lines[place] = before + spelled + after
        meant[place] = (before, value)
    made = "\n".join(lines)
    if not meant or not is_as_meant(made, lines, meant):
        raise LeftAlone(NOT_QUOTES)
    return made, [place + 1 for place in sorted(meant)]


def fault_of(text: str) -> YamlFault | None:
    """Why a document does not parse; None where it does."""
    try:
        parse(text)
    except InvalidYaml as error:
        return error.fault
    return None


def value_in(line: str, text: str) -> tuple[str, str, str]:
    """A line in three parts, of which the second is a value that needs quotes; raises `LeftAlone`."""
    found = BEFORE.match(line)
    if found is None or not found.group().strip():
        raise LeftAlone(NOT_QUOTES)
    stated = without_comment(line[found.end() :])
    after = line[found.end() + len(stated) :]
    starts_wrong, parts = stated[:1] in STARTS_WRONG, ": " in stated or ":\t" in stated or stated.endswith(":")
    if has_unsafe(stated) or stated[:1] in STARTS_OTHERWISE or not (starts_wrong or parts):
        raise LeftAlone(NOT_QUOTES)
    # After a dash a colon may as well be that of a key.
    if (found["dash"] and parts) or (starts_wrong and is_anchored(stated, text)):
        raise LeftAlone(TWO_WAYS)
    return found.group(), stated, after


def without_comment(value: str) -> str:
    """A value without the comment after it, and the blanks.

    A mark with a blank behind it begins a comment, and one with a number stands in the text, as in `issue #42`; what
    any other mark is cannot be told. Raises `LeftAlone` there.
    """
    for found in HASH.finditer(value):
        after = found["next"]
        if not after.strip():
            return value[: found.start()].rstrip(BLANKS)
        if not after.isdecimal():
            raise LeftAlone(TWO_WAYS)
    return value.rstrip(BLANKS)


def is_anchored(value: str, text: str) -> bool:
    """Whether a value may be an anchor, or stand for one, since the other half is there, too."""
    found = NAME.match(value)
    if found is None:
        return False
    other = ("&" if value[0] == "*" else "*") + found[1]
    return other in text


def in_quotes(value: str) -> str:
    """A one-line text in double quotes, in single ones where those need fewer escapes."""
    if ('"' in value or "\\" in value) and "'" not in value:
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False)


def is_as_meant(made: str, lines: list[str], meant: Mapping[int, tuple[str, str]]) -> bool:
    """Whether a text says what it would with a plain word for each value, but for these values; none is in brackets."""
    word = "word"
    while word in made:
        word += "x"
    plain = list(lines)
    stand_ins: dict[Value, str] = {}
    for place, (before, value) in meant.items():
        stand_ins[f"{word}{place}"] = value
        plain[place] = f"{before}{word}{place}" + ("\r" if lines[place].endswith("\r") else "")
    try:
        expected, found = parse("\n".join(plain)), parse(made)
    except InvalidYaml:
        return False
    return filled(expected, stand_ins) == found and not any_in_brackets("\n".join(plain), stand_ins)


def filled(value: Value, stand_ins: Mapping[Value, str]) -> Value:
    """A value with texts in place of the words that stand for them."""
    if isinstance(value, dict):
        return {key: filled(entry, stand_ins) for key, entry in value.items()}
    if isinstance(value, list):
        return [filled(entry, stand_ins) for entry in value]
    return stand_ins.get(value, value) if isinstance(value, str) else value


def any_in_brackets(text: str, stand_ins: Mapping[Value, str]) -> bool:
    """Whether one of the words stands in brackets, where a comma may end it, or nowhere as a value of its own."""
    places = value_places(text)
    stated = [pointer for pointer, place in places.items() if place.scalar in stand_ins]
    around = (pointer[:depth] for pointer in stated for depth in range(len(pointer)))
    return len(stated) != len(stand_ins) or any(is_flow(text, places[pointer]) for pointer in around)
