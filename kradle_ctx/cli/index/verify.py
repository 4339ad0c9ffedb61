"""`index verify`: whether indexes are what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kradle_ctx.cli.exit_codes import DONE, NO
from kradle_ctx.cli.index.report import (
    PLACE_OPTIONS,
    REPORT_FORMAT,
    ReportFormat,
    cache_of,
    write_json,
    write_lines,
)
from kradle_ctx.cli.options import ERROR_FORMAT, OUTPUT, QUIET, ErrorFormat, switch, takes
from kradle_ctx.cli.session import prepared, say
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from kradle_ctx.adapters.index.verifying import Verified, WantedTree


@takes(
    PLACE_OPTIONS,
    repair=switch(OUTPUT, "Remove what is damaged; it is made anew when it is needed.", "--repair"),
    report_format=REPORT_FORMAT,
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def verify(
    flags: RequestFlags, repair: bool, report_format: ReportFormat, error_format: ErrorFormat, quiet: bool
) -> int:
    """Check the indexes in the cache folder, row by row and byte by byte, or the one that holds the given brain.

    Ends with 1 where one is damaged and was not removed.
    """
    from kradle_ctx.adapters.index.verifying import verify as verify_cache
    from kradle_ctx.cli.secrets import without_secrets

    cache = cache_of(flags)
    verified = list(verify_cache(cache, wanted_tree(flags, quiet), repair=repair))
    value = without_secrets(verify_value(verified))
    if report_format is ReportFormat.JSON:
        write_json(value)
    else:
        write_lines([f"{store['folder']}: {fault}" for store in value["stores"] for fault in store["faults"]])
    skipped = [f"{entry.store.folder} was not checked: {entry.skipped}" for entry in verified if entry.skipped]
    count = len(verified) - len(skipped)
    say((*skipped, f"{count} {'index was' if count == 1 else 'indexes were'} checked"), quiet)
    return DONE if value["sound"] else NO


def wanted_tree(flags: RequestFlags, quiet: bool) -> WantedTree | None:
    """The tree of the brain that is named; None where none is, and then no brain is opened."""
    if flags == RequestFlags(memory_mode=flags.memory_mode):
        return None
    from kradle_ctx.adapters.index.verifying import WantedTree
    from kradle_ctx.model.memory_mode import require_permitted
    from kradle_ctx.place import find_brain

    with prepared(flags, discover=True, quiet=quiet) as run:
        require_permitted("index verify --brain", run.request.memory_mode)
        place = find_brain(run.request, run.open_repository(), run.default_branch)
        return WantedTree(place.tree, run.request.ontology_path or "")


def verify_value(verified: list[Verified]) -> dict[str, Any]:
    """What was found of each index."""
    rows = [
        {
            "folder": str(entry.store.folder),
            "bytes": entry.store.bytes,
            "faults": list(entry.faults),
            "removed": entry.removed,
            "skipped": entry.skipped,
        }
        for entry in verified
    ]
    return {"sound": all(entry.removed or not entry.faults for entry in verified), "stores": rows}
