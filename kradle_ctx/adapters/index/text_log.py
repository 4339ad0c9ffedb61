"""The text of every file of a store, one after the other in one file that ripgrep searches.

A file's record is a line with its path, its bytes, and a line feed. The log only ever grows; what follows the length
that the tables have committed is a remainder of a build that was killed, and is overwritten.
"""

from __future__ import annotations

import hashlib
import os
import weakref
from pathlib import Path
from typing import BinaryIO

from kradle_ctx.ports import IndexDamaged

TEXT_LOG = "text.log"


def header(path: str) -> bytes:
    """The line before a file's bytes."""
    return path.encode() + b"\n"


def blob_id(data: bytes) -> str:
    """The Git object id of a blob."""
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()


class LogWriter:
    """Appends files behind what has been committed."""

    def __init__(self, path: Path, committed: int) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        self._stream: BinaryIO = os.fdopen(descriptor, "r+b", buffering=1 << 20)
        self._stream.truncate(committed)
        self._stream.seek(committed)
        self.size = committed

    def append(self, path: str, data: bytes) -> int:
        """Add a file; returns where its record begins."""
        place, record = self.size, header(path) + data + b"\n"
        self._stream.write(record)
        self.size += len(record)
        return place

    def sync(self) -> None:
        """Make sure that what was appended is on the disk before the tables speak of it."""
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


class LogReader:
    """Reads files by their place; what is not mapped into memory does not count as memory."""

    def __init__(self, path: Path, size: int) -> None:
        self.size = size
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        held = Path(f"/proc/{os.getpid()}/fd/{self._descriptor}")
        # What is searched is what was opened, also when another run removes the store meanwhile.
        self.path = held if held.exists() else path
        self.close = weakref.finalize(self, os.close, self._descriptor)
        if os.fstat(self._descriptor).st_size < size:
            raise IndexDamaged("its text is cut short")

    def read(self, place: int, path: str, blob: str, size: int) -> bytes:
        """The bytes of a file; raises `IndexDamaged` when they are not those of its blob."""
        data = os.pread(self._descriptor, size, place + len(header(path)))
        if blob_id(data) != blob:
            raise IndexDamaged("its text is not what was committed")
        return data

    def require(self, place: int, path: str, blob: str, size: int) -> None:
        """Raise `IndexDamaged` unless a record is whole: its path, its bytes and the line feed."""
        data = self.read(place, path, blob, size)
        record = header(path) + data + b"\n"
        if os.pread(self._descriptor, len(record), place) != record:
            raise IndexDamaged("its text is not what was committed")

    @staticmethod
    def end(place: int, path: str, size: int) -> int:
        """Where the record behind a file's begins."""
        return place + len(header(path)) + size + 1
