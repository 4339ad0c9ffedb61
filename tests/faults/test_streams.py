"""Every path that prints, to streams that are full or closed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kradle_ctx.cli.app import app
from tests.cases.command_line import COMMAND, environment
from tests.command_server import Answer, warm
from tests.faults.conftest import BY_NAME

HELP = [(), ("--help",), *((str(command.name), "-h") for command in app.registered_commands)]
VERSION = [("--version",), ("--version", "resolve")]
ANSWERS = [
    ("assemble", *BY_NAME),
    ("preview", *BY_NAME),
    ("preview", *BY_NAME, "--summary"),
    ("preview", *BY_NAME, "--format", "json"),
    ("query", *BY_NAME),
    ("read", "--local-grant", "notes/a.md"),
    ("resolve",),
]
REFUSALS = [("read", "--local-grant", "notes/absent.md"), ("query", "--nonsense"), ("assemble", "--query", "depot")]

needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def ask(brain: Path, folder: Path, arguments: tuple[str, ...], prologue: str | None = None) -> Answer:
    """Run a command on the brain, with the streams that a prologue leaves."""
    named: tuple[str | Path, ...] = () if arguments in HELP or arguments in VERSION else ("--brain", brain)
    start = f"tests.faults.prologues:{prologue}" if prologue else None
    return warm().run([*arguments, *named], folder=folder, environment=environment(), prologue=start)


@needs_full_device
@pytest.mark.parametrize("arguments", [*HELP, *VERSION, *ANSWERS], ids=" ".join)
def test_a_full_or_closed_stdout_is_a_refusal_in_one_line(
    brain: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    for prologue, reason in (("full_stdout", "No space left on device"), ("closed_stdout", "Bad file descriptor")):
        answer = ask(brain, tmp_path, arguments, prologue)
        said = [line for line in answer.talk.splitlines() if not line.startswith("note: ")]
        assert said[0] == f"error: cannot write stdout: {reason} [OUTPUT_UNWRITABLE]"
        assert [line[:6] for line in said[1:]] == ["hint: "]
        assert answer.code == 3


@needs_full_device
@pytest.mark.parametrize(
    "arguments", [ANSWERS[0], ANSWERS[1], ("query", "--local-grant", "--query", "depot"), *REFUSALS]
)
def test_a_stderr_that_takes_nothing_changes_neither_output_nor_exit_code(
    brain: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    usual = ask(brain, tmp_path, arguments)
    for prologue in ("full_stderr", "closed_stderr"):
        answer = ask(brain, tmp_path, arguments, prologue)
        assert (answer.code, answer.stdout) == (usual.code, usual.stdout)


@pytest.mark.parametrize("arguments", [HELP[1], ANSWERS[0], ANSWERS[1], ANSWERS[-1], REFUSALS[0]])
def test_a_closed_stdin_changes_nothing(brain: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    usual, answer = ask(brain, tmp_path, arguments), ask(brain, tmp_path, arguments, "closed_stdin")
    assert (answer.code, answer.stdout, answer.stderr) == (usual.code, usual.stdout, usual.stderr)


@needs_full_device
@pytest.mark.parametrize("arguments", ["--help", "--version"])
def test_a_process_of_its_own_refuses_too_and_says_nothing_more_at_its_end(tmp_path: Path, arguments: str) -> None:
    """What Python does when it ends, such as writing the rest of a buffer, happens only in a process of its own."""
    for redirection in (">/dev/full", ">&-"):
        done = subprocess.run(
            ["sh", "-c", f'"$@" {redirection}', "sh", *COMMAND, arguments],
            cwd=tmp_path,
            env={**environment(), "PYTHONUNBUFFERED": ""},
            stderr=subprocess.PIPE,
        )
        lines = done.stderr.decode().splitlines()
        assert (done.returncode, [line[:6] for line in lines]) == (3, ["error:", "hint: "])
        assert list(tmp_path.iterdir()) == []
