"""Which commit last changed a path, by comparing entry ids along first parents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kradle_ctx.adapters.git_objects import ObjectReader
from kradle_ctx.adapters.git_tree import Entry, read_tree
from kradle_ctx.model.refs import CommitInfo

MAX_COMMITS = 5_000
"""How many commits are compared; a path that did not change in them is left out."""

MAX_ENTRIES = 2_000_000
"""How many tree entries are parsed before the walk gives up, so that folders of many files end in bounded time."""

KEPT_ENTRIES = 100_000
"""How many parsed entries are kept for the next commit."""

EntryId = tuple[int, bytes] | None
Folder = dict[bytes, Entry]


def last_changed(
    trees: Trees,
    history: Iterable[CommitInfo],
    cut: Callable[[str], bool],
    paths: Sequence[str],
) -> dict[str, CommitInfo]:
    """The commit of a first-parent `history` that last changed each path, as far as the walk's limits allow."""
    trees.begin()
    waiting: dict[str, EntryId] = {}
    changed: dict[str, CommitInfo] = {}
    newer: CommitInfo | None = None
    for position, commit in enumerate(history):
        if newer is None:
            found = ((path, trees.entry(commit.tree, path)) for path in paths)
            waiting = {path: entry for path, entry in found if entry is not None}
        elif commit.tree != newer.tree:
            for path in [path for path, entry in waiting.items() if trees.entry(commit.tree, path) != entry]:
                changed[path] = newer
                del waiting[path]
        newer = commit
        if not waiting or position + 1 >= MAX_COMMITS or trees.exhausted:
            return changed
    if newer is not None and not cut(newer.id):
        changed.update(dict.fromkeys(waiting, newer))
    return changed


class Trees:
    """Parsed trees by id; two neighbouring commits share nearly all of them, and so do two walks."""

    def __init__(self, objects: ObjectReader) -> None:
        self._objects = objects
        self._folders: dict[str, Folder] = {}
        self._kept = 0
        self._parsed = 0

    def begin(self) -> None:
        """Begin a walk."""
        self._parsed = 0

    @property
    def exhausted(self) -> bool:
        """Whether too many entries have been parsed."""
        return self._parsed > MAX_ENTRIES

    def entry(self, tree_id: str, path: str) -> EntryId:
        """Mode and binary id of the entry at a path, None where there is none."""
        *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
        for folder in folders:
            entry = self._folder(tree_id).get(folder)
            if entry is None or not entry.is_folder:
                return None
            tree_id = entry.object_id.hex()
        last = self._folder(tree_id).get(name)
        return None if last is None else (last.mode, last.object_id)

    def _folder(self, tree_id: str) -> Folder:
        folder = self._folders.get(tree_id)
        if folder is None:
            folder = {entry.name: entry for entry in read_tree(self._objects, tree_id)}
            self._parsed += len(folder)
            self._keep(tree_id, folder)
        return folder

    def _keep(self, tree_id: str, folder: Folder) -> None:
        """Keep a parsed tree, all of them dropped when they grow too many."""
        self._kept += len(folder)
        if self._kept > KEPT_ENTRIES:
            self._folders.clear()
            self._kept = len(folder)
        self._folders[tree_id] = folder
