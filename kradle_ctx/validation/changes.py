"""Which files two snapshots of a brain do not share."""

from __future__ import annotations

from kradle_ctx.ports import Snapshot
from kradle_ctx.validation.scope import Changed


def changed_files(base: Snapshot, head: Snapshot, root: str) -> Changed:
    """The paths below a root that differ; of what is no readable file, too, where that came or went."""
    changes = head.changes(base.tree(root), root)
    if changes is None or changes.skipped:
        return listed(base, head, root)
    added = frozenset(file.path for file in changes.added)
    return Changed(added, frozenset(file.path for file in changes.removed))


def listed(base: Snapshot, head: Snapshot, root: str) -> Changed:
    """The same from whole listings."""
    before, after = contents(base, root), contents(head, root)
    added = {path for path, content in after.items() if before.get(path) != content}
    removed = {path for path, content in before.items() if after.get(path) != content}
    return Changed(frozenset(added), frozenset(removed))


def contents(snapshot: Snapshot, root: str) -> dict[str, str]:
    """What stands at each path: a blob, or why there is none."""
    listing = snapshot.listing(root)
    return {file.path: file.blob for file in listing.files} | {entry.path: entry.reason for entry in listing.skipped}
