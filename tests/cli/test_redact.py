"""`redact`: text in, redacted text out."""

from __future__ import annotations

import json
import random
import re
import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cases.command_line import environment
from tests.command_server import Answer, warm

SOURCE = """\
apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentMemorySource
metadata: {{name: {name}}}
spec:
  organizationRef: {organization}
  include: ["docs/**"]
  redactionPatterns:
    - {{kind: {kind}, pattern: '{pattern}'}}
"""


def redact(folder: Path, text: bytes, *arguments: str | Path) -> Answer:
    """Redact a text."""
    return warm().run(("redact", *arguments), folder=folder, environment=environment(), stdin=text)


def password() -> str:
    """A password that no file holds."""
    letters = string.ascii_letters + string.digits
    return "Zq7" + "".join(random.Random(7).choice(letters) for _ in range(14))


def test_a_secret_goes_and_all_else_stays_byte_by_byte(tmp_path: Path) -> None:
    secret = password().encode()
    before, after = b"\xff caf\xe9 \r\n\x00password = ", b"\nlast line without an end \xf0\x9f\x98\x80"
    answer = redact(tmp_path, before + secret + after)
    assert (answer.code, answer.stderr) == (0, b"")
    assert re.fullmatch(re.escape(before) + rb"\[REDACTED:[a-z-]+\]" + re.escape(after), answer.stdout)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60))
def test_a_text_without_secrets_comes_out_as_it_went_in(tmp_path: Path, text: bytes) -> None:
    assert redact(tmp_path, text).stdout == text


def test_the_report_tells_kinds_counts_and_places_and_no_secret(tmp_path: Path) -> None:
    secret = password()
    text = f"café\npassword = {secret}\nno\npassword: {secret}\n".encode()
    answer = redact(tmp_path, text, "--report")
    report = json.loads(answer.stderr)
    assert [entry["count"] for entry in report["redactions"]] == [2]
    assert [place["line"] for place in report["places"]] == [2, 4]
    assert [text[place["start"] : place["end"]] for place in report["places"]] == [secret.encode()] * 2
    assert secret not in answer.talk
    assert redact(tmp_path, text).stderr == b""


def test_patterns_of_flags_and_resources_hold_too(tmp_path: Path) -> None:
    (tmp_path / "brain.yaml").write_text(SOURCE.format(name="a", organization="a5c", kind="ticket", pattern="T-[0-9]+"))
    text = b"T-12 for customer 4711 of FALCON"
    given_flags = ("--redaction-pattern", "customer=customer ([0-9]+)", "--redaction-pattern", "codename=(?i)falcon")
    answer = redact(tmp_path, text, "-f", "brain.yaml", *given_flags)
    assert answer.stdout == b"[REDACTED:ticket] for customer [REDACTED:customer] of [REDACTED:codename]"


def test_patterns_hold_whichever_organisation_is_named(tmp_path: Path) -> None:
    for name, organization, pattern in (("a", "a5c", "T-[0-9]+"), ("b", "globex", "G-[0-9]+")):
        said = SOURCE.format(name=name, organization=organization, kind="ticket", pattern=pattern)
        (tmp_path / f"{name}.yaml").write_text(said)
    assert redact(tmp_path, b"T-1 G-1", "-f", "a.yaml", "-f", "b.yaml").stdout == b"[REDACTED:ticket] [REDACTED:ticket]"


@pytest.mark.parametrize("pattern", ["ticket", "ticket=(", "Ticket=a", "=a", "a b=c", "ticket=(?=x)"])
def test_a_pattern_that_is_none_is_refused_and_nothing_is_written(tmp_path: Path, pattern: str) -> None:
    answer = redact(tmp_path, b"text", "--redaction-pattern", pattern, "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (2, "USAGE")


def test_standard_input_cannot_be_text_and_resources_at_once(tmp_path: Path) -> None:
    answer = redact(tmp_path, b"text", "-f", "-", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (2, "USAGE")


def test_a_text_beyond_the_cap_is_refused_whole(tmp_path: Path) -> None:
    answer = redact(tmp_path, b"a" * ((2 << 20) + 1), "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "LIMIT_EXCEEDED")


def test_a_redacted_text_stays_as_it_is(tmp_path: Path) -> None:
    once = redact(tmp_path, f"token: {password()}".encode()).stdout
    assert b"[REDACTED:" in once
    assert redact(tmp_path, once).stdout == once
