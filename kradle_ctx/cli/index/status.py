"""`index status`: what is indexed, and whether committed derived files are those of their commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kradle_ctx.cli.exit_codes import DONE, NO
from kradle_ctx.cli.index.export import exported
from kradle_ctx.cli.index.report import (
    GRANTED_OPTIONS,
    REPORT_FORMAT,
    ReportFormat,
    cache_of,
    write_fields,
    write_json,
    write_lines,
)
from kradle_ctx.cli.options import ERROR_FORMAT, OUTPUT, QUIET, ErrorFormat, switch, takes
from kradle_ctx.cli.session import prepared, say
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from pathlib import Path

    from kradle_ctx.place import Place


@takes(
    GRANTED_OPTIONS,
    check=switch(
        OUTPUT,
        "Say whether indexes/ at the commit holds what index export writes; exit 1 where it does not.",
        "--check",
    ),
    report_format=REPORT_FORMAT,
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def status(
    flags: RequestFlags, check: bool, report_format: ReportFormat, error_format: ErrorFormat, quiet: bool
) -> int | None:
    """Say whether a commit is indexed, and what else the cache folder holds; nothing is built.

    With --check, say instead whether the derived files that the commit holds are those of the commit.
    """
    if check:
        return checked(flags, report_format, quiet)
    from kradle_ctx.model.memory_mode import require_permitted
    from kradle_ctx.passages import BlobRedactor
    from kradle_ctx.place import find_brain

    cache = cache_of(flags)
    with prepared(flags, discover=True, quiet=quiet) as run:
        require_permitted("index status", run.request.memory_mode)
        place = find_brain(run.request, run.open_repository(), run.default_branch)
        value = BlobRedactor(run.redactor).shown(status_value(place, run.request.ontology_path, cache))
    write_json(value) if report_format is ReportFormat.JSON else write_fields(as_fields(value))
    return None


def checked(flags: RequestFlags, report_format: ReportFormat, quiet: bool) -> int:
    """Compare the derived files at the commit with those that would be written; gives 1 where they differ."""
    from kradle_ctx.index import Committed, committed_state
    from kradle_ctx.passages import BlobRedactor
    from kradle_ctx.place import find_brain

    with prepared(flags, discover=True, quiet=quiet) as run:
        made = exported(run, "index status")
        place = find_brain(run.request, run.open_repository(), run.default_branch)
        states = BlobRedactor(run.redactor).shown(committed_state(made, place))
    current = set(states.values()) == {Committed.CURRENT}
    if report_format is ReportFormat.JSON:
        files = [{"path": path, "state": state.value} for path, state in states.items()]
        write_json({"commit": made.commit, "sourceCommit": made.source_commit, "current": current, "files": files})
    else:
        write_lines([f"{path}: {state.value}" for path, state in states.items() if state is not Committed.CURRENT])
    hint = () if current else (f"checked {made.commit}; `index export` with the same grants writes what it is to hold",)
    say((*run.assumed, *run.index_store.notes, *hint), quiet)
    return DONE if current else NO


def status_value(place: Place, ontology_path: str | None, cache: Path) -> dict[str, Any]:
    """What the cache holds of a commit, and beside it."""
    from kradle_ctx.adapters.index.inventory import size_of, stored_tree, stores
    from kradle_ctx.adapters.index.schema import VERSION
    from kradle_ctx.model.timestamps import format_instant

    found = stored_tree(cache, place.tree, ontology_path)
    value: dict[str, Any] = {"commit": place.pin.commit.id, "tree": place.tree, "indexed": found is not None}
    if found is not None:
        value["store"] = {
            "folder": str(found.folder),
            "since": format_instant(found.since),
            "documents": found.documents,
            "views": found.views,
            "bytes": size_of(found.folder),
        }
    others = [
        {
            "folder": str(store.folder),
            "version": store.version,
            "bytes": store.bytes,
            "lastUsed": format_instant(store.last_used),
        }
        for store in stores(cache)
        if found is None or store.folder != found.folder
    ]
    return value | {"version": VERSION, "cache": str(cache), "others": others}


def as_fields(value: dict[str, Any]) -> dict[str, Any]:
    """The same for a person: a line for each field and for each other store."""
    store = value.get("store")
    fields = {"commit": value["commit"], "tree": value["tree"], "indexed": "no"}
    if store is not None:
        fields["indexed"] = f"since {store['since']}, {store['documents']} documents"
        trees = "1 tree" if store["views"] == 1 else f"{store['views']} trees"
        fields["store"] = f"{store['folder']}, {store['bytes']} bytes for {trees}"
    fields |= {"version": value["version"], "cache": value["cache"]}
    for number, other in enumerate(value["others"], start=1):
        told = f"{other['folder']}, {other['bytes']} bytes, version {other['version']}"
        fields[f"other {number}"] = f"{told}, last used {other['lastUsed']}"
    return fields
