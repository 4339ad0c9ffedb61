"""`preview`: what an agent would get, and why, for a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import Answer
from tests.conftest import GitBuilder
from tests.example import asking, bundle_of

Here = Callable[..., Answer]


@pytest.mark.parametrize("request_name", ["ci-repair", "time-travel", "snapshot"])
def test_a_preview_is_the_prompt_section_and_the_bundle_that_assemble_writes(
    here: Here, example_brain: Path, request_name: str
) -> None:
    asked = asking(example_brain, request_name)
    section, bundle = here("assemble", *asked, "--format", "prompt"), here("assemble", *asked)
    text, short = here("preview", *asked), here("preview", *asked, "--summary")
    assert text.stdout == section.stdout + b"\n" + short.stdout
    assert here("preview", *asked, "--format", "json").json == bundle_of(bundle)
    markdown = here("preview", *asked, "--format", "markdown", "--summary").text
    for source in bundle_of(bundle)["spec"]["memory"]["sources"]:
        name = source.get("id") or f"{source['path']}:{source['lineStart']}-{source['lineEnd']}"
        for shown in (short.text, markdown):
            assert name in shown
    assert bundle_of(bundle)["status"]["digest"] in markdown


def test_a_preview_of_any_repository_of_markdown_says_what_it_assumed(
    here: Here, git: Callable[..., GitBuilder]
) -> None:
    brain = git("brain")
    brain.add_commit({"deploy.md": "# Deploy\n\nPush to main.\n"}, "2026-05-01T00:00:00Z")
    text = here("preview", "--brain", brain.path, "--query", "how do we deploy").text
    assert "Push to main." in text
    notes = [line for line in text.splitlines() if line.startswith("note: ")]
    assert notes[0] == "note: grant: the whole brain at public and internal, as with --local-grant"
    assert "AgentMemorySource" in notes[1]
    assert "note: " not in here("preview", "--brain", brain.path, "--query", "how do we deploy", "--quiet").text


def test_a_preview_shows_what_was_left_out_denied_and_redacted(here: Here, example_brain: Path) -> None:
    text = here("preview", *asking(example_brain, "snapshot"), "--summary").text
    for said in ("left out", "over-budget", "denied", "incidents/security/**", "redacted", "github-token"):
        assert said in text


def test_a_preview_writes_nothing(here: Here, example_brain: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert here("preview", *asking(example_brain, "ci-repair")).code == 0
    assert sorted(tmp_path.rglob("*")) == before
