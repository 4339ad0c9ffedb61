"""Merging of findings into disjoint spans, and the one place where they are replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType

from kradle_ctx.redaction.model import Redaction, Span


@dataclass(frozen=True, slots=True)
class Finding:
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


def unite(first: tuple[Span, ...], second: tuple[Span, ...]) -> tuple[Span, ...]:
    """Union of two lists of spans; where they overlap the first names the kind."""
    findings = [Finding(s.start, s.end, s.kind, rank) for rank, spans in enumerate((first, second)) for s in spans]
    return tuple(Span(each.start, each.end, each.kind) for each in merge(findings))


def lifted(spans: tuple[Span, ...], replaced: tuple[Span, ...]) -> tuple[Span, ...]:
    """Spans of a redacted text as spans of its original, where `replaced` are the spans that it stands for.

    A span that begins or ends inside a marker takes in the whole secret behind the marker.
    """
    return tuple(Span(_original(s.start, replaced, False), _original(s.end, replaced, True), s.kind) for s in spans)


def _original(offset: int, replaced: tuple[Span, ...], is_end: bool) -> int:
    shift = 0
    for span in replaced:
        begin = span.start + shift
        size = len(marker(span.kind))
        if offset <= begin:
            break
        if offset < begin + size:
            return span.end if is_end else span.start
        shift += size - (span.end - span.start)
    return offset - shift


def apply(text: str, spans: tuple[Span, ...]) -> Redaction:
    """Replace sorted, disjoint spans of the text once."""
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces += (text[position : span.start], marker(span.kind))
        position = span.end
    pieces.append(text[position:])
    counts = Counter(span.kind for span in spans)
    return Redaction("".join(pieces), MappingProxyType(dict(sorted(counts.items()))), spans)
