"""Which committer times are believed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.model.refs import CommitInfo
from kradle_ctx.model.trusted_times import longest_rising, trusted_line

EPOCH = datetime(2026, 5, 1, tzinfo=UTC)


def times(*numbers: int) -> list[datetime]:
    return [EPOCH + timedelta(days=number) for number in numbers]


def by_trying_all(values: list[datetime]) -> list[int]:
    """The longest non-decreasing subsequence, the later positions on a tie, found by exhaustion."""
    for size in range(len(values), 0, -1):
        rising = [
            chosen
            for chosen in combinations(range(len(values)), size)
            if all(values[left] <= values[right] for left, right in pairwise(chosen))
        ]
        if rising:
            return list(max(rising, key=lambda chosen: chosen[::-1]))
    return []


@given(st.lists(st.integers(0, 6), max_size=9))
def test_the_longest_rising_subsequence_keeps_the_later_commits(numbers: list[int]) -> None:
    assert longest_rising(times(*numbers)) == by_trying_all(times(*numbers))


def test_a_history_in_order_is_believed_whole() -> None:
    assert longest_rising(times(1, 1, 2, 5)) == [0, 1, 2, 3]


def test_a_long_history_takes_no_quadratic_time() -> None:
    numbers = [number if number % 2 else -number for number in range(100_000)]
    assert len(longest_rising(times(*numbers))) == 50_001


def test_a_commit_that_is_not_believed_takes_the_time_before_it() -> None:
    values = times(9, 1, 2, 30, 3, 0, 4)
    line = trusted_line([CommitInfo(str(place), "", (), time) for place, time in enumerate(values)])
    assert list(line.times) == times(1, 1, 2, 2, 3, 3, 4)
    assert list(line.doubted) == [0, 3, 5]
    assert line.first_trusted == 1
