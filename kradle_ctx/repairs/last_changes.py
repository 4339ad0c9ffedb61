"""When files of a work tree were last changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from kradle_ctx.model.timestamps import format_instant
from kradle_ctx.ports import Repository
from kradle_ctx.validation.files import BrainFiles

BlobsOf = Callable[[str], frozenset[str]]
"""The ids that Git may give a file of the work tree: as it is, and as it is with LF for line breaks."""


def last_changes(
    paths: Sequence[str], blobs_of: BlobsOf, now: datetime, root: str, repository: Repository, head: str | None
) -> Mapping[str, str]:
    """The instant of each path: that of the last commit which changed it, else now, where it is not committed as it is.

    `head` is the commit that is checked out, None where there is none yet. A path is left out where history does not
    tell, as in a shallow clone.
    """
    present = format_instant(now)
    if head is None:
        return dict.fromkeys(paths, present)
    files = BrainFiles(repository.snapshot(head), root)
    committed = [path for path in paths if files.blob(path) in blobs_of(path)]
    whole = {path: f"{root}/{path}" if root else path for path in committed}
    changed = repository.last_changed(head, list(whole.values())) if committed else {}
    found = {path: changed[whole[path]] for path in committed if whole[path] in changed}
    told = {path: format_instant(commit.committed_at) for path, commit in found.items()}
    return told | {path: present for path in paths if path not in whole}
