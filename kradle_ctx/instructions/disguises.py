"""Undoes what is done to letters: spelled out, reversed, rotated, written in digits, cut by tags."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from kradle_ctx.expressions import lazy_linear_expression
from kradle_ctx.instructions.lines import line_around

if TYPE_CHECKING:
    import re2

Reading = Callable[[bytes, bytes], bytes]
"""Another reading of a line, given what was found in it."""

_WORDS = ("ignore", "disregard", "forget", "previous", "instruction", "reveal", "system prompt")
_DIGITS = {"a": "4@", "e": "3", "i": "1!|", "o": "0", "s": "5$", "t": "7+"}
_letters = bytes.maketrans("".join(_DIGITS.values()).encode(), "".join(k * len(v) for k, v in _DIGITS.items()).encode())


def _rotation(shift: int) -> bytes:
    lower, upper = string.ascii_lowercase, string.ascii_uppercase
    turned = lower[shift:] + lower[:shift] + upper[shift:] + upper[:shift]
    return bytes.maketrans((lower + upper).encode(), turned.encode())


def _in_digits(word: str) -> Iterator[str]:
    """Patterns of a word with a digit or sign for at least one letter: a pattern for each letter that must be one."""
    loose = [f"[{letter}{_DIGITS.get(letter, '')}]" for letter in word]
    for place, letter in enumerate(word):
        if letter in _DIGITS:
            yield "".join([*loose[:place], f"[{_DIGITS[letter]}]", *loose[place + 1 :]])


_shifts = {word.encode().translate(_rotation(shift)): shift for word in _WORDS for shift in range(1, 26)}

_TAG = r"(?:</?[a-z]{1,8}(?:\s[^<>\n]*)?/?>|<!--[^<>\n]*-->)"
_SPELLED_OUT = r"\b(?:[A-Za-z][ .\-_*|/~]{1,3}){5,}[A-Za-z]\b"
_CUT = rf"[A-Za-z](?:{_TAG}{_TAG}|<wbr\s?/?>|<!--[^<>\n]*-->)[A-Za-z]"
_REVERSED = f"(?:{'|'.join(word[::-1] for word in _WORDS)})"
_ROTATED = f"(?:{'|'.join(sorted(word.decode() for word in _shifts))})"
_IN_DIGITS = f"(?:{'|'.join(pattern for word in _WORDS for pattern in _in_digits(word))})"
_any_sign = lazy_linear_expression("|".join((_SPELLED_OUT, _CUT, _REVERSED, _ROTATED, _IN_DIGITS)), latin=True)

_spelled_out, _cut, _reversed, _rotated, _some_digits, _tag = (
    lazy_linear_expression(pattern, latin=True)
    for pattern in (_SPELLED_OUT, _CUT, _REVERSED, _ROTATED, _IN_DIGITS, _TAG)
)
_letter = lazy_linear_expression(rb"([A-Za-z])([^A-Za-z]*)", latin=True)


def unscrambled(data: bytes) -> Iterator[bytes]:
    """Other readings of the lines of UTF-8 text in which letters are out of the ordinary."""
    small = data.lower()
    for sign, reading in _READINGS if _any_sign.search(small) else ():
        position = 0
        while match := sign.search(small, position):
            start, end = line_around(data, match.start(), match.end())
            yield reading(data[start:end], match.group())
            position = max(end, match.end())


def _joined(line: bytes, _: bytes) -> bytes:
    return bytes(_spelled_out.sub(lambda match: _words(match.group()), line))


def _words(run: bytes) -> bytes:
    """Letters that stand alone put together; a gap other than the first one parts two words."""
    pairs = [(pair.group(1), pair.group(2)) for pair in _letter.finditer(run)]
    inner = pairs[0][1]
    return b"".join(letter if gap in (inner, b"") else letter + b" " for letter, gap in pairs)


def _turned(line: bytes, _: bytes) -> bytes:
    return line.decode("utf-8", "replace")[::-1].encode()


def _rotated_back(line: bytes, word: bytes) -> bytes:
    return line.translate(_rotation(26 - _shifts[word]))


def _in_letters(line: bytes, _: bytes) -> bytes:
    return line.translate(_letters)


def _uncut(line: bytes, _: bytes) -> bytes:
    return bytes(_tag.sub(b"", line))


_READINGS: tuple[tuple[re2._Regexp, Reading], ...] = (
    (_spelled_out, _joined),
    (_reversed, _turned),
    (_rotated, _rotated_back),
    (_some_digits, _in_letters),
    (_cut, _uncut),
)
