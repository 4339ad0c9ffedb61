"""The error boundary: an expected failure is one line, a bug is a crash report, and neither shows a secret."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

from kradle_ctx.cli.exit_codes import DONE, EXIT_CODES, INTERRUPTED, USAGE
from kradle_ctx.cli.secrets import without_secrets
from kradle_ctx.cli.session import HeldOutput, write_stderr, write_stdout
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.render.escape import escape_line

EXHAUSTED = (
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EAGAIN,
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EROFS,
    errno.EIO,
)
"""Errors that say what a machine has run out of, be it descriptors, processes, memory or a sound disk."""


def run_guarded(arguments: Sequence[str]) -> int:
    """Run the app; returns the exit code, and prints whatever went wrong on stderr."""
    as_json = wants_json(arguments)
    try:
        return run_app(arguments)
    except KradleError as error:
        return report(error, as_json)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read stdout has gone; that is no failure.
        return DONE
    except Exception as error:
        known = isinstance(error, OSError) and error.errno in EXHAUSTED
        return report(exhausted(error) if known else crash(error), as_json)


def run_app(arguments: Sequence[str]) -> int:
    """Run the command that is called; typer is loaded only for a command line that is not plain."""
    from kradle_ctx.cli.plain import plain_call

    call = plain_call(arguments)
    result = call() if call is not None else run_typer(arguments)
    return result if isinstance(result, int) else DONE


def run_typer(arguments: Sequence[str]) -> object:
    """Run the app without its own error handling; returns what the command does."""
    import typer

    from kradle_ctx.cli.commands import app_for

    usage_error: type[Exception] = typer.BadParameter.__mro__[1]
    help_text = HeldOutput(sys.stdout)
    command = typer.main.get_command(app_for(arguments))
    try:
        with redirect_stdout(help_text):
            result: object = command.main(args=list(arguments), prog_name="kradle-ctx", standalone_mode=False)
    except typer.Abort:
        return INTERRUPTED
    except usage_error as error:
        # The base class of typer's parameter errors; typer carries its own copy of click, so it has no public name.
        raise usage(error) from None
    except SystemExit as stop:
        # typer ends by itself when the pipe is closed, with a code that means "no" here.
        if isinstance(stop.__context__, BrokenPipeError):
            raise stop.__context__ from None
        raise
    write_stdout(help_text.getvalue().encode())
    return result


def usage(error: Exception) -> KradleError:
    """A usage error as the product's own."""
    message = str(getattr(error, "format_message", error.__str__)()) or "a command is missing"
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "kradle-ctx"
    return KradleError(ErrorCode.USAGE, message.splitlines()[0], f"see {command} --help")


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether errors are asked for as JSON; read here, because parsing itself can fail."""
    pairs = zip(arguments, [*arguments[1:], ""], strict=True)
    return any(pair == ("--error-format", "json") or pair[0] == "--error-format=json" for pair in pairs)


def report(error: KradleError, as_json: bool) -> int:
    """Print an error, redacted, since it may name what the caller gave, and give its exit code."""
    message, hint = without_secrets(error.message), without_secrets(error.hint)
    if as_json:
        import json

        value = {"code": error.code.value, "message": message, "hint": hint, **without_secrets(error.details)}
        text = json.dumps({"error": value}, default=str)
    else:
        text = f"error: {escape_line(message)} [{error.code.value}]\nhint: {escape_line(hint)}"
    write_stderr(text)
    return EXIT_CODES.get(error.code, USAGE)


def exhausted(error: Exception) -> KradleError:
    """The machine ran out of something, which is no bug."""
    reason = getattr(error, "strerror", None) or "it has run out of something"
    return KradleError(
        ErrorCode.LIMIT_EXCEEDED,
        f"this machine does not let the run go on: {reason}",
        "free what is missing or lift its limit, then try again",
    )


def crash(error: Exception) -> KradleError:
    """A bug: where it was raised goes into a file that only its owner can read."""
    try:
        name = written(raised(error))
    except OSError:
        name = "nowhere: no folder for temporary files can be written"
    return KradleError(
        ErrorCode.INTERNAL,
        f"a bug in kradle-ctx ({type(error).__name__}); the crash report is in {name}",
        "please report it with the crash report, which holds no content of the brain",
        report=name,
    )


def written(text: str) -> str:
    """The name of a new temporary file with a text; none is left where it cannot be written."""
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix="kradle-ctx-crash-", suffix=".txt")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as stream:
            stream.write(text)
    except OSError:
        Path(name).unlink()
        raise
    return name


def raised(error: BaseException) -> str:
    """Where an exception and those behind it were raised, without their messages, which can hold content."""
    import traceback

    behind = error.__cause__ or error.__context__
    before = f"{raised(behind)}\n" if behind is not None else ""
    return f"{before}{''.join(traceback.format_tb(error.__traceback__))}{type(error).__name__}\n"
