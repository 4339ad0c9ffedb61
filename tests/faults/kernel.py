"""The kernel stops a process before each write-side system call and asks the test what becomes of it.

See seccomp_unotify(2). The filter stays with everything that the process starts, across exec.
"""

from __future__ import annotations

import fcntl
import os
import platform
import select
import signal
import socket
import struct
import threading
from collections.abc import Sequence

from tests.faults.calls import WRITING, numbered, step_of
from tests.faults.plan import KILL, PASS, Plan

SECCOMP = {"x86_64": (317, 0xC000003E), "aarch64": (277, 0xC00000B7)}
"""By machine: the number of seccomp(2), and the architecture as the filter sees it."""

ASK, ALLOW = 0x7FC00000, 0x7FFF0000
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
"""Instructions of the filter: load a word, jump if it equals, jump if it has any of these bits, end."""

NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
"""Offsets in `struct seccomp_data`; an argument has eight bytes, the low half first."""

RECEIVE, SEND = 0xC0502100, 0xC0182101
NOTIFICATION, RESPONSE = struct.Struct("=QIIiIQ6Q"), struct.Struct("=QqiI")
CONTINUE = 1

TICK = 50
"""Milliseconds between two looks at whether the run has ended."""


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction of a filter."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def filter_program() -> bytes:
    """Ask about each write-side call; opening only with a flag that writes, everything else passes."""
    architecture = SECCOMP[platform.machine()][1]
    program = [
        instruction(LOAD, ARCHITECTURE_AT),
        instruction(EQUAL, architecture, 1, 0),
        instruction(RETURN, ALLOW),
        instruction(LOAD, NUMBER_AT),
    ]
    for number, call in numbered().items():
        if call.flags is None:
            program += [instruction(EQUAL, number, 0, 1), instruction(RETURN, ASK)]
        else:
            flags = ARGUMENTS_AT + 8 * call.flags
            program += [
                instruction(EQUAL, number, 0, 4),
                instruction(LOAD, flags),
                instruction(ANY_BIT, WRITING, 0, 1),
                instruction(RETURN, ASK),
                instruction(RETURN, ALLOW),
            ]
    return b"".join([*program, instruction(RETURN, ALLOW)])


def setup() -> dict[str, int | str]:
    """What a child needs in order to go under watch: the number of seccomp(2) and the filter."""
    return {"call": SECCOMP[platform.machine()][0], "filter": filter_program().hex()}


def serve(channel: socket.socket, plan: Plan, ended: threading.Event) -> None:
    """Answer for a watched process and its children until all have ended."""
    _, listeners, _, _ = socket.recv_fds(channel, 16, 1)
    if not listeners:
        return
    (listener,) = listeners
    try:
        waiting = select.poll()
        waiting.register(listener, select.POLLIN)
        while not ended.is_set():
            for _, event in waiting.poll(TICK):
                if not event & select.POLLIN:
                    return
                answer(listener, plan)
    finally:
        os.close(listener)


def answer(listener: int, plan: Plan) -> None:
    """Take one question and answer it; a process that died meanwhile needs no answer."""
    asked = bytearray(NOTIFICATION.size)
    try:
        fcntl.ioctl(listener, RECEIVE, asked)
        identity, process, _, number, _, _, *arguments = NOTIFICATION.unpack(asked)
        verdict = judged(plan, process, number, arguments)
        if verdict == KILL:
            os.kill(process, signal.SIGKILL)
        else:
            flags = CONTINUE if verdict == PASS else 0
            fcntl.ioctl(listener, SEND, bytearray(RESPONSE.pack(identity, 0, -verdict, flags)))
    except (FileNotFoundError, ProcessLookupError):
        return


def judged(plan: Plan, process: int, number: int, arguments: Sequence[int]) -> int:
    """The plan's verdict on a call, where it is a step at all."""
    step = step_of(process, numbered()[number], arguments)
    return PASS if step is None else plan.verdict(step)
