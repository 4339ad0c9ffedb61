"""Secrets, made when the test runs: that they are found, and that nothing of them is repeated."""

from __future__ import annotations

from msgspec.json import encode

from kradle_ctx.checks.secret_like_content import MOST_SECRETS
from kradle_ctx.model.findings import Finding
from tests.checks.examples import validated
from tests.unit.redaction.templates import expand

TOKEN = "ghp_{github:ghp_}"


def found_in(text: str) -> list[Finding]:
    """The findings of the check in a note."""
    report = validated({"notes/a.md": text})
    return [finding for finding in report.findings if finding.check == "KB050"]


def token(seed: str) -> str:
    """A token that no service ever gave."""
    return expand(TOKEN, seed)[0]


def test_a_token_is_found_and_not_repeated() -> None:
    value = token("one")
    (finding,) = found_in(f"# Deploy\n\nUse {value} for it.\n")

    assert (finding.span.line, finding.span.column) == (3, 5)
    assert "github-token" in finding.message
    assert value[4:16] not in encode(finding).decode()


def test_a_secret_stays_the_same_finding_when_others_come_before_it() -> None:
    line = f"deploy with {token('one')}\n"
    (before,) = found_in(line)
    first, second = found_in(f"read with {token('two')}\n\n{line}")

    assert second.fingerprint == before.fingerprint
    assert first.fingerprint != before.fingerprint


def test_two_secrets_of_one_line_are_two_findings() -> None:
    found = found_in(f"{token('one')} and {token('two')}\n")

    assert len({finding.fingerprint for finding in found}) == 2


def test_secrets_of_one_file_are_told_up_to_a_bound() -> None:
    lines = [f"{number}: {token(str(number))}\n" for number in range(MOST_SECRETS + 50)]

    assert len(found_in("".join(lines))) == MOST_SECRETS
