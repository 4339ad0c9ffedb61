"""Measure whole processes side by side: wall time, CPU time and peak memory, in interleaved pairs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes of one unit of `ru_maxrss`, which macOS counts in bytes and Linux in KiB (getrusage(2))."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its arguments, the environment it runs in, and what is done before each run, off the clock."""

    arguments: Sequence[str]
    environment: Mapping[str, str]
    before: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took: wall and CPU time in seconds, peak resident memory in bytes.

    The processes that it started and waited for count as well: their CPU time is added, and the peak is that of the
    largest single one.
    """

    wall: float
    cpu: float
    peak: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some values between the least and the largest of them."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one value."""
        return cls(median(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Runs of a command and of its peer, pair by pair."""

    command: tuple[Run, ...]
    peer: tuple[Run, ...]

    @property
    def ratio(self) -> Spread:
        """Wall time against the peer, within each pair, so that a machine that slows down slows both."""
        return Spread.of([ours.wall / theirs.wall for ours, theirs in zip(self.command, self.peer, strict=True)])

    @property
    def cpu_ratio(self) -> Spread:
        """CPU time against the peer, within each pair; other work on the machine hardly shows in it."""
        return Spread.of([ours.cpu / theirs.cpu for ours, theirs in zip(self.command, self.peer, strict=True)])


def measure(command: Command) -> Run:
    """Run a command to its end with its output thrown away; raises SystemExit when it fails.

    A child's peak starts at the size of the process that forks it, so the measuring process must stay small.
    """
    command.before()
    arguments = list(command.arguments)
    silence = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    started = time.perf_counter()
    child = os.posix_spawnp(arguments[0], arguments, dict(command.environment), file_actions=silence)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - started
    if code := os.waitstatus_to_exitcode(status):
        raise SystemExit(f"exit code {code}: {' '.join(arguments)}")
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * PEAK_UNIT)


def measure_pairs(command: Command, peer: Command, count: int) -> Pairs:
    """Run a command and its peer in turns, `count` times each, after one run of each that warms the caches."""
    measure(command)
    measure(peer)
    runs = [(measure(command), measure(peer)) for _ in range(count)]
    return Pairs(tuple(ours for ours, _ in runs), tuple(theirs for _, theirs in runs))
