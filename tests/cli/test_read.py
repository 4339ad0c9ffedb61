"""`read`: one document at the pinned commit, and nothing that a bundle would not show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import Answer
from tests.conftest import GitBuilder
from tests.example import RESOURCES, bundle_of

Here = Callable[..., Answer]

NOTE = "notes/ci/runner-setup.md"


def test_read_shows_a_document_as_the_bundle_that_selects_it(here: Here, example_brain: Path) -> None:
    asked = ("--brain", example_brain, "--local-grant")
    bundle = bundle_of(here("assemble", *asked, "--select", NOTE, "--mode", "document-read"))
    (source,) = bundle["spec"]["memory"]["sources"]
    assert here("read", *asked, NOTE).text == source["content"]
    assert here("read", *asked, NOTE, "--format", "json").json["sources"] == [source]


def test_read_takes_the_commit_that_is_asked_for(here: Here, git: Callable[..., GitBuilder]) -> None:
    brain = git("brain")
    first = brain.add_commit({"a.md": "one\n"}, "2026-05-01T00:00:00Z")
    brain.add_commit({"a.md": "two\n", "b.md": "new\n"}, "2026-05-02T00:00:00Z")
    asked = ("read", "--brain", brain.path, "--local-grant", "a.md")
    assert here(*asked).text == "two\n"
    assert here(*asked, "--ref", first[:12]).text == "one\n"
    assert here(*asked, "--at", "2026-05-01T12:00:00Z").text == "one\n"
    assert here("read", "--brain", brain.path, "--local-grant", "b.md", "--ref", first).code == 1


def test_read_takes_grants_of_the_folder_it_starts_in(
    here: Here, example_brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(".kradle").symlink_to(RESOURCES)
    asked = ("read", "--brain", example_brain, "--repo", "kradle", "--stack", "docs-writer")
    shown = here(*asked, "runbook:ci-red-main")
    assert shown.code == 0
    assert shown.talk == "note: resources: .kradle/ of this folder\n"
    assert here(*asked, "runbook:ci-red-main", "--quiet").talk == ""
    assert here(*asked, "customer:halden-pharmacies").code == 1
    assert here(*asked, "customer:halden-pharmacies", "--local-grant").code == 0


def test_read_shows_a_long_document_whole_and_refuses_one_that_no_bundle_holds(
    here: Here, git: Callable[..., GitBuilder]
) -> None:
    brain = git("brain")
    line = "a line of a rather long note about the depot\n"
    brain.add_commit({"long.md": line * 9_000, "longer.md": line * 20_000}, "2026-05-01T00:00:00Z")
    asked = ("read", "--brain", brain.path, "--local-grant")
    assert here(*asked, "long.md").text == line * 9_000
    refused = here(*asked, "longer.md", "--error-format", "json")
    assert (refused.code, refused.error["code"]) == (3, "LIMIT_EXCEEDED")


def test_control_characters_of_a_document_are_shown_escaped(here: Here, git: Callable[..., GitBuilder]) -> None:
    brain = git("brain")
    brain.add_commit({"a.md": "one\ttab \x1b[31mred\u202e\n"}, "2026-05-01T00:00:00Z")
    assert here("read", "--brain", brain.path, "--local-grant", "a.md").text == "one\ttab \\u{1b}[31mred\\u{202e}\n"


def test_a_name_of_two_documents_reads_neither(here: Here, git: Callable[..., GitBuilder]) -> None:
    brain = git("brain")
    record = "---\nid: runbook:a\nkind: Runbook\n---\n"
    brain.add_commit({"a.md": f"{record}one\n", "b.md": f"{record}two\n"}, "2026-05-01T00:00:00Z")
    answer = here("read", "--brain", brain.path, "--local-grant", "runbook:a", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (1, "MEMORY_ITEM_UNAVAILABLE")
