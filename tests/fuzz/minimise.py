"""Makes an input smaller as long as it breaks the same promise (delta debugging, Zeller and Hildebrandt 2002)."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_SECONDS = 60.0
"""Time for one input; what has been reached by then is good enough."""


def minimised(data: bytes, breaks: Callable[[bytes], bool]) -> bytes:
    """The smallest input that was found by taking runs out, and with as many plain letters as possible."""
    end = time.monotonic() + MOST_SECONDS
    before = None
    while data != before and time.monotonic() < end:
        before = data
        size = max(1, len(data) // 2)
        while size and time.monotonic() < end:
            data = without_runs(data, size, breaks, end)
            size //= 2
    return plainer(data, breaks, end)


def without_runs(data: bytes, size: int, breaks: Callable[[bytes], bool], end: float) -> bytes:
    """The input without all runs of a size that it does not need."""
    place = 0
    while place < len(data) and time.monotonic() < end:
        shorter = data[:place] + data[place + size :]
        if breaks(shorter):
            data = shorter
        else:
            place += size
    return data


def plainer(data: bytes, breaks: Callable[[bytes], bool], end: float) -> bytes:
    """The input with `a` in every place where the byte does not matter."""
    for place in range(len(data)):
        changed = data[:place] + b"a" + data[place + 1 :]
        if data[place : place + 1] != b"a" and time.monotonic() < end and breaks(changed):
            data = changed
    return data
