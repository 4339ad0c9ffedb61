"""Loose objects, read with bounds: libgit2 1.9 never returns from a loose object that is cut short."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

from kradle_ctx.adapters.git_files import open_regular
from kradle_ctx.adapters.git_packs import Measure
from kradle_ctx.expressions import lazy_expression

HEADER_BYTES = 40
"""Longer than any header of a loose object: its kind, a space, its size in decimals, and a NUL."""

FIRST_READ = 4096

SIZE = lazy_expression(rb"0|[1-9][0-9]*")
"""A size as Git writes it; with a zero before it, the same object would have two names."""

KINDS = {b"commit": 1, b"tree": 2, b"blob": 3, b"tag": 4}
"""Numbers of the kinds of object, as in a pack."""


class LooseObjects:
    """The loose objects below one `objects` folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def header(self, object_id: str) -> Measure | None:
        """Kind and size of an object by its first bytes, None when there is no such file; `ValueError` if unsound."""
        try:
            with open_regular(self._file(object_id)) as stream:
                kind, size, _ = _parse_header(stream.read(FIRST_READ))
        except FileNotFoundError:
            return None
        return Measure(kind, size, 0)

    def read(self, object_id: str) -> bytes:
        """An object whole, its size and hash checked; `ValueError` if unsound.

        No more is read or inflated than the size in the header allows, whatever the file holds.
        """
        with open_regular(self._file(object_id)) as stream:
            begin = stream.read(FIRST_READ)
            _, size, length = _parse_header(begin)
            squeezed = begin + stream.read(size + (size >> 6))
        inflate = zlib.decompressobj()
        try:
            whole = inflate.decompress(squeezed, length + size + 1)
        except zlib.error as error:
            raise ValueError("loose object does not inflate") from error
        if len(whole) != length + size or not inflate.eof or inflate.unused_data:
            raise ValueError("loose object has another size than it says")
        if hashlib.sha1(whole, usedforsecurity=False).hexdigest() != object_id:
            raise ValueError("loose object has another hash than its name")
        return whole[length:]

    def _file(self, object_id: str) -> Path:
        return self._folder / object_id[:2] / object_id[2:]


def _parse_header(squeezed: bytes) -> tuple[int, int, int]:
    """Kind, size, and the header's own length."""
    try:
        header, end, _ = zlib.decompressobj().decompress(squeezed, HEADER_BYTES).partition(b"\0")
    except zlib.error as error:
        raise ValueError("loose object does not inflate") from error
    word, _, size = header.partition(b" ")
    if word not in KINDS or not end or SIZE.fullmatch(size) is None:
        raise ValueError("loose object has no proper header")
    return KINDS[word], int(size), len(header) + 1
