"""The functions of `os` and `fcntl` ask the test before each write-side operation; it sees Python code alone."""

from __future__ import annotations

import _pyio  # type: ignore[import-not-found]
import builtins
import fcntl
import io
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

from tests.faults.calls import WRITING, is_device, is_file
from tests.faults.plan import KILL, PASS, STREAMS, Plan, Step

LINE = 65_536
"""Most bytes of a question; a path has at most 4,096."""

BY_PATH = {
    "open": ("open", 0),
    "truncate": ("truncate", 0),
    "rename": ("rename", 1),
    "replace": ("rename", 1),
    "link": ("link", 1),
    "symlink": ("symlink", 1),
    "unlink": ("unlink", 0),
    "remove": ("unlink", 0),
    "rmdir": ("unlink", 0),
    "mkdir": ("mkdir", 0),
    "chmod": ("chmod", 0),
    "memfd_create": ("memfd_create", 0),
}
"""Functions of `os`: the operation, and which argument is the path."""

BY_DESCRIPTOR = {
    "write": "write",
    "writev": "write",
    "pwrite": "write",
    "pwritev": "write",
    "sendfile": "write",
    "fsync": "fsync",
    "fdatasync": "fsync",
    "ftruncate": "truncate",
    "posix_fallocate": "allocate",
    "fchmod": "chmod",
    "close": "close",
}


class Asker:
    """Asks at the other end of a channel what becomes of a step."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._lock = threading.Lock()

    def ask(self, step: Step | None) -> None:
        """Go on, fail with the error that is answered, or die here."""
        if step is None:
            return
        with self._lock:
            self._channel.sendall(json.dumps([step.operation, step.target]).encode())
            verdict = int(self._channel.recv(LINE))
        if verdict == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        if verdict != PASS:
            raise OSError(verdict, os.strerror(verdict), step.target)


def setup() -> dict[str, int | str]:
    """What a child needs in order to go under watch: nothing."""
    return {}


def watch(channel: socket.socket) -> None:
    """Wrap what writes; `open` becomes the one that is written in Python, on top of what is wrapped."""
    asker = Asker(channel)
    for name, (operation, place) in BY_PATH.items():
        wrap(os, name, asker, lambda *given, of=operation, at=place: step_at(of, at, given))
    for name, operation in BY_DESCRIPTOR.items():
        wrap(os, name, asker, lambda *given, of=operation: step_on(of, given[0]))
    for name in ("flock", "lockf"):
        wrap(fcntl, name, asker, lambda *given: step_on("lock", given[0]))
    io.open = builtins.open = _pyio.open
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is not None:
            setattr(sys, name, _pyio.open(descriptor, "w", encoding="utf-8", closefd=False))


def wrap(module: Any, name: str, asker: Asker, step: Callable[..., Step | None]) -> None:
    """Ask before each call of a function, where the system has it."""
    function = getattr(module, name, None)
    if function is None:
        return

    def wrapped(*given: Any, **named: Any) -> Any:
        asker.ask(step(*given))
        return function(*given, **named)

    setattr(module, name, wrapped)


def step_at(operation: str, place: int, given: tuple[Any, ...]) -> Step | None:
    """A step on a path; None for opening what is only read, and for devices."""
    if operation == "open" and not given[1] & WRITING:
        return None
    path = os.fsdecode(given[place]) if not isinstance(given[place], int) else str(given[place])
    return None if is_device(path) else Step(operation, path)


def step_on(operation: str, opened: Any) -> Step | None:
    """A step on an open file; None for what is no step, such as closing what was only read."""
    descriptor = opened if isinstance(opened, int) else opened.fileno()
    try:
        if not is_file(os.fstat(descriptor).st_mode, operation):
            return None
        if operation == "close" and fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            return None
    except OSError:
        # Not open: the call itself will say so.
        return None
    return Step(operation, STREAMS[descriptor] if descriptor < len(STREAMS) else f"file {descriptor}")


def serve(channel: socket.socket, plan: Plan, ended: threading.Event) -> None:
    """Answer for a process until it has ended."""
    channel.settimeout(None)
    while asked := channel.recv(LINE):
        operation, target = json.loads(asked)
        channel.sendall(str(plan.verdict(Step(operation, target))).encode())
