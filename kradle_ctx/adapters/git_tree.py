"""Raw trees: parsing, refusing malformed ones, and listing the files of a commit within limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from kradle_ctx.adapters.git_kinds import ObjectType
from kradle_ctx.adapters.git_objects import ObjectReader, kind_name, missing
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.graph import Skipped
from kradle_ctx.ports import Changes, File, Listing

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

MAX_TREE_BYTES = 32 << 20
"""Largest tree object that is read; 200,000 entries with names of 100 bytes fit."""

ENTRY = lazy_expression(rb"([0-7]{5,6}) ([^\0]+)\0(.{20})", re.DOTALL)
ENTRIES = lazy_expression(rb"(?>(?:[0-7]{5,6}+ [^\0]++\0.{20})*)", re.DOTALL)
"""Only what this matches whole is searched for entries: else it could be searched again from each of its bytes."""

DANGEROUS_NAME = lazy_expression(rb"\0(?:\.\.?|(?:\.git|git~1)[ .]*(?::[^\0]*)?)(?=\0|\Z)")
"""`.`, `..`, and what NTFS takes for `.git`, among small-lettered names, each after a NUL."""

IGNORED_BY_HFS = lazy_expression(rb"\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf")
"""Characters that HFS+ does not see, in UTF-8; git fsck takes them out, too, before it looks for `.git`."""

PLAIN_NAME = lazy_expression(rb"[\x20-\x7e]+")

UNPRINTABLE = lazy_expression("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, line separators and bidirectional controls: a path with one cannot be shown as it is."""

SHOWN_PATH = 200
"""How many characters of a path that cannot be used are shown."""

KEPT_TREES = 1000
"""How many parsed trees a listing keeps."""

FILE_KIND = 0o170000
FOLDER = 0o040000
REGULAR = 0o100000
SKIPPED_KINDS = {0o120000: "symlink", 0o160000: "submodule"}


class Entry(NamedTuple):
    """One entry of a tree: its mode, raw name, and binary object id."""

    mode: int
    name: bytes
    object_id: bytes

    @property
    def is_folder(self) -> bool:
        """Whether the entry is a tree."""
        return self.mode & FILE_KIND == FOLDER


class TreeLimits(Struct, frozen=True):
    """Caps on what one listing reads: blob bytes, entries in all, folders on top of each other, path bytes."""

    blob_bytes: int = 1 << 20
    entries: int = 200_000
    depth: int = 64
    path_bytes: int = 4096


def read_tree(objects: ObjectReader, tree_id: str) -> list[Entry]:
    """Read and check one tree; raises `MEMORY_OBJECT_MISSING` when it is absent or malformed.

    The rules are those of `git fsck`: no empty, duplicate or dangerous name, and none with a separator.
    """
    if tree_id == EMPTY_TREE:
        return []
    data = objects.read(tree_id, ObjectType.TREE, MAX_TREE_BYTES)
    if ENTRIES.fullmatch(data) is None:
        raise missing(f"tree {tree_id} is malformed: it does not parse")
    rows: list[tuple[bytes, bytes, bytes]] = ENTRY.findall(data)
    _require_sound_names(tree_id, [name for _, name, _ in rows])
    return [Entry(int(mode, 8), name, object_id) for mode, name, object_id in rows]


def _require_sound_names(tree_id: str, names: list[bytes]) -> None:
    distinct = set(names)
    if len(distinct) != len(names):
        raise missing(f"tree {tree_id} is malformed: a name stands in it twice")
    together = b"\0".join((b"", *names))
    seen = together.lower() if together.isascii() else IGNORED_BY_HFS.sub(b"", together.lower())
    if DANGEROUS_NAME.search(seen):
        raise missing(f"tree {tree_id} is malformed: it has an entry named '.', '..' or '.git', or read as that")
    if b"/" in together or b"\\" in together:
        raise missing(f"tree {tree_id} is malformed: the name of an entry holds a path separator")


def find_folder(objects: ObjectReader, tree_id: str, path: str) -> str | None:
    """Id of the tree at a folder's path, None when there is no such folder; the empty path is the tree itself."""
    for name in path.encode("utf-8", "surrogateescape").split(b"/") if path else ():
        entry = next((entry for entry in read_tree(objects, tree_id) if entry.name == name), None)
        if entry is None or not entry.is_folder:
            return None
        tree_id = entry.object_id.hex()
    return tree_id


