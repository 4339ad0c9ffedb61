"""Tries inputs one by one in a child process, counts how they went, and ends the process at the first find."""

from __future__ import annotations

import os
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

from tests.fuzz.limits import Note, limited
from tests.fuzz.target import Broken, Target, kind_of

PACKAGE = str(Path(__file__).parents[2] / "kradle_ctx")

LONGEST_KEPT = 8_192
"""Bytes of an input that is worth changing further: a longer one costs too much each time."""


@dataclass(frozen=True, slots=True)
class Find:
    """An input that breaks a promise; `fault` is the same for every input that breaks it at the same place."""

    data: bytes
    fault: str
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """How many inputs were tried, by the way they went, and the CPU time of it all and of the slowest."""

    outcomes: Counter[str]
    cpu_seconds: float
    slowest: float


def attempt(target: Target, data: bytes) -> str | Find:
    """Try one input within its limits; the word for the way it went, or the find that it is."""
    try:
        return limited(target.check, data)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Find(data, fault_of(error), "".join(traceback.format_exception(error)))


def fault_of(error: BaseException) -> str:
    """The broken promise, or what was raised and where in the product."""
    if isinstance(error, Broken):
        return kind_of(str(error))
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(PACKAGE)] or frames
    return f"{type(error).__name__} in {Path(own[-1].filename).stem}.{own[-1].name}"


class Guard:
    """Tries the inputs that an engine makes; `novel` holds those that went a way of their own."""

    def __init__(self, target: Target, note: Note, channel: Connection, seconds: float) -> None:
        self._target = target
        self._note = note
        self._channel = channel
        self._end = time.monotonic() + seconds
        self._outcomes: Counter[str] = Counter()
        self._slowest = 0.0
        self.novel: list[bytes] = []

    def __call__(self, data: bytes) -> None:
        """Try one input; when the time is up, and at a find, the process ends here."""
        if time.monotonic() >= self._end:
            self._leave(None)
        self._note.put(data)
        begin = time.process_time()
        outcome = attempt(self._target, data)
        self._slowest = max(self._slowest, time.process_time() - begin)
        if isinstance(outcome, Find):
            self._leave(outcome)
        if outcome not in self._outcomes and len(data) <= LONGEST_KEPT:
            self.novel.append(data)
        self._outcomes[outcome] += 1

    def _leave(self, find: Find | None) -> NoReturn:
        self._channel.send((find, Figures(self._outcomes, time.process_time(), self._slowest)))
        self._channel.close()
        os._exit(0)
