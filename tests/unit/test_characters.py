"""Characters that are escaped before a text is shown."""

from __future__ import annotations

import pytest

from kradle_ctx.characters import has_unsafe, replace_unsafe, unsafe_counts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a\x1b[1m", "control"),
        ("a\x07é", "control"),
        ("\u202eabc", "bidi"),
        ("a\u200bb", "invisible"),
        ("a\U000e0041", "invisible"),
        ("a\u200db", "invisible"),
    ],
)
def test_an_unsafe_character_is_seen_counted_and_replaced(text: str, kind: str) -> None:
    assert has_unsafe(text)
    assert dict(unsafe_counts(text)) == {kind: 1}
    replaced = replace_unsafe(text, lambda character: f"<{ord(character):x}>")
    assert not has_unsafe(replaced)
    assert "<" in replaced


@pytest.mark.parametrize("text", ["plain\n\ttext", "é ü 漢字", "👩\u200d🚀", "می\u200cخواهم", "❤\ufe0f"])
def test_an_ordinary_text_stays_as_it_is(text: str) -> None:
    assert not has_unsafe(text)
    assert dict(unsafe_counts(text)) == {}
    assert replace_unsafe(text, lambda character: "!") == text
