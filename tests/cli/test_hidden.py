"""What a run for kradle may not see stays hidden, however it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import Answer
from tests.example import RESOURCES, planted_secrets

Here = Callable[..., Answer]

RESTRICTED = {
    "halyard": "incident:2026-04-20-laptop-loss",
    "lodestar": "incident:2026-05-03-badge-reader",
    "tidegate": "runbook:depot-gateway-access",
}
"""A word that stands in one restricted document alone, and that document's id."""

MODES = ("graph-only", "grep-only", "graph-and-grep")
PINS = ((), ("--at", "2026-05-08T09:30:00Z"), ("--snapshot", "2026-05-11T000000Z"))
PIECE = 12
"""Characters of a secret that are taken for the secret."""


@pytest.fixture
def kradle(here: Here, example_brain: Path) -> Here:
    """Runs a command for kradle with the grants of its organisation."""
    asked = ("--brain", example_brain, "-f", RESOURCES, "--org", "a5c", "--repo", "kradle", "--stack", "docs-writer")

    def run(command: str, *arguments: str) -> Answer:
        return here(command, *asked, *arguments)

    return run


def pieces(secret: str) -> list[str]:
    """Every piece of a secret that is as long as `PIECE`."""
    return [secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1)]


@pytest.mark.parametrize("word", RESTRICTED)
@pytest.mark.parametrize("mode", MODES)
def test_a_restricted_word_finds_what_a_word_that_is_nowhere_finds(kradle: Here, word: str, mode: str) -> None:
    """The second word stands nowhere in the brain; apart from the word, the answers are the same."""
    answers = []
    for asked in (word, "zeppelin"):
        answer = kradle("query", "--query", asked, "--mode", mode, "--format", "json").json
        assert answer["query"].pop("text") == asked
        answer.pop("queryManifestDigest")
        answers.append(answer)
    assert answers[0] == answers[1]
    assert RESTRICTED[word] not in json.dumps(answers[0])


@pytest.mark.parametrize("pin", PINS)
@pytest.mark.parametrize("word", RESTRICTED)
def test_a_restricted_word_is_shown_by_no_command_at_any_pin(kradle: Here, word: str, pin: tuple[str, ...]) -> None:
    question = f"{word} laptop badge reader depot gateway flaky traces"
    for command, *form in (("query",), ("preview",), ("preview", "--format", "markdown")):
        answer = kradle(command, "--query", question, *form, *pin)
        assert answer.code == 0
        shown = answer.text.replace(question, "QUESTION").lower()
        assert not [hidden for hidden in (*RESTRICTED, *RESTRICTED.values()) if hidden in shown]
        assert "depot-gateway" in shown


def test_the_security_team_sees_its_own_reports_and_no_secret(here: Here, example_brain: Path) -> None:
    """So that the tests above would see the words if a grant let them through."""
    asked = ("--brain", example_brain, "-f", RESOURCES, "--org", "a5c", "--stack", "security-review")
    answer = here("query", *asked, "--team", "team:security", "--query", "halyard lodestar tidegate")
    assert answer.code == 0
    assert all(word in answer.text for word in RESTRICTED)


@pytest.mark.parametrize("name", planted_secrets())
def test_a_planted_secret_is_shown_by_no_command(kradle: Here, name: str) -> None:
    secret = planted_secrets()[name]
    note = "notes/ci/runner-setup.md"
    question = ("--query", "token of config.sh, postgres password", "--select", note)
    shown = [
        kradle("read", note),
        kradle("read", note, "--format", "json"),
        kradle("query", *question),
        kradle("preview", *question),
        kradle("assemble", *question, "--all-documents"),
    ]
    for answer in shown:
        assert answer.code == 0
        assert f"[REDACTED:{name}]" in answer.text
        assert not [piece for piece in pieces(secret) if piece in answer.text + answer.talk]


@pytest.mark.parametrize("name", planted_secrets())
def test_no_piece_of_a_secret_finds_the_note_that_holds_it(kradle: Here, name: str) -> None:
    secret = planted_secrets()[name]
    for asked in (secret, *pieces(secret)[:: PIECE // 2]):
        for regex in ((), ("--regex",)):
            answer = kradle("query", "--query", asked, *regex, "--mode", "grep-only", "--format", "json").json
            assert answer["sources"] == [], answer["query"]


def test_a_secret_in_a_question_is_no_word_of_it(kradle: Here) -> None:
    secret = planted_secrets()["github-token"]
    for asked, plain, regex in (
        (f"flaky {secret}", "flaky", ()),
        (f"flaky|{secret}", "flaky|zeppelin", ("--regex",)),
    ):
        found = [
            [(source["path"], source["lineStart"], source["lineEnd"]) for source in answer["sources"]]
            for question in (asked, plain)
            for answer in [kradle("query", "--query", question, *regex, "--format", "json").json]
        ]
        assert found[0] == found[1] != []


def test_the_decision_that_holds_stands_before_those_it_replaced(kradle: Here) -> None:
    """Also for a question whose words fit the old ones best; the draft that would retire it may not."""
    chain = ["decision:quarantine-flaky-checks", "decision:retry-browser-checks"]
    chain.append("decision:browser-checks-block-every-push")
    for question in ("failed browser check retried twice", "all browser checks block every push", "flaky"):
        wide = ("--max-matches", "200", "--max-records", "200")
        answer = kradle("query", "--query", question, *wide, "--format", "json").json
        found = {source.get("id"): source for source in answer["sources"]}
        order = list(found)
        assert order.index(chain[0]) < min(order.index(chain[1]), order.index(chain[2]))
        assert "supersededBy" not in found[chain[0]]["why"]
        assert {found[old]["why"]["supersededBy"] for old in chain[1:]} == {chain[0]}


def test_what_the_repair_of_flaky_checks_needs_is_found_without_being_named(kradle: Here) -> None:
    for pin in PINS:
        answer = kradle("query", "--query", "flaky playwright failures", "--format", "json", *pin).json
        found = [source.get("id", source["path"]) for source in answer["sources"]]
        assert "runbook:ci-playwright-flake" in found[:3]
        assert "decision:quarantine-flaky-checks" in found[:10]
        assert "notes/investigations/2026-05-playwright.md" in found[:20]
        assert "incident:2026-04-20-laptop-loss" not in found
