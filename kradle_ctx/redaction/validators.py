"""Checks of token formats: samples from documentation, checksums of GitHub, npm and bech32, JWT and DER structure.

A right checksum makes a token certain; a wrong one never clears a token of the right prefix and length, because
people cut, retype and mangle tokens.
"""

from __future__ import annotations

import base64
import binascii
import json
import string
import zlib

import re2

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_BECH32_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_SAMPLE = re2.compile(
    r"(?i)example|placeholder|your|xxxx|redacted|changeme|dummy|sample|fake|0123456789|1234567890|abcdefghij|(?:0{10}|1{10}|\*{4}|\.\.\.)"
)


def is_no_sample(token: bytes) -> bool:
    """True unless the token is a mask or a sample such as documentation shows."""
    text = token.decode("utf-8", "replace")
    if has_valid_checksum(text):
        return True
    return len(set(text[-16:])) > 4 and _SAMPLE.search(text) is None


def has_valid_checksum(token: str) -> bool:
    """Whether the last six characters are the base-62 CRC-32 of the 30 before them (GitHub and npm since 2021)."""
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
    if not separator or not prefix or len(data) < 6 or (text != low and text != text.upper()) or set(data) - set(_BECH32):
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


def is_jwt(token: str) -> bool:
    """Whether the first part of a token is a JOSE header (RFC 7515)."""
    head = token.partition(".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (binascii.Error, ValueError):
        return False
    return isinstance(header, dict) and ("alg" in header or "typ" in header)


def is_der_sequence(body: bytes) -> bool:
    """Whether base64 text starts with a DER sequence that spans it (X.690), as PKCS #1 and #8 keys do."""
    compact = b"".join(body.split())
    try:
        der = base64.b64decode(compact[: len(compact) // 4 * 4])
    except binascii.Error:
        return False
    if len(der) < 8 or der[0] != 0x30 or not der[1] & 0x80:
        return False
    size = der[1] & 0x7F
    return 1 <= size <= 4 and abs(int.from_bytes(der[2 : 2 + size]) + 2 + size - len(der)) < 4
