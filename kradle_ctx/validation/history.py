"""The commit from which a change departed."""

from __future__ import annotations

from heapq import heappop, heappush

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import CommitInfo
from kradle_ctx.ports import Repository

OURS, THEIRS, BOTH = 1, 2, 3


def merge_base(repository: Repository, head: CommitInfo, base: CommitInfo) -> CommitInfo | None:
    """The latest commit from which both can be reached, None where their histories have nothing in common.

    Commits are walked from the latest to the earliest on both sides. Raises `MEMORY_HISTORY_INCOMPLETE` where a shallow
    clone has cut the history that would tell.
    """
    seen: dict[str, int] = {}
    waiting: list[tuple[float, str]] = []
    known: dict[str, CommitInfo] = {}
    cut = False

    def reach(commit: CommitInfo, side: int) -> None:
        if seen.get(commit.id, 0) | side != seen.get(commit.id, 0):
            seen[commit.id] = seen.get(commit.id, 0) | side
            known[commit.id] = commit
            heappush(waiting, (-commit.committed_at.timestamp(), commit.id))

    reach(head, OURS)
    reach(base, THEIRS)
    while waiting:
        _, commit_id = heappop(waiting)
        side = seen[commit_id]
        if side == BOTH:
            return known[commit_id]
        if repository.cut(commit_id):
            cut = True
            continue
        for parent in known[commit_id].parents:
            reach(repository.commit(parent), side)
    if cut:
        raise KradleError(
            ErrorCode.MEMORY_HISTORY_INCOMPLETE,
            "where the change departed from its base is not available: this is a shallow clone",
            "get the whole history: git fetch --unshallow (in CI: fetch-depth: 0)",
        )
    return None
