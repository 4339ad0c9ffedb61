"""`validate`: what is wrong with a brain, or with what a change does to it."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kradle_ctx.cli.exit_codes import DONE, NO
from kradle_ctx.cli.options import (
    BRAIN_OPTIONS,
    ERROR_FORMAT,
    OUTPUT,
    QUESTION,
    QUIET,
    REF_OPTIONS,
    ErrorFormat,
    Option,
    option,
    switch,
    takes,
)
from kradle_ctx.cli.session import prepared, say, working_folder, write_artefact
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from kradle_ctx.model.findings import Report
    from kradle_ctx.ports import Repository
    from kradle_ctx.validation.reports import Asked, Side
    from kradle_ctx.wiring import Run

VALIDATED = ("brain", "resources", "org", "memory_repository", "root", "ontology", "layout_profile", "memory_mode")
SETTINGS = ("redaction_pattern", "no_index")

FINDINGS = "Findings"

LONGEST_PATH = 200
"""Characters of a path that a message repeats."""


class FindingsFormat(StrEnum):
    """Forms of a report of findings."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    GITLAB = "gitlab"
    SARIF = "sarif"
    JUNIT = "junit"


class FailOn(StrEnum):
    """The least severity that makes the answer no."""

    ERROR = "error"
    WARNING = "warning"
    NONE = "none"


