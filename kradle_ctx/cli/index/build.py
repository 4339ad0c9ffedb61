"""`index build`: read a commit into the index, before anybody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kradle_ctx.cli.index.report import (
    PLACE_OPTIONS,
    REPORT_FORMAT,
    ReportFormat,
    cache_of,
    write_fields,
    write_json,
)
from kradle_ctx.cli.options import ERROR_FORMAT, QUIET, ErrorFormat, takes
from kradle_ctx.cli.session import prepared, say
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kradle_ctx.place import Place
    from kradle_ctx.wiring import Run


@takes(PLACE_OPTIONS, report_format=REPORT_FORMAT, error_format=ERROR_FORMAT, quiet=QUIET)
def build(flags: RequestFlags, report_format: ReportFormat, error_format: ErrorFormat, quiet: bool) -> None:
    """Index a commit of the brain in the cache folder, so that the next question there is answered at once.

    Every command does so when it has to; to validate a whole brain none is made, as reading it once takes less time.
    The index holds the whole brain, and what it reports is of the whole brain.
    """
    from kradle_ctx.model.memory_mode import require_permitted
    from kradle_ctx.passages import BlobRedactor
    from kradle_ctx.place import find_brain

    cache = cache_of(flags)
    with prepared(flags, discover=True, quiet=quiet) as run:
        require_permitted("index build", run.request.memory_mode)
        place = find_brain(run.request, run.open_repository(), run.default_branch)
        try:
            value = BlobRedactor(run.redactor).shown(built(run, place, cache))
        except KeyboardInterrupt:
            say(("interrupted; what was read is kept, and the next run goes on from there",), quiet)
            raise
    if report_format is ReportFormat.JSON:
        write_json(value)
    else:
        write_fields(value | {"built": "now" if value["built"] else "already there"})
    say(tuple(run.index_store.notes), quiet)


def built(run: Run, place: Place, cache: Path) -> dict[str, Any]:
    """What the index holds once it is there; raises `OUTPUT_UNWRITABLE` where it cannot be kept."""
    from kradle_ctx.adapters.index.inventory import size_of, stored_tree

    known = stored_tree(cache, place.tree, run.request.ontology_path)
    index = run.index_store.open(place.snapshot, place.root, run.request.ontology_path)
    found = stored_tree(cache, place.tree, run.request.ontology_path)
    if found is None:
        raise not_kept(run.index_store.notes)
    return {
        "commit": place.pin.commit.id,
        "tree": place.tree,
        "documents": index.size,
        "files": len({outline.path for outline in index.outlines()}),
        "skipped": len(index.skipped),
        "store": str(found.folder),
        "bytes": size_of(found.folder),
        "built": known is None,
    }


def not_kept(notes: Sequence[str]) -> Exception:
    """The error for a cache that cannot be used; the store's notes say why."""
    from kradle_ctx.errors import ErrorCode, KradleError

    return KradleError(
        ErrorCode.OUTPUT_UNWRITABLE,
        "; ".join(notes) or "the index could not be kept",
        "set KRADLE_CACHE_DIR to a folder of your own with room in it",
    )
