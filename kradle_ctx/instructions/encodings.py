"""Undoes encodings: base64, base32, hex, bits and codes of letters, and escapes in place."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from kradle_ctx.expressions import lazy_linear_expression
from kradle_ctx.instructions.lines import REACH, line_around

_TOKEN = r"[A-Za-z0-9+/]{24,}"
_CODES = (
    r"\b(?:[01]{8}[ \t\r\n,]*){8,}|\b(?:(?:0x)?[0-9a-fA-F]{2}[ \t\r\n,:;]+){7,}(?:0x)?[0-9a-fA-F]{2}\b"
    r"|\b(?:[0-9]{2,3}[ \t\r\n,;]+){9,}[0-9]{2,3}\b"
)
_ESCAPE = (
    r"\\x[4-7][0-9A-Fa-f]|\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}|%[0-7][0-9A-Fa-f]"
    r"|%[c-fC-F][0-9A-Fa-f]%"
    r"|&(?:#[0-9]{2,7}|#[xX][0-9A-Fa-f]{2,6}|nbsp|ensp|emsp|shy|zwnj|Tab|NewLine);|&lt;[/|]?[a-z_]{4,20}(?:&gt;|[|])"
    r"|=[46][1-9A-F]=[4-7][0-9A-F]"
)
_token = lazy_linear_expression(_TOKEN, latin=True)
_whole_token = lazy_linear_expression(
    rb"[A-Za-z0-9+/_\-]*(?:\r?\n[ \t>*#/]*[A-Za-z0-9+/]{40,})*(?:\r?\n[ \t>*#/]*[A-Za-z0-9+/]{2,}={0,2})?", latin=True
)
_codes = lazy_linear_expression(_CODES, latin=True)
_escape = lazy_linear_expression(_ESCAPE, latin=True)
_point = lazy_linear_expression(
    rb"\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})|\\u\{([0-9A-Fa-f]{1,6})\}|=([0-9A-F]{2})", latin=True
)
_separator = lazy_linear_expression(rb"[^0-9A-Fa-f]+", latin=True)

_HEX = b"0123456789abcdefABCDEF"
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_FARTHEST = 512
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_PRINTABLE = bytes({9, 10, 13, *range(32, 127), *range(128, 256)})
_SHORTEST = 16
_LONGEST_NAME = 48
"""Letters without a digit are a name up to this length: 48 characters of base64 have a digit 999 times in 1,000."""

_MOST_ODD = 0.25
_LONGEST_PIECE = 4000
_PROSE = frozenset(b" ,.:;'\"!?-\n\r\t")


def decoded(data: bytes, most: int) -> Iterator[bytes]:
    """What encoded pieces of UTF-8 text say, at most `most` bytes of it."""
    for piece in _pieces(data):
        most -= len(piece)
        if most < 0:
            return
        yield piece


def _pieces(data: bytes) -> Iterator[bytes]:
    yield from _of_tokens(data)
    for match in _codes.finditer(data):
        yield from _of_codes(match.group())
    yield from _of_escapes(data)


def _of_tokens(data: bytes) -> Iterator[bytes]:
    position = 0
    while match := _token.search(data, position):
        if match.group().isalpha() and len(match.group()) < _LONGEST_NAME:
            position = match.end()
            continue
        before = data[max(position, match.start() - _FARTHEST) : match.start()]
        start = match.start() - len(before) + len(before.rstrip(_ALPHABET))
        whole = _whole_token.match(data, start)
        position = max(whole.end(), match.end())
        yield from _of_token(whole.group().split())


def _of_token(lines: list[bytes]) -> Iterator[bytes]:
    """What a token says that may go on over lines, or its first line when it does not."""
    found = tuple(_from_digits(b"".join(lines).rstrip(b"=")))
    yield from found or (_from_digits(lines[0]) if len(lines) > 1 else ())


def _from_digits(core: bytes) -> Iterator[bytes]:
    if not core.strip(_HEX):
        yield from _text(binascii.unhexlify, core[len(core) % 2 :])
    elif core.isupper():
        yield from _text(base64.b32decode, core + b"=" * (-len(core) % 8))
    elif not core.islower():
        yield from _from_base64(core) or (
            text for part in core.split(b"/") if len(part) >= _SHORTEST for text in _from_base64(part)
        )


def _from_base64(core: bytes) -> tuple[bytes, ...]:
    whole = core[: len(core) - (len(core) % 4 == 1)].translate(_URL_SAFE)
    return _text(binascii.a2b_base64, whole + b"=" * (-len(whole) % 4))


def _text(decode: Callable[[bytes], bytes], data: bytes) -> tuple[bytes, ...]:
    """The decoded bytes when they are text, UTF-8 or UTF-16, else nothing."""
    try:
        found = decode(data)
    except ValueError:
        return ()
    if found[1::2].count(0) * 2 >= len(found) - 1 > 1:
        found = found[0::2]
    return (found,) if is_text(found) else ()


def is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8 that reads as prose rather than as noise; the last character may be cut."""
    if data.translate(None, _PRINTABLE):
        return False
    text = data.decode("utf-8", "ignore")
    if len(text.encode()) + 3 < len(data):
        return False
    odd = sum(1 for character in text if not character.isalpha() and ord(character) not in _PROSE)
    return bool(text) and odd <= len(text) * _MOST_ODD


def _of_codes(run: bytes) -> Iterator[bytes]:
    """Numbers in a row that stand for bytes: in bits, hex or decimal."""
    numbers = [number for number in _separator.split(run) if number]
    joined = b"".join(numbers)
    if not joined.strip(b"01"):
        base, numbers = 2, [joined[at : at + 8] for at in range(0, len(joined) - 7, 8)]
    else:
        base = 16 if all(len(number) == 2 for number in numbers) else 10
    try:
        found = bytes(int(number, base) for number in numbers)
    except ValueError:
        return
    if is_text(found):
        yield found


def _of_escapes(data: bytes) -> Iterator[bytes]:
    """Lines with escapes, in pieces that overlap where a line is long."""
    position = 0
    while match := _escape.search(data, position):
        far = min(match.start() + _LONGEST_PIECE, len(data))
        line_end = data.find(b"\n", match.start(), far)
        end = far if line_end < 0 else line_end
        start, _ = line_around(data, match.start(), match.end())
        yield _unescaped(data[start:end])
        position = end if line_end >= 0 or far == len(data) else end - REACH


def _unescaped(line: bytes) -> bytes:
    if b"\\" in line or b"=" in line:
        line = _point.sub(_character, line)
    text = line.decode("utf-8", "replace")
    return html.unescape(unquote(text) if "%" in text else text).encode("utf-8", "replace")


def _character(match: re.Match[bytes]) -> bytes:
    point = int(next(group for group in match.groups() if group), 16)
    return chr(point).encode("utf-8", "replace") if point < 0x110000 else b""
