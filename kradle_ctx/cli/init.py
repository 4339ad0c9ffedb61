"""`init`: a new brain."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kradle_ctx.cli.options import BRAIN, ERROR_FORMAT, OUTPUT, QUIET, ErrorFormat, Option, option, switch, takes
from kradle_ctx.cli.session import say, working_folder, write_artefact

ORGANIZATION, NAME = "my-org", "company-brain"

FOR_THE_TOP = (
    "CI and CODEOWNERS are looked for at the top of the repository: move what begins with a dot, and CODEOWNERS"
)


@takes(
    {},
    folder=Option(
        str,
        OUTPUT,
        "The folder to write into, made where it is missing; the working folder when none is named.",
        metavar="[DIR]",
        positional=True,
        repeatable=True,
    ),
    org=option(str, BRAIN, "The organisation that the brain belongs to.", default=ORGANIZATION, metavar="NAME"),
    name=option(str, BRAIN, "What the brain is called in resources.", default=NAME, metavar="NAME"),
    dry_run=switch(OUTPUT, "List what would be written, and write nothing.", "--dry-run"),
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def init(folder: list[str] | None, org: str, name: str, dry_run: bool, error_format: ErrorFormat, quiet: bool) -> None:
    """Make a new brain: its layout, a starter ontology, examples, grants, and what checks it in CI.

    Files that are there stay as they are and are listed. Git is not run: the commands to go on with are told.
    """
    from kradle_ctx.adapters.clock import SystemClock
    from kradle_ctx.adapters.new_files import absent, add_files
    from kradle_ctx.resources.overlay import check_value
    from kradle_ctx.scaffold import scaffold

    check_value("org", org)
    check_value("name", name)
    named = only(folder)
    target = working_folder() / named
    files = scaffold(org, name, SystemClock(os.environ).now().date())
    if dry_run:
        tell(listed("would write", absent(target, files), files))
        return
    written = add_files(target, files)
    if not quiet:
        tell(listed("wrote", written, files), ("Go on with:", *(f"  {line}" for line in next_commands(named, target))))
    say(tuple(notes(target, org)), quiet)


def notes(target: Path, org: str) -> Iterator[str]:
    """What is still to be done by hand."""
    top = repository_of(target)
    if top is not None and top != target.resolve():
        yield FOR_THE_TOP
    if org == ORGANIZATION:
        yield f"the organisation is called {org}: put its name into .kradle/ and CODEOWNERS, or begin anew with --org"


def only(folders: Sequence[str] | None) -> str:
    """The one folder that is named, the working folder when none is; raises `USAGE`."""
    from kradle_ctx.errors import ErrorCode, KradleError

    named = list(folders or ["."])
    if len(named) > 1 or not named[0]:
        raise KradleError(ErrorCode.USAGE, "init takes one folder", "name one folder, or none for the working folder")
    return named[0]


def listed(done: str, written: Sequence[str], files: Iterable[str]) -> Iterator[str]:
    """A line for each file: what was done, or that it is there already."""
    for path in files:
        yield f"{done} {path}" if path in written else f"kept {path}, which is there already"


def next_commands(named: str, target: Path) -> list[str]:
    """The commands that make the files a brain: three, as a shell takes them."""
    folder = f"./{named}" if named.startswith("-") else named
    first = f"cd {shlex.quote(folder)} && " if named != "." else ""
    commit = 'git commit --message "Start the brain"'
    top = repository_of(target)
    if top is None:
        return [f"{first}git init --initial-branch=main", f"git add . && {commit}", "kradle-ctx validate"]
    inside = os.path.relpath(target.resolve(), top)
    place = f" --brain {shlex.quote(str(top))} --root {shlex.quote(inside)}" if inside != "." else ""
    return [f"{first}git add .", commit, f"kradle-ctx validate{place}"]


def repository_of(folder: Path) -> Path | None:
    """The top of the Git repository that a folder is in; None where it is in none."""
    whole = folder.resolve()
    return next((place for place in (whole, *whole.parents) if os.path.lexists(place / ".git")), None)


def tell(*parts: Iterable[str]) -> None:
    """Write parts of a report to stdout, an empty line between them."""
    from kradle_ctx.render.escape import escape_line

    write_artefact("\n".join("".join(f"{escape_line(line)}\n" for line in part) for part in parts), None)
