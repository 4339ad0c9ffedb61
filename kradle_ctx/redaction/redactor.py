"""Applies the rule table to a text: all layers on the same copy, merged, replaced once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

import re2

from kradle_ctx.redaction import blocks, command_line, entropy, formats, prose, structure, tables, vendor
from kradle_ctx.redaction.model import Match, Redaction, RedactionFailed, Rule, Span
from kradle_ctx.redaction.randomness import entropy as shannon_entropy
from kradle_ctx.redaction.randomness import looks_random
from kradle_ctx.redaction.scan_copy import ScanCopy, scan_copy
from kradle_ctx.redaction.spans import Finding, apply, lifted, merge, unite


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Rules that are scanned for together, behind one search that most text does not pass.

    The gate is the union of the rules' patterns; `nouns` adds one that layers share: a word for a secret.
    """

    rules: tuple[Rule, ...]
    nouns: bool = False


LAYERS: tuple[Layer, ...] = (
    Layer(blocks.RULES + formats.RULES),
    Layer(structure.FIELDS, nouns=True),
    Layer(structure.RULES),
    Layer(command_line.OPTIONS, nouns=True),
    Layer(command_line.PROGRAMS),
    Layer(tables.MARKDOWN, nouns=True),
    Layer(tables.DELIMITED, nouns=True),
    Layer(prose.TOLD, nouns=True),
    Layer(prose.RULES),
    Layer(entropy.RULES),
)
_VENDOR_RANK = 0
_EXTRA_RANK = 99
_PASSES = 4
_LONGEST_BOUNDARY = 3
_CONTEXT = 400
_ANY_NOUN = f"(?i){structure.NOUNS}|{prose.NOUN}"


@dataclass(frozen=True, slots=True)
class ExtraPattern:
    """A pattern that policy or request adds, in RE2: its first group, or all of it, is the secret."""

    kind: str
    pattern: str


def _options(memory_mebibytes: int = 16) -> re2.Options:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = memory_mebibytes << 20
    return options


_tail = re2.compile(rb"\r?\n[ \t>]*([\w\-]{8,200})[\"']?[ \t]*(?:\r?\n|\z)", _options())


@cache
def _compiled(pattern: str) -> re2._Regexp:
    return re2.compile(pattern.encode("latin-1"), _options())


@cache
def _any_vendor_token() -> re2._Regexp:
    """The openings of all vendor rows; an RE2 Set loses matches in silence when it runs out of memory."""
    rows = "|".join(vendor.OPENINGS)
    options = _options(64)
    options.never_capture = True
    return re2.compile((r"(?:\b|_|\\[nrt]|%[0-9A-Fa-f]{2})(?:" + rows + ")").encode("latin-1"), options)


@cache
def _vendor_rules() -> dict[bytes, tuple[tuple[bytes, Rule], ...]]:
    """Vendor rows by the first two bytes of their prefixes."""
    rows: dict[bytes, list[tuple[bytes, Rule]]] = {}
    for rule in vendor.RULES:
        for keyword in rule.keywords:
            literal = keyword.encode()
            rows.setdefault(literal[:2], []).append((literal, rule))
    return {start: tuple(found) for start, found in rows.items()}


def _vendor_findings(data: bytes) -> Iterator[Finding]:
    opening = _any_vendor_token().search(data)
    while opening:
        found: list[Finding] = []
        for start in range(opening.start(), min(opening.start() + _LONGEST_BOUNDARY + 1, opening.end())):
            found = list(_vendor_findings_at(data, start))
            if found:
                break
        yield from found
        after = max((each.end for each in found), default=opening.start() + 1)
        opening = _any_vendor_token().search(data, max(after, opening.start() + 1))


def _vendor_findings_at(data: bytes, start: int) -> Iterator[Finding]:
    for literal, rule in _vendor_rules().get(data[start : start + 2], ()):
        if data.startswith(literal, start):
            match = _compiled(rule.pattern).match(data, start)
            if match:
                yield from _findings(rule, data, match, _VENDOR_RANK)
                yield from _wrapped_tail(rule, data, match)


