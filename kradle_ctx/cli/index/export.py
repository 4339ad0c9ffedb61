"""`index export`: the derived files of a commit, to be committed beside what they are derived from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kradle_ctx.cli.index.report import (
    GRANTED_OPTIONS,
    REPORT_FORMAT,
    ReportFormat,
    write_json,
    write_lines,
)
from kradle_ctx.cli.options import BRAIN_OPTIONS, ERROR_FORMAT, OUTPUT, QUIET, ErrorFormat, option, takes
from kradle_ctx.cli.session import prepared, say
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from kradle_ctx.index import Export
    from kradle_ctx.wiring import Run


@takes(
    GRANTED_OPTIONS | {"no_index": BRAIN_OPTIONS["no_index"]},
    output=option(str, OUTPUT, "The folder to write into.", "--output", "-o", metavar="DIR", default="indexes"),
    report_format=REPORT_FORMAT,
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def export(
    flags: RequestFlags, output: str, report_format: ReportFormat, error_format: ErrorFormat, quiet: bool
) -> None:
    """Write graph-index.json, ontology-report.json and search-manifest.json of a commit, the same bytes everywhere.

    They hold what the grants allow. Without grants those are .kradle/ of this folder, else the whole repository at
    public and internal, and the command says which.
    """
    from kradle_ctx.adapters.atomic_output import AtomicOutput, make_folder
    from kradle_ctx.passages import BlobRedactor

    with prepared(flags, discover=True, quiet=quiet) as run:
        made = exported(run, "index export")
        folder = Path(output)
        make_folder(folder)
        for name, data in made.files.items():
            AtomicOutput().write(folder / name, data)
        written = [{"path": str(folder / name), "bytes": len(data)} for name, data in made.files.items()]
        files = BlobRedactor(run.redactor).shown(written)
    if report_format is ReportFormat.JSON:
        write_json({"commit": made.commit, "sourceCommit": made.source_commit, "files": files})
    else:
        write_lines([f"wrote {file['path']} ({file['bytes']} bytes)" for file in files])
    say((*run.assumed, *run.index_store.notes), quiet)


def exported(run: Run, operation: str) -> Export:
    """The derived files of a prepared run, without a store where that turns out to be damaged."""
    from kradle_ctx.model.access import require_grant
    from kradle_ctx.model.memory_mode import require_permitted
    from kradle_ctx.ports import IndexDamaged

    require_permitted(operation, run.request.memory_mode)
    require_grant(run.access)
    try:
        return exported_once(run)
    except IndexDamaged as damage:
        run.index_store.give_up(str(damage))
        return exported_once(run)


def exported_once(run: Run) -> Export:
    """The derived files; raises `IndexDamaged`."""
    from kradle_ctx.index import export as export_index

    return export_index(
        run.request,
        run.access,
        default_branch=run.default_branch,
        repository=run.open_repository(),
        index_store=run.index_store,
        surveyor=run.open_surveyor(),
        redactor=run.redactor,
    )
