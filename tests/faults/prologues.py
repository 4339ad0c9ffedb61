"""Prologues of `tests.command_server`: a bug put in, a death foretold, streams that are full or closed."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

DIE_AFTER = "DIE_AFTER"
"""The variable with the seconds of `die_soon`."""

STREAMS = ("stdin", "stdout", "stderr")


def full_stdout() -> None:
    """Standard output leads to a full disk."""
    refill(1)


def full_stderr() -> None:
    """Standard error leads to a full disk."""
    refill(2)


def refill(descriptor: int) -> None:
    """Let a stream lead to a device that is always full."""
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, descriptor)
    os.close(full)


def closed_stdin() -> None:
    """The command starts without standard input."""
    close(0)


def closed_stdout() -> None:
    """The command starts without standard output."""
    close(1)


def closed_stderr() -> None:
    """The command starts without standard error."""
    close(2)


def close(descriptor: int) -> None:
    """Close a stream; Python then starts with None in its place."""
    os.close(descriptor)
    setattr(sys, STREAMS[descriptor], None)


def break_assembly() -> None:
    """Put a bug into the command; its report goes to the folder for temporary files or nowhere."""
    import kradle_ctx.assemble

    tempfile.tempdir = os.environ["TMPDIR"]

    def broken(*arguments: object, **options: object) -> None:
        raise RuntimeError("content of the brain")

    kradle_ctx.assemble.assemble = broken  # type: ignore[assignment]


def die_soon() -> None:
    """Let another process kill this one some seconds from now, as `DIE_AFTER` says, wherever it is then."""
    seconds = float(os.environ.pop(DIE_AFTER))
    doomed = os.pidfd_open(os.getpid())
    if os.fork() == 0:
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(doomed, signal.SIGKILL)
        os._exit(0)
    os.close(doomed)


def remove_working_folder() -> None:
    """Take away the folder in which the command runs."""
    Path.cwd().rmdir()


def without_privileges() -> None:
    """Go on with no more rights than the owner of a file has, also as root."""
    import ctypes

    if os.geteuid() == 0:
        header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
        if ctypes.CDLL(None, use_errno=True).capset(header, none):
            raise OSError(ctypes.get_errno(), "capset")


def impatient() -> None:
    """Wait only a moment for another process that writes the index."""
    from kradle_ctx.adapters.index import schema, store

    store.LOCK_SECONDS = schema.WAIT_SECONDS = 0.3


def small_portions() -> None:
    """Make what is read of a brain last every hundred files, not every few thousand."""
    from kradle_ctx.adapters import reading
    from kradle_ctx.adapters.index import writing

    reading.PORTION, writing.COMMIT_EVERY = 50, 100


def small_portions_and_death() -> None:
    """The same, and die soon."""
    small_portions()
    die_soon()
