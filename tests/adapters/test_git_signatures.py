"""Signatures of commits: what counts as signed by a known key, and that nothing else does."""

from __future__ import annotations

import base64
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.adapters.git_signatures import KEY_TYPES, MAX_SIGNATURE_BYTES, Outcome, SignatureCheck, check_commit
from tests.adapters.signing import (
    SigningKey,
    armored,
    ecdsa_key,
    ed25519_key,
    hardware_key,
    number,
    rsa_key,
    wire,
    with_signature,
)
from tests.conftest import GitBuilder

CHECKOUT = Path(__file__).parents[2]

TREE, PARENT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "00e40670a066a3988fdbce0fb0dc77e1c8e9cced"

WHO = "Brain <brain@example.invalid> 1777593600 +0000"

PAYLOAD = f"tree {TREE}\nparent {PARENT}\nauthor {WHO}\ncommitter {WHO}\n\nA rule\n\nwith a reason\n".encode()

MADE_BY_GIT = b"""tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
author a <b> 1796070497 +0000
committer a <b> 1796070497 +0000
gpgsig -----BEGIN SSH SIGNATURE-----
 U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgOC+ZnOQDhrnjg1ivM2QR/K+Nbo
 boB/ueYc4+lAkeYaUAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
 AAAAQFQBxM5yipsmEhMgHb42bcm7GCJecNA598dKi4A7tvemUfpaHcHsEGtRQTCJP6JVLy
 hJ8NQzLRWiYwOMwUesXw0=
 -----END SSH SIGNATURE-----

m k_ed25519
"""
"""What Git 2.39 and OpenSSH 9.2 wrote."""

MADE_BY_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDgvmZzkA4a544NYrzNkEfyvjW6G6Af7nmHOPpQJHmGl a b@c"

MADE_BY_FINGERPRINT = "SHA256:acR3vJtcHcG6KYsVxFIBXP+wzq+S2pQDJvwORO3EW1o"
"""As `ssh-keygen -l` showed it."""

needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@pytest.fixture(scope="module")
def rsa_private() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


@pytest.fixture(scope="module")
def keys(rsa_private: rsa.RSAPrivateKey) -> dict[str, SigningKey]:
    """A key of every type that is checked."""
    made = [
        ed25519_key(),
        *map(ecdsa_key, ("nistp256", "nistp384", "nistp521")),
        rsa_key(rsa_private),
        hardware_key("sk-ssh-ed25519@openssh.com"),
        hardware_key("sk-ecdsa-sha2-nistp256@openssh.com"),
    ]
    return {key.kind: key for key in made}


def right(key: SigningKey) -> SignatureCheck:
    return SignatureCheck(Outcome.RIGHT, key.fingerprint)


def outcome(raw: bytes, known: Sequence[SigningKey] = (ed25519_key(),)) -> Outcome:
    """What came of a check that must not find a signer."""
    check = check_commit(raw, [key.line for key in known])
    assert check.signer is None
    return check.outcome


def with_blob(blob: bytes) -> bytes:
    """A commit whose signature is these bytes."""
    return with_signature(PAYLOAD, armored(blob))


# What is right


def test_a_commit_that_git_and_openssh_made_is_signed_by_its_key() -> None:
    check = check_commit(MADE_BY_GIT, [MADE_BY_KEY])
    assert check == SignatureCheck(Outcome.RIGHT, MADE_BY_FINGERPRINT)


@pytest.mark.parametrize("kind", sorted(KEY_TYPES))
@pytest.mark.parametrize("hash_name", ["sha256", "sha512"])
def test_a_key_of_every_type_signs_with_either_hash(kind: str, hash_name: str, keys: dict[str, SigningKey]) -> None:
    key = keys[kind]
    raw = key.signed(PAYLOAD, hash_name=hash_name)
    assert check_commit(raw, [other.line for other in keys.values()]) == right(key)
    assert outcome(raw, [other for other in keys.values() if other is not key]) is Outcome.UNKNOWN


def test_rsa_signs_by_either_sha2(rsa_private: rsa.RSAPrivateKey) -> None:
    for algorithm in ("rsa-sha2-256", "rsa-sha2-512"):
        key = rsa_key(rsa_private, algorithm)
        assert check_commit(key.signed(PAYLOAD), [key.line]) == right(key)


