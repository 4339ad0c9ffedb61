"""A brain that is read fast, and scenarios on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import environment
from tests.conftest import GitBuilder
from tests.faults.harness import Command
from tests.faults.scenario import SCRATCH, Scenario

BY_NAME = ("--local-grant", "--mode", "document-read", "--select", "notes/a.md", "--quiet")
"""A question that needs no search, so that only what comes after it is struck."""


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A brain of two notes, so that a run is short."""
    built = GitBuilder(tmp_path_factory.mktemp("small") / "brain")
    notes = {"notes/a.md": "---\ntitle: Hours\n---\nThe depot opens.\n", "notes/b.md": "# Keys\n\nOf the depot.\n"}
    built.add_commit(notes, "2026-05-01T00:00:00Z")
    return built.path


@pytest.fixture
def scenario(brain: Path, tmp_path: Path) -> Callable[..., Scenario]:
    """Makes the scenario of a command, which runs on a disk of its own."""
    disk = tmp_path / "disk"
    # Without a home there is no index, whose own writes are looked at in `test_index`.
    changes = {"TMPDIR": str(disk / SCRATCH), "HOME": ""}

    def make(command: str, *options: str, before: tuple[str, ...] = (), **settings: object) -> Scenario:
        asked = (command, "--brain", brain, *options)
        return Scenario(Command(asked, disk, environment(changes), before=before), disk, **settings)  # type: ignore[arg-type]

    return make
