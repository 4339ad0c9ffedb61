"""Digests: SHA-256 over bytes, or over the RFC 8785 canonical JSON of a value."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from kradle_ctx.expressions import lazy_expression

MOST_EXACT: Final = 2**53 - 1
"""Up to it every whole number is exact as a float of 64 bits, as which JSON numbers are read."""

FRACTION = lazy_expression(r"-?\d{1,15}\.\d*[1-9]")
"""A float that Python and ECMAScript write alike."""


class Digest(str):
    """A digest as text, `sha256:` and 64 hex digits."""

    __slots__ = ()

    @property
    def hex(self) -> str:
        """The 64 hex digits alone."""
        return self.partition(":")[2]


def digest_bytes(data: bytes) -> Digest:
    """Digest exact bytes."""
    return Digest("sha256:" + hashlib.sha256(data).hexdigest())


def digest_text(text: str) -> Digest:
    """Digest the UTF-8 bytes of a text."""
    return digest_bytes(text.encode())


def digest_value(value: Any) -> Digest:
    """Digest a JSON value by its RFC 8785 canonical form, so that key order and layout do not matter."""
    return digest_bytes(canonical_bytes(value))


class NotPlain(Exception):
    """A value that holds what JSON leaves room for."""


def canonical_bytes(value: Any) -> bytes:
    """The RFC 8785 canonical JSON of a value; the standard library writes the same where a value is plain."""
    try:
        return json.dumps(plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    except NotPlain:
        import rfc8785

        return rfc8785.dumps(value)


def plain(value: Any) -> Any:
    """A value as the standard library writes it canonically: whole numbers are no fractions.

    Raises `NotPlain` for names beyond ASCII, large numbers and odd fractions.
    """
    if isinstance(value, (str, bool)) or value is None:
        return value
    if isinstance(value, dict):
        if all(isinstance(name, str) and name.isascii() for name in value):
            return {name: plain(entry) for name, entry in value.items()}
    elif isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    elif isinstance(value, int):
        if abs(value) <= MOST_EXACT:
            return value
    elif isinstance(value, float):
        if value.is_integer() and abs(value) <= MOST_EXACT:
            return int(value)
        if FRACTION.fullmatch(repr(value)):
            return value
    raise NotPlain
