"""Takes an input apart into numbers and runs of bytes, so that any change of it still is an input of the right form."""

from __future__ import annotations


class Pieces:
    """An input that is read from its beginning; past its end there are zeros and nothing."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """Bytes that have not been read."""
        return max(0, len(self._data) - self._at)

    def number(self, below: int = 256) -> int:
        """The next byte, or the next two for a large range, as a number below a limit."""
        return int.from_bytes(self.run(1 if below <= 256 else 2), "big") % max(1, below)

    def run(self, size: int) -> bytes:
        """The next bytes; fewer at the end."""
        found = self._data[self._at : self._at + size]
        self._at += size
        return found

    def sized(self) -> bytes:
        """A run whose length stands before it in one byte; 255 means all the rest but ten bytes."""
        size = self.number()
        return self.run(size if size < 255 else max(0, self.left - 10))
