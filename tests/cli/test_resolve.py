"""`resolve`: from a memory ref to a commit, with nothing of the brain read."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import Answer
from tests.conftest import GitBuilder

Here = Callable[..., Answer]

DAYS = ("2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z", "2026-05-03T12:00:00Z")


@pytest.fixture
def commits(git: Callable[..., GitBuilder]) -> tuple[GitBuilder, list[str]]:
    """A brain of three days on main, and their commits."""
    brain = git("brain")
    return brain, [brain.add_commit({"a.md": day}, day) for day in DAYS]


def test_a_name_of_two_things_is_refused_with_both_of_them(here: Here, commits: tuple[GitBuilder, list[str]]) -> None:
    brain, (first, second, _) = commits
    brain.set_branch("release", first)
    brain.set_tag("release", second)
    answer = here("resolve", "--brain", brain.path, "--ref", "release", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "MEMORY_REF_AMBIGUOUS")
    assert answer.error["candidates"] == [
        {"kind": "tag", "name": "refs/tags/release", "commit": second},
        {"kind": "branch", "name": "refs/heads/release", "commit": first},
    ]
    named = here("resolve", "--brain", brain.path, "--ref", "refs/tags/release", "--format", "json").json
    assert named["resolvedCommit"] == second


def test_every_way_to_ask_is_told_with_its_mode_and_approval(here: Here, commits: tuple[GitBuilder, list[str]]) -> None:
    brain, (first, second, third) = commits
    aside = brain.add_commit({"a.md": "aside"}, DAYS[1], branch="aside", parents=[first])
    brain.set_tag("memory/snapshots/s1", first, annotated=True)
    for arguments, mode, commit, approved, stale in (
        ((), "current", third, "yes", None),
        (("--ref", "main"), "explicit-ref", third, "yes", None),
        (("--ref", "aside"), "explicit-ref", aside, "no", "1d12h"),
        (("--at", DAYS[1]), "ref-at-time", second, "yes", "1d12h"),
        (("--snapshot", "s1"), "snapshot-tag", first, "yes", "2d12h"),
    ):
        value = here("resolve", "--brain", brain.path, *arguments, "--format", "json").json
        assert (value["mode"], value["resolvedCommit"], value["approved"]) == (mode, commit, approved)
        assert (value["defaultBranch"], value["currentCommit"]) == ("main", third)
        assert value.get("staleBy") == stale


def test_a_shallow_clone_says_what_it_cannot_know(
    here: Here, commits: tuple[GitBuilder, list[str]], tmp_path: Path
) -> None:
    brain, _ = commits
    clone = ["git", "clone", "-q", "--depth", "1", brain.path.as_uri(), str(tmp_path / "shallow")]
    subprocess.run(clone, check=True, capture_output=True)
    answer = here("resolve", "--brain", tmp_path / "shallow")
    assert answer.code == 0
    assert answer.talk == "note: shallow clone: history before its boundary is not available\n"
    assert here("resolve", "--brain", tmp_path / "shallow", "--quiet").talk == ""
    refused = here("resolve", "--brain", tmp_path / "shallow", "--at", DAYS[0], "--error-format", "json")
    assert (refused.code, refused.error["code"]) == (3, "MEMORY_HISTORY_INCOMPLETE")
    assert "git fetch --unshallow" in refused.error["hint"]


def test_a_branch_without_a_commit_is_refused(here: Here, git: Callable[..., GitBuilder]) -> None:
    answer = here("resolve", "--brain", git("empty").path, "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "MEMORY_REF_UNRESOLVED")


def test_the_default_branch_is_that_of_the_resource(
    here: Here, commits: tuple[GitBuilder, list[str]], tmp_path: Path
) -> None:
    brain, (first, *_) = commits
    brain.set_branch("trunk", first)
    resource = "apiVersion: kradle.a5c.ai/v1alpha1\nkind: AgentMemoryRepository\nmetadata: {name: brain}\nspec:\n"
    resource += f"  organizationRef: a5c\n  defaultBranch: trunk\n  location: {brain.path}\n"
    (tmp_path / "brain.yaml").write_text(resource)
    value = here("resolve", "-f", tmp_path / "brain.yaml", "--format", "json").json
    assert (value["defaultBranch"], value["resolvedCommit"]) == ("trunk", first)


def test_an_instant_without_a_zone_is_refused_with_its_two_readings(
    here: Here, commits: tuple[GitBuilder, list[str]]
) -> None:
    answer = here("resolve", "--brain", commits[0].path, "--at", "2026-05-02T10:00:00", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (2, "TIMESTAMP_AMBIGUOUS")
    assert "2026-05-02T10:00:00Z" in answer.error["message"] + answer.error["hint"]