@needs_ssh_keygen
@pytest.mark.parametrize("kind", sorted(KEY_TYPES))
def test_openssh_takes_the_signatures_of_these_tests(kind: str, keys: dict[str, SigningKey], tmp_path: Path) -> None:
    (tmp_path / "signature").write_bytes(armored(keys[kind].blob(PAYLOAD)))
    command = ["ssh-keygen", "-Y", "check-novalidate", "-n", "git", "-s", str(tmp_path / "signature")]
    done = subprocess.run(command, input=PAYLOAD, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert keys[kind].fingerprint in done.stdout.decode()


@needs_ssh_keygen
@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa -b 2048"])
def test_a_commit_signed_by_git_has_the_signer_that_ssh_keygen_names(
    kind: str, git: Callable[..., GitBuilder], tmp_path: Path
) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", *kind.split(), "-N", "", "-f", str(key)], check=True)
    shown = subprocess.run(["ssh-keygen", "-l", "-f", str(key)], capture_output=True, text=True, check=True).stdout
    build = git()
    build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    signing = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}", "commit", "-q", "--allow-empty", "-S")
    build.git(*signing, "-m", "signed")
    build.git("-c", "i18n.commitEncoding=latin1", *signing, "-m", "signed in another encoding")
    repository = open_repository(build.path)
    line = key.with_suffix(".pub").read_text()
    for name in ("HEAD", "HEAD~1"):
        assert repository.signer(build.git("rev-parse", name), [line]) == shown.split()[1]
    assert repository.signer(build.git("rev-parse", "HEAD~2"), [line]) is None


@pytest.mark.parametrize("before", [True, False])
def test_the_signature_for_sha256_is_left_out_of_what_is_signed(before: bool) -> None:
    key = ed25519_key()
    other = b"-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----"
    if before:
        ours = armored(key.blob(PAYLOAD))
        raw = with_signature(with_signature(PAYLOAD, other, b"gpgsig-sha256"), ours)
    else:
        raw = with_signature(key.signed(PAYLOAD), other, b"gpgsig-sha256")
    assert raw.count(b"gpgsig") == 2
    assert check_commit(raw, [key.line]) == right(key)


def test_the_fields_around_a_signature_are_signed_and_may_stand_on_either_side() -> None:
    key = ed25519_key()
    merged = b"mergetag object x\n type commit\n -----BEGIN SSH SIGNATURE-----\n gpgsig x\n"
    payload = PAYLOAD.replace(b"\n\nA rule", b"\nencoding latin1\n" + merged + b"\nA rule")
    raw = key.signed(payload)
    assert check_commit(raw, [key.line]) == right(key)
    field = b"gpgsig " + armored(key.blob(payload)).rstrip(b"\n").replace(b"\n", b"\n ") + b"\n"
    moved = payload.replace(b"encoding", field + b"encoding")
    assert check_commit(moved, [key.line]) == right(key)
    assert outcome(raw.replace(b"latin1", b"latin2")) is Outcome.WRONG
    assert outcome(raw.replace(b"type commit", b"type tree")) is Outcome.WRONG


# Another commit, another key


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (TREE, TREE[::-1]),
        (PARENT, PARENT[::-1]),
        (f"parent {PARENT}\n", ""),
        (f"parent {PARENT}\n", f"parent {PARENT}\nparent {TREE}\n"),
        ("author Brain", "author Drain"),
        ("committer Brain <brain@example.invalid> 1777593600", "committer Brain <brain@example.invalid> 1777593601"),
        ("A rule", "No rule"),
        ("reason\n", "reason"),
        ("\n\nA rule", "\nencoding latin1\n\nA rule"),
    ],
)
def test_a_commit_that_was_changed_after_signing_is_not_signed(old: str, new: str) -> None:
    raw = ed25519_key().signed(PAYLOAD)
    changed = raw.replace(old.encode(), new.encode(), 1)
    assert changed != raw
    assert outcome(changed) is Outcome.WRONG


def test_a_signature_moved_to_another_commit_is_not_right_there() -> None:
    signature = armored(ed25519_key().blob(PAYLOAD))
    other = PAYLOAD.replace(b"A rule", b"Another")
    assert outcome(with_signature(other, signature)) is Outcome.WRONG


