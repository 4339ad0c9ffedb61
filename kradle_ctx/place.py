"""Where a brain is: a commit, its files, and the folder in them."""

from __future__ import annotations

from msgspec import Struct

from kradle_ctx.model.refs import CommitPin
from kradle_ctx.model.request import Request
from kradle_ctx.ports import Repository, Snapshot
from kradle_ctx.stages.load import brain_root, require_folder
from kradle_ctx.stages.resolve import resolve


class Place(Struct, frozen=True):
    """A pinned commit, its files, and the brain's folder in it, empty for the whole tree."""

    pin: CommitPin
    snapshot: Snapshot
    root: str

    @property
    def tree(self) -> str:
        """Id of the tree at the brain's root."""
        return self.snapshot.tree(self.root)


def find_brain(request: Request, repository: Repository, default_branch: str | None) -> Place:
    """Resolve the request's ref and find the brain's folder at the commit; raises where either is not there."""
    pin = resolve(repository, request.ref, configured_branch=default_branch)
    snapshot = repository.snapshot(pin.commit.id)
    root = brain_root(snapshot, request)
    require_folder(snapshot, root)
    return Place(pin, snapshot, root)
