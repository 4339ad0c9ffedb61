"""Ports kept in memory, for tests of the stages; a contract suite holds them to what the real adapters do."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.graph import Skipped
from kradle_ctx.model.refs import Branch, CommitInfo, RefCandidate
from kradle_ctx.model.search import Found, Pattern, Span
from kradle_ctx.ports import Changes, File, Listing

IDENTITY = "Brain <brain@example.invalid>"
"""Author and committer of every commit made by a test."""

MAX_BLOB_BYTES = 1 << 20

REF_KINDS = {"refs/heads/": "branch", "refs/tags/": "tag", "refs/remotes/": "remote branch"}

Content = str | bytes


@dataclass(frozen=True, slots=True)
class StoredObject:
    """A Git object as it would lie in a repository; its id is the real one."""

    kind: str
    data: bytes

    @property
    def id(self) -> str:
        """The object's SHA-1."""
        return hashlib.sha1(f"{self.kind} {len(self.data)}\0".encode() + self.data).hexdigest()


@dataclass(slots=True)
class Folder:
    """Files, symlinks and folders of one folder, while a tree is made of them."""

    entries: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=dict)


class InMemoryRepository:
    """A repository of commits in memory, with the ids that Git would give them.

    Build it with `add_commit`, `set_branch`, `set_tag`, `set_remote_branch`, `set_head`, `set_remote_head`,
    `set_signer` and `cut_history`; read it through the `Repository` port.
    """

    def __init__(self) -> None:
        self.objects: dict[str, StoredObject] = {}
        self.refs: dict[str, str] = {}
        self.symbolic_refs: dict[str, str] = {"HEAD": "refs/heads/main"}
        self.boundary: set[str] = set()
        self.signers: dict[str, str] = {}

    # Building

    def add_commit(
        self,
        files: Mapping[str, Content],
        at: str,
        *,
        branch: str = "main",
        parents: Sequence[str] | None = None,
        symlinks: Mapping[str, str] | None = None,
    ) -> str:
        """Add a commit that holds exactly these files, on top of a branch unless parents are given; returns its id."""
        ref = f"refs/heads/{branch}"
        if parents is None:
            parents = [self.refs[ref]] if ref in self.refs else []
        seconds = int(datetime.fromisoformat(at).timestamp())
        lines = [f"tree {self._add_tree(files, symlinks or {})}", *(f"parent {parent}" for parent in parents)]
        lines += [f"{role} {IDENTITY} {seconds} +0000" for role in ("author", "committer")]
        commit = self._add("commit", ("\n".join(lines) + f"\n\n{at}\n").encode())
        self.refs[ref] = commit
        return commit

    def set_branch(self, name: str, commit: str) -> None:
        """Make or move a branch."""
        self.refs[f"refs/heads/{name}"] = commit

    def set_remote_branch(self, name: str, commit: str) -> None:
        """Make or move a branch of the remote `origin`."""
        self.refs[f"refs/remotes/origin/{name}"] = commit

    def set_tag(self, name: str, target: str, *, annotated: bool = False) -> None:
        """Make a tag of any object."""
        if annotated:
            kind = self.objects[target].kind
            text = f"object {target}\ntype {kind}\ntag {name}\ntagger {IDENTITY} 0 +0000\n\n{name}\n"
            target = self._add("tag", text.encode())
        self.refs[f"refs/tags/{name}"] = target

    def set_head(self, target: str) -> None:
        """Point HEAD at a branch by its name, or detach it at a commit id."""
        self.symbolic_refs.pop("HEAD", None)
        self.refs.pop("HEAD", None)
        if target in self.objects:
            self.refs["HEAD"] = target
        else:
            self.symbolic_refs["HEAD"] = f"refs/heads/{target}"

    def set_remote_head(self, branch: str) -> None:
        """Point `origin/HEAD` at a branch of the remote."""
        self.symbolic_refs["refs/remotes/origin/HEAD"] = f"refs/remotes/origin/{branch}"

    def set_signer(self, commit: str, key: str) -> None:
        """Let a commit count as signed by a public key, given as a line of OpenSSH's; no signature is made."""
        self.signers[commit] = key

    def cut_history(self, boundary: str) -> None:
        """Drop what is behind a commit, as a shallow clone does."""
        self.boundary.add(boundary)
        waiting = list(self._parse(boundary).parents)
        while waiting:
            behind = waiting.pop()
            waiting += self._parse(behind).parents
            del self.objects[behind]

    # The port

    @property
    def shallow(self) -> bool:
        """Whether history is cut."""
        return bool(self.boundary)

    def default_branch(self, configured: str | None) -> Branch:
        """The default branch: as configured, else `origin/HEAD`, else HEAD."""
        if configured is not None:
            places = ("",) if configured.startswith("refs/") else ("refs/heads/", "refs/remotes/origin/")
            names = [place + configured for place in places]
        else:
            names = ["refs/remotes/origin/HEAD", "HEAD"]
        for name in names:
            if name in self.refs or name in self.symbolic_refs:
                full_name = self.symbolic_refs.get(name, name)
                commit = self._peel(self._target(name))
                short = re.sub("^refs/(heads|remotes/origin)/", "", full_name)
                return Branch(commit if full_name == "HEAD" else short, full_name, commit)
        raise unresolved(f"the default branch {configured!r} does not exist")

    def candidates(self, name: str) -> tuple[RefCandidate, ...]:
        """Everything that a checked name could mean."""
        if name == "HEAD" or name.startswith("refs/"):
            names = [name]
        elif re.fullmatch("[0-9a-fA-F]{40}", name):
            names = []
        else:
            names = [place + name for place in ("refs/", "refs/tags/", "refs/heads/", "refs/remotes/")]
        refs = [self._ref_candidate(ref) for ref in names if ref in self.refs or ref in self.symbolic_refs]
        return (*refs, *self._object_candidates(name))

    def commit(self, commit_id: str) -> CommitInfo:
        """Read a commit."""
        if commit_id not in self.objects or self.objects[commit_id].kind != "commit":
            raise unresolved(f"there is no commit {commit_id}")
        return self._parse(commit_id)

    def first_parents(self, commit_id: str) -> Iterator[CommitInfo]:
        """Walk along first parents; ends at the root or the cut."""
        commit = self.commit(commit_id)
        yield commit
        while commit.parents and not self.cut(commit.id):
            commit = self.commit(commit.parents[0])
            yield commit

    def cut(self, commit_id: str) -> bool:
        """Whether a commit is a shallow boundary with parents."""
        return commit_id in self.boundary and bool(self._parse(commit_id).parents)

    def snapshot(self, commit_id: str) -> InMemorySnapshot:
        """The files of a commit."""
        return InMemorySnapshot(self.objects, self.commit(commit_id))

    def last_changed(self, commit_id: str, paths: Sequence[str]) -> Mapping[str, CommitInfo]:
        """The first-parent commit that last changed each path."""
        line = list(self.first_parents(commit_id))
        blobs = [{file.path: file.blob for file in self.snapshot(commit.id).listing("").files} for commit in line]
        changed = {}
        for path in paths:
            here = blobs[0].get(path)
            ends = [place for place in range(1, len(line)) if blobs[place].get(path) != here]
            if here is not None and (ends or not self.cut(line[-1].id)):
                changed[path] = line[ends[0] - 1 if ends else -1]
        return changed

    def signer(self, commit_id: str, keys: Sequence[str]) -> str | None:
        """Fingerprint of the public key among `keys` that signed the commit."""
        self.commit(commit_id)
        signed_by = self.signers.get(commit_id, "").split()[:2]
        if not signed_by or signed_by not in [key.split()[:2] for key in keys]:
            return None
        return "SHA256:" + base64.b64encode(hashlib.sha256(base64.b64decode(signed_by[1])).digest()).decode().rstrip(
            "="
        )

    def _add(self, kind: str, data: bytes) -> str:
        stored = StoredObject(kind, data)
        self.objects[stored.id] = stored
        return stored.id

    def _add_tree(self, files: Mapping[str, Content], symlinks: Mapping[str, str]) -> str:
        top = Folder()
        contents = [("100644", path, content) for path, content in files.items()]
        contents += [("120000", path, target) for path, target in symlinks.items()]
        for mode, path, content in contents:
            *folders, name = path.split("/")
            folder = top
            for part in folders:
                folder = folder.folders.setdefault(part, Folder())
            data = content.encode() if isinstance(content, str) else content
            folder.entries[name] = (mode, bytes.fromhex(self._add("blob", data)))
        return self._add_folder(top)

    def _add_folder(self, folder: Folder) -> str:
        rows = [(name.encode(), mode, object_id) for name, (mode, object_id) in folder.entries.items()]
        for name, inner in folder.folders.items():
            rows.append((name.encode() + b"/", "40000", bytes.fromhex(self._add_folder(inner))))
        rows.sort()
        data = b"".join(mode.encode() + b" " + name.rstrip(b"/") + b"\0" + object_id for name, mode, object_id in rows)
        return self._add("tree", data)

    def _parse(self, commit_id: str) -> CommitInfo:
        lines = self.objects[commit_id].data.decode().split("\n")
        parents = [line.removeprefix("parent ") for line in lines if line.startswith("parent ")]
        committer = next(line for line in lines if line.startswith("committer "))
        at = datetime.fromtimestamp(int(committer.split()[-2]), UTC)
        return CommitInfo(commit_id, lines[0].removeprefix("tree "), tuple(parents), at)

    def _target(self, ref: str) -> str:
        ref = self.symbolic_refs.get(ref, ref)
        if ref not in self.refs:
            raise unresolved(f"{ref!r} has no commit")
        return self.refs[ref]

    def _peel(self, object_id: str) -> str:
        while self.objects[object_id].kind == "tag":
            object_id = self.objects[object_id].data[len(b"object ") :][:40].decode()
        return object_id if self.objects[object_id].kind == "commit" else ""

    def _ref_candidate(self, ref: str) -> RefCandidate:
        kind = next((kind for place, kind in REF_KINDS.items() if ref.startswith(place)), "ref")
        return RefCandidate(kind, ref, self._peel(self._target(ref)))

    def _object_candidates(self, name: str) -> Iterator[RefCandidate]:
        if re.fullmatch("[0-9a-fA-F]{4,40}", name):
            for object_id in sorted(self.objects):
                if object_id.startswith(name.lower()):
                    yield RefCandidate(self.objects[object_id].kind, object_id, self._peel(object_id))


