"""`index prune`: take indexes away that nobody needs any more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kradle_ctx.cli.index.report import (
    REPORT_FORMAT,
    ReportFormat,
    cache_of,
    write_json,
    write_lines,
)
from kradle_ctx.cli.options import ERROR_FORMAT, QUIET, ErrorFormat, option, switch, takes
from kradle_ctx.cli.session import say
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from datetime import timedelta

    from kradle_ctx.adapters.index.pruning import Pruned

WHAT = "What goes"
UNITS = {"h": 1, "d": 24, "w": 24 * 7}
"""Hours of each unit of an age."""


@takes(
    {},
    older_than=option(
        str,
        WHAT,
        "Indexes that were unused for so long: hours, days or weeks, such as 12h, 30d or 2w.",
        metavar="AGE",
        default="30d",
    ),
    max_bytes=option(
        int,
        WHAT,
        "Of the rest, those used longest ago, until so many bytes are left.",
        metavar="N",
        at_least=0,
    ),
    everything=switch(WHAT, "All of them.", "--all"),
    dry_run=switch(WHAT, "Say what would go, and remove nothing.", "--dry-run"),
    report_format=REPORT_FORMAT,
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def prune(
    older_than: str,
    max_bytes: int | None,
    everything: bool,
    dry_run: bool,
    report_format: ReportFormat,
    error_format: ErrorFormat,
    quiet: bool,
) -> None:
    """Remove indexes from the cache folder: those long unused, those beyond a size, and those of other versions.

    What is removed is made anew when it is needed. An index that is being written stays, and nothing but indexes is
    touched.
    """
    from datetime import UTC, datetime

    from kradle_ctx.adapters.index.pruning import Policy
    from kradle_ctx.adapters.index.pruning import prune as prune_cache
    from kradle_ctx.cli.secrets import without_secrets

    policy = Policy(age_from(older_than), max_bytes, everything)
    # Ages are those of files on this machine, so SOURCE_DATE_EPOCH does not count here.
    pruned = prune_cache(cache_of(RequestFlags()), policy, datetime.now(UTC), dry_run=dry_run)
    value = without_secrets(prune_value(pruned, dry_run))
    if report_format is ReportFormat.JSON:
        write_json(value)
    else:
        write_lines(prune_lines(value))
    say(tuple(f"{entry.store.folder} stays: {entry.kept}" for entry in pruned if entry.kept), quiet)


def age_from(text: str) -> timedelta:
    """Read an age such as `30d`; raises `USAGE`."""
    from datetime import timedelta

    from kradle_ctx.errors import ErrorCode, KradleError, quoted

    found = re.fullmatch("([0-9]{1,5})([hdw])", text, re.ASCII)
    if found is None:
        raise KradleError(
            ErrorCode.USAGE, f"{quoted(text, 40, 'text')} is no age", "write hours, days or weeks: 12h, 30d, 2w"
        )
    return timedelta(hours=int(found[1]) * UNITS[found[2]])


def prune_value(pruned: list[Pruned], dry_run: bool) -> dict[str, Any]:
    """What went and what stayed."""
    from kradle_ctx.model.timestamps import format_instant

    rows = [
        {
            "folder": str(entry.store.folder),
            "version": entry.store.version,
            "bytes": entry.store.bytes,
            "lastUsed": format_instant(entry.store.last_used),
            "reason": entry.reason,
            "kept": entry.kept,
        }
        for entry in pruned
    ]
    removed = [{name: row[name] for name in row if name != "kept"} for row in rows if not row["kept"]]
    kept = [row for row in rows if row["kept"]]
    freed = sum(entry.store.bytes for entry in pruned if not entry.kept)
    return {"dryRun": dry_run, "removed": removed, "kept": kept, "freedBytes": freed}


def prune_lines(value: dict[str, Any]) -> list[str]:
    """The same for a person."""
    verb, freed = ("would remove", "would free") if value["dryRun"] else ("removed", "freed")
    lines = [
        f"{verb} {row['folder']} ({row['bytes']} bytes, {row['reason']}, last used {row['lastUsed']})"
        for row in value["removed"]
    ]
    return [*lines, f"{freed} {value['freedBytes']} bytes"]