class TreeLister:
    """Lists everything below one tree, without recursion."""

    def __init__(self, objects: ObjectReader, limits: TreeLimits) -> None:
        self._objects = objects
        self._limits = limits
        self._files: list[tuple[bytes, File]] = []
        self._skipped: list[tuple[bytes, Skipped]] = []
        self._trees: dict[str, list[Entry]] = {}
        self._sizes: dict[bytes, int] = {}
        self._count = 0

    def list_files(self, tree_id: str) -> Listing:
        """All regular files in path-byte order, and what was skipped.

        Raises `LIMIT_EXCEEDED` when there are too many entries or folders nest too deeply, `MEMORY_OBJECT_MISSING`
        when an object is absent or unsound.
        """
        for path, entry in self._walk(tree_id):
            self._enter(path, entry)
        self._files.sort(key=lambda row: row[0])
        self._skipped.sort(key=lambda row: row[0])
        files = tuple(file for _, file in self._files)
        return Listing(tree_id, files, tuple(skip for _, skip in self._skipped), self._count)

    def list_changes(self, base_id: str, tree_id: str) -> Changes:
        """What is below one tree and not below another, in which equal trees are never looked into.

        Raises as `list_files` does.
        """
        gone = TreeLister(self._objects, self._limits)
        waiting = [(base_id, tree_id, b"", 1)]
        while waiting:
            old_id, new_id, prefix, depth = waiting.pop()
            old = {entry.name: entry for entry in gone._entries(old_id)}
            new = {entry.name: entry for entry in self._entries(new_id)}
            self._count += len(new) - len(old)
            for name in old.keys() | new.keys():
                before, after = old.get(name), new.get(name)
                if before == after:
                    continue
                path = prefix + name
                if before and after and before.is_folder and after.is_folder and self._enters(path, name, depth + 1):
                    waiting.append((before.object_id.hex(), after.object_id.hex(), path + b"/", depth + 1))
                    continue
                for lister, entry in ((gone, before), (self, after)):
                    if entry is not None:
                        lister._take(path, entry, depth)
        skipped = bool(self._skipped or gone._skipped)
        added = tuple(file for _, file in sorted(self._files, key=lambda row: row[0]))
        removed = tuple(file for _, file in sorted(gone._files, key=lambda row: row[0]))
        return Changes(tree_id, added, removed, self._count - gone._count, skipped)

    def _take(self, path: bytes, entry: Entry, depth: int) -> None:
        """Enter one entry of a folder at that depth, with all that is below it."""
        if not entry.is_folder or self._fault(path, entry.name):
            self._enter(path, entry)
            return
        for below, inner in self._walk(entry.object_id.hex(), path + b"/", depth + 1):
            self._enter(below, inner)

    def _enters(self, path: bytes, name: bytes, depth: int) -> bool:
        return depth <= self._limits.depth and not self._fault(path, name)

    def _walk(self, tree_id: str, prefix: bytes = b"", depth: int = 1) -> Iterator[tuple[bytes, Entry]]:
        """Every entry that is no folder, and every folder that is not entered, with its path."""
        waiting = [(tree_id, prefix, depth)]
        while waiting:
            folder_id, prefix, depth = waiting.pop()
            if depth > self._limits.depth:
                # Listed and not refused: what lies in a folder that a reader may not see must not end the run.
                self._skip(prefix.rstrip(b"/"), "folder-too-deep")
                continue
            entries = self._entries(folder_id)
            self._count += len(entries)
            self._require_count(self._count)
            for entry in entries:
                path = prefix + entry.name
                if entry.is_folder and not self._fault(path, entry.name):
                    waiting.append((entry.object_id.hex(), path + b"/", depth + 1))
                else:
                    yield path, entry

    def _entries(self, tree_id: str) -> list[Entry]:
        """Parse a tree, or take it from the last few: a small repository can hold one in many places."""
        entries = self._trees.get(tree_id)
        if entries is None:
            if len(self._trees) >= KEPT_TREES:
                self._trees.clear()
            entries = self._trees[tree_id] = read_tree(self._objects, tree_id)
        return entries

    def _enter(self, path: bytes, entry: Entry) -> None:
        kind = entry.mode & FILE_KIND
        reason = self._fault(path, entry.name) or SKIPPED_KINDS.get(kind) or ("" if kind == REGULAR else "unknown-mode")
        if reason:
            self._skip(path, reason)
            return
        size = self._blob_size(entry.object_id)
        if size > self._limits.blob_bytes:
            self._skip(path, "too-large")
        else:
            self._files.append((path, File(path.decode(), entry.object_id.hex(), size)))

    def _fault(self, path: bytes, name: bytes) -> str:
        return path_fault(path, self._limits, name)

    def _blob_size(self, binary_id: bytes) -> int:
        size = self._sizes.get(binary_id)
        if size is None:
            kind, size = self._objects.header(binary_id.hex())
            if kind != ObjectType.BLOB:
                raise missing(f"object {binary_id.hex()} is a {kind_name(kind)} where a blob is expected")
            self._sizes[binary_id] = size
        return size

    def _skip(self, path: bytes, reason: str) -> None:
        self._skipped.append((path, Skipped(shown_path(path), reason)))

    def _require_count(self, count: int) -> None:
        if count > self._limits.entries:
            raise _exceeded(f"the commit's tree holds more than {self._limits.entries} entries")


def path_fault(path: bytes, limits: TreeLimits, name: bytes | None = None) -> str:
    """Why a path cannot be used, empty when it can; `name` is the part of it that was not looked at before."""
    if len(path) > limits.path_bytes:
        return "path-too-long"
    looked_at = path if name is None else name
    if PLAIN_NAME.fullmatch(looked_at):
        return ""
    try:
        return "control-character-in-path" if UNPRINTABLE.search(looked_at.decode()) else ""
    except UnicodeDecodeError:
        return "path-not-utf8"


def shown_path(path: bytes) -> str:
    """A path for a message: what is not UTF-8 or not printable is escaped, and a long one is cut between two names.

    A name is shown whole or not at all: the head of a secret would pass the redactor.
    """
    text = path.decode("utf-8", "backslashreplace")
    text = UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
    if len(text) <= SHOWN_PATH:
        return text
    folders, _, _ = text[: SHOWN_PATH + 1].rpartition("/")
    return f"{folders}/…" if folders else f"a name of {len(text)} characters"


def _exceeded(message: str) -> KradleError:
    return KradleError(ErrorCode.LIMIT_EXCEEDED, message, "keep the brain in a smaller folder or repository")
