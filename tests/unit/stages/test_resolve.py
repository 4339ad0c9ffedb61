"""Stage 1, on a repository in memory."""

from __future__ import annotations

import pytest

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import CommitPin, MemoryRef, RefMode
from kradle_ctx.model.timestamps import parse_instant
from kradle_ctx.stages.resolve import resolve
from tests.fakes import InMemoryRepository


def explicit(name: str) -> MemoryRef:
    return MemoryRef(RefMode.EXPLICIT, name)


def at(text: str) -> MemoryRef:
    return MemoryRef(RefMode.AT_TIME, at=parse_instant(text), at_text=text)


def refusal(repository: InMemoryRepository, ref: MemoryRef, configured_branch: str | None = None) -> KradleError:
    with pytest.raises(KradleError) as caught:
        resolve(repository, ref, configured_branch=configured_branch)
    return caught.value


def dated(*days: str) -> tuple[InMemoryRepository, list[str]]:
    """A repository whose default branch has one commit per date, in this order."""
    repository = InMemoryRepository()
    return repository, [repository.add_commit({"d.md": f"{n}"}, day) for n, day in enumerate(days)]


def days(*numbers: int) -> tuple[InMemoryRepository, list[str]]:
    """As `dated`, with days of May 2026 at midnight UTC."""
    return dated(*(f"2026-05-{number:02}T00:00:00Z" for number in numbers))


def test_without_a_name_the_default_branch_is_pinned() -> None:
    repository, commits = days(1, 2)
    pin = resolve(repository, MemoryRef())
    assert (pin.commit.id, pin.current.id, pin.mode) == (commits[1], commits[1], RefMode.CURRENT)
    assert (pin.requested, pin.default_branch, pin.approved, pin.historical) == ("main", "main", True, False)
    assert (pin.shallow, pin.warnings, pin.notes) == (False, (), ())


def test_the_configured_branch_is_current() -> None:
    repository, commits = days(1, 2)
    repository.set_branch("stable", commits[0])
    pin = resolve(repository, MemoryRef(), configured_branch="stable")
    assert (pin.commit.id, pin.requested, pin.default_branch) == (commits[0], "stable", "stable")


def test_a_configured_branch_that_is_gone_blocks_every_mode() -> None:
    repository, _ = days(1)
    for ref in (MemoryRef(), explicit("main"), at("2026-05-02T00:00:00Z")):
        assert refusal(repository, ref, "gone").code is ErrorCode.MEMORY_REF_UNRESOLVED


def test_a_branch_a_tag_and_an_id_name_a_commit() -> None:
    repository, commits = days(1, 2, 3)
    repository.set_branch("old", commits[0])
    repository.set_tag("snap", commits[1], annotated=True)
    names = ["old", "heads/old", "refs/heads/old", "snap", "refs/tags/snap", commits[0], commits[0][:10]]
    found = [resolve(repository, explicit(name)) for name in names]
    assert [pin.commit.id for pin in found] == [*[commits[0]] * 3, *[commits[1]] * 2, *[commits[0]] * 2]
    assert [pin.requested for pin in found] == names
    assert all(pin.current.id == commits[2] and pin.approved and pin.historical for pin in found)


def test_a_name_of_two_things_is_ambiguous_even_for_one_commit() -> None:
    repository, commits = days(1, 2)
    repository.set_branch("release", commits[0])
    repository.set_tag("release", commits[0])
    error = refusal(repository, explicit("release"))
    assert error.code is ErrorCode.MEMORY_REF_AMBIGUOUS
    assert "tag refs/tags/release" in error.message
    assert "branch refs/heads/release" in error.message
    assert error.details["candidates"] == [
        {"kind": "tag", "name": "refs/tags/release", "commit": commits[0]},
        {"kind": "branch", "name": "refs/heads/release", "commit": commits[0]},
    ]


def test_a_branch_named_like_a_short_id_is_ambiguous() -> None:
    repository, commits = days(1, 2)
    repository.set_branch(commits[0][:7], commits[1])
    error = refusal(repository, explicit(commits[0][:7]))
    assert error.code is ErrorCode.MEMORY_REF_AMBIGUOUS
    assert commits[0] in error.message


def test_a_branch_that_only_looks_like_describe_output_is_a_branch() -> None:
    repository, commits = days(1, 2)
    for name in ("plan-gabcdef", "OPS-1-gdc"):
        repository.set_branch(name, commits[0])
        assert resolve(repository, explicit(name)).commit.id == commits[0]


def test_a_short_id_of_two_objects_is_ambiguous() -> None:
    repository = InMemoryRepository()
    repository.add_commit({"a.md": "142", "b.md": "784"}, "2026-05-01T00:00:00Z")
    error = refusal(repository, explicit("8324"))
    assert error.code is ErrorCode.MEMORY_REF_AMBIGUOUS
    assert "blob 83248fb9df4a244c41a10fa536045d5a8e759aee" in error.message


