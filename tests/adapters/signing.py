"""Signs commits as Git does with an SSH key, written from PROTOCOL.sshsig and apart from the code under test."""

from __future__ import annotations

import base64
import hashlib
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVES: Mapping[str, tuple[ec.EllipticCurve, hashes.HashAlgorithm]] = {
    "nistp256": (ec.SECP256R1(), hashes.SHA256()),
    "nistp384": (ec.SECP384R1(), hashes.SHA384()),
    "nistp521": (ec.SECP521R1(), hashes.SHA512()),
}

RSA_HASHES = {"rsa-sha2-256": hashes.SHA256(), "rsa-sha2-512": hashes.SHA512(), "ssh-rsa": hashes.SHA1()}

FLAGS_AND_COUNTER = b"\x01\x00\x00\x00\x2a"


def wire(*values: bytes) -> bytes:
    """Values of the SSH wire format, each after its length."""
    return b"".join(struct.pack(">I", len(value)) + value for value in values)


def number(value: int) -> bytes:
    """The shortest two's complement of a number that is not negative."""
    return value.to_bytes(value.bit_length() // 8 + 1, "big") if value else b""


def first_line(public_key: Any) -> tuple[str, bytes]:
    """Type and raw form of a public key."""
    kind, encoded = public_key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode().split()
    return kind, base64.b64decode(encoded)


@dataclass(frozen=True)
class SigningKey:
    """A key that signs: its type, its public half, and how it signs a message."""

    kind: str
    public: bytes
    sign: Callable[[bytes], bytes]

    @property
    def line(self) -> str:
        """The line of its public key file."""
        return f"{self.kind} {base64.b64encode(self.public).decode()} somebody@example.invalid"

    @property
    def fingerprint(self) -> str:
        """Its name."""
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.public).digest()).decode().rstrip("=")

    def blob(
        self,
        payload: bytes,
        *,
        namespace: bytes = b"git",
        reserved: bytes = b"",
        hash_name: str = "sha512",
        version: int = 1,
    ) -> bytes:
        """A signature of a payload, bare."""
        hashed = hashlib.new(hash_name, payload).digest()
        value = self.sign(b"SSHSIG" + wire(namespace, reserved, hash_name.encode(), hashed))
        fields = wire(self.public, namespace, reserved, hash_name.encode(), value)
        return b"SSHSIG" + struct.pack(">I", version) + fields

    def signed(self, payload: bytes, **others: Any) -> bytes:
        """A raw commit with this key's signature."""
        return with_signature(payload, armored(self.blob(payload, **others)))


def armored(blob: bytes) -> bytes:
    """A signature in its armour."""
    text = base64.b64encode(blob)
    lines = b"".join(text[at : at + 70] + b"\n" for at in range(0, len(text), 70))
    return b"-----BEGIN SSH SIGNATURE-----\n" + lines + b"-----END SSH SIGNATURE-----\n"


def with_signature(payload: bytes, signature: bytes, field: bytes = b"gpgsig") -> bytes:
    """A raw commit with a signature as the last field of its header."""
    header, _, message = payload.partition(b"\n\n")
    return header + b"\n" + field + b" " + signature.rstrip(b"\n").replace(b"\n", b"\n ") + b"\n\n" + message


def ed25519_key(seed: str = "one") -> SigningKey:
    """An Ed25519 key of a seed."""
    private = ed25519.Ed25519PrivateKey.from_private_bytes(hashlib.sha256(seed.encode()).digest())
    kind, public = first_line(private.public_key())
    return SigningKey(kind, public, lambda message: wire(b"ssh-ed25519", private.sign(message)))


def ecdsa_key(curve: str) -> SigningKey:
    """A key on a NIST curve."""
    shape, hashed = CURVES[curve]
    private = ec.derive_private_key(0x1F2E3D4C5B6A79881F2E3D4C5B6A7988, shape)
    kind, public = first_line(private.public_key())
    return SigningKey(kind, public, lambda message: wire(kind.encode(), pair(private, message, hashed)))


def pair(private: ec.EllipticCurvePrivateKey, message: bytes, hashed: hashes.HashAlgorithm) -> bytes:
    """An ECDSA signature in the SSH form."""
    both = utils.decode_dss_signature(private.sign(message, ec.ECDSA(hashed)))
    return wire(*(number(each) for each in both))


def rsa_key(private: rsa.RSAPrivateKey, algorithm: str = "rsa-sha2-512") -> SigningKey:
    """An RSA key that signs by one algorithm."""
    kind, public = first_line(private.public_key())

    def sign(message: bytes) -> bytes:
        return wire(algorithm.encode(), private.sign(message, padding.PKCS1v15(), RSA_HASHES[algorithm]))

    return SigningKey(kind, public, sign)


def hardware_key(kind: str) -> SigningKey:
    """A key as of a FIDO security key, by its type; PROTOCOL.u2f says what such a device signs."""
    type_name, application = kind.encode(), b"ssh:"
    curve_key = ec.derive_private_key(0x5A5A5A5A5A5A5A5A5A5A5A5A, ec.SECP256R1())
    edwards_key = ed25519.Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"device").digest())
    point = curve_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    edwards_point = edwards_key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    fields = (b"nistp256", point) if "ecdsa" in kind else (edwards_point,)

    def sign(message: bytes) -> bytes:
        inner = hashlib.sha256(application).digest() + FLAGS_AND_COUNTER + hashlib.sha256(message).digest()
        made = pair(curve_key, inner, hashes.SHA256()) if "ecdsa" in kind else edwards_key.sign(inner)
        return wire(type_name, made) + FLAGS_AND_COUNTER

    return SigningKey(kind, wire(type_name, *fields, application), sign)
