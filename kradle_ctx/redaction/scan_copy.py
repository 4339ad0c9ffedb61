"""The copy of a text that rules scan: UTF-8 bytes without invisible characters, with a way back.

Format characters, control characters and terminal colours inside a secret would hide it from every pattern,
so they are left out; full-width ASCII, and letters that look like ASCII beside ASCII letters, are folded to ASCII.
Every offset of the copy maps back to the original.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from string import ascii_letters, digits

from msgspec import Struct

from kradle_ctx.characters import BIDI, INVISIBLE
from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.model import Extent, Span
from kradle_ctx.redaction.spans import Finding

# What a reader does not see or a terminal acts on, all of it, but for TAB, LF and CR; and ECMA-48's colour sequences.
_JOINERS = "\u200c\u200d\ufe0f"
_UNSEEN = f"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{BIDI}{INVISIBLE}{_JOINERS}"
_HIDDEN = f"\x1b\\[[0-9;:?]{{0,20}}[A-Za-z]|[{_UNSEEN}]+"
_CONTROLS = bytes({*range(32), 127} - {9, 10, 13})
_hidden = lazy_expression(_HIDDEN)
_hidden_or_continued = lazy_expression(f"{_HIDDEN}|\\\\\r?\n[ \t]*")
_any_hidden = lazy_linear_expression(_HIDDEN)
_FULL_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F)}
_full_width = lazy_expression("[\uff01-\uff5e]++")
# Letters of other scripts that look like ASCII ones (confusables of Unicode TR 39).
_LOOK_ALIKE = str.maketrans(
    "аеорсхуікѕԁһјԛԝοανερτιυκАЕОРСХУІКВМНТΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcxyiksdhjqwoavepriukAEOPCXYIKBMHTABEZHIKMNOPTYX",
)
_ALIKE = f"[{''.join(map(chr, _LOOK_ALIKE))}]"
_alike = lazy_expression(f"{_ALIKE}++")
_any_folded = lazy_linear_expression(f"[\uff01-\uff5e]|\\b{_ALIKE}|{_ALIKE}\\b")
_WORD = frozenset(f"{ascii_letters}{digits}_")
_CONTINUATION_BYTE = 0x80


class ScanCopy(Struct, frozen=True):
    """Bytes to scan; character `starts[i]` of the copy came from character `sources[i]` of the original text."""

    data: bytes
    starts: Sequence[int]
    sources: Sequence[int]
    ascii_only: bool

    def spans(self, findings: Iterable[Finding]) -> tuple[Span, ...]:
        """Spans of the original text, in characters, for sorted, disjoint findings."""
        spans: list[Span] = []
        position = count = 0
        for finding in findings:
            start, end = self._widened(max(finding.start, position), finding.end)
            first = count + self._length(position, start)
            position, count = end, first + self._length(start, end)
            if count > first:
                spans.append(Span(self._source(first), self._source(count - 1) + 1, finding.kind))
        return tuple(spans)

    def _source(self, offset: int) -> int:
        index = bisect_right(self.starts, offset) - 1
        return self.sources[index] + offset - self.starts[index]

    def _widened(self, start: int, end: int) -> Extent:
        """The extent with the whole of the characters at its ends."""
        data, size = self.data, len(self.data)
        while 0 < start < size and data[start] & 0xC0 == _CONTINUATION_BYTE:
            start -= 1
        while end < size and data[end] & 0xC0 == _CONTINUATION_BYTE:
            end += 1
        return start, end

    def _length(self, start: int, end: int) -> int:
        if self.ascii_only or end <= start:
            return max(0, end - start)
        return len(self.data[start:end].decode("utf-8"))


def scan_copy(text: str, *, join_continued: bool = False) -> ScanCopy:
    """Copy a text for scanning; `join_continued` also joins lines that end in a backslash."""
    # A lone surrogate has no UTF-8 form; "replace" writes one byte for it, which keeps offsets right.
    data = text.encode("utf-8", "replace")
    ascii_only = len(data) == len(text)
    if join_continued:
        return _without(_hidden_or_continued, text)
    if len(data.translate(None, _CONTROLS)) < len(data) or not (ascii_only or _is_plain(data)):
        return _without(_hidden, text)
    return ScanCopy(data, (0,), (0,), ascii_only)


def plain_copy(text: str) -> ScanCopy:
    """The text as it is: what an organisation's own pattern is written for."""
    data = text.encode("utf-8", "replace")
    return ScanCopy(data, (0,), (0,), len(data) == len(text))


def _is_plain(data: bytes) -> bool:
    return _any_hidden.search(data) is None and _any_folded.search(data) is None


def _without(pattern: re.Pattern[str], text: str) -> ScanCopy:
    pieces: list[str] = []
    starts, sources = [0], [0]
    written = position = 0
    for match in pattern.finditer(text):
        start, end = match.span()
        pieces.append(text[position:start])
        written += start - position
        position = end
        starts.append(written)
        sources.append(position)
    kept = "".join(pieces) + text[position:]
    data = kept.encode("utf-8", "replace")
    if _any_folded.search(data):
        data = _folded(kept).encode("utf-8", "replace")
    return ScanCopy(data, starts, sources, len(data) == len(kept))


def _folded(text: str) -> str:
    narrow = _full_width.sub(lambda run: run[0].translate(_FULL_WIDTH), text)

    def fold(run: re.Match[str]) -> str:
        around = (narrow[run.start() - 1 : run.start()], narrow[run.end() : run.end() + 1])
        return run[0].translate(_LOOK_ALIKE) if any(letter in _WORD for letter in around) else run[0]

    return _alike.sub(fold, narrow)