def test_a_full_id_is_an_object_even_when_a_branch_bears_it_as_its_name() -> None:
    repository, commits = days(1, 2)
    repository.set_branch(commits[0], commits[1])
    pin = resolve(repository, explicit(commits[0]))
    assert pin.commit.id == commits[0]
    assert pin.warnings == (f"refs/heads/{commits[0]} has a commit id for its name; the commit of that id was taken",)


def test_an_object_that_is_no_commit_is_named_as_what_it_is() -> None:
    repository, commits = days(1)
    repository.set_tag("notes", repository.snapshot(commits[0]).listing("").files[0].blob)
    error = refusal(repository, explicit("notes"))
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert "names no commit" in error.message


@pytest.mark.parametrize("name", ["main^{/one}", "main~1", "main:d.md", "HEAD@{2026-05-02}", "@", "a..b", "", "-x"])
def test_revision_expressions_are_refused(name: str) -> None:
    repository, _ = days(1, 2)
    error = refusal(repository, explicit(name))
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert "not accepted" in error.message


def test_a_missing_name_is_unresolved() -> None:
    repository, commits = days(1)
    repository.set_remote_branch("far", commits[0])
    assert refusal(repository, explicit("nope")).code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert refusal(repository, explicit("0" * 40)).code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert "origin/far" in refusal(repository, explicit("far")).hint


def test_a_commit_off_the_first_parent_line_is_not_approved() -> None:
    repository, commits = days(1, 2)
    side = repository.add_commit({"s.md": "s"}, "2026-05-03T00:00:00Z", branch="side", parents=[commits[0]])
    merge = repository.add_commit({"s.md": "s"}, "2026-05-04T00:00:00Z", parents=[commits[1], side])
    found = [resolve(repository, explicit(commit)).approved for commit in (side, commits[0], merge)]
    assert found == [False, True, True]


def test_a_snapshot_tag_stands_under_its_own_namespace_only() -> None:
    repository, commits = days(1, 2)
    repository.set_tag("memory/snapshots/q1", commits[0], annotated=True)
    repository.set_tag("q2", commits[1])
    pin = resolve(repository, MemoryRef(RefMode.SNAPSHOT_TAG, "q1"))
    assert (pin.commit.id, pin.requested, pin.mode) == (commits[0], "q1", RefMode.SNAPSHOT_TAG)
    error = refusal(repository, MemoryRef(RefMode.SNAPSHOT_TAG, "q2"))
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert "refs/tags/memory/snapshots/" in error.hint


def test_a_mode_without_its_value_is_a_usage_error() -> None:
    repository, _ = days(1)
    for mode in (RefMode.EXPLICIT, RefMode.AT_TIME, RefMode.SNAPSHOT_TAG):
        assert refusal(repository, MemoryRef(mode)).code is ErrorCode.USAGE


@pytest.mark.parametrize(
    ("instant", "expected"),
    [
        ("2026-05-01T00:00:00Z", 0),
        ("2026-05-02T23:59:59Z", 0),
        ("2026-05-03T00:00:00Z", 1),
        ("2026-05-03T01:00:00+02:00", 0),
        ("2030-01-01T00:00:00Z", 2),
    ],
)
def test_an_instant_means_the_latest_commit_at_or_before_it(instant: str, expected: int) -> None:
    repository, commits = days(1, 3, 5)
    pin = resolve(repository, at(instant))
    assert (pin.commit.id, pin.requested, pin.mode) == (commits[expected], instant, RefMode.AT_TIME)
    assert (pin.approved, pin.current.id, pin.warnings) == (True, commits[2], ())


def test_of_commits_at_one_instant_the_last_counts() -> None:
    repository, commits = days(1, 3, 3, 5)
    assert resolve(repository, at("2026-05-03T00:00:00Z")).commit.id == commits[2]


def test_an_instant_before_all_commits_names_the_earliest() -> None:
    repository, commits = days(2, 3)
    error = refusal(repository, at("2026-05-01T00:00:00Z"))
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert commits[0] in error.hint
    assert "2026-05-02T00:00:00Z" in error.hint


def test_an_instant_follows_first_parents_only() -> None:
    repository, commits = days(1, 4)
    side = repository.add_commit({"s.md": "s"}, "2026-05-02T00:00:00Z", branch="side", parents=[commits[0]])
    repository.add_commit({"s.md": "s"}, "2026-05-05T00:00:00Z", parents=[commits[1], side])
    assert resolve(repository, at("2026-05-03T00:00:00Z")).commit.id == commits[0]


