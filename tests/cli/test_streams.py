"""Standard input, output and error: closed, full, broken, and in any encoding."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import COMMAND, Answer, environment
from tests.conftest import GitBuilder
from tests.example import REQUESTS, RESOURCES, TIME_LIMIT, asking, invoke

POOR_LOCALE = {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"}

NOTE = "---\ntitle: Überblick ➜ 発送\n---\nThe dépôt 倉庫 opens at six.\n"


def shell(folder: Path, tail: str, *arguments: str | Path) -> Answer:
    """Run a command through a shell that redirects or pipes it."""
    words = [*COMMAND, *map(str, arguments)]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {tail}', "sh", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        timeout=TIME_LIMIT,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def code_of_writer(folder: Path, *arguments: str | Path) -> tuple[int, bytes, bytes]:
    """The exit code of a command whose reader takes one line and goes, that line, and what was said."""
    tail = '; echo "$?" >&3; } 3>code | head -n 1'
    words = [*COMMAND, *map(str, arguments)]
    done = subprocess.run(
        ["sh", "-c", f'{{ "$@" {tail}', "sh", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        timeout=TIME_LIMIT,
    )
    return int((folder / "code").read_text()), done.stdout, done.stderr


@pytest.fixture
def worldly(git: Callable[..., GitBuilder]) -> Path:
    """A brain whose only note needs more than ASCII."""
    brain = git("brain")
    brain.add_commit({"notes/überblick.md": NOTE}, "2026-05-01T00:00:00Z")
    return brain.path


@pytest.mark.parametrize("options", [("assemble", "--all-documents"), ("preview",), ("preview", "--summary")])
def test_a_reader_that_goes_after_one_line_ends_the_run_quietly(
    example_brain: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    command, *rest = options
    code, line, talk = code_of_writer(tmp_path, command, *asking(example_brain, "time-travel"), *rest, "--quiet")
    assert (code, talk) == (0, b"")
    assert line.count(b"\n") == 1


@pytest.mark.parametrize("arguments", [("--help",), ("assemble", "-h"), ("--version",)])
def test_a_closed_pipe_ends_help_quietly(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=tmp_path,
        stdout=writer,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=environment(),
        timeout=TIME_LIMIT,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_nobody_to_tell_an_error_changes_no_exit_code(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, "assemble", "--query", "x"], cwd=tmp_path, stderr=writer, env=environment(), timeout=TIME_LIMIT
    )
    os.close(writer)
    assert done.returncode == 4
    assert shell(tmp_path, "2>&-", "assemble", "--query", "x").code == 4


@pytest.mark.parametrize("command", ["assemble", "preview", "query"])
def test_a_full_disk_behind_stdout_is_a_refusal(example_brain: Path, tmp_path: Path, command: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    asked = ("--brain", example_brain, "--local-grant", "--query", "flaky", "--quiet", "--error-format", "json")
    answer = shell(tmp_path, ">/dev/full", command, *asked)
    assert answer.code == 3
    assert answer.error["code"] == "OUTPUT_UNWRITABLE"


def test_a_stdout_that_is_closed_is_a_refusal_only_when_it_is_needed(example_brain: Path, tmp_path: Path) -> None:
    asked = ("assemble", *asking(example_brain, "ci-repair"), "--quiet")
    refused = shell(tmp_path, ">&-", *asked, "--error-format", "json")
    assert (refused.code, refused.error["code"]) == (3, "OUTPUT_UNWRITABLE")
    written = shell(tmp_path, ">&-", *asked, "-o", "bundle.yaml")
    assert (written.code, written.stderr) == (0, b"")
    assert (tmp_path / "bundle.yaml").read_bytes() == invoke(tmp_path, *asked).stdout


def test_a_stdin_that_is_closed_is_missed_only_when_it_is_read(example_brain: Path, tmp_path: Path) -> None:
    asked = ("assemble", *asking(example_brain, "ci-repair"), "--quiet")
    assert shell(tmp_path, "<&-", *asked).stdout == invoke(tmp_path, *asked).stdout
    answer = shell(tmp_path, "<&-", "assemble", "-f", "-", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (2, "RESOURCE_INVALID")


def test_all_streams_closed_still_write_the_file(example_brain: Path, tmp_path: Path) -> None:
    asked = ("assemble", *asking(example_brain, "ci-repair"))
    assert shell(tmp_path, "<&- >&- 2>&-", *asked, "-o", "bundle.yaml").code == 0
    assert (tmp_path / "bundle.yaml").read_bytes() == invoke(tmp_path, *asked).stdout


def test_several_documents_come_from_stdin(example_brain: Path, tmp_path: Path) -> None:
    """Resources and request in one stream give what they give as files."""
    texts = [*(file.read_text() for file in sorted(RESOURCES.iterdir())), REQUESTS["snapshot"].read_text()]
    piped = invoke(tmp_path, "assemble", "--brain", example_brain, "-f", "-", data="\n---\n".join(texts).encode())
    named = invoke(tmp_path, "assemble", *asking(example_brain, "snapshot"))
    assert named.code == 0
    assert piped.stdout == named.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("assemble", "--query", "dépôt 倉庫"),
        ("assemble", "--query", "dépôt 倉庫", "--format", "json"),
        ("preview", "--query", "dépôt"),
        ("preview", "--query", "dépôt", "--format", "markdown"),
        ("query", "--query", "dépôt"),
        ("read", "notes/überblick.md"),
    ],
)
def test_a_locale_without_these_letters_changes_no_byte(
    worldly: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    command, *rest = arguments
    asked: tuple[str | Path, ...] = (command, "--brain", worldly, "--local-grant", *rest)
    plain, poor = invoke(tmp_path, *asked), invoke(tmp_path, *asked, changes=POOR_LOCALE)
    assert plain.code == 0
    text = plain.text if "json" not in arguments else json.dumps(plain.json, ensure_ascii=False)
    assert "The dépôt 倉庫 opens at six." in text
    assert poor.stdout == plain.stdout


def test_a_locale_without_these_letters_shows_an_error_all_the_same(worldly: Path, tmp_path: Path) -> None:
    asked = ("read", "--brain", worldly, "--local-grant", "notes/dépôt.md", "--error-format", "json")
    poor = invoke(tmp_path, *asked, changes=POOR_LOCALE)
    assert (poor.code, poor.error["code"]) == (1, "MEMORY_ITEM_UNAVAILABLE")
    assert poor.error == invoke(tmp_path, *asked).error
