"""Applies the rule table to a text: all layers on the same copy, merged, replaced once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

import re2

from kradle_ctx.redaction import blocks, command_line, entropy, formats, prose, structure, tables, vendor
from kradle_ctx.redaction.model import Match, Redaction, RedactionFailed, Rule, Span
from kradle_ctx.redaction.scan_copy import ScanCopy, scan_copy
from kradle_ctx.redaction.spans import Finding, apply, lifted, merge, unite

RULES_VERSION = "1"
"""Version of the built-in rule table; it changes whenever the spans of any text can change."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Rules that are scanned for together, behind one search that most text does not pass.

    The gate is the union of the rules' patterns; `nouns` adds one that all such layers share: a word for a secret.
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
_CONTEXT = 240
_ANY_NOUN = f"(?i){structure.NOUNS}|{prose.NOUN}"


@dataclass(frozen=True, slots=True)
class ExtraPattern:
    """A pattern that policy or request adds: an RE2 expression; its first group, or all of it, is the secret."""

    kind: str
    pattern: str


def _options(memory_mebibytes: int = 16) -> re2.Options:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = memory_mebibytes << 20
    return options


@cache
def _compiled(pattern: str) -> re2._Regexp:
    return re2.compile(pattern.encode("latin-1"), _options())


@cache
def _any_vendor_token() -> re2._Regexp:
    """All vendor rows as one expression. An RE2 Set would drop matches in silence when it runs out of memory."""
    rows = "|".join(rule.pattern for rule in vendor.RULES)
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
    for token in _any_vendor_token().finditer(data):
        for start in range(token.start(), min(token.start() + 4, token.end())):
            found = list(_vendor_findings_at(data, start))
            if found:
                yield from found
                break


def _vendor_findings_at(data: bytes, start: int) -> Iterator[Finding]:
    for literal, rule in _vendor_rules().get(data[start : start + 2], ()):
        if data.startswith(literal, start):
            match = _compiled(rule.pattern).match(data, start)
            if match:
                yield from _findings(rule, data, match, _VENDOR_RANK)


def _findings(rule: Rule, data: bytes, match: Match, rank: int) -> Iterator[Finding]:
    extents = rule.reader(data, match) if rule.reader else ((match.start(rule.group), match.end(rule.group)),)
    for start, end in extents:
        if rule.validator is None or rule.validator(data[start:end]):
            yield Finding(start, end, rule.kind, rank)


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
            for match in _compiled(rule.pattern).finditer(data):
                if rule.context is None or _in_context(rule.context, data, match):
                    yield from _findings(rule, data, match, rank + 1)


def _in_context(context: str, data: bytes, match: Match) -> bool:
    """Whether the context matches in the lines of the match, within a window around it."""
    start = data.rfind(b"\n", max(0, match.start() - _CONTEXT), match.start()) + 1
    end = data.find(b"\n", match.end(), match.end() + _CONTEXT)
    start = start or max(0, match.start() - _CONTEXT)
    return _compiled(context).search(data[start : match.end() + _CONTEXT if end < 0 else end]) is not None


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
