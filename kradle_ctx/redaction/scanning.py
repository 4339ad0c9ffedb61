"""Applies the rule table to a text: all layers on the same copy, merged, replaced once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.expressions import compiled, lazy_expression, linear_bytes_expression
from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.redaction import (
    assignments,
    blocks,
    calls,
    command_line,
    entropy,
    foreign,
    formats,
    markup,
    prose,
    structure,
    tables,
    vendor,
    vendor_marks,
)
from kradle_ctx.redaction.model import Extent, Match, Rule, Span
from kradle_ctx.redaction.randomness import entropy as shannon_entropy
from kradle_ctx.redaction.scan_copy import ScanCopy, plain_copy, scan_copy
from kradle_ctx.redaction.spans import (
    MARKER_START,
    Finding,
    apply,
    in_marker,
    lifted,
    merge,
    outside_markers,
    unite,
    without_markers,
)
from kradle_ctx.redaction.tails import rest_of_token

if TYPE_CHECKING:
    import re2


class Layer(Struct, frozen=True, eq=False):
    """Rules that are scanned for together, behind one search that most text does not pass.

    The gate is the union of the rules' patterns; `nouns` adds one that layers share: a word for a secret.
    """

    rules: tuple[Rule, ...]
    nouns: bool = False


LAYERS: tuple[Layer, ...] = (
    Layer(blocks.RULES + formats.RULES + vendor_marks.RULES),
    Layer(formats.SQL),
    Layer(structure.FIELDS, nouns=True),
    Layer(assignments.RULES, nouns=True),
    Layer(assignments.LINES, nouns=True),
    Layer(markup.RULES, nouns=True),
    Layer(structure.RULES + foreign.RULES + calls.RULES),
    Layer(command_line.OPTIONS, nouns=True),
    Layer(command_line.PROGRAMS),
    Layer(tables.MARKDOWN, nouns=True),
    Layer(tables.DELIMITED, nouns=True),
    Layer(prose.TOLD, nouns=True),
    Layer(prose.BESIDE),
    Layer(prose.LOGINS),
    Layer(entropy.RULES),
)
_VENDOR_RANK = 0
_EXTRA_RANK = 99
_PASSES = 4
_WHOLE_TEXT = "whole-text"
_BOUNDARY = (
    r"(?:\b|_|\\[nrtfvbae0]|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\[0-7]{2,3}|\[[0-9;]{1,9}m|%(?:25){0,2}[0-9A-Fa-f]{2})"
)
"""What may stand before a token: no part of a word, or an escape of a program, a terminal or a URL, written out."""
_BOUNDARY_MARKS = frozenset(b"_\\[%")
_LONGEST_BOUNDARY = 11
_TOKEN_BYTES = (320, 8192)
"""Bytes in which a token is looked for, first and at most; one that is a secret is then followed to its end."""
_CONTEXT = 400
_BLANKS = 32
_MOST_SIGNS = 20_000
"""Words for a secret and beginnings of tokens in one text, each of which costs up to 0.1 ms; prose of the largest
blob that is read by default has a tenth of that."""
_COUNTED = 8
_count = lazy_expression(r"\{(\d+),\d*\}")
_ANY_NOUN = f"(?i){structure.NOUNS}|{prose.NOUN}"
_VENDOR_TOKEN = f"{_BOUNDARY}(?:{'|'.join(vendor.OPENINGS)})"


@cache
def _compiled(pattern: str) -> re2._Regexp:
    return compiled(pattern.encode("latin-1"), latin=True, mebibytes=16)


def _compiled_union(pattern: str, mebibytes: int) -> re2._Regexp:
    return compiled(pattern.encode("latin-1"), latin=True, captures=False, mebibytes=mebibytes)


@cache
def _any_vendor_token() -> re2._Regexp:
    """The openings of all vendor rows; an RE2 Set loses matches in silence when it runs out of memory."""
    return _compiled_union(_VENDOR_TOKEN, 64)


@cache
def _vendor_rules() -> dict[bytes, tuple[tuple[bytes, Rule], ...]]:
    """Vendor rows by the first two bytes of their prefixes."""
    rows: dict[bytes, list[tuple[bytes, Rule]]] = {}
    for rule in vendor.RULES:
        for keyword in rule.keywords:
            literal = keyword.encode()
            rows.setdefault(literal[:2], []).append((literal, rule))
    return {start: tuple(found) for start, found in rows.items()}


def _has_too_many_signs(data: bytes) -> bool:
    """Whether a text was made to be slow: it has more words for secrets and beginnings of tokens than any that is."""
    if len(data) < _MOST_SIGNS:
        return False
    told = without_markers(data)
    signs = chain(_compiled(_ANY_NOUN).finditer(told), _any_vendor_token().finditer(told))
    return next(islice(signs, _MOST_SIGNS, None), None) is not None


def _vendor_findings(data: bytes) -> Iterator[Finding]:
    search = _any_vendor_token().search
    position = 0
    while opening := search(data, position):
        start = opening.start()
        found = list(_vendor_findings_at(data, start))
        if not found and data[start] in _BOUNDARY_MARKS:
            places = range(start + 1, start + _LONGEST_BOUNDARY + 1)
            found = next(filter(None, (list(_vendor_findings_at(data, place)) for place in places)), [])
        yield from found
        position = max((each.end for each in found), default=start + 1)


def _vendor_findings_at(data: bytes, start: int) -> Iterator[Finding]:
    for literal, rule in _vendor_rules().get(data[start : start + 2], ()):
        if data.startswith(literal, start):
            yield from _token(rule, data, start)


def _token(rule: Rule, data: bytes, start: int) -> Iterator[Finding]:
    """A token that starts here, judged by its beginning, with the rest of it on the next line."""
    pattern = _compiled(rule.pattern)
    for limit in _TOKEN_BYTES:
        match = pattern.match(data, start, start + limit)
        if match:
            for found in _findings(rule, data, match, _VENDOR_RANK):
                whole = pattern.match(data, start) if match.end() == start + limit else match
                yield replace(found, end=whole.end(rule.group))
                yield from _wrapped_tail(rule, data, whole)
            return


def _wrapped_tail(rule: Rule, data: bytes, match: Match) -> Iterator[Finding]:
    """The rest of a token that was wrapped onto the next line or put together from strings."""
    rest = rest_of_token(data, match.start(), match.end())
    if rest:
        yield Finding(*rest, rule.kind, _VENDOR_RANK)


def _findings(rule: Rule, data: bytes, match: Match, rank: int) -> Iterator[Finding]:
    extents = rule.reader(data, match) if rule.reader else ((match.start(rule.group), match.end(rule.group)),)
    for start, end in extents:
        if _counts(rule, data[start:end]):
            yield Finding(start, end, rule.kind, rank)


def _counts(rule: Rule, secret: bytes) -> bool:
    if rule.validator is not None and not rule.validator(secret):
        return False
    if rule.entropy and shannon_entropy(secret.decode("utf-8", "replace")) < rule.entropy:
        return False
    return not any(_compiled(pattern).fullmatch(secret) for pattern in rule.allow)


@cache
def _gate(layer: Layer) -> re2._Regexp:
    """One search for all rules of a layer; it counts less exactly than they do, since RE2 compiles counts slowly."""
    return _compiled_union(_union(layer), 32)


def _union(layer: Layer) -> str:
    union = "|".join(f"(?:{rule.pattern})" for rule in layer.rules)
    return _count.sub(lambda count: f"{{{min(int(count[1]), _COUNTED)},}}", union)


def _layer_findings(data: bytes) -> Iterator[Finding]:
    has_nouns = _compiled(_ANY_NOUN).search(data) is not None
    for rank, layer in enumerate(LAYERS):
        start = 0 if has_nouns or not layer.nouns else len(data)
        if start < len(data) and len(layer.rules) > 1:
            first = _gate(layer).search(data, start)
            start = first.start() if first else len(data)
        for rule in layer.rules if start < len(data) else ():
            yield from findings_of(rule, data, rank + 1, start)


def findings_of(rule: Rule, data: bytes, rank: int = 0, begin: int = 0) -> Iterator[Finding]:
    """What one rule finds in UTF-8 text from a place on, whatever the other rules find.

    A match whose value begins inside a secret that was found is passed over: it could only find a part of it. So is
    one that begins before the place of an empty extent, and one that begins in a marker: its kind is no word of the
    text, and must not lead from one secret on to the next.
    """
    secrets: deque[Extent] = deque()
    read = 0
    judges = rule.validator is not None or rule.entropy > 0 or bool(rule.allow)
    marked = MARKER_START in data
    for match in _compiled(rule.pattern).finditer(data, begin):
        start, end = match.span()
        while secrets and secrets[0][1] <= start:
            secrets.popleft()
        if start < read or (secrets and _begins_inside(secrets[0], data, start, end)):
            continue
        if marked and in_marker(data, start):
            continue
        if rule.context is not None and not _in_context(rule.context, data, start, end):
            continue
        for extent in rule.reader(data, match) if rule.reader else (match.span(rule.group),):
            start, end = extent
            if start == end:
                read = end
            elif not judges or _counts(rule, data[start:end]):
                if not secrets or end > secrets[-1][1]:
                    secrets.append(extent)
                yield Finding(start, end, rule.kind, rank)


def _begins_inside(secret: Extent, data: bytes, start: int, end: int) -> bool:
    """Whether a match, and something after it, lies inside of a secret."""
    return secret[0] <= start and bool(data[end : min(secret[1], end + _BLANKS)].strip())


def _in_context(context: str, data: bytes, start: int, end: int) -> bool:
    """Whether the context matches in the lines of a match, within a window around it."""
    newline = data.find(b"\n", end, end + _CONTEXT)
    around = data[_line_start(data, start) : newline if newline >= 0 else end + _CONTEXT]
    return _compiled(context).search(around) is not None


def _line_start(data: bytes, position: int) -> int:
    """Where the line begins, or the command line that continues over lines which end in a backslash."""
    limit = max(0, position - _CONTEXT)
    start = data.rfind(b"\n", limit, position)
    while start > 0 and data[start - 2 : start].rstrip(b"\r").endswith(b"\\"):
        start = data.rfind(b"\n", limit, start)
    return start + 1 if start >= 0 else limit


def secrets_of(text: str, extra: Sequence[RedactionPattern]) -> tuple[Span, ...]:
    """Scan until the redacted text has nothing left to find, so that a second run changes nothing.

    A text that still yields secrets after so many scans was made to, and is hidden whole.
    """
    spans = _scan(text, extra)
    for _ in range(_PASSES):
        more = _scan(apply(text, spans).text, extra) if spans else ()
        if not more:
            return spans
        spans = unite(spans, lifted(more, spans))
    return (Span(0, len(text), _WHOLE_TEXT),)


def _scan(text: str, extra: Sequence[RedactionPattern]) -> tuple[Span, ...]:
    copy = scan_copy(text)
    if _has_too_many_signs(copy.data):
        return (Span(0, len(text), _WHOLE_TEXT),)
    built_in = (_vendor_findings(copy.data), _layer_findings(copy.data))
    spans = copy.spans(merge(chain(*built_in, _extra_findings(copy, extra))))
    if extra and (original := plain_copy(text)).data != copy.data:
        spans = unite(original.spans(merge(_extra_findings(original, extra))), spans)
    if "\\\n" in text or "\\\r\n" in text:
        joined = scan_copy(text, join_continued=True)
        spans = unite(joined.spans(merge(_vendor_findings(joined.data))), spans)
    return outside_markers(text, spans) if spans else spans


def _extra_findings(copy: ScanCopy, extra: Sequence[RedactionPattern]) -> Iterable[Finding]:
    for each in extra:
        for match in linear_bytes_expression(each.pattern).finditer(copy.data):
            group = 1 if match.re.groups and match.start(1) >= 0 else 0
            yield Finding(match.start(group), match.end(group), each.kind, _EXTRA_RANK)
