"""Lines of UTF-8 text."""

from __future__ import annotations

REACH = 200
"""Bytes of a line on either side of a place that are looked at."""


def line_around(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Where the line of a place begins and where the last line of it ends, at most `REACH` bytes from the place."""
    first, last = max(0, start - REACH), min(len(data), end + REACH)
    before, after = data.rfind(b"\n", first, start), data.find(b"\n", end, last)
    return first if before < 0 else before + 1, last if after < 0 else after
