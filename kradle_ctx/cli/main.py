"""Where the command line begins and ends; only this module exits."""

from __future__ import annotations

import atexit
import codecs
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from types import ModuleType
from typing import NoReturn, cast

from kradle_ctx import __version__

STREAMS = 3
"""File descriptors of standard input, output and error."""


def main() -> None:
    """Run the command line and exit."""
    steady_streams()
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        # What cannot be written here is refused below, like everything else.
        with suppress(OSError):
            os.write(1, f"kradle-ctx {__version__}\n".encode())
            sys.exit(0)
    with withheld("typing_extensions"):
        # Of it msgspec takes only what Python 3.11 has itself, and it takes 15 ms to load.
        import msgspec  # noqa: F401
    from kradle_ctx.cli.boundary import run_guarded

    # A run makes many values and hardly any rings of them; to look for those often took a tenth of its time.
    gc.set_threshold(100_000)
    leave(run_guarded(arguments or ["--help"]))


def leave(code: int) -> NoReturn:
    """End the process as it is: to take apart what memory holds takes longer than to start Python."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    # What removes temporary files runs here.
    atexit._run_exitfuncs()
    os._exit(code)


@contextmanager
def withheld(module: str) -> Iterator[None]:
    """Let a module that is optional to others seem not to be installed."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = cast(ModuleType, None)
    try:
        yield
    finally:
        del sys.modules[module]


def steady_streams() -> None:
    """Occupy what was closed, so that no file takes a stream's number, and tell errors in UTF-8 or ASCII.

    A closed stream can be read but not written, so that whoever needs it gets an error.
    """
    for descriptor in range(STREAMS):
        try:
            os.fstat(descriptor)
        except OSError:
            # It takes the lowest number that is free, which is this one.
            os.open(os.devnull, os.O_RDONLY)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8")
    if isinstance(sys.stderr, TextIOWrapper) and codecs.lookup(sys.stderr.encoding).name != "utf-8":
        # Elsewhere a letter can be the byte of a control: U+203A of windows-1252 begins an escape sequence.
        sys.stderr.reconfigure(encoding="ascii", errors="backslashreplace")


if __name__ == "__main__":
    main()
