"""Runs a command in a child process with one of its steps struck."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.command_server import CHECKOUT, Answer, warm
from tests.faults.calls import numbered
from tests.faults.child import ORDER
from tests.faults.plan import KILL, Fault, Plan, Step

TIME_LIMIT = 30
"""Seconds after which a run counts as hung."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: arguments of `kradle-ctx`, or with `program` any program and its arguments.

    `before` names functions, `module:function`, that the child calls before it goes under watch.
    """

    arguments: Sequence[str | Path]
    folder: Path
    environment: Mapping[str, str]
    stdin: bytes = b""
    limits: Mapping[str, int] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    program: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a run: its answer, its steps, and the one that was struck, if it got that far."""

    answer: Answer
    steps: tuple[Step, ...]
    struck: Step | None
    fault: Fault | None

    @property
    def killed(self) -> bool:
        """Whether the fault ended it."""
        return self.struck is not None and self.fault is not None and self.fault.verdict == KILL

    def __str__(self) -> str:
        return f"{self.fault} at step {len(self.steps)} ({self.struck}): {self.answer}"


@cache
def kernel_watches() -> bool:
    """Whether this machine lets a process watch another's system calls."""
    if not (sys.platform.startswith("linux") and numbered()):
        return False
    return bool(run(Command(["--version"], CHECKOUT, os.environ), mechanism="kernel").steps)


def run(command: Command, fault: Fault | None = None, at: int = 0, *, mechanism: str | None = None) -> Run:
    """Run a command in a child process, with the step of that number struck; step 1 is the first.

    The mechanism is the one that sees more, where none is named.
    """
    plan = Plan(fault, at)
    mechanism = mechanism or ("kernel" if kernel_watches() else "wrapped")
    with watched(mechanism, plan) as address:
        order = {"before": command.before, "socket": address, "mechanism": mechanism, **setup(mechanism)}
        environment = {**command.environment, ORDER: json.dumps(order)}
        answer = started(command, environment) if command.program else forked(command, environment)
    return Run(answer, tuple(plan.steps), plan.struck, fault)


def forked(
    command: Command, environment: Mapping[str, str], prologue: str | None = "tests.faults.child:begin"
) -> Answer:
    """Run `kradle-ctx` in a child of the warm process."""
    return warm().run(
        command.arguments,
        folder=command.folder,
        environment=environment,
        stdin=command.stdin,
        seconds=TIME_LIMIT,
        limits=command.limits,
        prologue=prologue,
    )


def started(command: Command, environment: Mapping[str, str]) -> Answer:
    """Start a program of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.child", str(command.program), *map(str, command.arguments)],
        cwd=command.folder,
        input=command.stdin,
        capture_output=True,
        env={**environment, "PYTHONPATH": str(CHECKOUT)},
        timeout=TIME_LIMIT,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


@cache
def setup(mechanism: str) -> dict[str, int | str]:
    """What a child needs of a mechanism."""
    found: dict[str, int | str] = import_module(f"tests.faults.{mechanism}").setup()
    return found


@contextmanager
def watched(mechanism: str, plan: Plan) -> Iterator[str]:
    """The address at which a child goes under watch; its questions are answered while this is open."""
    serve = import_module(f"tests.faults.{mechanism}").serve
    ended = threading.Event()
    failures: list[BaseException] = []
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, socket.socket(socket.AF_UNIX) as server:
        address = str(Path(folder) / "socket")
        server.bind(address)
        server.listen(1)

        def answer() -> None:
            try:
                channel, _ = server.accept()
                with channel:
                    serve(channel, plan, ended)
            except OSError as failure:
                failures.append(failure)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield address
        finally:
            ended.set()
            with socket.socket(socket.AF_UNIX) as last:
                # Wakes the thread where no child ever came.
                last.connect(address)
            thread.join()
    if failures:
        raise failures[0]
