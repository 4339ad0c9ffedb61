"""Digests: SHA-256 over bytes, or over the RFC 8785 canonical JSON of a value."""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785


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
    """The RFC 8785 canonical JSON of a value."""
    return rfc8785.dumps(value)
