"""How a text reads once marks, invisible characters and look-alike letters no longer stand in the way."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal

from kradle_ctx.characters import BIDI, CONTROL, INVISIBLE
from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.instructions.lookalikes import has_other_letters, plain_letters

SMUGGLED = ("\x02", "\x03")
"""What stands around text that was spelled in characters that are not displayed."""

_INVISIBLE = f"[{BIDI}{INVISIBLE}\u200c\u200d\ufe0f]+"
_invisible = lazy_linear_expression(_INVISIBLE)
_invisible_within = lazy_linear_expression(f"[A-Za-z]{_INVISIBLE}[A-Za-z]")
_control = lazy_expression(f"\x1b\\[[0-9;]{{0,20}}m|[{CONTROL}]+")
_any_control = lazy_linear_expression(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]", latin=True)
_full_width_signs = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if not chr(code - 0xFEE0).isalnum()}
_any_mark = lazy_linear_expression(rb"\xcc[\x80-\xbf]|\xcd[\x80-\xaf]", latin=True)
_mark = lazy_expression(rb"\xcc[\x80-\xbf]|\xcd[\x80-\xaf]")
_STROKES = tuple((letter.encode(), plain.encode()) for letter, plain in zip("ıłøđŁØĐ", "ilodLOD", strict=True))
_SPACES = frozenset("\u2028\u2029\u2800")
_TAGS = (0xE0020, 0xE007E)
_SELECTORS = ((0xFE00, 0), (0xE0100, 16))
_SHORTEST_SPELLING = 4
_BITS_OF_A_LETTER = 8


def unaccented(text: str, form: Literal["NFD", "NFKD"] = "NFKD") -> str:
    """The text without accents, as people write it who have no such keys; NFKD also undoes widths and fonts."""
    if text.isascii():
        return text
    data = unicodedata.normalize(form, text).encode("utf-8", "replace")
    if _any_mark.search(data):
        data = _mark.sub(b"", data)
    for letter, plain in _STROKES:
        data = data.replace(letter, plain)
    return unicodedata.normalize("NFC", data.decode("utf-8"))


def as_shown(text: str) -> str:
    """The text as it stands, but for accents and the width of signs, which hide nothing."""
    return unaccented(text.translate(_full_width_signs), "NFD")


def undisguised(text: str, between: str = "") -> str:
    """The text in plain letters; invisible characters become `between`, or what they spell."""
    data = text.encode("utf-8", "replace")
    if _any_control.search(data):
        text = _control.sub("", text)
        data = text.encode("utf-8", "replace")
    if text.isascii():
        return text
    if _invisible.search(data):
        data = _invisible.sub(lambda run: _said(run.group().decode(), between).encode(), data)
    text = unaccented(data.decode())
    return unaccented(plain_letters(text)) if has_other_letters(text) else text


def has_invisible_within_words(text: str) -> bool:
    """Whether characters that are not displayed stand between letters."""
    return not text.isascii() and _invisible_within.search(text.encode("utf-8", "replace")) is not None


def _said(run: str, between: str) -> str:
    return spelled(run) or (between if _SPACES.isdisjoint(run) else " ")


@lru_cache(maxsize=1024)
def spelled(run: str) -> str:
    """What a run of invisible characters spells: in tag characters, in variation selectors, or in bits."""
    text = _from_tags(run) or _from_selectors(run) or _from_bits(run)
    return f"{SMUGGLED[0]} {text} {SMUGGLED[1]}" if text else ""


def _from_tags(run: str) -> str:
    text = "".join(chr(ord(character) - 0xE0000) for character in run if _TAGS[0] <= ord(character) <= _TAGS[1])
    return text if len(text) >= _SHORTEST_SPELLING else ""


def _from_selectors(run: str) -> str:
    """Each variation selector stands for one byte: VS1 to VS256 for 0 to 255."""
    codes = (ord(character) for character in run)
    data = bytes(
        code - first + base
        for code in codes
        for first, base in _SELECTORS
        if first <= code < first + (240 if base else 16)
    )
    return data.decode("utf-8", "ignore") if len(data) >= _SHORTEST_SPELLING else ""


def _from_bits(run: str) -> str:
    """Two characters stand for the bits of UTF-8; the one that is seen first for 0, as letters begin with it."""
    symbols = list(dict.fromkeys(run))
    if len(symbols) != 2 or len(run) < _SHORTEST_SPELLING * _BITS_OF_A_LETTER:
        return ""
    bits = run.translate({ord(symbols[0]): "0", ord(symbols[1]): "1"})
    whole = len(bits) - len(bits) % _BITS_OF_A_LETTER
    return int(bits[:whole], 2).to_bytes(whole // _BITS_OF_A_LETTER, "big").decode("utf-8", "ignore")
