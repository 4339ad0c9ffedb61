"""Whether a commit is signed by a known key, from the raw commit alone: no gpg, no ssh-keygen, no Git configuration."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from kradle_ctx.adapters.ssh_signatures import SshSignature, read_signature
from kradle_ctx.expressions import lazy_expression

MAX_SIGNATURE_BYTES = 16 << 10
"""Longest signature that is looked at, in its armour; that of an RSA key of 16384 bits has 6 KiB."""

KEY_TYPES = frozenset(
    {
        "ssh-ed25519",
        "ecdsa-sha2-nistp256",
        "ecdsa-sha2-nistp384",
        "ecdsa-sha2-nistp521",
        "ssh-rsa",
        "sk-ssh-ed25519@openssh.com",
        "sk-ecdsa-sha2-nistp256@openssh.com",
    }
)
"""Types of public key whose signatures are checked, by OpenSSH's names."""

COMMIT_START = lazy_expression(rb"tree [0-9a-f]{40}\n(?:parent [0-9a-f]{40}\n)*author .*\ncommitter .*\n")
"""The lines that every commit begins with, in Git's order."""

SIGNATURE_FIELD = lazy_expression(rb"^gpgsig(.*(?:\n .*)*)\n", re.MULTILINE)
"""A header field that Git leaves out of what is signed, with its further lines; each of those begins with a space."""

OURS, FOR_SHA256 = b" ", b"-sha256 "
"""What follows `gpgsig` in the signature of a SHA-1 commit, and in that of its SHA-256 counterpart."""

OTHER_ARMORS = (b"-----BEGIN PGP SIGNATURE-----", b"-----BEGIN PGP MESSAGE-----", b"-----BEGIN SIGNED MESSAGE-----")
"""OpenPGP and X.509, by the first lines that Git knows them by."""


class Outcome(StrEnum):
    """What came of checking a commit's signature."""

    UNSIGNED = "it has no signature"
    UNCHECKED = "it has a signature of a kind that is not checked"
    REFUSED = "its signature is not one that Git makes with an SSH key"
    UNKNOWN = "its signature names a key that is not among the known ones"
    WRONG = "its signature is not that of the key which it names"
    RIGHT = "it is signed by a known key"


class SignatureCheck(Struct, frozen=True):
    """What came of the check, and the fingerprint of the known key when the outcome is `RIGHT` (else None)."""

    outcome: Outcome
    signer: str | None = None


def check_commit(raw: bytes, keys: Sequence[str]) -> SignatureCheck:
    """Check the signature of a raw commit against public keys, each a line of OpenSSH's; never raises.

    Nothing of the key that a signature names is used before that key is found among the known ones.
    """
    if b"\ngpgsig " not in raw.partition(b"\n\n")[0]:
        return SignatureCheck(Outcome.UNSIGNED)
    try:
        payload, armored = signed_parts(raw)
        if armored.startswith(OTHER_ARMORS):
            return SignatureCheck(Outcome.UNCHECKED)
        signature = read_signature(armored)
    except ValueError:
        return SignatureCheck(Outcome.REFUSED)
    if not is_known(signature, keys):
        return SignatureCheck(Outcome.UNKNOWN)

    from kradle_ctx.adapters.ssh_keys import is_right

    if is_right(signature, payload):
        return SignatureCheck(Outcome.RIGHT, signature.fingerprint)
    return SignatureCheck(Outcome.WRONG)


def signed_parts(raw: bytes) -> tuple[bytes, bytes]:
    """What a raw commit's signature is for, and the signature; `ValueError` unless all else in the commit is signed.

    As Git does it, the fields `gpgsig` and `gpgsig-sha256` are left out of what is signed. Git leaves out any field
    that begins like them, takes several for one, and takes them between tree and parents, where they hide the
    parents; all three are refused here.
    """
    header, blank, message = raw.partition(b"\n\n")
    fields = SIGNATURE_FIELD.findall(header + b"\n")
    ours = [field for field in fields if field.startswith(OURS)]
    others = [field for field in fields if field.startswith(FOR_SHA256)]
    if not blank or len(ours) != 1 or len(others) > 1 or len(ours) + len(others) != len(fields):
        raise ValueError("not one signature")
    if COMMIT_START.match(raw) is None or len(ours[0]) > MAX_SIGNATURE_BYTES:
        raise ValueError("not a commit as Git writes it, or too long a signature")
    payload = SIGNATURE_FIELD.sub(b"", header + b"\n") + b"\n" + message
    return payload, ours[0].removeprefix(OURS).replace(b"\n ", b"\n")


def is_known(signature: SshSignature, keys: Sequence[str]) -> bool:
    """Whether the key that a signature names stands in one of the lines, and is of a type that is checked."""
    line = signature.key_line.split()
    return signature.kind in KEY_TYPES and any(key.split(maxsplit=2)[:2] == line for key in keys)
