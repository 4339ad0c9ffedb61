"""Public keys of signers in an AgentMemoryRepository: which lines are read, and how others are refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from kradle_ctx.adapters.git_signatures import KEY_TYPES
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.resources import read_resources
from tests.adapters.signing import SigningKey, ecdsa_key, ed25519_key, hardware_key, rsa_key

CHECKOUT = Path(__file__).parents[2]

KEY = ed25519_key().line.rpartition(" ")[0]


def repository(*signers: str) -> str:
    """A memory repository as text, a signer a line from the seventh on."""
    head = "apiVersion: kradle.a5c.ai/v1alpha1\nkind: AgentMemoryRepository\nmetadata: {name: brain}\n"
    lines = "".join(f"    - {json.dumps(signer)}\n" for signer in signers)
    return f"{head}spec:\n  organizationRef: a5c\n  signers:\n{lines}"


def signers(*lines: str) -> tuple[str, ...]:
    """The signers that are read."""
    (brain,) = read_resources([("brain.yaml", repository(*lines))]).memory_repositories
    return brain.signers


def keys() -> list[SigningKey]:
    """A key of every type, of the least size where there is a choice."""
    return [
        ed25519_key(),
        *map(ecdsa_key, ("nistp256", "nistp384", "nistp521")),
        *(rsa_key(rsa.generate_private_key(exponent, 2048)) for exponent in (3, 65537)),
        hardware_key("sk-ssh-ed25519@openssh.com"),
        hardware_key("sk-ecdsa-sha2-nistp256@openssh.com"),
    ]


def test_a_key_of_every_type_that_is_checked_can_be_listed_and_loses_its_comment() -> None:
    made = keys()
    assert {key.kind for key in made} == KEY_TYPES
    assert signers(*(key.line for key in made)) == tuple(key.line.rpartition(" ")[0] for key in made)
    assert signers(KEY) == (KEY,)
    assert signers(f"{KEY} a comment: of *several* \u00fcbel words") == (KEY,)


def test_a_key_that_is_listed_twice_is_one() -> None:
    assert signers(f"{KEY} here", f"{KEY} there") == (KEY,)


@pytest.mark.parametrize(
    "change",
    [
        lambda key: "",
        lambda key: key.split()[1],
        lambda key: key[:-1],
        lambda key: key + "A",
        lambda key: key + "=",
        lambda key: key.replace("AAAA", "AAA\u0410", 1),
        lambda key: key.replace("ssh-ed25519", "ssh-rsa"),
        lambda key: key.replace("ssh-ed25519", "ssh-dss"),
        lambda key: key.replace("ssh-ed25519", "ssh-ed25519-cert-v01@openssh.com"),
        lambda key: ecdsa_key("nistp256").line.replace("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384"),
        lambda key: f'namespaces="git" {key}',
        lambda key: f"* {key}",
        lambda key: f" {key}",
        lambda key: f"{key}\n",
        lambda key: f"{key} comment\n{key}",
        lambda key: f"{key}\tcomment",
        lambda key: f"{key} comment\x1b[0m",
        lambda key: ed25519_key().fingerprint,
        lambda key: "-----BEGIN PGP " + "PUBLIC KEY BLOCK-----",
        lambda key: "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n",
        lambda key: rsa_key(rsa.generate_private_key(65537, 1024)).line,
        lambda key: f"{key} {'x' * 4096}",
    ],
)
def test_what_is_no_public_key_is_refused_by_file_line_and_field_without_its_text(change: Callable[[str], str]) -> None:
    signer = change(KEY)
    with pytest.raises(KradleError) as caught:
        signers(KEY, signer)
    error = caught.value
    assert (error.code, error.details) == (ErrorCode.RESOURCE_INVALID, {"file": "brain.yaml", "line": 8})
    assert error.message.startswith("brain.yaml:8: spec.signers[1]: ")
    assert error.hint
    assert not signer or all(word not in error.message + error.hint for word in signer.split() if len(word) > 12)


def test_a_form_is_checked_without_loading_cryptography() -> None:
    program = (
        "import sys; from kradle_ctx.resources import read_resources; "
        "print(len(read_resources([('b', sys.stdin.read())]).memory_repositories[0].signers), "
        "any(name.startswith('cryptography') for name in sys.modules))"
    )
    command = [sys.executable, "-c", program]
    environment = {"PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(command, input=repository(KEY), env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]
