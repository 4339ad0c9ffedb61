"""The copy of a text that rules scan: UTF-8 bytes without invisible characters, with a way back.

Format characters, control characters and terminal colours inside a secret would hide it from every pattern,
so they are left out; full-width ASCII is folded to ASCII. Every offset of the copy maps back to the original.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import re2

from kradle_ctx.redaction.model import Extent, Span
from kradle_ctx.redaction.spans import Finding

# Default_Ignorable_Code_Point of Unicode 15 (DerivedCoreProperties.txt), C0 controls but TAB, LF and CR, DEL,
# the colour sequences of ECMA-48 and bidirectional controls.
_HIDDEN = (
    r"\x1b\[[0-9;]{0,20}m|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x{ad}\x{34f}\x{61c}\x{115f}\x{1160}\x{17b4}\x{17b5}"
    r"\x{180b}-\x{180f}\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{fe00}-\x{fe0f}\x{feff}"
    r"\x{ffa0}\x{fff0}-\x{fff8}\x{1bca0}-\x{1bca3}\x{1d173}-\x{1d17a}\x{e0000}-\x{e0fff}]+"
)
_FULL_WIDTH = r"[\x{ff01}-\x{ff5e}]"
_CONTINUATION = r"\\\r?\n[ \t]*"
_CONTROLS = bytes({*range(32), 127} - {9, 10, 13})
_unwanted = re2.compile(f"(?:{_HIDDEN})|({_FULL_WIDTH})".encode())
_unwanted_or_continued = re2.compile(f"(?:{_HIDDEN}|{_CONTINUATION})|({_FULL_WIDTH})".encode())
_CONTINUATION_BYTE = 0x80


@dataclass(frozen=True, slots=True)
class ScanCopy:
    """Bytes to scan; `starts[i]` of the copy came from `sources[i]` of the original bytes."""

    data: bytes
    original: bytes
    starts: tuple[int, ...]
    sources: tuple[int, ...]
    ascii_only: bool

    def spans(self, findings: Iterable[Finding]) -> tuple[Span, ...]:
        """Spans of the original text, in characters, for sorted, disjoint findings."""
        spans: list[Span] = []
        position = count = 0
        for finding in findings:
            start, end = self._widened(self._source(finding.start), self._source(finding.end - 1) + 1)
            if start < position:
                start = position
            count += self._length(position, start)
            length = self._length(start, end)
            if length:
                spans.append(Span(count, count + length, finding.kind))
            position, count = end, count + length
        return tuple(spans)

    def _source(self, offset: int) -> int:
        index = bisect_right(self.starts, offset) - 1
        return self.sources[index] + offset - self.starts[index]

    def _widened(self, start: int, end: int) -> Extent:
        while start > 0 and self.original[start] & 0xC0 == _CONTINUATION_BYTE:
            start -= 1
        while end < len(self.original) and self.original[end] & 0xC0 == _CONTINUATION_BYTE:
            end += 1
        return start, end

    def _length(self, start: int, end: int) -> int:
        if self.ascii_only:
            return max(0, end - start)
        return len(self.original[start:end].decode("utf-8"))


def scan_copy(text: str, *, join_continued: bool = False) -> ScanCopy:
    """Copy a text for scanning; `join_continued` also joins lines that end in a backslash."""
    # A lone surrogate has no UTF-8 form; "replace" writes one byte for it, which keeps offsets right.
    original = text.encode("utf-8", "replace")
    ascii_only = len(original) == len(text)
    if ascii_only and not join_continued and len(original.translate(None, _CONTROLS)) == len(original):
        return ScanCopy(original, original, (0,), (0,), True)
    pattern = _unwanted_or_continued if join_continued else _unwanted
    return _without(pattern, original, ascii_only)


def _without(pattern: re2._Regexp, original: bytes, ascii_only: bool) -> ScanCopy:
    pieces: list[bytes] = []
    starts, sources = [0], [0]
    written = position = 0
    for match in pattern.finditer(original):
        pieces.append(original[position : match.start()])
        written += match.start() - position
        if match.start(1) >= 0:
            pieces.append(_folded(match.group(1)))
            starts.append(written)
            sources.append(match.start())
            written += 1
        position = match.end()
        starts.append(written)
        sources.append(position)
    pieces.append(original[position:])
    return ScanCopy(b"".join(pieces), original, tuple(starts), tuple(sources), ascii_only)


def _folded(character: bytes) -> bytes:
    return bytes([ord(character.decode("utf-8")) - 0xFEE0])
