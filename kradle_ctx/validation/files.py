"""The files of a brain by their paths, whatever is in them."""

from __future__ import annotations

from collections.abc import Mapping

from kradle_ctx.ports import Snapshot


class BrainFiles:
    """The files below a root of a snapshot; paths are relative to the root."""

    def __init__(self, snapshot: Snapshot, root: str) -> None:
        self._snapshot = snapshot
        self._root = root
        self._entries: dict[str, Mapping[str, str]] = {}

    def blob(self, path: str) -> str | None:
        """The id of a regular file's blob; None where there is no such file."""
        folder, _, name = path.rpartition("/")
        if folder not in self._entries:
            self._entries[folder] = self._snapshot.entries("/".join(part for part in (self._root, folder) if part))
        mode, _, object_id = self._entries[folder].get(name, "").partition(" ")
        return object_id if mode.startswith("100") else None

    def data(self, path: str) -> bytes:
        """The bytes of a file; none where there is no such file."""
        blob = self.blob(path)
        return self._snapshot.read(blob) if blob is not None else b""

    def text(self, path: str) -> str:
        """The text of a file."""
        return self.data(path).decode(errors="replace")
