"""Where a change departed from its base, in histories of every shape."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.validation.history import merge_base
from tests.fakes import InMemoryRepository
from tests.properties.examples import examples


class History:
    """Commits by name in a repository in memory; their times follow the order in which they are made, or are given."""

    def __init__(self) -> None:
        self.repository = InMemoryRepository()
        self.ids: dict[str, str] = {}

    def add(self, name: str, *parents: str, day: int | None = None) -> History:
        """Add a commit."""
        at = f"2026-05-{day or len(self.ids) + 1:02d}T00:00:00Z"
        self.ids[name] = self.repository.add_commit({"name": name}, at, parents=[self.ids[each] for each in parents])
        return self

    def base(self, head: str, base: str) -> str | None:
        """The name of the commit from which `head` departed."""
        commits = (self.repository.commit(self.ids[name]) for name in (head, base))
        found = merge_base(self.repository, *commits)
        names = {commit: name for name, commit in self.ids.items()}
        return names[found.id] if found is not None else None


def test_on_one_line_the_earlier_one_is_the_base() -> None:
    history = History().add("a").add("b", "a").add("c", "b")

    assert history.base("c", "a") == "a"
    assert history.base("a", "c") == "a"
    assert history.base("c", "c") == "c"


def test_of_two_branches_the_last_common_commit_is() -> None:
    history = History().add("a").add("b", "a").add("ours", "b").add("theirs", "b").add("theirs 2", "theirs")

    assert history.base("ours", "theirs 2") == "b"


def test_what_the_base_went_on_with_is_no_part_of_a_change() -> None:
    history = History().add("a").add("ours", "a", day=20)
    for day in range(2, 9):
        history.add(f"theirs {day}", f"theirs {day - 1}" if day > 2 else "a", day=day)

    assert history.base("ours", "theirs 8") == "a"


def test_a_change_that_took_in_its_base_departed_from_there() -> None:
    history = History().add("a").add("ours", "a").add("theirs", "a").add("merged", "ours", "theirs").add("on", "merged")

    assert history.base("on", "theirs") == "theirs"


def test_second_parents_are_followed() -> None:
    history = History().add("a").add("b", "a").add("side", "a").add("merged", "b", "side").add("ours", "side")

    assert history.base("ours", "merged") == "side"


def test_of_a_criss_cross_one_of_the_two_is_taken_always_the_same() -> None:
    history = History().add("a").add("l", "a").add("r", "a").add("ours", "l", "r").add("theirs", "r", "l")

    assert history.base("ours", "theirs") == history.base("theirs", "ours") == "r"


def test_histories_with_nothing_in_common_have_no_base() -> None:
    history = History().add("a").add("b", "a").add("x").add("y", "x")

    assert history.base("b", "y") is None


@pytest.mark.parametrize("day", [1, 28])
def test_a_clock_that_is_wrong_on_a_branch_changes_nothing(day: int) -> None:
    history = History().add("a", day=3).add("b", "a", day=4).add("c", "b", day=5)
    history.add("ours", "c", day=day).add("ours 2", "ours", day=10).add("theirs", "c", day=11)

    assert history.base("ours 2", "theirs") == "c"
    assert history.base("theirs", "ours 2") == "c"


def test_a_base_that_is_dated_before_its_own_parents_is_found() -> None:
    history = History().add("a", day=10).add("b", "a", day=11).add("c", "b", day=1)
    history.add("ours", "c", day=12).add("theirs", "c", day=13)

    assert history.base("ours", "theirs") == "c"


def cut(history: History, name: str) -> History:
    """The history as a shallow clone has it whose boundary is a commit."""
    history.repository.cut_history(history.ids[name])
    return history


def test_a_base_on_this_side_of_a_cut_is_found() -> None:
    history = History().add("a").add("b", "a").add("c", "b").add("ours", "c").add("theirs", "c")

    assert cut(history, "b").base("ours", "theirs") == "c"


def test_a_boundary_itself_can_be_the_base() -> None:
    history = History().add("a").add("b", "a").add("ours", "b").add("theirs", "b")

    assert cut(history, "b").base("ours", "theirs") == "b"


def test_a_base_behind_a_cut_is_no_answer_but_a_refusal_that_says_what_to_do() -> None:
    history = History().add("a").add("b", "a").add("ours", "b").add("theirs", "a")
    history.repository.boundary.add(history.ids["b"])

    with pytest.raises(KradleError) as caught:
        history.base("ours", "theirs")

    assert caught.value.code is ErrorCode.MEMORY_HISTORY_INCOMPLETE
    assert "fetch-depth: 0" in caught.value.hint and "--unshallow" in caught.value.hint


@pytest.mark.parametrize("day", [2, 25])
def test_where_a_cut_may_hide_a_later_base_none_is_taken_for_it(day: int) -> None:
    history = History().add("a").add("b", "a").add("late", "b").add("side", "late", day=day)
    history.add("ours", "b", "side", day=26).add("theirs", "late", day=27)
    assert history.base("ours", "theirs") == "late"
    history.repository.boundary.add(history.ids["side"])

    with pytest.raises(KradleError) as caught:
        history.base("ours", "theirs")

    assert caught.value.code is ErrorCode.MEMORY_HISTORY_INCOMPLETE


def test_a_cut_behind_the_base_does_not_matter() -> None:
    history = History().add("x").add("y", "x").add("b", "y").add("c", "b", "y").add("ours", "c").add("theirs", "c")
    history.repository.boundary.add(history.ids["y"])

    assert history.base("ours", "theirs") == "c"


Shape = list[list[int]]


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """The parents of each commit of a random history, by their numbers."""
    size = draw(st.integers(2, 12))
    return [
        draw(st.lists(st.integers(0, number - 1), max_size=2, unique=True)) if number else [] for number in range(size)
    ]


def ancestors(shape: Shape, number: int) -> set[int]:
    """A commit and all from which it comes."""
    return {number}.union(*(ancestors(shape, parent) for parent in shape[number]))


def best(shape: Shape, left: int, right: int) -> set[int]:
    """The common ancestors that are no ancestors of another one: what `git merge-base --all` gives."""
    common = ancestors(shape, left) & ancestors(shape, right)
    return {each for each in common if not any(each in ancestors(shape, other) - {other} for other in common)}


@settings(max_examples=examples(200), deadline=None)
@given(shapes(), st.data())
def test_a_base_is_one_of_the_best_common_ancestors_whatever_the_clocks_say(shape: Shape, data: st.DataObject) -> None:
    days: Sequence[int] = data.draw(st.lists(st.integers(1, 28), min_size=len(shape), max_size=len(shape)), "days")
    history = History()
    for number, parents in enumerate(shape):
        history.add(str(number), *map(str, parents), day=days[number])
    left, right = (data.draw(st.integers(0, len(shape) - 1), side) for side in ("head", "base"))

    found, expected = history.base(str(left), str(right)), best(shape, left, right)

    assert (found is None) == (not expected)
    assert found is None or int(found) in expected
