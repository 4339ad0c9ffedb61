"""The commit from which a change departed."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import CommitInfo
from kradle_ctx.ports import Repository

OURS, THEIRS, BEHIND = 1, 2, 4
BOTH = OURS | THEIRS
"""From which side a commit is reached, and whether it is behind one that both reach."""


def merge_base(repository: Repository, head: CommitInfo, base: CommitInfo) -> CommitInfo | None:
    """The commit from which both can be reached and that is behind no other such commit; None where there is none.

    Of several it is the latest. Raises `MEMORY_HISTORY_INCOMPLETE` where a shallow clone has cut history that may hold
    a later one.
    """
    walk = Walk(repository)
    walk.reach(head, OURS)
    walk.reach(base, THEIRS)
    found = without_ancestors(repository, walk.common())
    if walk.is_cut:
        raise KradleError(
            ErrorCode.MEMORY_HISTORY_INCOMPLETE,
            "where the change departed from its base is not available: this is a shallow clone",
            "get the whole history: git fetch --unshallow (in CI: fetch-depth: 0)",
        )
    return max(found, key=lambda commit: (commit.committed_at, commit.id), default=None)


class Walk:
    """A walk from the latest commit to the earliest, which ends when only what is behind common commits is left.

    Clocks can be wrong: a commit that comes too early is looked at again when more is known of it.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[str, CommitInfo] = {}
        self._marks: dict[str, int] = {}
        self._waiting: list[tuple[float, str]] = []
        self._fresh: set[str] = set()
        self._cut: list[str] = []

    @property
    def is_cut(self) -> bool:
        """Whether history is cut that is not behind a common commit."""
        return any(not self._marks[commit_id] & BEHIND for commit_id in self._cut)

    def reach(self, commit: CommitInfo, marks: int) -> None:
        """Take a commit in, where that says something new of it."""
        before = self._marks.get(commit.id, 0)
        if before | marks != before:
            self._known[commit.id] = commit
            self._marks[commit.id] = before | marks
            heappush(self._waiting, (-commit.committed_at.timestamp(), commit.id))
            (self._fresh.discard if self._marks[commit.id] & BEHIND else self._fresh.add)(commit.id)

    def common(self) -> list[CommitInfo]:
        """The commits that both sides reach and that are not known to be behind others."""
        found: dict[str, None] = {}
        while self._fresh:
            _, commit_id = heappop(self._waiting)
            self._fresh.discard(commit_id)
            marks = self._marks[commit_id]
            if marks == BOTH:
                found[commit_id] = None
                marks |= BEHIND
            elif self._repository.cut(commit_id):
                self._cut.append(commit_id)
            for parent in self._parents(commit_id):
                self.reach(self._repository.commit(parent), marks)
        return [self._known[commit_id] for commit_id in found if not self._marks[commit_id] & BEHIND]

    def _parents(self, commit_id: str) -> Sequence[str]:
        return () if self._repository.cut(commit_id) else self._known[commit_id].parents


def without_ancestors(repository: Repository, found: Sequence[CommitInfo]) -> Sequence[CommitInfo]:
    """Those of some commits that are not behind others of them."""
    behind: set[str] = set()
    waiting = list(found) if len(found) > 1 else []
    while waiting:
        commit = waiting.pop()
        parents = () if repository.cut(commit.id) else commit.parents
        waiting += [repository.commit(parent) for parent in parents if parent not in behind]
        behind.update(parents)
    return [commit for commit in found if commit.id not in behind]
