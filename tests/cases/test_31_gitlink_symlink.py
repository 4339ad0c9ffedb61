"""Symlinks are never followed, submodules never entered (pygit2 #967, salt #29631, argent #537)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder, day
from tests.cases.command_line import Answer
from tests.cases.place import Place, ids, paths, places, skipped

BRAIN = "brain"
LINKS = ["notes/dangling.md", "notes/escape.md", "notes/loop", "notes/passwd.md", "runbooks/alias.md"]


def build(folder: Path, root: str) -> None:
    """Links inside the tree, out of it, in a circle and to nothing, and a submodule that is not there."""
    brain = BrainBuilder.create(folder / BRAIN, root)
    brain.page("runbooks/real.md", "runbook:real", "Real", "lapwing body")
    (folder / "outside.txt").write_text("outside lapwing secret\n")
    notes = brain.brain / "notes"
    notes.mkdir()
    (brain.brain / "runbooks" / "alias.md").symlink_to("real.md")
    (notes / "passwd.md").symlink_to("/etc/passwd")
    (notes / "escape.md").symlink_to("../" * (2 + bool(root)) + "outside.txt")
    (notes / "loop").symlink_to(".")
    (notes / "dangling.md").symlink_to("nowhere.md")
    brain.commit("links", 1)
    module = f"{root}/vendor/handbook" if root else "vendor/handbook"
    brain.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},{module}")
    brain.git("commit", "-q", "-m", "gitlink without .gitmodules", committed=day(2))


def asked(place: Place) -> list[Answer]:
    """Everything that could show what a link leads to."""
    words = ("lapwing", "root:", "outside")
    answers = [place.run("query", "--format", "json", "--query", word, repository=BRAIN) for word in words]
    answers += [place.run("validate", *more, repository=BRAIN) for more in ((), ("--worktree",))]
    return [*answers, place.run("preview", "--query", "lapwing", repository=BRAIN)]


def test_a_link_within_the_tree_doubles_no_record(place: Place) -> None:
    answer = place.ask("--query", "lapwing", repository=BRAIN)

    assert ids(answer) == ["runbook:real"]
    assert paths(answer) == ["runbooks/real.md"]
    assert not [warning for warning in answer["warnings"] if "more than once" in warning["message"]]


def test_no_text_from_outside_the_tree_is_shown(place: Place) -> None:
    accounts = Path("/etc/passwd").read_text().splitlines()

    for answer in asked(place):
        shown = answer.text + answer.talk
        assert answer.code == 0
        assert "outside lapwing" not in shown
        assert not [line for line in accounts if line in shown]


def test_links_and_the_submodule_are_listed_as_not_read(place: Place) -> None:
    found = skipped(place.ask("--query", "lapwing", repository=BRAIN))

    assert [path for path, reason in found.items() if "symlink" in reason] == LINKS
    assert "submodule" in found["vendor/handbook"]
    assert sorted(found) == sorted([*LINKS, "vendor/handbook"])


def test_a_link_cannot_be_read_by_its_path(place: Place) -> None:
    for path in place.sweep(("notes/escape.md", "runbooks/alias.md", "vendor/handbook", "../outside.txt")):
        code, error = place.refuse("read", path, repository=BRAIN)
        assert (code, error["code"]) == (1, "MEMORY_ITEM_UNAVAILABLE")


def test_validation_notes_what_is_not_read_and_follows_none_of_it(place: Place) -> None:
    found = place.validate(repository=BRAIN)

    assert {finding["severity"] for finding in found} == {"info"}
    assert places(found) == [f"KB001 {path}:1" for path in sorted([*LINKS, "vendor/handbook"])]
