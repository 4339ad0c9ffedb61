"""No rule finds anything in plain words; that follows from the rules' own expressions, whatever is added to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as signs  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from string import ascii_letters
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.redaction import vendor
from kradle_ctx.redaction.plain_words import LONGEST_TEXT, LONGEST_WORD, TELLING, are_plain_words
from kradle_ctx.redaction.scanning import LAYERS, secrets_of

RULES = (*(rule for layer in LAYERS for rule in layer.rules), *vendor.RULES)
PLAIN = frozenset(f"{ascii_letters} -".encode())
BLANK = frozenset(b" ")
CLASSES = {
    "digit": rb"\d",
    "not_digit": rb"\D",
    "space": rb"\s",
    "not_space": rb"\S",
    "word": rb"\w",
    "not_word": rb"\W",
}
REPEATS = (signs.MAX_REPEAT, signs.MIN_REPEAT, signs.POSSESSIVE_REPEAT)
Nodes = Iterable[tuple[Any, Any]]


def characters(node: tuple[Any, Any], flags: int) -> frozenset[int] | None:
    """The plain characters that a node for one character takes; None for any other node."""
    kind, value = node
    if kind is signs.ANY or kind is signs.NOT_LITERAL:
        return PLAIN
    if kind not in (signs.LITERAL, signs.IN):
        return None
    taken = {value} if kind is signs.LITERAL else set().union(*map(members, value))
    if flags & re.IGNORECASE:
        taken |= {ord(chr(each).swapcase()) for each in taken if each < 128}
    negated = kind is signs.IN and value[0][0] is signs.NEGATE
    return PLAIN - taken if negated else PLAIN & taken


def members(entry: tuple[Any, Any]) -> set[int]:
    """The bytes that an entry of a set takes."""
    kind, value = entry
    if kind is signs.LITERAL:
        return {value}
    if kind is signs.RANGE:
        return set(range(value[0], value[1] + 1))
    if kind is signs.CATEGORY:
        written = CLASSES[str(value).removeprefix("CATEGORY_").lower()]
        return {each for each in range(256) if re.match(written, bytes([each]))}
    return set()


def tells(nodes: Nodes, flags: int, run: str = "") -> bool:
    """Whether all that nodes match is no plain words: it has a telling word, another character or a longer word.

    `run` is what is certain to stand right before.
    """
    solid = 0
    for node in nodes:
        taken = characters(node, flags)
        if node[0] is signs.AT:
            continue
        if taken is None:
            if part_tells(node, flags, run):
                return True
            run = f"{run} " if is_blanks(node, flags) else ""
            width = solid_width([node], flags)
            solid = solid + width if width is not None else 0
        elif not taken:
            return True
        else:
            letters = {chr(each).lower() for each in taken}
            run = run + letters.pop() if len(letters) == 1 else ""
            solid = solid + 1 if taken.isdisjoint(BLANK) else 0
        if solid > LONGEST_WORD or any(telling in run for telling in TELLING):
            return True
    return False


def part_tells(node: tuple[Any, Any], flags: int, run: str) -> bool:
    """The same for a group, a choice or a repetition."""
    kind, value = node
    if kind is signs.SUBPATTERN:
        return tells(value[3], (flags | value[1]) & ~value[2], run)
    if kind is signs.BRANCH:
        return all(tells(choice, flags, run) for choice in value[1])
    assert kind in REPEATS, kind
    return value[0] > 0 and tells(value[2], flags, run)


def is_blanks(node: tuple[Any, Any], flags: int) -> bool:
    """Whether a node takes blanks alone, and at least one: in plain words that is one."""
    kind, value = node
    return kind in REPEATS and value[0] > 0 and len(value[2]) == 1 and characters(value[2][0], flags) == BLANK


def solid_width(nodes: Nodes, flags: int) -> int | None:
    """How many characters nodes take at least, None where one of them could be a blank."""
    widths = [node_width(node, flags) for node in nodes]
    return None if None in widths else sum(width for width in widths if width is not None)


def node_width(node: tuple[Any, Any], flags: int) -> int | None:
    kind, value = node
    taken = characters(node, flags)
    if taken is not None:
        return 1 if taken.isdisjoint(BLANK) else None
    if kind is signs.AT:
        return 0
    if kind is signs.SUBPATTERN:
        return solid_width(value[3], (flags | value[1]) & ~value[2])
    if kind is signs.BRANCH:
        choices = [solid_width(choice, flags) for choice in value[1]]
        return None if None in choices else min(width for width in choices if width is not None)
    width = solid_width(value[2], flags)
    return None if width is None else width * value[0]


def finds_nothing_plain(pattern: str) -> bool:
    """Whether it follows from an expression that no plain words match it."""
    assert "[[:" not in pattern
    parsed = parser.parse(pattern.replace(r"\z", r"\Z").encode("latin-1"))
    return tells(parsed, parsed.state.flags)


def test_no_rule_matches_plain_words() -> None:
    assert [rule.id for rule in RULES if not finds_nothing_plain(rule.pattern)] == []


@pytest.mark.parametrize(
    "pattern",
    ["[A-Z]{14}", "deploy", "(?i)wifi x|token", "[ \\t]*-p", "(?:token)?x", "[^ ]{3}", "a(?:b|c )*d", "to ?ken", "."],
)
def test_an_expression_that_can_match_plain_words_is_not_passed(pattern: str) -> None:
    assert not finds_nothing_plain(pattern)


@pytest.mark.parametrize("pattern", ["[A-Z]{15}", "x:", "(?i)PASS|PIN", "[ \\t]+-p", "(?:[a-z]{5}){3}", "net[ ]user"])
def test_an_expression_that_cannot_is_passed(pattern: str) -> None:
    assert finds_nothing_plain(pattern)


WORDS: Sequence[str] = ("deploy", "the", "post-mortem", "is", "open", "my", "user", "AZD", "with", "code", "wifi", "a-")


@given(st.lists(st.sampled_from(WORDS) | st.text(alphabet=ascii_letters + "-", max_size=15), max_size=8).map(" ".join))
def test_plain_words_are_left_as_they_are(text: str) -> None:
    if are_plain_words(text):
        assert secrets_of(text, ()) == ()


def test_what_is_plain() -> None:
    for text in ("", "how do we deploy", "heliodrift", "post-mortem of the outage"):
        assert are_plain_words(text)
    for text in (
        "v2",
        "a  b",
        " a",
        "a ",
        "a\n",
        "what?",
        "the token",
        "a -p b",
        "ü",
        "a" * 15,
        "a " * LONGEST_TEXT,
        "-",
    ):
        assert not are_plain_words(text)
