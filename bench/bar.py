"""A bar: what is measured against what, and what it may take."""

from __future__ import annotations

from dataclasses import dataclass

from measure import Command


@dataclass(frozen=True, slots=True)
class Bar:
    """What is measured against what, in how many pairs, and what it may take at most.

    Limits: wall time as a ratio to the peer, seconds of wall time, megabytes of peak memory; None is no limit.
    """

    name: str
    command: Command
    peer_name: str
    peer: Command
    pairs: int = 5
    ratio: float | None = None
    seconds: float | None = None
    megabytes: float | None = None
