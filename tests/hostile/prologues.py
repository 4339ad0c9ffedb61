"""What a child of the command server does before its command: lead its streams elsewhere, or break a rule."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

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


def rule_raises() -> None:
    """Let the rules for tokens of GitHub fail on what they find."""
    break_rule(ValueError)


def rule_takes_too_long() -> None:
    """The same by a limit of time."""
    break_rule(TimeoutError)


def rule_runs_out_of_memory() -> None:
    """The same for want of memory."""
    break_rule(MemoryError)


def break_rule(failure: type[Exception]) -> None:
    """Watch the child, and let the rules for tokens of GitHub raise an error that tells what they found."""
    from msgspec.structs import force_setattr

    from kradle_ctx.redaction import vendor
    from tests.hostile.watching import watch

    def broken(secret: bytes) -> NoReturn:
        raise failure(secret.decode())

    rules = [rule for rule in vendor.RULES if rule.kind == "github-token"]
    assert rules
    for rule in rules:
        force_setattr(rule, "validator", broken)
    watch()
