"""Verifies what a public key of OpenSSH has signed; the only module that loads `cryptography`."""

from __future__ import annotations

import hashlib

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

from kradle_ctx.adapters.ssh_signatures import Fields, SshSignature

RSA_HASHES: dict[bytes, hashes.HashAlgorithm] = {b"rsa-sha2-256": hashes.SHA256(), b"rsa-sha2-512": hashes.SHA512()}
"""RFC 8332; `ssh-rsa`, which is SHA-1, is left out, as PROTOCOL.sshsig asks."""

ECDSA_HASHES: dict[str, hashes.HashAlgorithm] = {
    "secp256r1": hashes.SHA256(),
    "secp384r1": hashes.SHA384(),
    "secp521r1": hashes.SHA512(),
}
"""RFC 5656, section 6.2.1: the hash by the curve."""

LEAST_RSA_BITS = 2048

HARDWARE_KEYS = {"sk-ssh-ed25519@openssh.com": 2, "sk-ecdsa-sha2-nistp256@openssh.com": 3}
"""Types of keys in a FIDO security key, and how many fields of such a key stand before its application."""

REFUSED = (InvalidSignature, UnsupportedAlgorithm, ValueError)
"""What `cryptography` and `Fields` raise for a key or a signature that is not sound."""


def is_right(signature: SshSignature, signed: bytes) -> bool:
    """Whether the key that a signature names, of a type that is checked, signed just these bytes; never raises."""
    message = signature.message(signed)
    try:
        key = load_ssh_public_key(signature.key_line.encode())
        fields = Fields(signature.value)
        algorithm, value = fields.string(), fields.string()
        if signature.kind in HARDWARE_KEYS:
            message = hardware_message(signature, fields.take(5), message)
        fields.end()
        if isinstance(key, RSAPublicKey):
            verify_rsa(key, algorithm, value, message)
            return True
        verify_curve(key, value, message)
    except REFUSED:
        return False
    return algorithm == signature.kind.encode()


def hardware_message(signature: SshSignature, flags_and_counter: bytes, message: bytes) -> bytes:
    """What a FIDO security key signs for a message (OpenSSH's PROTOCOL.u2f, "SSH U2F Signatures").

    Whether somebody touched the device is not asked, as by `ssh-keygen -Y verify`: the signature is the key's in any
    case.
    """
    fields = Fields(signature.key)
    *_, application = (fields.string() for _ in range(HARDWARE_KEYS[signature.kind] + 1))
    return hashlib.sha256(application).digest() + flags_and_counter + hashlib.sha256(message).digest()


def verify_rsa(key: RSAPublicKey, algorithm: bytes, value: bytes, message: bytes) -> None:
    """Raise one of `REFUSED` unless the signature is right, by SHA-2, and of a key that is long enough."""
    if key.key_size < LEAST_RSA_BITS or algorithm not in RSA_HASHES:
        raise ValueError("a short key, or another algorithm")
    key.verify(value, message, PKCS1v15(), RSA_HASHES[algorithm])


def verify_curve(key: object, value: bytes, message: bytes) -> None:
    """Raise one of `REFUSED` unless the signature of a key on an elliptic curve is right."""
    if isinstance(key, Ed25519PublicKey):
        key.verify(value, message)
    elif isinstance(key, EllipticCurvePublicKey):
        fields = Fields(value)
        pair = fields.large_number(), fields.large_number()
        fields.end()
        key.verify(encode_dss_signature(*pair), message, ECDSA(ECDSA_HASHES[key.curve.name]))
    else:
        raise ValueError("a key of another kind")
