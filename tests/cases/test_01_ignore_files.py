"""Ignore files say nothing about what is committed (ripgrep #695, #1265)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place, paths

TRACKED = {"runbooks/quartz.md", "notes/oncall.md", "notes/today.log.md"}


def build(folder: Path, root: str) -> None:
    """Tracked files that three kinds of ignore file would hide."""
    brain = BrainBuilder.create(folder, root)
    brain.page("runbooks/quartz.md", "runbook:quartz", "Quartz restart", "zebrafish drain procedure")
    brain.write("notes/oncall.md", "zebrafish seen on call\n")
    brain.write("notes/today.log.md", "zebrafish in an ignored log note\n")
    brain.write(".gitignore", "notes/\n*.log.md\n")
    brain.write(".ignore", "*\n")
    brain.write(".rgignore", "runbooks/\n")
    brain.commit("tracked although ignored", 2)


def test_tracked_files_are_found_whatever_ignore_files_say(place: Place) -> None:
    answer = place.ask("--ref", "main", "--query", "zebrafish")

    assert set(paths(answer)) == TRACKED
    assert len(answer["sources"]) == len(TRACKED)


def test_text_search_alone_finds_ignored_files_too(place: Place) -> None:
    assert set(paths(place.ask("--mode", "grep-only", "--query", "zebrafish"))) == TRACKED


def test_ignored_files_can_be_read(place: Place) -> None:
    assert place.run("read", "notes/today.log.md").text == "zebrafish in an ignored log note\n"
