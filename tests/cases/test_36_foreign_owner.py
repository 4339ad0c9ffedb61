"""A repository of another user is refused until its path is trusted (pygit2 #1156, libgit2 #6663)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases.brain_builder import BrainBuilder
from tests.cases.command_line import listing
from tests.cases.place import Place, ids

STRANGER = 12345


def build(folder: Path, root: str) -> None:
    """A page in a repository that belongs to somebody else."""
    brain = BrainBuilder.create(folder, root)
    brain.page("runbooks/f.md", "runbook:f", "Foreign", "sanderling body")
    brain.commit("one", 1)
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, STRANGER, STRANGER, follow_symlinks=False)


def home(place: Place, name: str, trusted: Path | None) -> dict[str, str]:
    """The environment with a home whose Git configuration trusts one folder, or none."""
    folder = place.folder.parent / name
    folder.mkdir(exist_ok=True)
    if trusted is not None:
        (folder / ".gitconfig").write_text(f"[safe]\n\tdirectory = {trusted}\n")
    return {"HOME": str(folder), "KRADLE_CACHE_DIR": str(place.folder.parent / "cache")}


def require_root() -> None:
    """Skip where files cannot be given to another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a repository to another user")


def test_a_foreign_repository_is_refused_with_the_remedy(place: Place) -> None:
    require_root()
    changes = home(place, "bare-home", None)
    answer = place.run("query", "--query", "sanderling", changes=changes)

    assert (answer.code, answer.stdout) == (3, b"")
    assert "not trusted" in answer.talk and str(place.folder) in answer.talk
    assert "safe.directory" in answer.talk
    assert listing(Path(changes["HOME"])) == {}


def test_a_trusted_path_is_read_and_the_configuration_stays_as_it_is(place: Place) -> None:
    require_root()
    changes = home(place, "trusting-home", place.folder)
    before = listing(Path(changes["HOME"]))
    answer = place.run("query", "--query", "sanderling", "--format", "json", changes=changes)

    assert ids(answer.json) == ["runbook:f"]
    assert listing(Path(changes["HOME"])) == before


def test_trust_in_another_path_is_no_trust_in_this_one(place: Place) -> None:
    require_root()
    answer = place.run("query", "--query", "sanderling", changes=home(place, "other-home", Path("/elsewhere")))

    assert (answer.code, answer.stdout) == (3, b"")
