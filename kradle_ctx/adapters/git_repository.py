"""A Git repository on disk, read through libgit2: objects and refs alone, never a work tree, never a fetch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kradle_ctx.adapters.git_history import Trees, last_changed
from kradle_ctx.adapters.git_kinds import ObjectType
from kradle_ctx.adapters.git_objects import ObjectReader, kind_name
from kradle_ctx.adapters.git_open import OpenedRepository, open_exactly
from kradle_ctx.adapters.git_refs import RefReader, unresolved
from kradle_ctx.adapters.git_tree import EMPTY_TREE, TreeLimits, TreeLister, find_folder, read_tree
from kradle_ctx.model.refs import Branch, CommitInfo, RefCandidate
from kradle_ctx.ports import Changes, Listing, Repository, Snapshot


def open_repository(path: Path) -> Repository:
    """Open the repository at exactly `path`; raises `MEMORY_REPOSITORY_UNAVAILABLE`."""
    return GitRepository(open_exactly(path))


class GitRepository:
    """The `Repository` port over one opened repository."""

    def __init__(self, opened: OpenedRepository) -> None:
        self._boundary = opened.boundary
        self._objects = ObjectReader(opened.folder / "objects")
        self._trees = Trees(self._objects)
        self._refs = RefReader(opened, self._objects)

    @property
    def shallow(self) -> bool:
        """Whether history is cut."""
        return bool(self._boundary)

    def default_branch(self, configured: str | None) -> Branch:
        """The default branch: as configured, else `origin/HEAD`, else HEAD; raises `MEMORY_REF_UNRESOLVED`."""
        return self._refs.default_branch(configured)

    def candidates(self, name: str) -> tuple[RefCandidate, ...]:
        """Every branch, tag, remote branch and object that a checked name could mean, in a fixed order."""
        return self._refs.candidates(name)

    def commit(self, commit_id: str) -> CommitInfo:
        """Read a commit; raises `MEMORY_REF_UNRESOLVED` when it is absent or no commit."""
        self._require_commit(commit_id)
        return self._objects.commit(commit_id)

    def first_parents(self, commit_id: str) -> Iterator[CommitInfo]:
        """Walk from a commit along first parents, the given one first; ends at the root or the cut."""
        commit = self.commit(commit_id)
        yield commit
        while commit.parents and not self.cut(commit.id):
            commit = self._objects.commit(commit.parents[0])
            yield commit

    def cut(self, commit_id: str) -> bool:
        """Whether a commit is a shallow boundary: it has parents, and history ends at it all the same."""
        return commit_id in self._boundary and bool(self._objects.commit(commit_id).parents)

    def snapshot(self, commit_id: str) -> Snapshot:
        """The files of a commit."""
        return GitSnapshot(self._objects, self.commit(commit_id))

    def last_changed(self, commit_id: str, paths: Sequence[str]) -> Mapping[str, CommitInfo]:
        """The first-parent commit that last changed each path; a path of unknown history is left out."""
        return last_changed(self._trees, self.first_parents(commit_id), self.cut, paths)

    def signer(self, commit_id: str, keys: Sequence[str]) -> str | None:
        """Fingerprint of the public key among `keys` that signed the whole commit; None when none of them did."""
        self._require_commit(commit_id)
        if not keys:
            return None
        from kradle_ctx.adapters.git_signatures import check_commit

        return check_commit(self._objects.raw_commit(commit_id), keys).signer

    def _require_commit(self, commit_id: str) -> None:
        found = self._objects.find(commit_id)
        if found is None:
            raise unresolved(f"there is no commit {commit_id}", "check the id, or fetch it into this clone")
        if found[0] != ObjectType.COMMIT:
            raise unresolved(
                f"{commit_id} is a {kind_name(found[0])}, not a commit", "name a commit, a branch or a tag"
            )


class GitSnapshot:
    """The `Snapshot` port over one commit."""

    def __init__(self, objects: ObjectReader, commit: CommitInfo, limits: TreeLimits | None = None) -> None:
        self._objects = objects
        self._commit = commit
        self._limits = limits or TreeLimits()
        self._measured: set[str] = set()

    @property
    def commit(self) -> str:
        """The commit's full id."""
        return self._commit.id

    def has_folder(self, path: str) -> bool:
        """Whether a folder of that path exists at the commit."""
        return find_folder(self._objects, self._commit.tree, path) is not None

    def tree(self, root: str) -> str:
        """Id of the tree at `root`, that of the empty tree where there is none."""
        return find_folder(self._objects, self._commit.tree, root) or EMPTY_TREE

    def entries(self, folder: str) -> Mapping[str, str]:
        """What a folder holds itself: by name the octal mode, a space and the object id; nothing where it is absent."""
        tree = find_folder(self._objects, self._commit.tree, folder)
        rows = read_tree(self._objects, tree) if tree is not None else []
        return {row.name.decode("utf-8", "surrogateescape"): f"{row.mode:o} {row.object_id.hex()}" for row in rows}

    def listing(self, root: str) -> Listing:
        """List the files below `root`; raises `LIMIT_EXCEEDED` and `MEMORY_OBJECT_MISSING`."""
        listing = TreeLister(self._objects, self._limits).list_files(self.tree(root))
        self._measured.update(file.blob for file in listing.files)
        return listing

    def changes(self, base: str, root: str) -> Changes | None:
        """How the files below `root` differ from those of a tree; None where the repository does not hold that."""
        if base != EMPTY_TREE and self._objects.find(base) is None:
            return None
        changes = TreeLister(self._objects, self._limits).list_changes(base, self.tree(root))
        self._measured.update(file.blob for file in changes.added)
        return changes

    def place(self, blob: str) -> tuple[str, int]:
        """The pack that holds a blob and its offset there; loose ones come first."""
        return self._objects.place(blob)

    def read(self, blob: str) -> bytes:
        """Read a blob whole, its size asked first; raises `MEMORY_OBJECT_MISSING` and `LIMIT_EXCEEDED`."""
        if blob in self._measured:
            return self._objects.read_sized(blob)
        return self._objects.read(blob, ObjectType.BLOB, self._limits.blob_bytes)
