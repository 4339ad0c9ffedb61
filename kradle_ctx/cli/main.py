"""The command line: the app, and the one place that turns an error into a line and an exit code."""

from __future__ import annotations

import sys

from kradle_ctx import __version__


def main() -> None:
    """Run the command line and exit."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write(f"kradle-ctx {__version__}\n")
        sys.exit(0)
    from kradle_ctx.cli.boundary import run_guarded

    sys.exit(run_guarded(arguments or ["--help"]))


if __name__ == "__main__":
    main()
