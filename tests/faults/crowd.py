"""A prologue of `tests.command_server` that becomes many processes, which run the command at the same moment."""

from __future__ import annotations

import os
import sys

SIZE = "CROWD"
"""The variable with the number of processes."""

PLACE = "{number}"
"""Stands in an argument for the number of the process, from 0."""


def gather() -> None:
    """Run the command many times at once, and end with the highest exit code among them."""
    members = int(os.environ.pop(SIZE))
    gate, starter = os.pipe()
    children = [start(number, gate, starter) for number in range(members)]
    os.close(starter)
    statuses = [os.waitpid(child, 0)[1] for child in children]
    os._exit(max(os.waitstatus_to_exitcode(status) for status in statuses))


def start(number: int, gate: int, starter: int) -> int:
    """A member that waits until all are there, then runs the command; its process id."""
    child = os.fork()
    if child:
        return child
    from tests.command_server import exit_code_of_main

    os.close(starter)
    os.read(gate, 1)
    os.close(gate)
    sys.argv = [argument.replace(PLACE, str(number)) for argument in sys.argv]
    os._exit(exit_code_of_main())
