"""Text from outside, made safe to print."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.characters import unsafe_counts
from kradle_ctx.render.escape import escape_line, escape_text

VISIBLE_FORMATS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Format characters that have a shape of their own: Arabic, Syriac and Kaithi number signs."""

NAMED_INVISIBLE = {
    *(0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC),
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),
    *range(0x13430, 0x13456),
    *range(0xFDD0, 0xFDF0),
    *range(0xE0000, 0xE1000),
}
"""Default-ignorable code points that are no formats by category, blank letters, and what many fonts draw as nothing."""

JOINERS = "\u200c\u200d\ufe0f"
"""Ordinary between certain neighbours; alone they are unsafe."""


def unsafe(character: str) -> bool:
    """What may not be printed, by Unicode's own categories: controls, formats, surrogates, line separators."""
    code = ord(character)
    if character in "\n\t" or code in VISIBLE_FORMATS:
        return False
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") or code in NAMED_INVISIBLE


texts = st.one_of(
    st.text(st.characters(exclude_categories=[]), max_size=40),
    st.text(st.sampled_from("ab\n\t\r\x1b\x07\x7f\x85\u200b\u202e\u2066\u2028\ufeff\U000e0041é日😀\\"), max_size=20),
)


def test_no_unsafe_character_of_all_survives_and_no_safe_one_is_touched() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unsafe(character):
            assert escape_text(character) == f"\\u{{{code:x}}}"
        elif unicodedata.category(character) not in ("Cn", "Co") and code < 0xE0000:
            assert escape_text(character) == character


@given(texts)
def test_nothing_unsafe_survives(text: str) -> None:
    assert not any(unsafe(character) for character in escape_text(text) if character not in JOINERS)
    assert not any(unsafe(mark) or mark in "\n\t" for mark in escape_line(text) if mark not in JOINERS)


@given(texts)
def test_escaping_twice_changes_nothing_more(text: str) -> None:
    assert escape_text(escape_text(text)) == escape_text(text)
    assert escape_line(escape_line(text)) == escape_line(text)


@given(texts)
def test_lines_and_tabs_stay(text: str) -> None:
    assert escape_text(text).count("\n") == text.count("\n")
    assert escape_text(text).count("\t") == text.count("\t")


@given(texts.filter(lambda text: not any(unsafe(mark) or unicodedata.category(mark) == "Cn" for mark in text)))
def test_safe_text_is_not_touched(text: str) -> None:
    assert escape_text(text) == text


@given(texts)
def test_what_is_escaped_can_be_printed_everywhere(text: str) -> None:
    assert escape_text(text).encode("utf-8").decode("utf-8") == escape_text(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\u{1b}[31mred"),
        ("a\x07b\x00", "a\\u{7}b\\u{0}"),
        ("user\u202egnp.exe", "user\\u{202e}gnp.exe"),
        ("zero\u200bwidth", "zero\\u{200b}width"),
        ("tag\U000e0041", "tag\\u{e0041}"),
        ("half\ud800", "half\\u{d800}"),
        ("cr\rlf", "cr\\u{d}lf"),
    ],
)
def test_unsafe_characters_are_shown_and_not_dropped(text: str, shown: str) -> None:
    assert escape_text(text) == shown


def test_emoji_and_scripts_stay_whole() -> None:
    joined = ("👩\u200d💻", "🏳\ufe0f\u200d🌈", "👩🏽\u200d🚒", "می\u200cخواهم", "क्\u200dष", "ශ්\u200dරී", "1\ufe0f\u20e3")
    for text in ("❤️", "日本語", "ไทย", "العربية", "हिन्दी", "e\u0301", "👍🏽", *joined):
        assert escape_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "ig\u200dnore",
        "👩\u200dx",
        "x\u200d💻",
        "pass\u200cword",
        "\u200cمی",
        "می\u200c",
        "a\ufe0f",
        "❤\ufe0f\ufe0f",
        "👩\u200d\u200d💻",
    ],
)
def test_a_joiner_that_joins_nothing_is_shown(text: str) -> None:
    assert escape_text(text) != text
    assert all(f"\\u{{{ord(mark):x}}}" in escape_text(text) for mark in text if mark in JOINERS)


def test_unsafe_characters_are_counted_by_kind() -> None:
    assert unsafe_counts("\x1b[1m \u202e\u2066 \u200b\U000e0041\u200d 👩\u200d💻") == {
        "bidi": 2,
        "control": 1,
        "invisible": 3,
    }
    assert unsafe_counts("plain\n\ttext") == {}


def test_one_line_shows_its_line_ends_and_tabs() -> None:
    assert escape_line("a\nb\tc\r\n") == "a\\nb\\tc\\u{d}\\n"