def _wrapped_tail(rule: Rule, data: bytes, match: Match) -> Iterator[Finding]:
    """The rest of a token that a mail program or an editor wrapped onto the next line."""
    tail = _tail.match(data, match.end())
    if tail and looks_random(tail.group(1).decode("ascii")):
        yield Finding(tail.start(1), tail.end(1), rule.kind, _VENDOR_RANK)


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
    options = _options(32)
    options.never_capture = True
    union = "|".join(f"(?:{rule.pattern})" for rule in layer.rules)
    return re2.compile(union.encode("latin-1"), options)


def _layer_findings(data: bytes) -> Iterator[Finding]:
    has_nouns = _compiled(_ANY_NOUN).search(data) is not None
    for rank, layer in enumerate(LAYERS):
        if (layer.nouns and not has_nouns) or (len(layer.rules) > 1 and _gate(layer).search(data) is None):
            continue
        for rule in layer.rules:
            yield from findings_of(rule, data, rank + 1)


def findings_of(rule: Rule, data: bytes, rank: int = 0) -> Iterator[Finding]:
    """What one rule finds in UTF-8 text, whatever the other rules find."""
    for match in _compiled(rule.pattern).finditer(data):
        if rule.context is None or _in_context(rule.context, data, match):
            yield from _findings(rule, data, match, rank)


def _in_context(context: str, data: bytes, match: Match) -> bool:
    """Whether the context matches in the lines of the match, within a window around it."""
    start = _line_start(data, match.start())
    end = data.find(b"\n", match.end(), match.end() + _CONTEXT)
    return _compiled(context).search(data[start : match.end() + _CONTEXT if end < 0 else end]) is not None


def _line_start(data: bytes, position: int) -> int:
    """Where the line begins, or the command line that continues over lines which end in a backslash."""
    limit = max(0, position - _CONTEXT)
    start = data.rfind(b"\n", limit, position)
    while start > 0 and data[limit:start].rstrip(b"\r").endswith(b"\\"):
        start = data.rfind(b"\n", limit, start)
    return start + 1 if start >= 0 else limit


@dataclass(frozen=True, slots=True)
class Redactor:
    """The built-in rules and, optionally, more patterns; patterns are added, never taken away."""

    extra: tuple[ExtraPattern, ...] = field(default=())

    def __post_init__(self) -> None:
        for number, each in enumerate(self.extra, start=1):
            try:
                re2.compile(each.pattern.encode(), _quiet())
            except re2.error:
                raise RedactionFailed(f"extra pattern {number} is not an RE2 expression") from None

    def redact(self, text: str) -> Redaction:
        """Replace every secret of the text by `[REDACTED:kind]`."""
        return apply(text, self.spans(text))

    def spans(self, text: str) -> tuple[Span, ...]:
        """The secrets of the text as sorted, disjoint spans in characters."""
        try:
            return self._spans(text)
        except Exception as error:
            raise RedactionFailed(f"a redaction rule failed ({type(error).__name__})") from None

    def _spans(self, text: str) -> tuple[Span, ...]:
        """Scan until the redacted text has nothing left to find, so that a second run changes nothing."""
        spans = self._scan(text)
        for _ in range(_PASSES if spans else 0):
            more = self._scan(apply(text, spans).text)
            if not more:
                break
            spans = unite(spans, lifted(more, spans))
        return spans

    def _scan(self, text: str) -> tuple[Span, ...]:
        copy = scan_copy(text)
        spans = copy.spans(merge(self._findings(copy)))
        if "\\\n" not in text and "\\\r\n" not in text:
            return spans
        joined = scan_copy(text, join_continued=True)
        return unite(joined.spans(merge(_vendor_findings(joined.data))), spans)

    def _findings(self, copy: ScanCopy) -> Iterable[Finding]:
        yield from _vendor_findings(copy.data)
        yield from _layer_findings(copy.data)
        for each in self.extra:
            for match in re2.compile(each.pattern.encode(), _quiet()).finditer(copy.data):
                group = 1 if match.re.groups and match.start(1) >= 0 else 0
                yield Finding(match.start(group), match.end(group), each.kind, _EXTRA_RANK)


def _quiet() -> re2.Options:
    options = re2.Options()
    options.log_errors = False
    return options


def redact(text: str) -> Redaction:
    """Redact a text with the built-in rules."""
    return _BUILT_IN.redact(text)


_BUILT_IN = Redactor()
