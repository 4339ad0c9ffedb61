"""Signed commits: only the bytes that a known key signed count as signed, whatever stands around them."""

from __future__ import annotations

import re
from functools import cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import strategies as st

from kradle_ctx.adapters.git_objects import parse_commit
from kradle_ctx.adapters.git_signatures import Outcome, check_commit
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import CommitInfo
from tests.adapters.signing import SigningKey, first_line
from tests.fuzz.target import Target, refusal, require

NAME = "1" * 40
PAYLOAD = (
    b"tree " + b"a" * 40 + b"\nparent " + b"b" * 40 + b"\nauthor A <a@example.invalid> 1777593600 +0000\n"
    b"committer A <a@example.invalid> 1777593600 +0000\n\nmessage\n"
)
SIGNED = b"{SIGNED}"
"""Stands for the whole signed commit, so that an input can hold it more than once."""

LINES = [
    *[b"tree " + b"c" * 40, b"parent " + b"d" * 40, b"author B <b> 0 +0000", b"committer B <b> 0 +0000", b"gpgsig x"],
    *[b"gpgsig ", b"gpgsig-sha256 y", b"gpgsigx z", b" continued", b"", b"-----BEGIN SSH SIGNATURE-----", b"\x00"],
    *[b"\r", b"-----END SSH SIGNATURE-----", b"-----BEGIN PGP SIGNATURE-----", b"mergetag object x", b"encoding \xff"],
    *[SIGNED],
]
SCRAPS = (*(line + b"\n" for line in LINES), b"\ngpgsig ", b"\n ", b"AAAA", b"U1NIU0lH", b"=", b"\n\n")


def check(data: bytes) -> str:
    """Check a commit against the one known key; what counts as signed says what the signed commit says."""
    key = signing_key()
    raw = data.replace(SIGNED, signed_commit())
    for keys in ([], [other_key().line], [key.line[:-30]]):
        require(check_commit(raw, keys).outcome is not Outcome.RIGHT, "without the key nothing counts as signed")
    found = check_commit(raw, [other_key().line, key.line])
    require((found.signer is not None) == (found.outcome is Outcome.RIGHT), "a signer stands with the right outcome")
    if found.outcome is Outcome.RIGHT:
        require(found.signer == key.fingerprint, "the signer is the key that signed")
        require(read(raw) == read(PAYLOAD), "what counts as signed says what was signed")
        require(unsigned(raw) == PAYLOAD, "and holds nothing else but the signature")
    return found.outcome.name


def read(raw: bytes) -> CommitInfo | str:
    """What a raw commit says, or why it says nothing."""
    try:
        return parse_commit(NAME, raw)
    except KradleError as error:
        return refusal(error, ErrorCode.MEMORY_OBJECT_MISSING)


def unsigned(raw: bytes) -> bytes:
    """A commit without the lines of its signatures, taken line by line."""
    head, blank, message = raw.partition(b"\n\n")
    kept = re.sub(rb"(?m)^gpgsig(?:-sha256)? .*(?:\n .*)*\n", b"", head + b"\n")
    return kept + blank[1:] + message


@cache
def signing_key() -> SigningKey:
    """The known key; it is made from a constant, and signs nothing but this."""
    private = Ed25519PrivateKey.from_private_bytes(b"1" * 32)
    kind, public = first_line(private.public_key())
    return SigningKey(kind, public, lambda message: wire_signature(kind, private.sign(message)))


@cache
def other_key() -> SigningKey:
    """A known key that has signed nothing."""
    kind, public = first_line(Ed25519PrivateKey.from_private_bytes(b"2" * 32).public_key())
    return SigningKey(kind, public, lambda message: b"")


def wire_signature(kind: str, value: bytes) -> bytes:
    """A signature with the name of its algorithm before it."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in (kind.encode(), value))


@cache
def signed_commit() -> bytes:
    """The commit with its signature."""
    return signing_key().signed(PAYLOAD)


TARGET = Target(
    name="signatures",
    promise="a commit counts as signed only where a known key signed what it says, and nothing raises",
    check=check,
    inputs=st.lists(st.sampled_from(LINES) | st.binary(max_size=4), max_size=10).map(b"\n".join),
    seeds=lambda: [signed_commit(), PAYLOAD, SIGNED, signing_key().signed(PAYLOAD, namespace=b"file")],
    scraps=SCRAPS,
)
