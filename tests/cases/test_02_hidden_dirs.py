"""Folders and files that begin with a dot are knowledge; `.git` never is (ripgrep #2487, #2822, #2733)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place, paths


def build(folder: Path, root: str) -> None:
    """A brain with dot-folders and dotfiles."""
    brain = BrainBuilder.create(folder, root)
    brain.page("runbooks/heron.md", "runbook:heron", "Heron failover", "kingfisher token rotation")
    brain.write("notes/.drafts/idea.md", "kingfisher draft thoughts\n")
    brain.write("notes/.inbox.md", "kingfisher top dotfile\n")
    brain.commit("hidden", 2)


def test_hidden_files_are_searched(place: Place) -> None:
    answer = place.ask("--query", "kingfisher")

    assert sorted(paths(answer)) == ["notes/.drafts/idea.md", "notes/.inbox.md", "runbooks/heron.md"]


def test_graph_records_of_a_hidden_brain_are_loaded(place: Place) -> None:
    (record,) = place.run("read", "--format", "json", "team:core").json["sources"]

    assert (record["path"], record["title"]) == ("graph/team-core.yaml", "Core team")


def test_nothing_below_git_is_searched_or_read(place: Place) -> None:
    assert "repositoryformatversion" in (place.folder / ".git" / "config").read_text()
    assert place.ask("--query", "repositoryformatversion")["sources"] == []

    code, error = place.refuse("read", ".git/config")
    assert (code, error["code"]) == (1, "MEMORY_ITEM_UNAVAILABLE")
