"""What a child of the command server does before its command, so that its streams lead where a test wants them."""

from __future__ import annotations

import os
import sys

ENCODING, TERMINAL, DESCRIPTORS = "KRADLE_TEST_ENCODING", "KRADLE_TEST_TERMINAL", "KRADLE_TEST_DESCRIPTORS"
"""Variables that say which encoding, which terminal, and which streams; descriptors are joined by commas."""


def encoded() -> None:
    """Open the streams as Python does at its start under `PYTHONIOENCODING`."""
    for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
        stream.reconfigure(encoding=os.environ[ENCODING], errors=errors)  # type: ignore[union-attr]


def on_terminal() -> None:
    """Lead streams to a terminal."""
    terminal = os.open(os.environ[TERMINAL], os.O_RDWR | os.O_NOCTTY)
    for descriptor in os.environ[DESCRIPTORS].split(","):
        os.dup2(terminal, int(descriptor))
    os.close(terminal)


def unread() -> None:
    """Lead streams into a pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    for descriptor in os.environ[DESCRIPTORS].split(","):
        os.dup2(writer, int(descriptor))
    os.close(writer)


def read_for_a_line() -> None:
    """Lead standard output into a pipe whose reader takes one line and goes, as `head -n 1` does."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            os._exit(0 if stream.readline() else 1)
    os.close(reader)
    os.dup2(writer, 1)
    os.close(writer)
