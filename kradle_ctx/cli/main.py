"""The command line: the app, and the one place that turns an error into a line and an exit code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from kradle_ctx import __version__

STREAMS = 3
"""File descriptors of standard input, output and error."""


def main() -> None:
    """Run the command line and exit."""
    steady_streams()
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        with suppress(OSError):
            os.write(1, f"kradle-ctx {__version__}\n".encode())
        sys.exit(0)
    from kradle_ctx.cli.boundary import run_guarded

    sys.exit(run_guarded(arguments or ["--help"]))


def steady_streams() -> None:
    """Occupy what was closed, so that no file takes a stream's number, and write UTF-8 whatever the locale."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < STREAMS:
        continue
    os.close(descriptor)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8")
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8")


if __name__ == "__main__":
    main()
