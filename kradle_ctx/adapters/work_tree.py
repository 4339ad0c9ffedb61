"""The files of a work tree as a snapshot: the one place where a work tree is read, for validation before a commit."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from kradle_ctx.adapters.git_library import Library, LibraryError
from kradle_ctx.adapters.git_tree import TreeLimits, path_fault, shown_path
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.graph import Skipped
from kradle_ctx.ports import Changes, File, Listing

GIT_FOLDER = b".git"

REGULAR_MODE, FOLDER_MODE = "100644", "40000"
MODES = {"symlink": "120000", "submodule": "160000"}

NOT_ADDED = "not-added"
"""Pipes, sockets and devices: Git passes them over."""

UNREAD = "0" * 40
"""The id of whatever is no file that was read."""


class WorkTreeSnapshot:
    """What a commit of all files in a folder would hold; links are never followed, ignored files left out.

    Blobs are named as Git names them. What changes while it is read ends the run.
    """

    commit = ""

    def __init__(self, folder: Path, limits: TreeLimits | None = None) -> None:
        if not folder.is_dir():
            raise KradleError(
                ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE,
                "there is no folder to validate",
                "name the brain's folder with --brain",
            )
        self._folder = folder
        self._limits = limits or TreeLimits()
        self._ignored, self._submodules = ignored_by(folder)
        self._files: dict[str, bytes] = {}
        self._listings: dict[str, Listing] = {}
        self._folders: dict[str, dict[str, str]] = defaultdict(dict)

    def has_folder(self, path: str) -> bool:
        """Whether a folder of that path exists, reached through no link."""
        place = self._folder
        for part in path.split("/"):
            place = place / part
            if not is_folder(place):
                return False
        return True

    def tree(self, root: str) -> str:
        """A digest of all paths and blobs below `root`."""
        return self.listing(root).tree

    def entries(self, folder: str) -> Mapping[str, str]:
        """What a folder that was listed holds itself: by name the octal mode, a space, and the id of a file's blob."""
        if folder not in self._folders and self.has_folder(folder):
            self._folders[folder] = self._entries_of(folder)
        return self._folders.get(folder, {})

    def _entries_of(self, folder: str) -> dict[str, str]:
        """The files of a folder that was not listed."""
        found: dict[str, str] = {}
        for entry in self._folder.joinpath(folder).iterdir():
            path = os.fsencode(f"{folder}/{entry.name}" if folder else entry.name)
            data = read_file(self._folder, path, self._limits.blob_bytes)
            if data is not None:
                found[entry.name] = f"{REGULAR_MODE} {blob_id(data)}"
        return found

    def changes(self, base: str, root: str) -> Changes | None:
        """None: only listings can be compared."""
        return None

    def place(self, blob: str) -> tuple[str, int]:
        """Files are read in the order of their paths."""
        return os.fsdecode(self._files.get(blob, b"")), 0

    def read(self, blob: str) -> bytes:
        """Read a file by its blob; raises `MEMORY_OBJECT_MISSING` when it is another one now."""
        if blob == UNREAD:
            raise KradleError(ErrorCode.LIMIT_EXCEEDED, "the file is not read", "make it smaller, and readable")
        path = self._files.get(blob)
        data = read_file(self._folder, path, self._limits.blob_bytes) if path is not None else None
        if data is None or blob_id(data) != blob:
            name = shown_path(path) if path is not None else f"blob {blob}"
            raise KradleError(
                ErrorCode.MEMORY_OBJECT_MISSING, f"{name} changed while it was read", "try again when nothing writes it"
            )
        return data

    def listing(self, root: str) -> Listing:
        """List the files below `root` in path-byte order."""
        if root not in self._listings:
            self._listings[root] = self._listed(root.encode("utf-8", "surrogateescape"))
        return self._listings[root]

    def _listed(self, root: bytes) -> Listing:
        prefix = root + b"/" if root else b""
        files: list[tuple[bytes, File]] = []
        skipped: list[tuple[bytes, Skipped]] = []
        count = 0
        for path, kind in self._walk(root, len(prefix)):
            count += 1
            if count > self._limits.entries:
                raise KradleError(
                    ErrorCode.LIMIT_EXCEEDED,
                    f"the work tree holds more than {self._limits.entries} entries",
                    "keep the brain in a smaller folder or repository",
                )
            below = path[len(prefix) :]
            reason = path_fault(below, self._limits) or kind or ""
            data = read_file(self._folder, path, self._limits.blob_bytes) if not reason else None
            if data is None:
                self._enter(root, path, f"{MODES.get(kind, REGULAR_MODE)} {UNREAD}")
                skipped.append((below, Skipped(shown_path(below), reason or self._refusal(path))))
                continue
            blob = blob_id(data)
            self._files.setdefault(blob, path)
            self._enter(root, path, f"{REGULAR_MODE} {blob}")
            files.append((below, File(below.decode(), blob, len(data))))
        files.sort(key=lambda row: row[0])
        skipped.sort(key=lambda row: row[0])
        digest = hashlib.sha1(usedforsecurity=False)
        for below, file in files:
            digest.update(b"%s\0%s\0" % (below, file.blob.encode()))
        return Listing(
            digest.hexdigest(), tuple(file for _, file in files), tuple(entry for _, entry in skipped), count
        )

    def _enter(self, root: bytes, path: bytes, entry: str) -> None:
        """Enter what stands at a path into its folder, and that into those above, up to the root."""
        top, at = os.fsdecode(root), os.fsdecode(path)
        while at != top:
            folder, _, name = at.rpartition("/")
            if name in self._folders[folder]:
                return
            self._folders[folder][name] = entry
            at, entry = folder, f"{FOLDER_MODE} {UNREAD}"

    def _refusal(self, path: bytes) -> str:
        """Why a file was not read."""
        try:
            size = (self._folder / os.fsdecode(path)).lstat().st_size
        except OSError:
            return "gone"
        return "too-large" if size > self._limits.blob_bytes else "unreadable"

    def _walk(self, root: bytes, prefix: int) -> Iterator[tuple[bytes, str]]:
        """Every file below a folder by its path, and what is none, with the reason."""
        waiting = [(root, 1)]
        while waiting:
            folder, depth = waiting.pop()
            if depth > self._limits.depth:
                yield folder, "folder-too-deep"
                continue
            with self._scanned(folder) as entries:
                for entry in entries:
                    path = folder + b"/" + entry.name if folder else entry.name
                    if entry.name == GIT_FOLDER or self._ignored(os.fsdecode(path)):
                        continue
                    kind = self._kind(entry, path, prefix)
                    if kind is None:
                        waiting.append((path, depth + 1))
                    elif kind != NOT_ADDED:
                        yield path, kind

    def _kind(self, entry: os.DirEntry[bytes], path: bytes, prefix: int) -> str | None:
        """Why an entry is not read, empty for a file and for a folder that has a name of its own; None for others."""
        if entry.is_symlink():
            return "symlink"
        if not entry.is_dir(follow_symlinks=False):
            return "" if entry.is_file(follow_symlinks=False) else NOT_ADDED
        name = os.fsdecode(path)
        if name in self._submodules or os.path.lexists(self._folder / name / os.fsdecode(GIT_FOLDER)):
            return "submodule"
        return "" if path_fault(path[prefix:], self._limits, entry.name) else None

    def _scanned(self, folder: bytes) -> AbstractContextManager[Iterator[os.DirEntry[bytes]]]:
        """What a folder holds; raises `MEMORY_REPOSITORY_UNAVAILABLE` where it cannot be read."""
        try:
            return os.scandir(os.fsencode(self._folder / os.fsdecode(folder)))
        except OSError as error:
            raise KradleError(
                ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE,
                f"the folder {shown_path(folder) or '.'} cannot be read: {error.strerror}",
                "let it be read by whoever validates",
            ) from error


def is_folder(place: Path) -> bool:
    """Whether a path is a folder and no link to one."""
    try:
        return stat.S_ISDIR(place.lstat().st_mode)
    except OSError:
        return False


def read_file(folder: Path, path: bytes, limit: int) -> bytes | None:
    """The bytes of a regular file that is no link; None where it is too large, gone, or may not be read."""
    try:
        descriptor = os.open(folder / os.fsdecode(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as stream:
        data = stream.read(limit + 1)
    return data if len(data) <= limit else None


def blob_id(data: bytes) -> str:
    """The id that Git gives a blob."""
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()


def ignored_by(folder: Path) -> tuple[Callable[[str], bool], frozenset[str]]:
    """What Git ignores in a folder, and the submodules there; nothing where it is no repository."""
    library = Library(folder)
    try:
        library.folder()
    except LibraryError:
        return (lambda path: False), frozenset()
    tracked = library.tracked()
    return (lambda path: path not in tracked and library.ignores(path)), library.submodules()