def test_a_signed_tag_is_no_signed_commit() -> None:
    tag = f"object {PARENT}\ntype commit\ntag v1\ntagger {WHO}\n\nv1\n".encode()
    assert outcome(ed25519_key().signed(tag)) is Outcome.REFUSED


def test_the_key_that_a_signature_names_must_have_made_it() -> None:
    known, other = ed25519_key("known"), ed25519_key("other")
    forged = SigningKey(known.kind, known.public, other.sign)
    assert outcome(forged.signed(PAYLOAD), [known, other]) is Outcome.WRONG


def test_a_key_that_is_listed_as_another_type_is_not_known() -> None:
    key = ed25519_key()
    encoded = base64.b64encode(key.public).decode()
    others = [f"ssh-rsa {encoded}", f"ssh-dss {encoded}", encoded, f"{encoded} {key.kind}", f"{key.kind}", ""]
    assert check_commit(key.signed(PAYLOAD), others) == SignatureCheck(Outcome.UNKNOWN)
    assert check_commit(key.signed(PAYLOAD), [*others, key.line]) == right(key)


@pytest.mark.parametrize("kind", ["ssh-dss", "ssh-ed25519-cert-v01@openssh.com", "", "ssh-ed25519\xe9"])
def test_a_key_of_a_type_that_is_not_checked_is_not_known_though_listed(kind: str) -> None:
    key = SigningKey(kind, wire(kind.encode("latin-1"), b"x" * 32), lambda _: wire(b"ssh-dss", b"x" * 40))
    assert outcome(key.signed(PAYLOAD), [key]) in (Outcome.UNKNOWN, Outcome.REFUSED)


def test_a_listed_key_that_is_none_has_signed_nothing() -> None:
    for kind, rest in (
        ("ssh-ed25519", wire(b"short")),
        ("ssh-rsa", wire(b"", b"")),
        ("ssh-rsa", wire(b"\x03", number(1 << 20000))),
        ("ecdsa-sha2-nistp256", wire(b"nistp256", b"\x04" + b"\xff" * 64)),
        ("sk-ssh-ed25519@openssh.com", b""),
        ("sk-ecdsa-sha2-nistp256@openssh.com", wire(b"nistp256")),
    ):
        key = SigningKey(kind, wire(kind.encode()) + rest, lambda _, kind=kind: wire(kind.encode(), b"\0" * 64))
        assert outcome(key.signed(PAYLOAD), [key]) is Outcome.WRONG


# Forms that are refused


def test_a_signature_made_for_something_else_is_refused() -> None:
    key = ed25519_key()
    for others in ({"namespace": b"file"}, {"namespace": b""}, {"namespace": b"git\0"}, {"reserved": b"x"}):
        assert outcome(key.signed(PAYLOAD, **others)) is Outcome.REFUSED
    for others in ({"hash_name": "sha1"}, {"hash_name": "sha384"}, {"hash_name": "md5"}, {"version": 2}):
        assert outcome(key.signed(PAYLOAD, **others)) is Outcome.REFUSED


def test_the_name_of_the_hash_is_signed() -> None:
    blob = ed25519_key().blob(PAYLOAD, hash_name="sha512")
    assert outcome(with_blob(blob.replace(b"sha512", b"sha256"))) is Outcome.WRONG


def test_sha1_and_short_keys_of_rsa_do_not_count(rsa_private: rsa.RSAPrivateKey) -> None:
    weak = [rsa_key(rsa_private, "ssh-rsa"), rsa_key(rsa.generate_private_key(65537, 1024))]
    assert [outcome(key.signed(PAYLOAD), [key]) for key in weak] == [Outcome.WRONG] * 2


def test_a_signature_by_another_algorithm_than_the_keys_does_not_count(rsa_private: rsa.RSAPrivateKey) -> None:
    for key in (ed25519_key(), ecdsa_key("nistp256"), rsa_key(rsa_private)):
        for algorithm in (b"ssh-ed25519", b"ecdsa-sha2-nistp384", b"rsa-sha2-256", b"ssh-dss", b"", b"\xff"):
            named = struct.unpack(">I", key.sign(b"")[:4])[0]
            if key.sign(b"")[4 : 4 + named] != algorithm:
                renamed = SigningKey(
                    key.kind, key.public, lambda m, a=algorithm, k=key, n=named: wire(a) + k.sign(m)[4 + n :]
                )
                assert outcome(renamed.signed(PAYLOAD), [key]) is Outcome.WRONG


