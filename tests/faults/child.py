"""What a child does before the command that is to be struck; it imports little, since every run pays for it."""

from __future__ import annotations

import gc
import json
import os
import socket
import sys
from importlib import import_module

ORDER = "FAULTS"
"""The variable with the order; the command never sees it."""

NO_NEW_PRIVILEGES, SET_FILTER, NEW_LISTENER = 38, 1, 8
"""Constants of prctl(2) and seccomp(2)."""


def begin() -> None:
    """Call what is to come first, then go under watch; the prologue of `tests.command_server`."""
    # A collection would touch, and so copy, everything that is shared with the warm process.
    gc.disable()
    order = json.loads(os.environ.pop(ORDER))
    for name in order["before"]:
        module, _, function = name.partition(":")
        getattr(import_module(module), function)()
    channel = socket.socket(socket.AF_UNIX)
    channel.connect(order["socket"])
    if order["mechanism"] == "kernel":
        watch(channel, order["call"], bytes.fromhex(order["filter"]))
    else:
        import_module("tests.faults.wrapped").watch(channel)


def watch(channel: socket.socket, call: int, program: bytes) -> None:
    """Put this process under the filter; whoever is at the other end of the channel decides from now on."""
    import ctypes

    class Filter(ctypes.Structure):
        """`struct sock_fprog`."""

        _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))

    library = ctypes.CDLL(None, use_errno=True)
    library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    whole = Filter(len(program) // 8, program)
    listener = library.syscall(call, SET_FILTER, NEW_LISTENER, ctypes.byref(whole))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "this kernel does not let a process watch another so")
    socket.send_fds(channel, [b"listener"], [listener])
    channel.close()
    os.close(listener)


def main() -> None:
    """Go under watch and become the program that the arguments name."""
    begin()
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
