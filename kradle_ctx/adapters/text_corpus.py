"""One file of searchable text, made from the documents that may be searched and from nothing else."""

from __future__ import annotations

import os
import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.graph import Document, Outline
from kradle_ctx.ports import Place

Located = Document | Outline
"""What says where in a blob a document stands."""

HEADER = -1
"""The offset of a path line, which stands in no document."""


class TextCorpus:
    """The text of some documents, each file's after a line with its path, in one file that leaves nothing on the disk.

    Documents come in path and line order, each with its number.
    """

    def __init__(self, documents: Iterable[tuple[int, Located]], read: Callable[[Located], bytes]) -> None:
        self._starts: list[int] = []
        self._places: list[Place] = []
        self.size = 0
        try:
            self._file = NamelessFile()
            with self._file.writer() as stream:
                self._fill(stream, documents, read)
        except OSError as error:
            raise unwritable(error) from error

    @property
    def path(self) -> Path:
        """Where another process finds the file."""
        return self._file.path

    def expect(self, offsets: Sequence[int]) -> None:
        """Everything is in memory."""

    def locate(self, offset: int) -> Place:
        """The document and the byte offset in its blob; `HEADER` for a path line, with the file's first document."""
        at = bisect_right(self._starts, offset) - 1
        place = self._places[at]
        return place if place.offset == HEADER else Place(place.number, place.offset + offset - self._starts[at])

    def _fill(
        self, stream: BinaryIO, documents: Iterable[tuple[int, Located]], read: Callable[[Located], bytes]
    ) -> None:
        path, data = "", b""
        for number, document in documents:
            if document.path != path:
                path, data = document.path, read(document)
                self._add(stream, path.encode("utf-8", "surrogateescape"), Place(number, HEADER))
            self._add(stream, data[document.start : document.end], Place(number, document.start))

    def _add(self, stream: BinaryIO, text: bytes, place: Place) -> None:
        self._starts.append(self.size)
        self._places.append(place)
        stream.write(text + b"\n")
        self.size += len(text) + 1


class NamelessFile:
    """A file that another process can read by path and that vanishes with this object.

    Where the system has no anonymous files or forbids them, it is a temporary file readable by its owner alone, removed
    at the end.
    """

    def __init__(self) -> None:
        try:
            self._descriptor = os.memfd_create("kradle-ctx-corpus")
            self.path = Path(f"/proc/{os.getpid()}/fd/{self._descriptor}")
        except (AttributeError, OSError):
            import tempfile

            self._descriptor, name = tempfile.mkstemp(prefix="kradle-ctx-")
            self.path = Path(name)
        weakref.finalize(self, discard, self._descriptor, self.path)

    def writer(self) -> BinaryIO:
        """A stream that writes into the file."""
        return os.fdopen(os.dup(self._descriptor), "wb", buffering=1 << 20)


def discard(descriptor: int, path: Path) -> None:
    """Close the file, and remove it where it has a name."""
    with suppress(OSError):
        os.close(descriptor)
    if not path.is_relative_to("/proc"):
        with suppress(OSError):
            path.unlink()


def unwritable(error: OSError) -> KradleError:
    """The error for a file of searchable text that cannot be written."""
    return KradleError(
        ErrorCode.OUTPUT_UNWRITABLE,
        f"cannot write the text to search: {error.strerror or 'no temporary file'}",
        "make room for temporary files, or lift the limit that stands in the way",
    )
