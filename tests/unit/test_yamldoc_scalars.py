from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.yamldoc import InvalidYaml, Value, parse


@pytest.mark.parametrize("spelling", ["", "~", "null"])
def test_null_is_spelled_in_three_ways(spelling: str) -> None:
    assert parse(f"a: {spelling}\n") == {"a": None}


@pytest.mark.parametrize(("spelling", "value"), [("true", True), ("false", False)])
def test_only_true_and_false_are_booleans(spelling: str, value: bool) -> None:
    assert parse(f"a: {spelling}") == {"a": value}


@pytest.mark.parametrize(
    "spelling",
    "yes no on off y n True FALSE Null NULL 0123 010 0x1f 0o17 0b1 1_000 190:20:30 +1 -0 00 1. .5 1.10 1e3 1E3 1e+16 "
    "1.0e16 .nan .inf -.inf nan inf 1e999 1.0e+999 = 9007199254740992 -9007199254740992 1.50 ١".split(),
)
def test_what_would_not_write_back_unchanged_is_text(spelling: str) -> None:
    assert parse(f"a: {spelling}") == {"a": spelling}


@pytest.mark.parametrize(
    "spelling",
    [
        "2026-05-10T12:00:00Z",
        "2026-05-10T23:30:00-05:00",
        "2026-05-11 02:00:00",
        "2026-05-11",
        "2026-13-05",
        "0000-00-00",
    ],
)
def test_a_timestamp_keeps_its_spelling(spelling: str) -> None:
    assert parse(f"updatedAt: {spelling}") == {"updatedAt": spelling}


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("0", 0),
        ("-1", -1),
        ("9007199254740991", 2**53 - 1),
        ("1.0", 1.0),
        ("0.1", 0.1),
        ("-0.0", -0.0),
        ("0.004956721436739605", 0.004956721436739605),
        ("1.0e+16", 1e16),
        ("5.0e-324", 5e-324),
    ],
)
def test_a_number_is_one_where_it_writes_back_unchanged(spelling: str, value: Value) -> None:
    read = parse(f"[{spelling}]")
    assert isinstance(read, list)
    assert (type(read[0]), read[0]) == (type(value), value)


def test_the_sign_of_zero_is_kept() -> None:
    read = parse("-0.0")
    assert isinstance(read, float)
    assert math.copysign(1, read) == -1


@given(st.integers(-(2**53) + 1, 2**53 - 1))
def test_every_safe_integer_is_a_number(number: int) -> None:
    assert parse(str(number)) == number


@pytest.mark.parametrize("digits", ["9" * 5000, "0x" + "f" * 200_000, "1." + "0" * 100_000])
def test_a_number_of_thousands_of_digits_is_text(digits: str) -> None:
    assert parse(f"a: {digits}") == {"a": digits}


def test_quotes_make_text() -> None:
    assert parse("""{a: "1", b: 'true', c: "null", d: ''}""") == {"a": "1", "b": "true", "c": "null", "d": ""}


@pytest.mark.parametrize(
    ("node", "value"),
    [
        ("!!str 12", "12"),
        ("!!str", ""),
        ("!<tag:yaml.org,2002:str> true", "true"),
        ("!!int 12", 12),
        ('!!int "12"', 12),
        ("!!float 1.5", 1.5),
        ("!!bool true", True),
        ("!!null ~", None),
        ("!!seq [a]", ["a"]),
        ("!!map {a: b}", {"a": "b"}),
    ],
)
def test_a_core_tag_is_read_where_it_fits(node: str, value: Value) -> None:
    assert parse(f"a: {node}") == {"a": value}


@pytest.mark.parametrize(
    "node", ["!!int 012", "!!float 1", "!!bool yes", "!!null x", "!!map [a]", "!!seq {a: b}", "!!int x"]
)
def test_a_core_tag_that_does_not_fit_is_refused(node: str) -> None:
    with pytest.raises(InvalidYaml, match="a tag that does not fit its value"):
        parse(f"a: {node}")


@pytest.mark.parametrize(
    "node",
    [
        "!x y",
        "! 12",
        "&a ! 12",
        "&a # c\n  ! 12",
        "! text",
        "!<!> 12",
        "! [a]",
        "!!set {x, y}",
        "!!binary aGk=",
        "!!python/none x",
        "!!merge <<",
        "!t {a: b}",
    ],
)
def test_any_other_tag_is_refused(node: str) -> None:
    with pytest.raises(InvalidYaml, match="unsupported tag"):
        parse(f"a: {node}")


def test_an_exclamation_mark_in_prose_is_no_tag() -> None:
    assert parse("a: Stop ! now !\nb: [x!, y]") == {"a": "Stop ! now !", "b": ["x!", "y"]}


@pytest.mark.parametrize("mark", ["\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("form", ["a: x{}y", 'a: "x{}y"', "a: 'x{}y'", "a: |-\n  x{}y"])
def test_a_unicode_line_break_is_an_ordinary_character(mark: str, form: str) -> None:
    assert parse(form.format(mark)) == {"a": f"x{mark}y"}


def test_a_unicode_line_break_cannot_hide_a_key() -> None:
    assert parse("a: |\n  x\u2028sensitivity: public\n") == {"a": "x\u2028sensitivity: public\n"}


def test_private_use_characters_survive_beside_a_unicode_line_break() -> None:
    assert parse('a: "\u2028\ue000\\ue001\\U0000E002"') == {"a": "\u2028\ue000\ue001\ue002"}


def test_no_carriage_return_of_a_line_end_stays_in_a_value() -> None:
    text = 'a: x\r\nb: "y"\r\nc: |\r\n  one\r\n  two\r\nd: >-\r\n  one\r\n  two\r\n'
    assert parse(text) == {"a": "x", "b": "y", "c": "one\ntwo\n", "d": "one two"}
