"""The files of a brain by their paths, whatever is in them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kradle_ctx.documents import is_readable
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.ports import Snapshot

DERIVED = "indexes/"
"""What is made from a brain and is no part of it."""


def is_read(path: str) -> bool:
    """Whether a file of that path is read for what it says, be it no record at all."""
    return is_readable(path) and not path.startswith(DERIVED)


class BrainFiles:
    """The files below a root of a snapshot; paths are relative to the root."""

    def __init__(self, snapshot: Snapshot, root: str) -> None:
        self._snapshot = snapshot
        self._root = root
        self._entries: dict[str, Mapping[str, str]] = {}

    def blob(self, path: str) -> str | None:
        """The id of a regular file's blob; None where there is no such file."""
        folder, _, name = path.rpartition("/")
        mode, _, object_id = self._named(folder).get(name, "").partition(" ")
        return object_id if mode.startswith("100") else None

    def read(self) -> Mapping[str, str]:
        """The blobs of all files that are read, by their paths."""
        return {file.path: file.blob for file in self._snapshot.listing(self._root).files if is_read(file.path)}

    def within(self, folder: str) -> list[str]:
        """The paths of the regular files of a folder itself."""
        return [path for name in self._named(folder) if self.blob(path := f"{folder}/{name}") is not None]

    def names(self, folder: str) -> Collection[str]:
        """The names of the files and folders in a folder; none of what is no folder."""
        return self._named(folder).keys()

    def data(self, path: str) -> bytes:
        """The bytes of a file; none where there is no such file, or where it is larger than what is read."""
        blob = self.blob(path)
        try:
            return self._snapshot.read(blob) if blob is not None else b""
        except KradleError as error:
            if error.code is not ErrorCode.LIMIT_EXCEEDED:
                raise
            return b""

    def _named(self, folder: str) -> Mapping[str, str]:
        if folder not in self._entries:
            self._entries[folder] = self._snapshot.entries("/".join(part for part in (self._root, folder) if part))
        return self._entries[folder]

    def text(self, path: str) -> str:
        """The text of a file."""
        return self.data(path).decode(errors="replace")
