"""The limits in which an input is tried: time, memory, and a note of what is tried for when the process is ended."""

from __future__ import annotations

import math
import mmap
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path

SECONDS, MEBIBYTES = 10.0, 512
"""What a single input may take: CPU time, since a busy machine makes everything else slow, and memory."""

IDLE_SECONDS = 60.0
"""How long an input may take by the clock, should it wait for something."""

NOTE_BYTES = 1 << 20


class TooMuchMemory(Exception):
    """The process has used more memory than an input may take."""


class WroteOnStderr(Exception):
    """Something wrote on stderr, which only the command line does."""


class Note:
    """The input that is being tried, in memory that parent and child share."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, NOTE_BYTES + 4)

    def put(self, data: bytes) -> None:
        """Write an input down."""
        self._memory[:4] = len(data).to_bytes(4, "big")
        self._memory[4 : 4 + len(data)] = data

    def get(self) -> bytes:
        """The input written last."""
        return bytes(self._memory[4 : 4 + int.from_bytes(self._memory[:4], "big")])


def limit_process(seconds: float) -> None:
    """Limit what this process may use in all; beyond, an allocation fails or the kernel ends the process."""
    for alarm in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(alarm, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cpu_seconds = math.ceil(seconds + 3 * SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    mapped = Path("/proc/self/statm")
    if mapped.exists():  # only Linux keeps to this limit
        used = int(mapped.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (MEBIBYTES << 20), used + (MEBIBYTES << 20)))


def limited(check: Callable[[bytes], str], data: bytes) -> str:
    """Try one input; the alarms, which nothing catches, end even a process that hangs in C."""
    said = os.fstat(2).st_size
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_REAL, IDLE_SECONDS)
    try:
        outcome = check(data)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    if os.fstat(2).st_size != said:
        raise WroteOnStderr
    if peak_mebibytes() > MEBIBYTES:
        raise TooMuchMemory(f"more than {MEBIBYTES} MiB")
    return outcome


def peak_mebibytes() -> float:
    """The most memory that this process has held at once."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / (1 << 10)
