"""SSH signatures as OpenSSH writes them, taken apart without trusting a length in them; nothing is verified here."""

from __future__ import annotations

import base64
import hashlib

from msgspec import Struct

from kradle_ctx.expressions import lazy_expression

GIT_NAMESPACE = b"git"
"""What Git's signatures say they are for; a signature made for a file or a login says something else."""

ARMOR = lazy_expression(rb"-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\s]+)\n-----END SSH SIGNATURE-----\s*")

PREAMBLE = b"SSHSIG"

VERSION = 1

HASHES = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}
"""The hashes that PROTOCOL.sshsig allows, by its names."""


class Fields:
    """Reads the values of an SSH wire format (RFC 4251, section 5) one after another; `ValueError` where they end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        end = self._at + size
        if end > len(self._data):
            raise ValueError("a value is cut short")
        taken = self._data[self._at : end]
        self._at = end
        return taken

    def number(self) -> int:
        """A number of four bytes."""
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        """Bytes of any number, after their number."""
        return self.take(self.number())

    def large_number(self) -> int:
        """A whole number of any size that is not negative, in as few bytes as it takes."""
        value = self.string()
        if value[:1] >= b"\x80" or (value[:1] == b"\0" and value[1:2] < b"\x80"):
            raise ValueError("a number is negative or padded")
        return int.from_bytes(value, "big")

    def end(self) -> None:
        """Nothing may be left."""
        if self._at != len(self._data):
            raise ValueError("something follows the last value")


class SshSignature(Struct, frozen=True):
    """What an SSH signature holds: the type and bytes of the key that it names, the message's hash, the key's value."""

    kind: str
    key: bytes
    hash_name: bytes
    value: bytes

    @property
    def key_line(self) -> str:
        """The key as in a public key file, without a comment."""
        return f"{self.kind} {base64.b64encode(self.key).decode()}"

    @property
    def fingerprint(self) -> str:
        """The name that OpenSSH shows for the key: `SHA256:` and its hash in base64."""
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.key).digest()).decode().rstrip("=")

    def message(self, signed: bytes) -> bytes:
        """The bytes that the key has signed when `signed` is what the signature is for."""
        parts = (GIT_NAMESPACE, b"", self.hash_name, HASHES[self.hash_name](signed).digest())
        return PREAMBLE + b"".join(wire_string(part) for part in parts)


def read_signature(armored: bytes) -> SshSignature:
    """Take an armoured signature apart (PROTOCOL.sshsig); `ValueError` unless it is one of Git's in every byte.

    The reserved field is refused when something is in it, which OpenSSH lets pass: it is not part of what OpenSSH
    verifies.
    """
    armor = ARMOR.fullmatch(armored)
    if armor is None:
        raise ValueError("not an SSH signature")
    fields = Fields(base64.b64decode(b"".join(armor[1].split()), validate=True))
    if fields.take(len(PREAMBLE)) != PREAMBLE or fields.number() != VERSION:
        raise ValueError("not version 1 of the format")
    key, namespace, reserved, hash_name, value = (fields.string() for _ in range(5))
    fields.end()
    if namespace != GIT_NAMESPACE or reserved or hash_name not in HASHES:
        raise ValueError("not made for Git, or with another hash")
    return SshSignature(Fields(key).string().decode("ascii"), key, hash_name, value)


def wire_string(value: bytes) -> bytes:
    """Bytes after their number."""
    return len(value).to_bytes(4, "big") + value
