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


def canonical_bytes(value: Any) -> bytes:
    """The RFC 8785 canonical JSON of a value; the standard library writes the same where a value is plain."""
    if is_plain(value):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    import rfc8785

    return rfc8785.dumps(value)


def is_plain(value: Any) -> bool:
    """Whether a value holds nothing that JSON leaves room for: names beyond ASCII, large numbers, odd fractions."""
    if isinstance(value, str) or value is None:
        return True
    if isinstance(value, dict):
        return all(isinstance(name, str) and name.isascii() and is_plain(entry) for name, entry in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    if isinstance(value, int):
        return abs(value) <= MOST_EXACT
    return isinstance(value, float) and FRACTION.fullmatch(repr(value)) is not None
