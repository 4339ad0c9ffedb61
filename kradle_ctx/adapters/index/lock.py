"""One writer at a time."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK_FILE = "lock"
LOOK_SECONDS = 0.02


class Busy(Exception):
    """Another process writes; the message names it."""


@contextmanager
def writing(folder: Path, wait: float) -> Iterator[None]:
    """Hold the lock of a store; raises `Busy` when another process still holds it after so many seconds.

    The system gives the lock back when its holder ends, however it ends.
    """
    descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        acquire(descriptor, wait)
        with suppress(OSError):
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def acquire(descriptor: int, wait: float) -> None:
    """Take the lock, looking again and again until the time is up."""
    end = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= end:
                holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
                raise Busy(f"process {holder or 'unknown'}") from None
            time.sleep(LOOK_SECONDS)
