"""What is done to an operation while it runs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.command_server import Answer, warm
from tests.faults.crowd import SIZE
from tests.faults.harness import Command, kernel_watches, run
from tests.faults.plan import DEATH, ERRORS, Fault
from tests.faults.prologues import DIE_AFTER
from tests.soak.operations import Operation

STEPS = 16
"""A step up to this one is struck; most operations have from 1 to about 16."""

LONGEST = 0.4
"""Seconds within which a kill comes."""

LARGEST = 30_000
"""Bytes up to which the size of files is limited."""

CROWD = "3"


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A kind of disturbance, and its measure."""

    kind: str
    fault: Fault | None = None
    at: int = 0
    seconds: float = 0.0
    limits: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.kind} {self.fault or ''} {self.at or ''} {self.seconds or ''} {self.limits or ''}"

    def run(self, operation: Operation, folder: Path, environment: Mapping[str, str]) -> Answer:
        """Run an operation so."""
        if self.fault is not None:
            command = Command(operation.arguments, folder, environment, operation.stdin)
            return run(command, self.fault, self.at).answer
        added = {"kill": {DIE_AFTER: str(self.seconds)}, "crowd": {SIZE: CROWD}}.get(self.kind, {})
        prologues = {"kill": "tests.faults.prologues:die_soon", "crowd": "tests.faults.crowd:gather"}
        return warm().run(
            operation.arguments,
            folder=folder,
            environment={**environment, **added},
            stdin=operation.stdin,
            limits=self.limits,
            prologue=prologues.get(self.kind),
        )


CALM = Disturbance("calm")


def drawn(chance: random.Random, operation: Operation) -> Disturbance:
    """A disturbance; a crowd only where all of it writes to one file and nothing else."""
    kinds = ("calm", "kill", "failed step", "killed step", "limit", "crowd")
    kind = chance.choices(kinds, (35, 20, 20, 12, 6, 7))[0]
    if kind == "kill":
        return Disturbance(kind, seconds=round(chance.uniform(0, LONGEST), 4))
    if kind == "limit":
        return Disturbance(kind, limits={"RLIMIT_FSIZE": chance.randrange(LARGEST)})
    if kind in ("failed step", "killed step"):
        kernel_watches()
        fault = DEATH if kind == "killed step" else chance.choice(ERRORS)
        return Disturbance(kind, fault, chance.randint(1, STEPS))
    return Disturbance(kind) if kind == "crowd" and operation.one_file else CALM
