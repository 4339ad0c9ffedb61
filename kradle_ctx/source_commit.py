"""The commit that a derived index is made from: committing the index itself must not make it stale."""

from __future__ import annotations

from collections.abc import Mapping

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import CommitInfo
from kradle_ctx.ports import Repository

DERIVED = "indexes"
"""The folder of derived files, below the brain's root."""


def source_commit(repository: Repository, commit_id: str, root: str) -> CommitInfo:
    """The last commit, up to a given one, that changed anything of the brain at `root` outside its `indexes/`.

    A merge that holds there just what one of its parents holds changed nothing: that parent is followed, the first of
    them, as `git log -- PATH` does. Raises `MEMORY_HISTORY_INCOMPLETE` where that lies in history that a shallow clone
    has cut.
    """
    commit = repository.commit(commit_id)
    held = authored(repository, commit, root)
    while not repository.cut(commit.id):
        parents = (repository.commit(parent) for parent in commit.parents)
        same = next((parent for parent in parents if authored(repository, parent, root) == held), None)
        if same is None:
            return commit
        commit = same
    raise KradleError(
        ErrorCode.MEMORY_HISTORY_INCOMPLETE,
        f"the last change outside {DERIVED}/ is not available: this shallow clone ends at {commit.id}",
        "get the whole history: git fetch --unshallow (in CI: fetch-depth: 0)",
    )


def authored(repository: Repository, commit: CommitInfo, root: str) -> Mapping[str, str]:
    """What the brain's folder holds at a commit, beside what is derived."""
    entries = repository.snapshot(commit.id).entries(root)
    return {name: entry for name, entry in entries.items() if name != DERIVED}
