"""What goes wrong, and how it is told."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cases.command_line import COMMAND, Answer, environment
from tests.example import RESOURCES, TIME_LIMIT, planted_secrets

Here = Callable[..., Answer]

PIPE_AND_MORE = b"# padding\n" * 20_000
"""More than a pipe holds, so that writing it ends only once it is read."""


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("assemble", "--nonsense"),
        ("assemble", "stray"),
        ("assemble", "--depth", "many"),
        ("query", "--query"),
        ("preview", "--format", "yaml"),
        ("read",),
        ("resolve", "--query", "x"),
        ("assemble", "--all-documents", "--format", "prompt"),
    ],
)
@pytest.mark.parametrize("spelling", [("--error-format", "json"), ("--error-format=json",)])
def test_a_usage_error_is_json_too(here: Here, arguments: tuple[str, ...], spelling: tuple[str, ...]) -> None:
    answer = here(*arguments[:1], *spelling, *arguments[1:])
    assert answer.code == 2
    assert answer.error["code"] == "USAGE"
    assert "\n" not in answer.error["message"]


def test_a_question_about_the_error_format_does_not_choose_it(here: Here) -> None:
    answer = here("query", "--brain", "absent", "--local-grant", "--query", "what is --error-format json for")
    assert answer.code == 3
    assert answer.talk.startswith("error: ")


@pytest.mark.parametrize(
    ("arguments", "details"),
    [
        (("--memory-mode", "disabled"), {"operation": "resolve", "mode": "disabled"}),
        (("--ref", "deadbeef~1"), {}),
    ],
)
def test_an_error_carries_its_details_as_json(
    here: Here, example_brain: Path, arguments: tuple[str, ...], details: dict[str, str]
) -> None:
    error = here("resolve", "--brain", example_brain, *arguments, "--error-format", "json").error
    assert {name: error[name] for name in error if name not in ("code", "message", "hint")} == details


def test_an_item_that_is_absent_and_one_that_is_denied_are_refused_alike(here: Here, example_brain: Path) -> None:
    """Whichever command names it, and whether it is denied by path, by sensitivity or by kind."""
    denied = ("incident:2026-04-20-laptop-loss", "runbook:depot-gateway-access", "customer:halden-pharmacies")
    asked = ("--brain", example_brain, "-f", RESOURCES, "--org", "a5c", "--repo", "kradle", "--stack", "docs-writer")
    for command in ("assemble", "preview", "query"):
        refusals = set()
        for item in (*denied, "runbook:absent", "incidents/security/2026-04-20-laptop-loss.md", "absent.md"):
            answer = here(command, *asked, "--query", "flaky", "--select", item)
            refusals.add((answer.code, answer.stdout, answer.talk.replace(item, "ITEM")))
        ((code, stdout, talk),) = refusals
        assert (code, stdout) == (1, b"")
        assert "[MEMORY_ITEM_UNAVAILABLE]" in talk


def test_a_bug_is_a_report_that_only_its_owner_can_read(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    secret = planted_secrets()["github-token"]

    def broken(*arguments: object, **options: object) -> None:
        try:
            raise KeyError(f"a title of the brain, {secret}")
        except KeyError as error:
            raise ValueError(f"content of the brain, {secret}") from error

    monkeypatch.setattr("kradle_ctx.assemble.assemble", broken)
    for form in ((), ("--error-format", "json")):
        with monkeypatch.context() as patched:
            patched.setattr(tempfile, "tempdir", str(scratch))
            answer = here("assemble", "--local-grant", "--query", "x", *form)
        assert (answer.code, answer.stdout) == (70, b"")
        assert "INTERNAL" in answer.talk
        assert "ValueError" in answer.talk
        assert "Traceback" not in answer.talk
        assert secret not in answer.talk
        assert "of the brain," not in answer.talk
    assert answer.error["report"] in [str(file) for file in scratch.iterdir()]
    for file in scratch.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        text = file.read_text(encoding="utf-8")
        assert text.index("KeyError\n") < text.index("ValueError\n")
        assert "in broken" in text
        assert secret not in text
        assert "content of the brain" not in text.replace('raise ValueError(f"content of the brain, {secret}")', "")
    assert len(list(scratch.iterdir())) == 2


def test_a_bug_is_told_where_no_report_can_be_written(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object, **options: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("kradle_ctx.assemble.assemble", broken)
    with monkeypatch.context() as without_scratch:
        without_scratch.setattr(tempfile, "tempdir", "/nowhere at all")
        answer = here("assemble", "--local-grant", "--query", "x")
    assert answer.code == 70
    assert "the crash report is in nowhere" in answer.talk


def test_a_message_is_withheld_when_its_redaction_fails(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> None:
        raise RuntimeError(text)

    monkeypatch.setattr("kradle_ctx.redaction.redact", broken)
    answer = here("resolve", "--brain", "absent", "--error-format", "json")
    assert answer.code == 3
    assert answer.error["code"] == "MEMORY_REPOSITORY_UNAVAILABLE"
    assert answer.error["message"] == answer.error["hint"] == "withheld, because redaction failed"


def interrupted(started: subprocess.Popen[bytes]) -> int:
    """The exit code after SIGINT, which Python misses when it comes between two reads, so it is sent again."""
    for _ in range(TIME_LIMIT):
        started.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return started.wait(timeout=1)
    raise AssertionError("the run goes on")


def test_an_interrupt_ends_quietly(tmp_path: Path) -> None:
    started = subprocess.Popen(
        [*COMMAND, "assemble", "-f", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    with started:
        assert started.stdin is not None
        started.stdin.write(PIPE_AND_MORE)
        started.stdin.flush()
        assert interrupted(started) == 130
        assert started.stdout is not None
        assert started.stderr is not None
        assert (started.stdout.read(), started.stderr.read()) == (b"", b"")


def test_resources_that_cannot_be_read_are_refused(here: Here, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"kind: \xe9\n")
    (tmp_path / "large.yaml").write_bytes(b"#" * (1024 * 1024 + 1))
    (tmp_path / "other.yaml").write_text("kind: Pod\n")
    for name in ("fifo.yaml", "latin.yaml", "large.yaml", "other.yaml", "absent.yaml"):
        answer = here("assemble", "-f", tmp_path / name, "--query", "x", "--error-format", "json")
        assert (answer.code, answer.error["code"]) == (2, "RESOURCE_INVALID")
        assert name in answer.error["message"]


def test_a_resource_error_names_file_and_line_and_no_value(here: Here, tmp_path: Path) -> None:
    secret = planted_secrets()["url-password"]
    text = "apiVersion: kradle.a5c.ai/v1alpha1\nkind: AgentDispatchRun\nmetadata: {name: adr-1}\nspec:\n"
    (tmp_path / "run.yaml").write_text(f"{text}  organizationRef: a5c\n  memmory: {secret}\n")
    answer = here("assemble", "-f", tmp_path / "run.yaml", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (2, "RESOURCE_INVALID")
    assert "run.yaml:6" in answer.error["message"]
    assert "memmory" in answer.error["message"]
    assert secret not in json.dumps(answer.error)