@takes(
    {name: BRAIN_OPTIONS[name] for name in (*VALIDATED, *SETTINGS)}
    | REF_OPTIONS
    | {
        "ref": option(
            str, QUESTION, "A branch, a tag or a commit id; the checked-out commit when absent.", metavar="REF"
        )
    },
    paths=Option(
        str,
        QUESTION,
        "Only findings in these files and folders of the repository.",
        metavar="[PATH]...",
        positional=True,
        repeatable=True,
    ),
    since=option(str, QUESTION, "Only what a change brings in: what was not there at this base.", metavar="REF"),
    worktree=switch(QUESTION, "Validate the files of the work tree, before they are committed.", "--worktree"),
    findings_format=option(
        FindingsFormat,
        OUTPUT,
        "The form in which a person, a program or a CI system reads it.",
        "--format",
        default=FindingsFormat.TEXT,
    ),
    output=option(str, OUTPUT, "Write the report here instead of stdout.", "--output", "-o", metavar="FILE"),
    fail_on=option(
        FailOn, FINDINGS, "The least severity at which the exit code is 1.", "--fail-on", default=FailOn.ERROR
    ),
    fix=switch(FINDINGS, "Repair in the work tree what is safe to repair, and tell what is left.", "--fix"),
    diff=switch(
        FINDINGS, "With --fix: write no file, and show how files would change instead of the report.", "--diff"
    ),
    baseline=option(str, FINDINGS, "A file of findings that are known and do not count.", metavar="FILE"),
    write_baseline=option(
        str,
        FINDINGS,
        "Write the findings to a file that --baseline reads, and end well.",
        "--write-baseline",
        metavar="FILE",
    ),
    export_schemas=option(
        str,
        OUTPUT,
        "Write the ontology as JSON Schemas for editors into this folder, and validate nothing.",
        "--export-schemas",
        metavar="DIR",
    ),
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def validate(
    flags: RequestFlags,
    paths: list[str] | None,
    since: str | None,
    worktree: bool,
    findings_format: FindingsFormat,
    output: str | None,
    fail_on: FailOn,
    fix: bool,
    diff: bool,
    baseline: str | None,
    write_baseline: str | None,
    export_schemas: str | None,
    error_format: ErrorFormat,
    quiet: bool,
) -> int:
    """Check the brain against its ontology: the commit that is checked out, or the one that --ref names.

    With --since REF only what the change brings in is told, and what agents will see differently. All files are
    checked, whatever grants say. Exit code 1 where there are findings of the severity of --fail-on.
    """
    from kradle_ctx.cli.fixing import fixed
    from kradle_ctx.model.findings import Severity
    from kradle_ctx.render.baseline import baseline_json
    from kradle_ctx.render.findings import FORMATS

    require_together(fix=fix, diff=diff, worktree=worktree, export_schemas=export_schemas)
    if write_baseline is not None:
        require_everything(since=since, paths=paths, fix=fix, output=output)
    with prepared(flags, discover=True, quiet=quiet) as run:
        if export_schemas is not None:
            write_schemas(run, Path(export_schemas), worktree=worktree)
            return DONE
        asked = asked_of(run, paths or [], since, baseline)
        if fix:
            require_no_ref(run)
        fixes = fixed(run, asked, write=not diff) if fix else None
        report = fixes.report if fixes is not None else validated(run, asked, worktree=worktree)
    notes = fixes.notes if fixes is not None else ()
    if write_baseline is not None:
        write_artefact(baseline_json(report), write_baseline)
        say((*notes, f"{len(report.findings) + len(report.known)} findings written to {write_baseline}"), quiet)
        return DONE
    write_artefact(fixes.diff if fixes is not None and diff else FORMATS[findings_format](report), output)
    say((*assumed_resources(run), *run.index_store.notes, *notes, *report.notes), quiet)
    if fixes is not None and fixes.failure is not None:
        raise fixes.failure
    at = None if fail_on is FailOn.NONE else Severity(fail_on.value)
    return NO if report.fails(at) else DONE


def require_everything(*, since: str | None, paths: list[str] | None, fix: bool, output: str | None) -> None:
    """Raise `USAGE` where a baseline would not hold all that is found, or something else is to be written."""
    from kradle_ctx.errors import ErrorCode, KradleError

    if since is not None or paths or fix or output is not None:
        raise KradleError(
            ErrorCode.USAGE,
            "--write-baseline writes all findings of the whole brain, and nothing else",
            "leave out --since, --fix, --output and the paths",
        )


def assumed_resources(run: Run) -> tuple[str, ...]:
    """Where resources were taken from without being asked for; a grant decides nothing here."""
    from kradle_ctx.wiring import ASSUMED_GRANT

    return tuple(note for note in run.assumed if note != ASSUMED_GRANT)


def require_together(*, fix: bool, diff: bool, worktree: bool, export_schemas: str | None) -> None:
    """Raise `USAGE` for switches that mean nothing without another, or beside it."""
    from kradle_ctx.errors import ErrorCode, KradleError

    if diff and not fix:
        raise KradleError(ErrorCode.USAGE, "--diff shows what --fix would change", "add --fix")
    if fix and not worktree:
        raise KradleError(
            ErrorCode.USAGE,
            "--fix repairs files of the work tree, and commits nothing",
            "add --worktree, or leave it out",
        )
    if fix and export_schemas is not None:
        raise KradleError(
            ErrorCode.USAGE, "--export-schemas validates nothing, so there is nothing to fix", "leave out one"
        )


def asked_of(run: Run, paths: list[str], since: str | None, baseline: str | None) -> Asked:
    """What is asked of validation."""
    from kradle_ctx.adapters.baseline import read_baseline
    from kradle_ctx.validation.reports import Asked

    known = read_baseline(working_folder() / baseline) if baseline is not None else frozenset()
    return Asked(since, tuple(inside(run.folder, path) for path in paths), known)


def validated(run: Run, asked: Asked, *, worktree: bool) -> Report:
    """The report of a prepared run, as it may be shown; without a store where that turns out to be damaged."""
    from kradle_ctx.model.memory_mode import require_permitted
    from kradle_ctx.ports import IndexDamaged

    require_permitted("validate", run.request.memory_mode)
    try:
        return validated_once(run, asked, worktree=worktree)
    except IndexDamaged as damage:
        run.index_store.give_up(str(damage))
        return validated_once(run, asked, worktree=worktree)


def validated_once(run: Run, asked: Asked, *, worktree: bool) -> Report:
    """The report of a prepared run; raises `IndexDamaged`."""
    from kradle_ctx.passages import BlobRedactor
    from kradle_ctx.validate import validate as validate_brain

    repository = None if worktree and asked.since is None else run.open_repository()
    head = state_of(run, repository, worktree=worktree)
    redactor = BlobRedactor(run.redactor, run.index_store.kept)
    surveyor = run.open_surveyor()
    return validate_brain(run.request, asked, head, repository=repository, surveyor=surveyor, redactor=redactor)


def write_schemas(run: Run, folder: Path, *, worktree: bool) -> None:
    """Write what editors check records with."""
    from kradle_ctx.adapters.atomic_output import AtomicOutput, make_folder
    from kradle_ctx.model.memory_mode import require_permitted
    from kradle_ctx.render.ontology_schemas import exported_schemas

    require_permitted("validate", run.request.memory_mode)
    head = state_of(run, None if worktree else run.open_repository(), worktree=worktree)
    constraints = run.open_surveyor().constraints(head.snapshot, head.root, run.request.ontology_path)
    make_folder(folder)
    for name, data in exported_schemas(constraints).items():
        AtomicOutput().write(folder / name, data)


def state_of(run: Run, repository: Repository | None, *, worktree: bool) -> Side:
    """What is to be validated: the work tree, else the commit that is asked for, else the one that is checked out."""
    from kradle_ctx.model.refs import MemoryRef, RefMode
    from kradle_ctx.validate import committed, in_work_tree

    ref = run.request.ref
    if not worktree:
        assert repository is not None
        asked = ref if ref.mode is not RefMode.CURRENT else MemoryRef(RefMode.EXPLICIT, "HEAD")
        return committed(replace(run.request, ref=asked), repository, run.default_branch)
    from kradle_ctx.adapters.work_tree import WorkTreeSnapshot

    require_no_ref(run)
    return in_work_tree(run.request, WorkTreeSnapshot(run.folder), run.clock.now())


def require_no_ref(run: Run) -> None:
    """Raise `USAGE` where a ref is asked for beside the work tree."""
    from kradle_ctx.errors import ErrorCode, KradleError
    from kradle_ctx.model.refs import RefMode

    if run.request.ref.mode is not RefMode.CURRENT:
        raise KradleError(
            ErrorCode.USAGE, "--worktree does not go with a ref", "leave out one of them; --since names a base"
        )


def inside(repository: Path, named: str) -> str:
    """A path as the repository names it: from the working folder, or else from the repository's top folder.

    Raises `USAGE` for one outside.
    """
    from kradle_ctx.errors import ErrorCode, KradleError, quoted

    top = Path(os.path.normpath(repository.absolute()))
    for start in (working_folder(), top):
        # Links in it are taken as they are typed: what they lead to is never looked at.
        found = Path(os.path.normpath(start / named))
        if found.is_relative_to(top):
            return str(found.relative_to(top))
    raise KradleError(
        ErrorCode.USAGE,
        f"{quoted(named, LONGEST_PATH, 'path')} is not inside the brain's repository",
        "name files of the repository, from the working folder or from its top folder",
    )
