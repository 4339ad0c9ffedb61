"""When files of a work tree were last changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime

from kradle_ctx.repairs.last_changes import last_changes
from tests.fakes import InMemoryRepository

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
PRESENT = "2026-06-01T12:00:00Z"
FIRST, SECOND = "2026-05-01T08:00:00Z", "2026-05-02T08:00:00Z"


def blob(text: str) -> str:
    """The id that Git gives a text."""
    data = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def told(repository: InMemoryRepository, held: Mapping[str, str], root: str = "") -> Mapping[str, str]:
    """The instants of files of a work tree, by their paths below the brain's root."""
    head = repository.default_branch(None).commit if repository.refs else None
    blobs = {path: frozenset({blob(text), blob(text.replace("\r\n", "\n"))}) for path, text in held.items()}
    return last_changes(list(held), blobs.__getitem__, NOW, root, repository, head)


def test_a_committed_file_was_changed_when_it_was_committed() -> None:
    repository = InMemoryRepository()
    repository.add_commit({"a.md": "A\n", "b.md": "B\n"}, FIRST)
    repository.add_commit({"a.md": "A\n", "b.md": "B2\n"}, SECOND)
    assert told(repository, {"a.md": "A\n", "b.md": "B2\n"}) == {"a.md": FIRST, "b.md": SECOND}


def test_a_file_that_is_not_committed_as_it_is_changes_now() -> None:
    repository = InMemoryRepository()
    repository.add_commit({"a.md": "A\n"}, FIRST)
    assert told(repository, {"a.md": "A, edited\n", "new.md": "N\n"}) == {"a.md": PRESENT, "new.md": PRESENT}


def test_line_breaks_of_windows_are_no_edit() -> None:
    repository = InMemoryRepository()
    repository.add_commit({"a.md": "A\nB\n"}, FIRST)
    assert told(repository, {"a.md": "A\r\nB\r\n"}) == {"a.md": FIRST}


def test_paths_are_below_the_root() -> None:
    repository = InMemoryRepository()
    repository.add_commit({"brain/notes/a.md": "A\n", "notes/a.md": "A\n"}, FIRST)
    repository.add_commit({"brain/notes/a.md": "A2\n", "notes/a.md": "A\n"}, SECOND)
    assert told(repository, {"notes/a.md": "A2\n"}, "brain") == {"notes/a.md": SECOND}


def test_before_the_first_commit_all_changes_now() -> None:
    assert told(InMemoryRepository(), {"a.md": "A\n"}) == {"a.md": PRESENT}


def test_where_history_is_cut_nothing_is_told_of_what_lies_behind() -> None:
    repository = InMemoryRepository()
    repository.add_commit({"a.md": "A\n", "b.md": "B\n"}, FIRST)
    boundary = repository.add_commit({"a.md": "A\n", "b.md": "B2\n"}, SECOND)
    repository.add_commit({"a.md": "A\n", "b.md": "B3\n"}, "2026-05-03T08:00:00Z")
    repository.cut_history(boundary)
    assert told(repository, {"a.md": "A\n", "b.md": "B3\n"}) == {"b.md": "2026-05-03T08:00:00Z"}
