"""When the branch had it is the committer's date, never the author's (isomorphic-git #1742)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder, day
from tests.cases.place import Place

MEANT = {
    "2026-05-03T00:00:00Z": "one",
    "2026-05-09T12:00:00Z": "written on day 2, landed by rebase on day 9",
    "2026-05-11T00:00:00Z": "author clock in the future",
}


def build(folder: Path, root: str) -> None:
    """A commit that was rebased, and one by a clock that is ahead."""
    brain = BrainBuilder.create(folder, root)
    commits = ((1, day(1)), (9, day(2)), (10, "2027-01-01T00:00:00Z"))
    for (number, authored), message in zip(commits, MEANT.values(), strict=True):
        brain.write("notes/v.md", f"v={number}\n")
        brain.commit(message, number, authored=authored)


def test_an_instant_means_what_the_branch_had_then(place: Place) -> None:
    found = {at: place.git("log", "-1", "--format=%s", place.resolved("--at", at)) for at in MEANT}

    assert found == MEANT


def test_the_bundle_of_an_instant_holds_the_text_of_that_commit(place: Place) -> None:
    answer = place.run("read", "--at", "2026-05-03T00:00:00Z", "notes/v.md")

    first = place.git("rev-list", "--max-parents=0", "main")
    assert answer.stdout.strip() == place.git("show", f"{first}:{place.in_repository('notes/v.md')}").encode()
