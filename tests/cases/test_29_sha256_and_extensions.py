"""A repository format that cannot be read is named, with a remedy (pygit2 #1411, libgit2sharp #2153)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place

FORMATS = {"sha256": "object format sha256", "reftable-like": "extensions.refstorage"}


def build(folder: Path, root: str) -> None:
    """A repository of SHA-256 objects, and one that claims refs in reftables."""
    hashed = BrainBuilder.create(folder / "sha256", root, "--object-format=sha256")
    hashed.page("runbooks/s.md", "runbook:s", "Sha", "shrike body")
    hashed.commit("one", 1)
    tables = BrainBuilder.create(folder / "reftable-like", root)
    tables.commit("one", 1)
    tables.git("config", "core.repositoryformatversion", "1")
    tables.git("config", "extensions.refstorage", "reftable")


def test_an_unsupported_format_is_one_clear_line_with_a_remedy(place: Place) -> None:
    for repository, named in FORMATS.items():
        code, error = place.refuse("query", "--query", "shrike", repository=repository)
        assert (code, error["code"]) == (3, "MEMORY_REPOSITORY_UNAVAILABLE")
        assert "unsupported repository format" in error["message"] and named in error["message"]
        assert str(place.folder / repository) in error["message"]
        assert "not a git repository" not in f"{error['message']} {error['hint']}".lower()


def test_a_person_sees_the_same_on_two_short_lines(place: Place) -> None:
    answer = place.run("preview", "--query", "shrike", repository="sha256")

    assert (answer.code, answer.stdout) == (3, b"")
    assert [line.partition(":")[0] for line in answer.talk.splitlines()] == ["error", "hint"]
