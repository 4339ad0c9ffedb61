"""Which committer times of a history are believed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from kradle_ctx.model.refs import CommitInfo


class TrustedLine(Struct, frozen=True):
    """The default branch's first-parent history, oldest first, with the times that are believed.

    `times` do not fall. `doubted` are positions of commits whose own time is not believed; they take the time of the
    trusted commit before them, or of the first trusted one when none is before.
    """

    commits: Sequence[CommitInfo]
    times: Sequence[datetime]
    doubted: Sequence[int] = ()

    @property
    def first_trusted(self) -> int:
        """Position of the first commit whose time is believed."""
        doubted = frozenset(self.doubted)
        return next(position for position in range(len(self.commits)) if position not in doubted)


def trusted_line(commits: Sequence[CommitInfo]) -> TrustedLine:
    """Decide which committer times of a history, oldest first, are believed."""
    trusted = longest_rising([commit.committed_at for commit in commits])
    believed = commits[trusted[0]].committed_at
    times = []
    positions = frozenset(trusted)
    for position, commit in enumerate(commits):
        if position in positions:
            believed = commit.committed_at
        times.append(believed)
    return TrustedLine(commits, times, [position for position in range(len(commits)) if position not in positions])


def longest_rising(times: Sequence[datetime]) -> list[int]:
    """Positions of the longest non-decreasing subsequence; of several, the one that keeps the later positions.

    Patience sorting, O(n log n): `lengths[i]` is the longest that ends at i; then chosen from the end backwards.
    """
    lowest_ends: list[datetime] = []
    lengths: list[int] = []
    for time in times:
        place = bisect_right(lowest_ends, time)
        lowest_ends[place : place + 1] = [time]
        lengths.append(place + 1)
    chosen: list[int] = []
    wanted = len(lowest_ends)
    for position in reversed(range(len(times))):
        if lengths[position] == wanted and (not chosen or times[position] <= times[chosen[-1]]):
            chosen.append(position)
            wanted -= 1
    return chosen[::-1]