def test_numbers_of_an_ecdsa_signature_have_one_spelling() -> None:
    key = ecdsa_key("nistp256")

    def respelled(change: Callable[[bytes, bytes], bytes]) -> Outcome:
        def sign(message: bytes) -> bytes:
            value = key.sign(message)[4 + len(key.kind) + 4 :]
            size = struct.unpack(">I", value[:4])[0]
            return wire(key.kind.encode(), change(value[4 : 4 + size], value[8 + size :]))

        return check_commit(SigningKey(key.kind, key.public, sign).signed(PAYLOAD), [key.line]).outcome

    assert respelled(lambda r, s: wire(r, s)) is Outcome.RIGHT
    for change in (
        lambda r, s: wire(b"\0" + r, s),
        lambda r, s: wire(r, b"\0" + s),
        lambda r, s: wire(r, s, b""),
        lambda r, s: wire(r),
        lambda r, s: wire(s, r),
        lambda r, s: wire(b"", b""),
        lambda r, s: wire(b"\xff" + r, s),
    ):
        assert respelled(change) is Outcome.WRONG


def test_a_signature_that_is_cut_or_goes_on_is_refused() -> None:
    blob = ed25519_key().blob(PAYLOAD)
    for size in range(len(blob)):
        assert outcome(with_blob(blob[:size])) is Outcome.REFUSED
    assert outcome(with_blob(blob + b"\0")) is Outcome.REFUSED
    huge = struct.pack(">I", 0xFFFFFFFF)
    assert outcome(with_blob(blob[:10] + huge + blob[14:])) is Outcome.REFUSED


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-40],
        lambda text: text.replace(b"-----END", b"----END"),
        lambda text: text.replace(b"BEGIN SSH", b"BEGIN  SSH"),
        lambda text: text.replace(b"=", b""),
        lambda text: text.replace(b"U1NI", b"U1NI*"),
        lambda text: text.replace(b"U1NI", b"U1NI\xff"),
        lambda text: text.replace(b"U1NI", b""),
        lambda text: text + text,
        lambda text: b"x" + text,
        lambda text: text + b"x",
        lambda text: b"",
        lambda text: b"-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----",
    ],
)
def test_an_armour_that_is_damaged_is_refused(change: Callable[[bytes], bytes]) -> None:
    signature = armored(ed25519_key().blob(PAYLOAD))
    assert change(signature) != signature
    assert outcome(with_signature(PAYLOAD, change(signature))) is Outcome.REFUSED


def test_two_signatures_are_refused_even_when_both_are_right() -> None:
    one, two = ed25519_key("one"), ed25519_key("two")
    for second in (one, two):
        raw = with_signature(one.signed(PAYLOAD), armored(second.blob(PAYLOAD)))
        assert outcome(raw, [one, two]) is Outcome.REFUSED
    twice = with_signature(with_signature(one.signed(PAYLOAD), b"x", b"gpgsig-sha256"), b"y", b"gpgsig-sha256")
    assert outcome(twice, [one]) is Outcome.REFUSED


@pytest.mark.parametrize("name", ["gpgsigx", "gpgsig-sha512", "gpgsig\tx", "gpgsig-sha256x", "gpgsig-sha2567"])
def test_a_field_that_git_would_leave_unsigned_is_refused(name: str) -> None:
    raw = with_signature(ed25519_key().signed(PAYLOAD), b"not signed", name.encode())
    assert outcome(raw) is Outcome.REFUSED


def test_a_signature_that_hides_the_parents_is_refused() -> None:
    key = ed25519_key()
    field = b"gpgsig " + armored(key.blob(PAYLOAD)).rstrip(b"\n").replace(b"\n", b"\n ") + b"\n"
    for place in (b"tree ", b"parent ", b"author ", b"committer "):
        assert outcome(PAYLOAD.replace(place, field + place, 1)) in (Outcome.REFUSED, Outcome.UNSIGNED)


