"""Whether the derived files that a commit holds say that they are made from it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from kradle_ctx.validation.files import BrainFiles

FOLDER = "indexes"

NAMES = ("graph-index.json", "ontology-report.json", "search-manifest.json")
"""What `index export` writes."""


def stale_indexes(files: BrainFiles, source_commit: str) -> Iterator[tuple[str, str]]:
    """Each derived file that is stale or missing, with the reason; nothing where none is committed.

    A file that is larger than what is read of a brain is taken as what the others are, since all are written together.
    """
    held = [path for path in (f"{FOLDER}/{name}" for name in NAMES) if files.blob(path) is not None]
    for path in (f"{FOLDER}/{name}" for name in NAMES if held):
        if path not in held:
            yield path, "this index is missing beside the others"
            continue
        data = files.data(path)
        made_from = source_of(data) if data else source_commit
        if made_from != source_commit:
            told = f"commit {made_from}" if made_from is not None else "no commit that it names"
            yield path, f"this index is made from {told}, and the brain's last change is {source_commit}"


def source_of(data: bytes) -> str | None:
    """The commit that a derived file is made from; None where it says none."""
    try:
        value = json.loads(data)
        stated = value.get("sourceCommit")
    except (ValueError, AttributeError, RecursionError):
        return None
    return stated if isinstance(stated, str) and len(stated) == 40 and stated.isalnum() else None
