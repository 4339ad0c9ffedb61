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
HOLDER_BYTES = 64

_held: set[int] = set()
"""Descriptors of the locks that this process holds."""


class Busy(Exception):
    """Another process writes; the message names it."""


@contextmanager
def writing(folder: Path, wait: float) -> Iterator[None]:
    """Hold the lock of a store; raises `Busy` when another process still holds it after so many seconds.

    The system gives the lock back when its holder ends, however it ends.
    """
    end = time.monotonic() + wait
    descriptor = opened(folder)
    try:
        acquire(descriptor, end)
        while not is_there(folder, descriptor):
            # The store was removed while this process waited for it.
            close(descriptor)
            descriptor = opened(folder)
            acquire(descriptor, end)
        with suppress(OSError):
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()} {os.urandom(8).hex()}\n".encode(), 0)
        yield
    finally:
        close(descriptor)


def opened(folder: Path) -> int:
    """A descriptor of the lock's file; the folder is made where it is gone."""
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    _held.add(descriptor)
    return descriptor


def close(descriptor: int) -> None:
    """Give the lock back."""
    _held.discard(descriptor)
    os.close(descriptor)


def is_there(folder: Path, descriptor: int) -> bool:
    """Whether the lock's file is still the one that was opened."""
    try:
        return os.path.samestat((folder / LOCK_FILE).lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _let_go() -> None:
    """Close what was opened before a fork: a child must not hold a lock longer than its parent does."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_let_go)


def acquire(descriptor: int, end: float) -> None:
    """Take the lock, looking again and again until a time of the monotonic clock."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= end:
                process, _, _ = os.pread(descriptor, HOLDER_BYTES, 0).decode("ascii", "replace").partition(" ")
                raise Busy(f"process {process.strip() or 'unknown'}") from None
            time.sleep(LOOK_SECONDS)


def holder(folder: Path) -> str:
    """Who took the lock last, a word that is never used twice; empty when that cannot be told."""
    with suppress(OSError):
        descriptor = os.open(folder / LOCK_FILE, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0))
        try:
            return os.read(descriptor, HOLDER_BYTES).decode("ascii", "replace").strip()
        finally:
            os.close(descriptor)
    return ""
