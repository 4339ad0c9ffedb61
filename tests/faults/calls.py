"""The write-side system calls, and how to read from one what it is about to do."""

from __future__ import annotations

import os
import platform
import stat
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.plan import STREAMS, Step

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
"""Any of these flags makes opening a step."""

SET_LOCK = (6, 7, 37, 38)
"""Commands of `fcntl` that take or drop a lock: F_SETLK, F_SETLKW and those of open file descriptions."""

PATH_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Call:
    """A system call: what it does, its numbers on x86-64 and on 64-bit ARM, and which arguments say on what.

    `flags` is the argument with the flags of an opening; `lock` the one with the command of `fcntl`.
    """

    operation: str
    x86: int | None
    arm: int | None
    path: int | None = None
    descriptor: int | None = None
    flags: int | None = None
    lock: int | None = None


CALLS = (
    Call("open", 2, None, path=0, flags=1),
    Call("open", 257, 56, path=1, flags=2),
    Call("open", 85, None, path=0),
    Call("write", 1, 64, descriptor=0),
    Call("write", 18, 68, descriptor=0),
    Call("write", 20, 66, descriptor=0),
    Call("write", 296, 70, descriptor=0),
    Call("write", 328, 287, descriptor=0),
    Call("write", 40, 71, descriptor=0),
    Call("write", 326, 285, descriptor=2),
    Call("fsync", 74, 82, descriptor=0),
    Call("fsync", 75, 83, descriptor=0),
    Call("truncate", 76, 45, path=0),
    Call("truncate", 77, 46, descriptor=0),
    Call("allocate", 285, 47, descriptor=0),
    Call("rename", 82, None, path=1),
    Call("rename", 264, 38, path=3),
    Call("rename", 316, 276, path=3),
    Call("link", 86, None, path=1),
    Call("link", 265, 37, path=3),
    Call("symlink", 88, None, path=1),
    Call("symlink", 266, 36, path=2),
    Call("unlink", 87, None, path=0),
    Call("unlink", 84, None, path=0),
    Call("unlink", 263, 35, path=1),
    Call("mkdir", 83, None, path=0),
    Call("mkdir", 258, 34, path=1),
    Call("chmod", 90, None, path=0),
    Call("chmod", 91, 52, descriptor=0),
    Call("chmod", 268, 53, path=1),
    Call("chmod", 452, 452, path=1),
    Call("memfd_create", 319, 279, path=0),
    Call("lock", 73, 32, descriptor=0),
    Call("lock", 72, 25, descriptor=0, lock=1),
    Call("close", 3, 57, descriptor=0),
)
"""Numbers from the kernel's syscall_64.tbl and asm-generic/unistd.h."""


def numbered() -> dict[int, Call]:
    """The calls by their numbers on this machine; empty where they are not known."""
    machine = platform.machine()
    if machine not in ("x86_64", "aarch64"):
        return {}
    numbers = ((call.x86 if machine == "x86_64" else call.arm, call) for call in CALLS)
    return {number: call for number, call in numbers if number is not None}


def step_of(process: int, call: Call, arguments: Sequence[int]) -> Step | None:
    """What a process is about to do; None where it concerns no file on a disk, or only reads."""
    if call.lock is not None and arguments[call.lock] not in SET_LOCK:
        return None
    if call.flags is not None and not arguments[call.flags] & WRITING:
        return None
    if call.path is not None:
        path = text_at(process, arguments[call.path])
        return None if is_device(path) else Step(call.operation, path)
    assert call.descriptor is not None
    return step_on(process, call.operation, signed(arguments[call.descriptor]))


def step_on(process: int, operation: str, descriptor: int) -> Step | None:
    """A step on an open file; None for what is no step, such as closing what was only read."""
    link = Path(f"/proc/{process}/fd/{descriptor}")
    try:
        if is_file(link.stat().st_mode, operation) and (operation != "close" or can_write(process, descriptor)):
            return Step(operation, STREAMS[descriptor] if descriptor < len(STREAMS) else str(link.readlink()))
    except OSError:
        # Not open, or the process is gone.
        return None
    return None


def is_file(mode: int, operation: str) -> bool:
    """Whether it is something on a disk: no pipe, socket or device; a folder can be synced."""
    return stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and operation == "fsync")


def can_write(process: int, descriptor: int) -> bool:
    """Whether a descriptor was opened for writing."""
    lines = Path(f"/proc/{process}/fdinfo/{descriptor}").read_text().splitlines()
    flags = next(line for line in lines if line.startswith("flags:"))
    return int(flags.split()[1], 8) & os.O_ACCMODE != os.O_RDONLY


def is_device(path: str) -> bool:
    """Whether a path lies where no disk is."""
    return path.startswith(("/dev/", "/proc/")) and not path.startswith("/dev/shm/")


def text_at(process: int, address: int) -> str:
    """The path at an address of a process; empty where its memory is closed to us."""
    found = b""
    try:
        with Path(f"/proc/{process}/mem").open("rb", buffering=0) as memory:
            memory.seek(address)
            while b"\0" not in found and len(found) < PATH_LIMIT:
                # Up to the end of the page and no further, since the next one may not be there.
                found += memory.read(PATH_LIMIT - (address + len(found)) % PATH_LIMIT) or b"\0"
    except (OSError, ValueError, OverflowError):
        return ""
    return os.fsdecode(found.partition(b"\0")[0])


def signed(argument: int) -> int:
    """A descriptor as the signed 32-bit number that it is."""
    number: int = struct.unpack("i", struct.pack("I", argument & 0xFFFFFFFF))[0]
    return number
