"""The harness itself: what a run may not do is seen."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.command_server import Answer
from tests.hostile.attack import CANARY, PEAK, WORD, Attack, check, programs
from tests.hostile.watching import is_forbidden


def test_a_run_that_writes_is_seen(tmp_path: Path) -> None:
    attack = Attack(tmp_path)
    brain = attack.brain()
    with pytest.raises(AssertionError, match="did what a reader may not: open"):
        attack.assemble(brain.path, "--output", "out.json")


def test_a_run_that_is_refused_or_goes_well_passes(tmp_path: Path) -> None:
    attack = Attack(tmp_path)
    brain = attack.brain()
    assert attack.assemble(brain.path).code == 0
    assert attack.run("query", "--brain", brain.path, "--query", WORD, "--ref", "none").code == 3


@pytest.mark.parametrize(
    ("event", "arguments", "forbidden"),
    [
        ("subprocess.Popen", ("/usr/bin/git", ["git", "status"], None, None), True),
        ("subprocess.Popen", (None, ["/usr/bin/git"], None, None), True),
        ("subprocess.Popen", ("/usr/bin/rg", ["rg"], None, None), False),
        ("os.system", ("git status",), True),
        ("open", ("/etc/x", "w", 0o1101), True),
        ("open", (b"/etc/x", None, 0o102), True),
        ("open", ("/etc/x", "r", 0o2000000), False),
        ("open", (5, "wb", 0o1101), False),
        ("os.rename", ("a", "b", -1, -1), True),
        ("socket.connect", (None, ("evil.invalid", 80)), True),
        ("import", ("os",), False),
    ],
)
def test_events_that_a_reader_has_no_business_with_are_told_apart(
    event: str, arguments: tuple[object, ...], forbidden: bool
) -> None:
    assert is_forbidden(event, arguments) is forbidden


def test_a_program_on_the_path_of_a_run_leaves_a_mark(tmp_path: Path) -> None:
    subprocess.run([programs() / "git", "status"], env={"ATTACK_MARK": str(tmp_path / "mark")}, check=True)
    assert (tmp_path / "mark").exists()


ERROR = b"error: no [USAGE]\nhint: do\n"


@pytest.mark.parametrize(
    "answer",
    [
        Answer(70, b"", b"error: a bug [INTERNAL]\nhint: do\n"),
        Answer(-9, b"", b""),
        Answer(2, b"out", ERROR),
        Answer(3, b"", ERROR),
        Answer(2, b"", b"error: no [USAGE]\n"),
        Answer(2, b"", b'{"error": {"code": "USAGE", "message": "", "hint": "do"}}\n'),
        Answer(0, b"", f"note: {CANARY}\n".encode()),
        Answer(0, CANARY.encode(), b""),
        Answer(0, b"\x1b[2J", b""),
        Answer(0, b"", "note: \u202e\n".encode()),
        Answer(0, b"", b"Traceback (most recent call last):\n"),
        Answer(0, b"", b"", peak=PEAK + 1),
    ],
)
def test_an_answer_that_breaks_a_rule_does_not_pass(answer: Answer) -> None:
    with pytest.raises((AssertionError, ValueError)):
        check(answer, served=False)


def test_an_answer_that_keeps_the_rules_passes() -> None:
    check(Answer(2, b"", ERROR), served=False)
    check(Answer(0, CANARY.encode(), b"note: fine\n"), served=True)