def test_a_commit_dated_into_the_future_does_not_hide_those_after_it() -> None:
    repository, commits = dated(
        "2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z", "2038-01-01T00:00:00Z", "2026-05-04T00:00:00Z"
    )
    assert resolve(repository, at("2026-05-01T12:00:00Z")).commit.id == commits[0]
    pin = resolve(repository, at("2026-05-03T00:00:00Z"))
    assert pin.commit.id == commits[2]
    assert len(pin.warnings) == 1
    assert commits[2] in pin.warnings[0]
    assert resolve(repository, at("2026-05-05T00:00:00Z")).commit.id == commits[3]


def test_a_commit_dated_into_the_past_is_not_taken_for_an_old_one() -> None:
    repository, commits = dated(
        "2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z", "1970-01-01T00:00:00Z", "2026-05-04T00:00:00Z"
    )
    pin = resolve(repository, at("2026-05-01T12:00:00Z"))
    assert (pin.commit.id, pin.warnings) == (commits[0], ())
    assert commits[2] in pin.notes[0]
    assert resolve(repository, at("2026-05-03T00:00:00Z")).commit.id == commits[2]
    assert refusal(repository, at("1999-01-01T00:00:00Z")).code is ErrorCode.MEMORY_REF_UNRESOLVED


def test_a_first_commit_dated_into_the_future_is_never_the_answer_alone() -> None:
    repository, commits = dated("2038-01-01T00:00:00Z", "2026-05-02T00:00:00Z", "2026-05-03T00:00:00Z")
    assert resolve(repository, at("2026-05-02T12:00:00Z")).commit.id == commits[1]
    error = refusal(repository, at("2026-05-01T00:00:00Z"))
    assert commits[1] in error.hint


def shallow() -> tuple[InMemoryRepository, list[str]]:
    """Five days, of which a shallow clone holds the last two."""
    repository, commits = days(1, 2, 3, 4, 5)
    repository.cut_history(commits[3])
    return repository, commits


def test_a_shallow_clone_answers_for_its_tip_with_a_note() -> None:
    repository, commits = shallow()
    for ref in (MemoryRef(), explicit("main"), explicit(commits[3])):
        pin = resolve(repository, ref)
        assert (pin.shallow, pin.approved, pin.warnings) == (True, True, ())
        assert "shallow" in pin.notes[0]


def test_a_shallow_clone_refuses_an_id_that_it_does_not_hold() -> None:
    repository, commits = shallow()
    error = refusal(repository, explicit(commits[0]))
    assert error.code is ErrorCode.MEMORY_HISTORY_INCOMPLETE
    assert "not available in a shallow clone" in error.message
    assert "--unshallow" in error.hint
    assert "shallow" in refusal(repository, explicit(commits[0][:8])).hint


def test_a_shallow_clone_answers_an_instant_that_it_covers() -> None:
    repository, commits = shallow()
    assert resolve(repository, at("2026-05-04T12:00:00Z")).commit.id == commits[3]


def test_a_shallow_clone_refuses_an_instant_before_its_boundary() -> None:
    repository, commits = shallow()
    error = refusal(repository, at("2026-05-03T12:00:00Z"))
    assert error.code is ErrorCode.MEMORY_HISTORY_INCOMPLETE
    assert commits[3] in error.message
    assert "--unshallow" in error.hint


def test_a_shallow_clone_refuses_instants_when_its_times_do_not_rise() -> None:
    repository, commits = days(1, 2, 5, 4)
    repository.cut_history(commits[1])
    error = refusal(repository, at("2026-05-06T00:00:00Z"))
    assert error.code is ErrorCode.MEMORY_HISTORY_INCOMPLETE
    assert commits[1] in error.message


def test_approval_is_unknown_where_a_shallow_clone_hides_it() -> None:
    repository, commits = days(1, 2, 3)
    side = repository.add_commit({"s.md": "s"}, "2026-05-02T00:00:00Z", branch="side", parents=[])
    repository.cut_history(commits[1])
    pin: CommitPin = resolve(repository, explicit(side))
    assert pin.approved is None


def test_a_root_commit_in_the_visible_history_leaves_nothing_hidden() -> None:
    repository, commits = days(1, 2)
    other = repository.add_commit({"s.md": "1"}, "2026-05-01T00:00:00Z", branch="side", parents=[])
    cut = repository.add_commit({"s.md": "2"}, "2026-05-02T00:00:00Z", branch="side", parents=[other])
    repository.cut_history(cut)
    assert resolve(repository, explicit("side")).approved is False
    assert refusal(repository, at("2026-04-01T00:00:00Z")).code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert resolve(repository, at("2026-05-01T12:00:00Z")).commit.id == commits[0]
