"""The same request gives the same bundle: on every machine, in every locale, from every kind of clone."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cases.command_line import CLOCK, Answer
from tests.example import asking, bundle_of, invoke

ENVIRONMENTS = (
    {"PYTHONHASHSEED": "1"},
    {"PYTHONHASHSEED": "4242", "LC_ALL": "C", "TZ": "Pacific/Auckland"},
    {"LC_ALL": "tr_TR.UTF-8", "TZ": "America/St_Johns", "COLUMNS": "40", "TERM": "dumb"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1", "NO_COLOR": "1"},
)

REFS = {"named": ("--ref", "main"), "unnamed": ()}
"""The request names main; without it the default branch is taken, which every clone has to find the same."""


def git(folder: Path, *arguments: str) -> None:
    """Run Git in a folder."""
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def flags(ref: str) -> tuple[str, ...]:
    """A question in flags alone, with main named or not."""
    question = (
        "--local-grant",
        "--org",
        "a5c",
        "--repo",
        "kradle",
        "--issue",
        "kradle/91",
        "--query",
        "flaky playwright",
    )
    return (*question, *REFS[ref])


@cache
def assembled(brain: Path, ref: str, epoch: str = CLOCK) -> Answer:
    """The answer to the flags' question; a brain that changes is asked with `asked`."""
    return asked(brain, ref, epoch)


def asked(brain: Path, ref: str, epoch: str = CLOCK) -> Answer:
    """The answer to the flags' question, now."""
    return invoke(brain.parent, "assemble", "--brain", brain, *flags(ref), changes={"SOURCE_DATE_EPOCH": epoch})


@cache
def repaired(brain: Path) -> Answer:
    """The answer to the repair run's request, in a plain environment."""
    return invoke(brain.parent, "assemble", *asking(brain, "ci-repair"), "--all-documents")


@pytest.fixture(scope="module")
def clones(example_brain: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A bare clone, a shallow one, and linked worktrees of another branch, with a remote and without."""
    folder = tmp_path_factory.mktemp("clones")
    source = example_brain.as_uri()
    git(folder, "clone", "-q", "--bare", source, "bare.git")
    git(folder, "clone", "-q", "--depth", "2", source, "shallow")
    git(folder, "clone", "-q", source, "full")
    git(folder, "clone", "-q", str(folder / "full"), "parent")
    git(folder / "parent", "worktree", "add", "-q", "-b", "side", str(folder / "linked"), "HEAD~3")
    git(folder, "clone", "-q", str(folder / "full"), "alone")
    git(folder / "alone", "remote", "remove", "origin")
    git(folder / "alone", "worktree", "add", "-q", "-b", "side", str(folder / "linked-alone"), "HEAD~3")
    return {name: folder / name for name in ("bare.git", "shallow", "full", "linked", "linked-alone")}


@pytest.mark.parametrize("changes", ENVIRONMENTS)
def test_neither_hash_seed_nor_locale_nor_time_zone_changes_a_byte(
    example_brain: Path, changes: dict[str, str]
) -> None:
    plain = repaired(example_brain)
    other = invoke(
        example_brain.parent, "assemble", *asking(example_brain, "ci-repair"), "--all-documents", changes=changes
    )
    assert bundle_of(plain)["status"]["phase"] == "Ready"
    assert other.stdout == plain.stdout
    assert other.code == plain.code == 0


@pytest.mark.parametrize("ref", REFS)
@pytest.mark.parametrize("clone", ["bare.git", "full", "linked", "linked-alone"])
def test_a_clone_gives_the_same_bytes(example_brain: Path, clones: dict[str, Path], clone: str, ref: str) -> None:
    expected = assembled(example_brain, ref)
    assert expected.code == 0
    assert assembled(clones[clone], ref).stdout == expected.stdout


def without_last_changed(bundle: dict[str, Any]) -> dict[str, Any]:
    """The same bundle as if its clone knew no history."""
    value: dict[str, Any] = json.loads(json.dumps(bundle))
    for source in value["spec"]["memory"]["sources"]:
        source.pop("lastChanged", None)
    return value


@pytest.mark.parametrize("ref", REFS)
def test_a_shallow_clone_gives_the_same_but_for_when_files_last_changed(
    example_brain: Path, clones: dict[str, Path], ref: str
) -> None:
    whole, cut = bundle_of(assembled(example_brain, ref)), bundle_of(assembled(clones["shallow"], ref))
    assert cut["status"]["digest"] == whole["status"]["digest"]
    assert without_last_changed(cut) == without_last_changed(whole)
    known = [source.get("lastChanged") for source in cut["spec"]["memory"]["sources"]]
    assert None in known
    for source, other in zip(cut["spec"]["memory"]["sources"], whole["spec"]["memory"]["sources"], strict=True):
        assert source.get("lastChanged") in (None, other["lastChanged"])


def test_a_pin_gives_the_same_bytes_from_a_linked_worktree(example_brain: Path, clones: dict[str, Path]) -> None:
    for request in ("time-travel", "snapshot"):
        expected = invoke(example_brain.parent, "assemble", *asking(example_brain, request))
        assert bundle_of(expected)["spec"]["memory"]["staleBy"] == "6d2h"
        assert invoke(clones["linked"].parent, "assemble", *asking(clones["linked"], request)).stdout == expected.stdout


def test_the_clock_is_in_the_bundle_but_not_in_its_digest(example_brain: Path) -> None:
    first = bundle_of(assembled(example_brain, "named"))
    later = bundle_of(assembled(example_brain, "named", "1800000000"))
    assert later["spec"]["memory"]["refResolution"]["resolvedAt"] == "2027-01-15T08:00:00Z"
    assert first["spec"]["memory"]["refResolution"]["resolvedAt"] != "2027-01-15T08:00:00Z"
    assert later["status"]["digest"] == first["status"]["digest"]


def test_the_order_of_flags_and_files_changes_nothing(example_brain: Path) -> None:
    brain = ("--brain", example_brain)
    one = ("--issue", "kradle/91", "--issue", "kradle/90", "--kind", "Runbook", "--kind", "Decision")
    other = ("--kind", "Decision", "--kind", "Runbook", "--issue", "kradle/90", "--issue", "kradle/91")
    answers = [
        invoke(example_brain.parent, "assemble", *brain, "--local-grant", "--query", "flaky", *order)
        for order in (one, other)
    ]
    assert bundle_of(answers[0])["spec"]["memory"]["sources"]
    assert answers[0].stdout == answers[1].stdout


def test_a_dirty_work_tree_and_another_branch_checked_out_change_nothing(example_brain: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(example_brain), "dirty")
    dirty = tmp_path / "dirty"
    expected = asked(dirty, "named")
    git(dirty, "checkout", "-q", "-b", "side", "HEAD~2")
    (dirty / "notes" / "new.md").write_text("flaky playwright flaky playwright\n")
    (dirty / "runbooks" / "ci" / "playwright-flake.md").write_text("nothing\n")
    assert expected.code == 0
    assert asked(dirty, "named").stdout == expected.stdout
    assert asked(dirty, "unnamed").stdout == assembled(example_brain, "unnamed").stdout
