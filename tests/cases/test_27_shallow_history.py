"""A question that needs cut history is refused, never answered from the boundary (libgit2 #6096, git2-rs #796)."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place

CLONE = "shallow"


def build(folder: Path, root: str) -> None:
    """Five days of history, and a clone that has two of them."""
    brain = BrainBuilder.create(folder / "full", root)
    for number in range(1, 6):
        brain.write("notes/d.md", f"day={number}\n")
        brain.write(f"notes/only{number}.md", "once\n")
        brain.commit(f"d{number}", number)
    command = ["git", "clone", "-q", "--depth", "2", f"file://{folder}/full", str(folder / CLONE)]
    subprocess.run(command, check=True, capture_output=True)


def test_the_tip_is_read_with_a_note(place: Place) -> None:
    tip = place.git("rev-parse", "main", repository="full")
    answer = place.run("query", "--format", "json", "--ref", "main", "--query", "once", repository=CLONE)

    assert answer.json["resolvedCommit"] == tip
    assert len(answer.json["sources"]) == 5
    assert "shallow" in answer.talk


def test_an_instant_behind_the_boundary_is_refused_with_the_way_to_deepen(place: Place) -> None:
    boundary = place.git("rev-parse", "main~1", repository="full")
    code, error = place.refuse("query", "--query", "once", "--at", "2026-05-03T12:00:00Z", repository=CLONE)

    assert (code, error["code"]) == (3, "MEMORY_HISTORY_INCOMPLETE")
    assert "shallow" in error["message"] and boundary in error["message"]
    assert "git fetch --unshallow" in error["hint"]


def test_an_instant_within_the_clone_is_answered(place: Place) -> None:
    found = place.resolved("--at", "2026-05-04T12:00:00Z", repository=CLONE)

    assert found == place.git("rev-parse", "main~1", repository="full")


def test_a_commit_behind_the_boundary_is_said_to_be_missing_from_a_shallow_clone(place: Place) -> None:
    first = place.git("rev-list", "--max-parents=0", "main", repository="full")
    code, error = place.refuse("query", "--query", "once", "--ref", first, repository=CLONE)

    assert (code, error["code"]) == (3, "MEMORY_HISTORY_INCOMPLETE")
    assert "not available in a shallow clone" in error["message"]


def test_the_last_change_behind_the_boundary_is_unknown_and_not_the_boundary(place: Place) -> None:
    answer = place.ask("--ref", "main", "--query", "once", repository=CLONE)
    sources = {source["path"]: source for source in answer["sources"]}
    tip = place.git("rev-parse", "main", repository="full")

    for number in (1, 2, 3, 4):
        assert "lastChanged" not in sources[f"notes/only{number}.md"]
    assert sources["notes/only5.md"]["lastChanged"] == {"commit": tip, "at": "2026-05-05T00:00:00Z"}


def test_the_full_clone_knows_every_last_change(place: Place) -> None:
    sources = {source["path"]: source for source in place.ask("--query", "once", repository="full")["sources"]}

    for number in range(1, 6):
        assert sources[f"notes/only{number}.md"]["lastChanged"]["at"] == f"2026-05-0{number}T00:00:00Z"