class InMemorySnapshot:
    """The files of one commit in memory."""

    def __init__(self, objects: Mapping[str, StoredObject], commit: CommitInfo) -> None:
        self._objects = objects
        self._commit = commit

    @property
    def commit(self) -> str:
        """The commit's full id."""
        return self._commit.id

    def has_folder(self, path: str) -> bool:
        """Whether a folder of that path exists."""
        return self._folder(path) is not None

    def tree(self, root: str) -> str:
        """Id of the tree at `root`."""
        return self._folder(root) or StoredObject("tree", b"").id

    def entries(self, folder: str) -> Mapping[str, str]:
        """What a folder holds itself, with modes and object ids."""
        tree = self._folder(folder)
        return {name: f"{mode} {object_id}" for name, mode, object_id in self._entries(tree)} if tree else {}

    def changes(self, base: str, root: str) -> Changes | None:
        """How the files below `root` differ from those of a tree."""
        empty = StoredObject("tree", b"").id
        if base not in self._objects and base != empty:
            return None
        old = self._listing(base) if base != empty else Listing(empty, (), ())
        new = self.listing(root)
        before = {(file.path, file.blob) for file in old.files}
        after = {(file.path, file.blob) for file in new.files}
        added = tuple(file for file in new.files if (file.path, file.blob) not in before)
        removed = tuple(file for file in old.files if (file.path, file.blob) not in after)
        return Changes(new.tree, added, removed, new.entries - old.entries, old.skipped != new.skipped)

    def listing(self, root: str) -> Listing:
        """List the files below `root`."""
        tree = self._folder(root)
        if tree is None:
            return Listing(StoredObject("tree", b"").id, (), ())
        return self._listing(tree)

    def _listing(self, tree: str) -> Listing:
        files, skipped = [], []
        for path, mode, blob in sorted(self._walk(tree, ""), key=lambda row: row[0].encode()):
            size = len(self._objects[blob].data)
            if mode == "120000":
                skipped.append(Skipped(path, "symlink"))
            elif size > MAX_BLOB_BYTES:
                skipped.append(Skipped(path, "too-large"))
            else:
                files.append(File(path, blob, size))
        return Listing(tree, tuple(files), tuple(skipped), self._count(tree))

    def _count(self, tree: str) -> int:
        entries = list(self._entries(tree))
        return len(entries) + sum(self._count(inner) for _, mode, inner in entries if mode == "40000")

    def place(self, blob: str) -> tuple[str, int]:
        """All at one place."""
        return ("", 0)

    def read(self, blob: str) -> bytes:
        """Read a blob whole."""
        if blob not in self._objects or self._objects[blob].kind != "blob":
            raise KradleError(ErrorCode.MEMORY_OBJECT_MISSING, f"object {blob} is missing", "it was never added")
        return self._objects[blob].data

    def _entries(self, tree: str) -> Iterable[tuple[str, str, str]]:
        rows = re.findall(rb"([0-7]+) ([^\0]+)\0(.{20})", self._objects[tree].data, re.DOTALL)
        return [(name.decode(), mode.decode(), object_id.hex()) for mode, name, object_id in rows]

    def _folder(self, path: str) -> str | None:
        tree = self._commit.tree
        for part in path.split("/") if path else ():
            folders = {name: object_id for name, mode, object_id in self._entries(tree) if mode == "40000"}
            if part not in folders:
                return None
            tree = folders[part]
        return tree

    def _walk(self, tree: str, prefix: str) -> Iterator[tuple[str, str, str]]:
        for name, mode, object_id in self._entries(tree):
            if mode == "40000":
                yield from self._walk(object_id, f"{prefix}{name}/")
            else:
                yield prefix + name, mode, object_id


