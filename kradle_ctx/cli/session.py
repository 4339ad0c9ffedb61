"""What every command that reads the brain does first and last: prepare the run, show progress, write the artefact."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from kradle_ctx.cli.secrets import without_secrets
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from rich.console import RenderableType

    from kradle_ctx.model.bundle import Bundle
    from kradle_ctx.model.findings import Report
    from kradle_ctx.model.refs import CommitPin
    from kradle_ctx.wiring import Run

STDOUT = "-"

PIPE_WIDTH = 120
"""Columns of what is drawn into a pipe or a file."""


@contextmanager
def prepared(flags: RequestFlags, *, discover: bool, quiet: bool) -> Iterator[Run]:
    """The run of a command, with progress on stderr while it is open when that is a terminal."""
    from kradle_ctx.config import settings_from
    from kradle_ctx.errors import KradleError
    from kradle_ctx.wiring import prepare, redacted_error

    settings = settings_from(flags, os.environ, working_folder())
    with progress(quiet) as report:
        run = prepare(settings, discover=discover, progress=report)
        try:
            yield run
        except KradleError as error:
            raise redacted_error(error, run.redactor) from error
        finally:
            run.index_store.close()


def working_folder() -> Path:
    """The folder that the command was started in; raises `USAGE` where it was removed since."""
    from kradle_ctx.errors import ErrorCode, KradleError

    try:
        return Path.cwd()
    except OSError:
        raise KradleError(
            ErrorCode.USAGE, "the working folder does not exist any more", "change to a folder that exists"
        ) from None


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar for reading files; None where nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("reading the brain"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("read", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def assembled(run: Run, operation: str) -> Bundle:
    """Assemble a bundle from a prepared run, without a store where that turns out to be damaged."""
    from kradle_ctx.ports import IndexDamaged

    try:
        return assembled_once(run, operation)
    except IndexDamaged as damage:
        run.index_store.give_up(str(damage))
        return assembled_once(run, operation)


def assembled_once(run: Run, operation: str) -> Bundle:
    """The bundle of a prepared run; raises `IndexDamaged`."""
    from kradle_ctx.assemble import assemble
    from kradle_ctx.model.request import QueryMode

    validates = run.request.query_mode is QueryMode.ONTOLOGY_VALIDATION
    return assemble(
        run.request,
        run.access,
        run.associations,
        operation=operation,
        default_branch=run.default_branch,
        signers=run.signers,
        open_repository=run.open_repository,
        index_store=run.index_store,
        searcher=run.searcher,
        redactor=run.redactor,
        clock=run.clock,
        report_of=partial(granted_report, run) if validates else None,
    )


def granted_report(run: Run, pin: CommitPin, root: str) -> Report:
    """What validation says of what a run's grants show of a commit."""
    from kradle_ctx.passages import BlobRedactor
    from kradle_ctx.place import Place
    from kradle_ctx.validate import validate_granted

    repository = run.open_repository()
    return validate_granted(
        Place(pin, repository.snapshot(pin.commit.id), root),
        run.request,
        run.access,
        moment=pin.commit.committed_at,
        repository=repository,
        index_store=run.index_store,
        surveyor=run.open_surveyor(),
        redactor=BlobRedactor(run.redactor, run.index_store.kept),
    )


def write_artefact(text: str, output: str | None) -> None:
    """Write to a file whole or not at all, or to stdout as UTF-8 whatever the locale."""
    data = text.encode()
    if output is None or output == STDOUT:
        write_stdout(data)
    else:
        from kradle_ctx.adapters.atomic_output import AtomicOutput

        AtomicOutput().write(Path(output), data)


def write_stdout(data: bytes) -> None:
    """Write to stdout past its buffer, which would fail once more at exit; a closed pipe raises as it is."""
    try:
        with open(sys.stdout.fileno(), "wb", closefd=False) as stream:
            stream.write(data)
    except OSError as error:
        raise stdout_fault(error) from error


class HeldOutput(StringIO):
    """What typer prints, help and version, held back so that it is written like an artefact."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    def fileno(self) -> int:
        """The descriptor of the stream that it stands before."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Whether that stream is a terminal."""
        return self._stream.isatty()


def stdout_fault(error: OSError) -> Exception:
    """A refusal, but for a pipe that its reader has closed."""
    from kradle_ctx.errors import ErrorCode, KradleError

    if isinstance(error, BrokenPipeError):
        return error
    reason = error.strerror or "it takes no output"
    return KradleError(
        ErrorCode.OUTPUT_UNWRITABLE,
        f"cannot write stdout: {reason}",
        "let stdout lead to where there is room",
    )


def draw(renderable: RenderableType) -> None:
    """Draw on stdout, as wide as the terminal; nothing but the finished drawing touches it."""
    from rich.console import Console

    on_terminal = sys.stdout.isatty()
    drawing = StringIO()
    console = Console(
        file=drawing,
        force_terminal=on_terminal or None,
        width=None if on_terminal else PIPE_WIDTH,
        markup=False,
        highlight=False,
        emoji=False,
    )
    console.print(renderable)
    write_artefact(drawing.getvalue(), None)


def write_stderr(line: str) -> None:
    """Tell whoever listens; that nobody does, or can, must not change the answer, now or when the program ends."""
    try:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def say(lines: tuple[str, ...], quiet: bool) -> None:
    """Notes on stderr, redacted, since they may name what the caller gave."""
    from kradle_ctx.render.escape import escape_line

    if not quiet:
        for line in lines:
            write_stderr(f"note: {escape_line(without_secrets(line))}")
