"""Repaired files of a work tree: as if they lay there, and then written there."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from kradle_ctx.adapters.atomic_output import AtomicOutput, unwritable
from kradle_ctx.adapters.git_tree import TreeLimits
from kradle_ctx.adapters.work_tree import WorkTreeSnapshot, blob_id, is_folder, read_file
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.ports import Changes, File, Listing


class RepairedSnapshot:
    """A work tree in which some of its files have another content; `repaired` is by paths from its top."""

    commit = ""

    def __init__(self, work_tree: WorkTreeSnapshot, repaired: Mapping[str, bytes]) -> None:
        self._work_tree = work_tree
        self._blobs = {path: blob_id(data) for path, data in repaired.items()}
        self._contents = {self._blobs[path]: data for path, data in repaired.items()}

    def has_folder(self, path: str) -> bool:
        """Whether a folder of that path exists."""
        return self._work_tree.has_folder(path)

    def tree(self, root: str) -> str:
        """A digest of all paths and blobs below `root`."""
        return self.listing(root).tree

    def entries(self, folder: str) -> Mapping[str, str]:
        """What a folder holds itself: by name the octal mode, a space and the blob's id."""
        held = self._work_tree.entries(folder)
        prefix = f"{folder}/" if folder else ""
        return {name: self._entry(prefix + name, entry) for name, entry in held.items()}

    def _entry(self, path: str, entry: str) -> str:
        mode, _, blob = entry.partition(" ")
        return f"{mode} {self._blobs.get(path, blob)}"

    def changes(self, base: str, root: str) -> Changes | None:
        """None: only listings can be compared."""
        return None

    def place(self, blob: str) -> tuple[str, int]:
        """Files are read in the order of their paths, repaired ones first."""
        return ("", 0) if blob in self._contents else self._work_tree.place(blob)

    def read(self, blob: str) -> bytes:
        """The bytes of a file; raises `MEMORY_OBJECT_MISSING` when it is another one now."""
        known = self._contents.get(blob)
        return known if known is not None else self._work_tree.read(blob)

    def listing(self, root: str) -> Listing:
        """The files below `root`."""
        prefix = f"{root}/" if root else ""
        found = self._work_tree.listing(root)
        digest = hashlib.sha1(found.tree.encode(), usedforsecurity=False)
        for path, blob in sorted(self._blobs.items()):
            digest.update(b"%s\0%s\0" % (path.encode(), blob.encode()))
        files = tuple(self._file(prefix + file.path, file) for file in found.files)
        return Listing(digest.hexdigest(), files, found.skipped, found.entries)

    def _file(self, path: str, file: File) -> File:
        blob = self._blobs.get(path)
        return file if blob is None else File(file.path, blob, len(self._contents[blob]))


def replace_in_work_tree(folder: Path, path: str, blob: str, data: bytes, limits: TreeLimits | None = None) -> None:
    """Write a file that still has the content of `blob`, whole or not at all; its mode stays.

    No link is followed, and nothing in Git's own folder is written. Raises `OUTPUT_UNWRITABLE`, and
    `MEMORY_OBJECT_MISSING` where the file is another one by now.
    """
    *parents, _ = parts = path.split("/")
    target = folder / path
    if any(part in ("", ".", "..") or part.casefold() == ".git" for part in parts):
        raise unwritable(target, "it is no file of the work tree")
    place = folder
    for part in parents:
        place = place / part
        if not is_folder(place):
            raise unwritable(target, "it is reached through a link")
    held = read_file(folder, os.fsencode(path), (limits or TreeLimits()).blob_bytes)
    if held is None or blob_id(held) != blob:
        raise KradleError(
            ErrorCode.MEMORY_OBJECT_MISSING,
            f"{path} changed while it was repaired, and was left as it is",
            "try again when nothing writes it",
        )
    AtomicOutput().write(target, data, stat.S_IMODE(target.lstat().st_mode))


def blobs_of(folder: Path, path: str, limits: TreeLimits | None = None) -> frozenset[str]:
    """The ids that Git may give a file: as it is, and with LF for the line breaks of Windows."""
    data = read_file(folder, os.fsencode(path), (limits or TreeLimits()).blob_bytes)
    return frozenset() if data is None else frozenset({blob_id(data), blob_id(data.replace(b"\r\n", b"\n"))})
