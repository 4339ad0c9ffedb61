"""`query`: one question, its answer on stdout and what is to be said about it on stderr."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cases.command_line import Answer
from tests.conftest import GitBuilder
from tests.example import RESOURCES, bundle_of

Here = Callable[..., Answer]


def test_an_answer_is_the_memory_of_the_bundle_that_asks_the_same(here: Here, example_brain: Path) -> None:
    asked = ("--brain", example_brain, "--local-grant", "--repo", "kradle", "--query", "flaky playwright")
    answer = here("query", *asked, "--format", "json").json
    memory = bundle_of(here("assemble", *asked))["spec"]["memory"]
    assert answer["sources"]
    assert answer == {name: memory[name] for name in answer}


def test_the_text_names_every_item_with_its_place_and_reason(here: Here, example_brain: Path) -> None:
    asked = ("query", "--brain", example_brain, "--local-grant", "--repo", "kradle", "--query", "flaky playwright")
    text, sources = here(*asked).text, here(*asked, "--format", "json").json["sources"]
    heads = [line for line in text.splitlines() if line.startswith("== ")]
    places = [f"{source['path']}:{source['lineStart']}-{source['lineEnd']}" for source in sources]
    assert [head.rpartition(" ")[2] for head in heads] == places
    for source in sources:
        shown = "".join(line if line.isspace() else f"  {line}" for line in source["content"].splitlines(keepends=True))
        assert f"   {source['why']['summary']}; {source['trust']}\n{shown}" in text


def test_query_takes_grants_of_the_folder_it_starts_in_unless_some_are_given(here: Here, example_brain: Path) -> None:
    Path(".kradle").symlink_to(RESOURCES)
    asked = ("query", "--brain", example_brain, "--org", "a5c", "--query", "Halden pharmacies", "--format", "json")
    granted = here(*asked, "--repo", "kradle", "--stack", "docs-writer")
    assert "note: resources: .kradle/ of this folder" in granted.talk
    assert "customer:halden-pharmacies" not in [source.get("id") for source in granted.json["sources"]]
    assert here(*asked, "--required").code == 4
    local = here(*asked, "--local-grant")
    assert "customer:halden-pharmacies" in [source.get("id") for source in local.json["sources"]]
    assert "note: resources" not in local.talk


def test_a_query_mode_that_reads_documents_reads_those_selected(here: Here, example_brain: Path) -> None:
    asked = ("query", "--brain", example_brain, "--local-grant", "--mode", "document-read", "--format", "json")
    answer = here(*asked, "--select", "notes/how-we-write.md", "--select", "tool:playwright").json
    assert [source["path"] for source in answer["sources"]] == ["graph/tools.yaml", "notes/how-we-write.md"]


def test_warnings_and_notes_go_to_stderr_and_none_when_quiet(here: Here, git: Callable[..., GitBuilder]) -> None:
    brain = git("brain")
    brain.add_commit({"a.md": "flaky\n"}, "2026-05-01T00:00:00Z")
    brain.add_commit({"a.md": "gone\n"}, "2026-05-03T00:00:00Z")
    asked = ("query", "--brain", brain.path, "--query", "flaky", "--at", "2026-05-02T00:00:00Z")
    answer = here(*asked)
    assert "flaky" in answer.text
    notes = answer.talk.splitlines()
    assert all(note.startswith("note: ") for note in notes)
    for said in ("grant: the whole brain", "the brain has no ontology", "(2d behind main)"):
        assert len([note for note in notes if said in note]) == 1, said
    assert here(*asked, "--quiet").talk == ""
    assert here(*asked, "--quiet").stdout == answer.stdout