def test_a_signature_longer_than_the_limit_is_not_looked_at() -> None:
    key = ed25519_key()
    text = armored(key.blob(PAYLOAD)).rstrip(b"\n")
    size = len(text) + text.count(b"\n") + 1
    fits = text.replace(b"\n-----END", b"\n" * ((MAX_SIGNATURE_BYTES - size) // 2) + b"\n-----END")
    assert check_commit(with_signature(PAYLOAD, fits), [key.line]) == right(key)
    assert outcome(with_signature(PAYLOAD, fits.replace(b"\n-----END", b"\n\n\n-----END"))) is Outcome.REFUSED
    assert outcome(with_signature(PAYLOAD, b"A" * 900_000)) is Outcome.REFUSED
    assert outcome(with_signature(PAYLOAD, b"A\n" * 300_000)) is Outcome.REFUSED


@pytest.mark.parametrize("kind", ["PGP SIGNATURE", "PGP MESSAGE", "SIGNED MESSAGE"])
def test_a_signature_of_another_kind_is_told_apart_and_not_checked(kind: str) -> None:
    signature = f"-----BEGIN {kind}-----\n\nAAAA\n-----END {kind}-----\n".encode()
    assert outcome(with_signature(PAYLOAD, signature)) is Outcome.UNCHECKED


def test_a_commit_without_a_signature_field_of_its_own_is_unsigned() -> None:
    key = ed25519_key()
    text = armored(key.blob(PAYLOAD))
    for raw in (
        PAYLOAD,
        b"",
        PAYLOAD + b"gpgsig " + text,
        PAYLOAD.replace(b"\n\nA", b"\nmergetag x\n gpgsig x\n\nA"),
        with_signature(PAYLOAD, text, b"gpgsig-sha256"),
        with_signature(PAYLOAD, text, b"Gpgsig"),
    ):
        assert outcome(raw) is Outcome.UNSIGNED


# Anything at all


@given(st.binary(max_size=300))
def test_no_bytes_in_the_place_of_a_signature_raise_or_count(noise: bytes) -> None:
    for raw in (with_signature(PAYLOAD, noise), with_blob(noise), PAYLOAD.replace(b"\n\n", b"\ngpgsig " + noise, 1)):
        assert outcome(raw) is not Outcome.RIGHT


@given(place=st.integers(min_value=0), change=st.integers(1, 255))
def test_no_byte_of_a_signature_can_be_changed(place: int, change: int) -> None:
    key = ecdsa_key("nistp256")
    blob = bytearray(SIGNED_BLOB)
    blob[place % len(blob)] ^= change
    assert outcome(with_blob(bytes(blob)), [key]) in (Outcome.REFUSED, Outcome.UNKNOWN, Outcome.WRONG)


@given(place=st.integers(min_value=0), change=st.integers(1, 255))
def test_no_byte_of_a_signed_commit_outside_the_armour_can_be_changed(place: int, change: int) -> None:
    raw = bytearray(SIGNED)
    start, end = SIGNED.index(b"gpgsig "), SIGNED.index(b"\n\n")
    places = [*range(start), *range(end, len(raw))]
    raw[places[place % len(places)]] ^= change
    assert outcome(bytes(raw)) is not Outcome.RIGHT


@given(st.lists(st.text(max_size=40), max_size=5))
def test_no_text_in_the_place_of_a_key_raises_or_counts(lines: list[str]) -> None:
    assert check_commit(SIGNED, lines) == SignatureCheck(Outcome.UNKNOWN)
    assert check_commit(SIGNED, [*lines, ed25519_key().line]) == right(ed25519_key())


SIGNED, SIGNED_BLOB = ed25519_key().signed(PAYLOAD), ecdsa_key("nistp256").blob(PAYLOAD)


# Cost


def test_cryptography_is_loaded_only_for_a_signature_that_names_a_known_key() -> None:
    program = """
import sys
from kradle_ctx.adapters import git_repository
from kradle_ctx.adapters.git_signatures import check_commit
signed, line = sys.stdin.buffer.read(), sys.argv[1]
for raw, keys in ((signed, []), (signed.replace(b"gpgsig", b"x"), [line])):
    assert check_commit(raw, keys).signer is None
print(*{name.partition(".")[0] for name in sys.modules} & {"cryptography"}, check_commit(signed, [line]).signer)
"""
    command = [sys.executable, "-c", program, ed25519_key().line]
    done = subprocess.run(command, input=SIGNED, env={"PYTHONPATH": str(CHECKOUT)}, capture_output=True, check=True)
    assert done.stdout.decode().split() == [ed25519_key().fingerprint]