class InMemorySearcher:
    """Searches a file with Python's own regular expressions, line by line and without regard to case."""

    def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
        """All non-overlapping matches that are not empty, in the order of the file."""
        ascii_border = "(?-u:\\b)"  # ripgrep's spelling; Python's own border gives the same matches on whole words
        alternatives = [f"(?:{pattern.expression.replace(ascii_border, chr(92) + 'b')})" for pattern in patterns]
        if not alternatives:
            return Found()
        try:
            expression = re.compile("|".join(alternatives), re.IGNORECASE)
        except re.error as error:
            raise KradleError(ErrorCode.USAGE, f"not a regular expression: {error}", "mend the regex") from None
        spans, offset = [], 0
        for line in corpus.read_bytes().split(b"\n"):
            text = line.removesuffix(b"\r").decode("utf-8", "surrogateescape")
            for found in expression.finditer(text):
                if found.group():
                    before = len(text[: found.start()].encode("utf-8", "surrogateescape"))
                    size = len(found.group().encode("utf-8", "surrogateescape"))
                    spans.append(Span(offset + before, offset + before + size))
            offset += len(line) + 1
        return Found(tuple(spans))


class FixedClock:
    """Always the same time."""

    def __init__(self, at: str = "2026-05-15T12:00:00Z") -> None:
        self._at = datetime.fromisoformat(at)

    def now(self) -> datetime:
        """That time."""
        return self._at


def unresolved(message: str) -> KradleError:
    """A `MEMORY_REF_UNRESOLVED` error."""
    return KradleError(ErrorCode.MEMORY_REF_UNRESOLVED, message, "name what was added")
