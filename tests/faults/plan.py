"""Which step of a run is struck, and with what."""

from __future__ import annotations

import errno
from dataclasses import dataclass, field

PASS, KILL = 0, -1
"""Verdicts on a step, beside error numbers."""

STREAMS = ("stdin", "stdout", "stderr")

NEEDS_SPACE = ("open", "write", "fsync", "truncate", "allocate", "rename", "link", "symlink", "mkdir", "memfd_create")
"""Operations that a full disk refuses; removing and closing still work."""


@dataclass(frozen=True, slots=True)
class Step:
    """One write-side operation that a command is about to do, on a path, a stream or an open file."""

    operation: str
    target: str

    @property
    def on_stream(self) -> bool:
        """Whether it writes to standard output or error."""
        return self.target in STREAMS


@dataclass(frozen=True, slots=True)
class Fault:
    """What becomes of the step that is struck: an error number, or `KILL`.

    A lasting fault also refuses every later step that needs space, as a full disk does.
    """

    verdict: int
    lasting: bool = False

    def __str__(self) -> str:
        name = "SIGKILL" if self.verdict == KILL else errno.errorcode[self.verdict]
        return f"{name} from then on" if self.lasting else name


ERRORS = (
    Fault(errno.ENOSPC, lasting=True),
    Fault(errno.EIO),
    Fault(errno.EDQUOT),
    Fault(errno.EACCES),
    Fault(errno.ENOSPC),
)
DEATH = Fault(KILL)


@dataclass(slots=True)
class Plan:
    """Counts the steps of one run from 1, and strikes the one at `at`; `struck` is that step once it was reached."""

    fault: Fault | None = None
    at: int = 0
    steps: list[Step] = field(default_factory=list)
    struck: Step | None = None

    def verdict(self, step: Step) -> int:
        """`PASS`, `KILL`, or the number of the error with which the step fails."""
        self.steps.append(step)
        if self.fault is None or len(self.steps) < self.at:
            return PASS
        if len(self.steps) == self.at:
            self.struck = step
            return self.fault.verdict
        refused = self.fault.lasting and step.operation in NEEDS_SPACE and not step.on_stream
        return self.fault.verdict if refused else PASS
