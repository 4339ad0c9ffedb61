"""Checks of token formats: samples of documentation, checksums of GitHub, npm and bech32, JWT, DER.

A right checksum makes a token certain; a wrong one never clears a token of the right prefix and length,
because people cut, retype and mangle tokens.
"""

from __future__ import annotations

import base64
import binascii
import json
import string
import zlib

from kradle_ctx.expressions import lazy_linear_expression
from kradle_ctx.redaction.never_touch import is_placeholder, without_markers
from kradle_ctx.redaction.randomness import looks_random, strangeness, switches

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_BECH32_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_WORDS = 0.3
_LONG = 24
_LONGEST_HUMP = 5
"""Letters to a change of case, in the mean, that random text has at most."""
_SAMPLE = lazy_linear_expression(
    rb"(?i)example|placeholder|xxxx|changeme|0123456789|1234567890|abcdefghij|(?:0{10}|1{10}|\*{4}|\.\.\.)"
)
# Words so short that random text of some length has them, too.
_SHORT_SAMPLE = lazy_linear_expression(rb"(?i)your|dummy|sample|fake")


def is_no_sample(token: bytes) -> bool:
    """True unless the token is a mask or a sample such as documentation shows."""
    text = without_markers(token.decode("utf-8", "replace"))
    masked = len(set(text[-16:])) <= 4 or _SAMPLE.search(token) is not None or _is_short_sample(token, text[4:])
    return (not masked and _is_made(text[4:])) or has_valid_checksum(text) or is_bech32(text)


def _is_short_sample(token: bytes, body: str) -> bool:
    return _SHORT_SAMPLE.search(token) is not None and not (len(body) >= _LONG and looks_random(body))


def _is_made(body: str) -> bool:
    """Whether a generator made it: with digits, or of letters that form no words, or of capitals alone."""
    if any(map(str.isdigit, body)) or strangeness(body) >= _WORDS:
        return True
    return body.isalpha() and (body.isupper() or switches(body) * _LONGEST_HUMP >= len(body))


def is_no_sample_login(value: bytes) -> bool:
    """False for base64 of a user and a password that stands for one, such as `user:password`."""
    try:
        user, colon, password = base64.b64decode(value, validate=True).decode("ascii").partition(":")
    except ValueError:
        return True
    return not (user and colon and is_placeholder(password))


def is_web_token(token: bytes) -> bool:
    """True for a JSON web token, and for what is shaped as one and is no sample."""
    return is_jwt(token) or is_no_sample(token)


def has_valid_checksum(token: str) -> bool:
    """Whether the last six characters are the base-62 CRC-32 of the 30 before (GitHub and npm since 2021)."""
    _, _, body = token.rpartition("_")
    if len(body) != 36 or not body.isalnum() or not body.isascii():
        return False
    return base62(zlib.crc32(body[:30].encode())).rjust(6, "0") == body[30:]


def base62(number: int) -> str:
    """A number in base 62 with digits, upper and lower case in this order."""
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return digits or "0"


def is_bech32(text: str) -> bool:
    """Whether the checksum of a bech32 string is right (BIP 173; age keys are upper case)."""
    low = text.lower()
    prefix, separator, data = low.rpartition("1")
    if (
        not separator
        or not prefix
        or len(data) < 6
        or (text != low and text != text.upper())
        or set(data) - set(_BECH32)
    ):
        return False
    values = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + [_BECH32.index(c) for c in data]
    return _bech32_polymod(values) == 1


def _bech32_polymod(values: list[int]) -> int:
    checksum = 1
    for value in values:
        top = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_BECH32_GENERATOR):
            checksum ^= generator if top >> bit & 1 else 0
    return checksum


def is_jwt(token: bytes) -> bool:
    """Whether the first part of a token is a JOSE header (RFC 7515)."""
    head = token.partition(b".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + b"=" * (-len(head) % 4)))
    except (binascii.Error, ValueError):
        return False
    return isinstance(header, dict) and ("alg" in header or "typ" in header)


def is_der_private_key(body: bytes) -> bool:
    """Whether base64 text starts as a DER private key: a sequence (X.690) that opens with a version number.

    PKCS #1 and #8 have version 0 (RFC 8017, RFC 5958), EC keys 1 (RFC 5915), PKCS #12 files 3 (RFC 7292).
    """
    try:
        der = base64.b64decode(body[: min(len(body), 64) // 4 * 4])
    except binascii.Error:
        return False
    if len(der) < 16 or der[0] != 0x30:
        return False
    header = 2 + (der[1] & 0x7F if der[1] & 0x80 else 0)
    return der[header : header + 2] == b"\x02\x01" and der[header + 2] in (0, 1, 3)
