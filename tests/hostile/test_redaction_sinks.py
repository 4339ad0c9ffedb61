"""A secret in every place that text can stand in, and every command: no byte that is written holds a part of one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from pathlib import Path

import pytest

from kradle_ctx.cli.exit_codes import EXIT_CODES
from kradle_ctx.config import CACHE_VARIABLE
from kradle_ctx.errors import ErrorCode
from kradle_ctx.redaction import Redactor
from tests.hostile.desk import Desk
from tests.hostile.planted import Planted, code
from tests.hostile.refusals import Refused, every_refusal
from tests.hostile.secret_brain import SecretBrain, build

Arguments = tuple[str | Path, ...]

NEVER_SHOWN = {"two meanings", "association name", "brain folder", "git repository", "ontology key", "records folder"}
"""Places whose text no command shows unless it fails."""

NEVER_TOLD = {
    "address",
    "ambiguous instant",
    "foreign organisation",
    "name",
    "regex",
    "too broad",
    "unknown field",
    "unknown kind",
}
"""Places that no error repeats."""


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> SecretBrain:
    """The brain of secrets; no test changes it."""
    return build(tmp_path_factory.mktemp("secret"), Planted())


def commands(brain: SecretBrain) -> dict[str, Arguments]:
    """Every command in every form of its output, and pins of every kind."""
    token = brain.planted.token
    place = (*brain.asked[:4], "--repo", token("request repository"))
    filters = ("--owner", "--tag", "--status", "--edge", "--kind", "--exclude-kind", "--include", "--exclude")
    narrowed = tuple(part for flag in filters for part in (flag, token(flag)))
    about = ("--issue", "--pr", "--service", "--skill", "--job", "--path", "--trigger", "--user", "--team", "--process")
    told = tuple(part for flag in about for part in (flag, token(flag)))
    past = ("--ref", token("tag"))
    output = ("-o", f"{token('output file')}.yaml", "--records", token("records folder"))
    return {
        "assemble": ("assemble", *brain.asked, "--all-documents", *output),
        "assemble as JSON": ("assemble", *brain.asked, *told, "--format", "json", "--all-documents", *past),
        "assemble as prompt": ("assemble", *brain.asked, "--format", "prompt"),
        "preview": ("preview", *brain.asked),
        "preview of a snapshot": ("preview", *brain.asked, "--snapshot", token("snapshot tag"), "--summary"),
        "preview as Markdown": ("preview", *brain.asked, "--format", "markdown"),
        "preview as JSON": ("preview", *brain.asked, "--format", "json"),
        "query": ("query", *brain.asked),
        "query of few": ("query", *brain.asked, "--format", "json", "--max-records", "3"),
        "query of nothing": ("query", *brain.asked, "--format", "json", *narrowed),
        "read": ("read", *place, f"runbook:{token('record id')}"),
        "read as JSON": ("read", *place, f"notes/{token('file name')}.md", "--format", "json"),
        "resolve": ("resolve", *brain.asked, "--snapshot", token("snapshot tag")),
        "resolve as JSON": ("resolve", *brain.asked, "--ref", token("other branch"), "--format", "json"),
    }


VARIED = ("assemble", "assemble as JSON", "query of nothing", "preview of a snapshot", "read", "resolve as JSON")
"""Commands that together show every place."""


def leaks(brain: SecretBrain, desk: Desk, names: Iterable[str]) -> dict[str, set[str]]:
    """The places whose secrets each command shows; every command has to succeed."""
    found = {}
    for name in names:
        outcome = desk.run(*commands(brain)[name])
        assert outcome.code == 0, outcome.answer.talk
        found[name] = brain.planted.shown(*outcome.written)
    return {name: places for name, places in found.items() if places}


def test_no_command_shows_a_part_of_a_secret(secret: SecretBrain, desk: Desk) -> None:
    assert leaks(secret, desk, commands(secret)) == {}


def test_no_command_shows_what_only_its_organisation_hides(tmp_path: Path, desk: Desk) -> None:
    """Also in the record of a run that is refused, and in what an error lists."""
    brain = build(tmp_path, Planted(code))
    assert leaks(brain, desk, VARIED) == {}
    absent, ambiguous = (brain.planted.token(place) for place in ("absent item", "two meanings"))
    refused = desk.run("assemble", *brain.asked, "--select", absent, "--records", "records")
    unclear = desk.run("resolve", *brain.asked, "--ref", ambiguous, "--error-format", "json")
    assert (refused.code, unclear.code) == (1, 3)
    assert (len(refused.files), len(unclear.answer.error["candidates"])) == (1, 2)
    assert brain.planted.shown(*refused.written, *unclear.written) == set()


def test_without_redaction_every_secret_would_show(
    secret: SecretBrain, desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So that the test above looks where secrets are."""
    monkeypatch.setattr(Redactor, "spans", lambda redactor, text: ())
    # What was found with redaction is known again.
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    shown = leaks(secret, desk, VARIED).values()
    assert secret.planted.places - set().union(*shown) == NEVER_SHOWN


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Refused], Planted]:
    """Every call that is refused, and the secrets that they could show."""
    planted = Planted()
    return every_refusal(tmp_path_factory.mktemp("refusals"), planted), planted


def test_every_error_code_is_provoked(refusals: tuple[dict[str, Refused], Planted]) -> None:
    """A failing rule and a bug have tests of their own."""
    provoked = {code for code, _ in refusals[0].values()}
    assert provoked == {*ErrorCode} - {ErrorCode.REDACTION_FAILED, ErrorCode.INTERNAL}


def test_no_error_and_no_record_of_one_shows_a_part_of_a_secret(
    refusals: tuple[dict[str, Refused], Planted], desk: Desk
) -> None:
    calls, planted = refusals
    found = {}
    for form, (name, (expected, arguments)) in zip(cycle(("text", "json")), calls.items(), strict=False):
        records = ("--records", "records") if arguments[0] == "assemble" else ()
        outcome = desk.run(*arguments, *records, "--error-format", form)
        assert (outcome.code, outcome.answer.stdout) == (EXIT_CODES[expected], b""), (name, outcome.answer.talk)
        assert expected.value in outcome.answer.talk
        found[name] = planted.shown(*outcome.written)
    assert {name: places for name, places in found.items() if places} == {}


def test_without_redaction_most_errors_would_show_a_secret(
    refusals: tuple[dict[str, Refused], Planted], desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Redactor, "spans", lambda redactor, text: ())
    # What was found with redaction is known again.
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    calls, planted = refusals
    shown: set[str] = set()
    for _, arguments in calls.values():
        records = ("--records", "records") if arguments[0] == "assemble" else ()
        shown |= planted.shown(*desk.run(*arguments, *records, "--error-format", "json").written)
    assert planted.places - shown == NEVER_TOLD
