"""Merging of findings into disjoint spans, and the one place where they are replaced."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.model import Redaction, Span

MARKER_START = b"[REDACTED:"
MARKER = r"\[REDACTED:[a-z][a-z0-9_.\-]{0,40}\]"
"""A marker of any kind, those that an organisation names included."""

_marker = lazy_expression(MARKER.encode())
_marker_in_text = lazy_expression(MARKER)
_LONGEST_MARKER = 60
_NO_COUNTS: Mapping[str, int] = MappingProxyType({})


class Finding(Struct, frozen=True):
    """Byte offsets of a secret in a scan copy; the lower `rank` names the kind where findings overlap."""

    start: int
    end: int
    kind: str
    rank: int


def marker(kind: str) -> str:
    """The replacement of a secret of this kind."""
    return f"[REDACTED:{kind}]"


def merge(findings: Iterable[Finding]) -> list[Finding]:
    """Union of overlapping or touching findings, sorted by start."""
    merged: list[Finding] = []
    for finding in sorted(findings, key=lambda each: (each.start, each.rank, -each.end)):
        if finding.end <= finding.start:
            continue
        if merged and finding.start <= merged[-1].end:
            merged[-1] = _union(merged[-1], finding)
        else:
            merged.append(finding)
    return merged


def _union(left: Finding, right: Finding) -> Finding:
    name = left if left.rank <= right.rank else right
    return Finding(left.start, max(left.end, right.end), name.kind, name.rank)


def in_marker(data: bytes, position: int) -> bool:
    """Whether the place is inside of a marker."""
    start = data.rfind(MARKER_START, max(0, position - _LONGEST_MARKER), position)
    found = _marker.match(data, start) if start >= 0 else None
    return found is not None and position < found.end()


def without_markers(data: bytes) -> bytes:
    """The text but for its markers."""
    return _marker.sub(b"", data) if MARKER_START in data else data


def outside_markers(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """The spans that do not lie inside of a marker, where there is nothing left to hide."""
    markers = [found.span() for found in _marker_in_text.finditer(text)]
    begins = [start for start, _ in markers]
    return tuple(
        span for span in spans if not ((at := bisect_right(begins, span.start) - 1) >= 0 and span.end <= markers[at][1])
    )


def unite(first: tuple[Span, ...], second: tuple[Span, ...]) -> tuple[Span, ...]:
    """Union of two lists of spans; where they overlap the first names the kind."""
    findings = [Finding(s.start, s.end, s.kind, rank) for rank, spans in enumerate((first, second)) for s in spans]
    return tuple(Span(each.start, each.end, each.kind) for each in merge(findings))


def lifted(spans: tuple[Span, ...], replaced: tuple[Span, ...]) -> tuple[Span, ...]:
    """Spans of a redacted text as spans of its original, where `replaced` are the spans that it stands for.

    A span that begins or ends inside a marker takes in the whole secret behind the marker.
    """
    table = _Shifts(replaced)
    return tuple(Span(table.original(s.start, False), table.original(s.end, True), s.kind) for s in spans)


class _Shifts:
    """Where each marker of a redacted text begins and ends, to find the place in the original."""

    def __init__(self, replaced: tuple[Span, ...]) -> None:
        self._replaced = replaced
        self._begins: list[int] = []
        shift = 0
        for span in replaced:
            self._begins.append(span.start + shift)
            shift += len(marker(span.kind)) - (span.end - span.start)

    def original(self, offset: int, is_end: bool) -> int:
        index = (bisect_left if is_end else bisect_right)(self._begins, offset) - 1
        if index < 0:
            return offset
        span = self._replaced[index]
        after = offset - self._begins[index] - len(marker(span.kind))
        if after < 0:
            return span.end if is_end else span.start
        return span.end + after


def apply(text: str, spans: tuple[Span, ...]) -> Redaction:
    """Replace sorted, disjoint spans of the text once."""
    if not spans:
        return Redaction(text, _NO_COUNTS, spans)
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces += (text[position : span.start], marker(span.kind))
        position = span.end
    pieces.append(text[position:])
    counts = Counter(span.kind for span in spans)
    return Redaction("".join(pieces), MappingProxyType(dict(sorted(counts.items()))), spans)
