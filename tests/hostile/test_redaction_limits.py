"""D01, D02 and D10 of the hostile cases: floods and failing rules, each run under limits in a process of its own."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from tests.cases.command_line import environment
from tests.command_server import Answer, warm
from tests.hostile.attack import LIMITS, SECONDS, Attack, HostileBrain
from tests.hostile.planted import DASHES, Planted
from tests.hostile.watching import LOG_VARIABLE

BLOB = 1 << 20
"""Bytes of the largest file that is read."""

GROWTH = 6.0
"""Limit of the rules: growth of time from n to 4n."""

NOISE = 0.5
"""Seconds of processor time that are no sign of anything: those of a command, on a busy machine."""

PROSE = "The sea is calm today.\n"

QUIET = 600
"""Bytes of a file beside its flood."""

FLOODS = {
    "D01 beginnings of private keys": (f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n", BLOB >> 3),
    "D02 parts of a host name": ("a.", BLOB),
    "D02 one letter": ("a", BLOB),
    "D02 empty assignments": ("x=", BLOB),
    "D02 backslashes": ("\\", BLOB),
    "D02 continued lines": ("\\\n", BLOB >> 2),
    "D02 words for a password": ("password: ", BLOB >> 4),
    "D02 headings of tables": ("a,b,password\n", BLOB >> 4),
    "D02 beginnings of Kubernetes secrets": ("kind: Secret\n", BLOB >> 4),
    "D02 markers": ("[REDACTED:x] ", BLOB),
    "D02 invisible characters": ("\u200b", BLOB),
    "D02 what repeats in one's own expression": ("x", BLOB),
}
"""What is repeated, and bytes of the larger file, in which nothing is hidden whole yet."""

OWN_EXPRESSION = "code=(x+x+)+y"
"""One that takes a matcher that goes back for ever."""

TOO_MUCH = {
    "D01 private keys": f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n",
    "D02 passwords": "password: ",
    "D02 tables": "a,b,password\n",
}
"""What a file of the largest size is hidden whole for."""


def flooded(attack: Attack, unit: str, size: int, secret: str) -> HostileBrain:
    """A brain with a file of about that size: the word asked for, prose, a flood, and the word again with a secret."""
    flood = unit * ((size - QUIET) // len(unit.encode()))
    brain = attack.brain()
    text = f"petrel\n{PROSE * 20}{chr(10) * 9}{flood}{chr(10) * 9}petrel token {secret}\n"
    brain.hold({"notes/flood.md": text})
    return brain


def queried(attack: Attack, brain: HostileBrain, *options: str) -> Answer:
    """What `query` answers."""
    asked = ("--query", "petrel", "--format", "json", "--context", "0", "--redaction-pattern", OWN_EXPRESSION)
    return attack.run("query", "--brain", brain.path, *asked, *options)


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_takes_linear_time_and_hides_no_secret(name: str, attack: Attack) -> None:
    unit, most = FLOODS[name]
    planted, spent = Planted(), []
    for size in (most // 4, most):
        answer = queried(attack, flooded(attack, unit, size, planted.token(name)))
        assert "petrel token [REDACTED:github-token]" in answer.json["sources"][-1]["content"]
        assert planted.shown(answer.stdout, answer.stderr) == set()
        spent.append(answer.processor)
    assert spent[1] <= SECONDS * most / BLOB + NOISE
    assert spent[1] <= GROWTH * spent[0] + NOISE


@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_flood_of_signs_hides_the_whole_file(name: str, attack: Attack) -> None:
    planted = Planted()
    brain = flooded(attack, TOO_MUCH[name], BLOB, planted.token(name))
    answer = queried(attack, brain)
    assert answer.json["sources"] == []
    refused = queried(attack, brain, "--select", "notes/flood.md", "--error-format", "json")
    assert refused.error["code"] == "REDACTION_TOO_BROAD"
    assert planted.shown(answer.stdout, answer.stderr, refused.stderr) == set()
    assert answer.processor + refused.processor <= SECONDS


FAILURES = ("rule_raises", "rule_takes_too_long", "rule_runs_out_of_memory")

PLACES = ("text", "title", "path", "query", "select", "ref")


def with_secret_in(place: str, attack: Attack, secret: str) -> tuple[HostileBrain, list[str]]:
    """A brain and a question of which one place holds a secret."""
    asked = {"query": "petrel", "select": "notes/plain.md", "ref": "main"}
    parts = {"path": "path", "title": "title", "text": "The sea is calm."}
    changed = asked if place in asked else parts
    changed[place] = secret
    brain = attack.brain()
    text = "---\ntitle: petrel {title}\n---\npetrel {text}\n".format(**parts)
    commit = brain.hold({"notes/plain.md": "petrel\n", f"notes/{parts['path']}.md": text})
    brain.set_tag(secret, commit)
    return brain, [part for name, value in asked.items() for part in (f"--{name}", value)]


@pytest.mark.parametrize(("place", "failure"), [*zip(PLACES, cycle(FAILURES), strict=False)])
def test_d10_a_rule_that_fails_ends_every_command_and_writes_nothing(place: str, failure: str, attack: Attack) -> None:
    planted = Planted()
    brain, asked = with_secret_in(place, attack, planted.token(place))
    for command, *form in (
        ("assemble", "--local-grant", "-o", "bundle.yaml"),
        ("preview",),
        ("query", "--format", "json"),
    ):
        words: tuple[str | Path, ...] = (command, "--brain", brain.path, *form, *asked, "--error-format", "json")
        answer = attack.run(*words, prologue=f"tests.hostile.prologues:{failure}")
        assert (answer.code, answer.error["code"]) == (5, "REDACTION_FAILED")
        assert planted.shown(answer.stderr) == set()


def test_d10_the_record_of_a_run_that_a_rule_ended_holds_no_secret(attack: Attack, tmp_path: Path) -> None:
    planted = Planted()
    brain, asked = with_secret_in("text", attack, planted.token("text"))
    answer = warm().run(
        ("assemble", "--brain", brain.path, "--local-grant", *asked, "-o", "bundle.yaml", "--records", "records"),
        folder=tmp_path / "desk",
        environment=environment({LOG_VARIABLE: str(tmp_path / "log")}),
        limits=LIMITS,
        prologue="tests.hostile.prologues:rule_raises",
    )
    (record,) = [file for file in (tmp_path / "desk").rglob("*") if file.is_file()]
    assert (answer.code, answer.stdout, record.parent.name) == (5, b"", "records")
    assert b"reason: REDACTION_FAILED" in record.read_bytes()
    assert planted.shown(record.read_bytes(), answer.stderr) == set()


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("failure", FAILURES)
def test_d10_a_rule_that_fails_withholds_a_message(failure: str, form: str, attack: Attack) -> None:
    planted = Planted()
    absent = planted.token("item")
    answer = attack.run(
        *("read", "--brain", attack.brain().path, absent, "--error-format", form),
        prologue=f"tests.hostile.prologues:{failure}",
    )
    assert answer.code == 5
    assert planted.shown(answer.stderr) == set()
