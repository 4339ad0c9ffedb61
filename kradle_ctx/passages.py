"""Redacted files, and the passages of whole lines that are cut from them.

Redaction sees the whole file first; cutting comes after, so that no cut can slip part of a secret past its detector.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.digest import digest_value
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.graph import Outline
from kradle_ctx.model.hits import Passage
from kradle_ctx.model.versions import RULES_VERSION
from kradle_ctx.ports import Kept, NothingKept
from kradle_ctx.redaction import RedactionFailed, Redactor, Span, marker
from kradle_ctx.tokens import beginnings, composed, fold, readings, stem

Shown = TypeVar("Shown")

FLAGGED_AT_ONCE = 65_536
"""Characters of a document that are looked at for text that addresses an agent; what is shown always is."""

KNOWN_AGAIN, SHORTEST_KNOWN = 100, 8
"""Secrets of a file that are looked for in the titles and names of its documents, and the characters each must have."""

NAMED_FROM_OUTSIDE = "source_refs"
"""The one mapping whose names are the request's own and not the product's."""

RULES_DIGITS = 16
"""Digits of the digest of the rules by which what follows from them is known again; a brain is read by few of them."""

MOST_LINES = 20_000
"""Lines of a document that are taken apart; what stands below them is neither counted nor shown."""

FEW_BEGINNINGS = 32
"""Beginnings of words that are quicker looked for one by one than a line is taken apart."""

JOINED_GAP = 2
"""Two excerpts with no more lines than this between them cost more than one that holds those lines."""


class RedactedFile:
    """One blob's text with the spans that must not show; lines are split at LF alone and counted from 1."""

    def __init__(self, data: bytes, spans: Sequence[Span]) -> None:
        self._data = data
        self._text = decoded(data)
        self.spans = tuple(spans)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        at = self._text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self._text.find("\n", at + 1)
        return starts

    def line_at(self, offset: int) -> int:
        """The line of a byte of the blob."""
        return bisect_left(self._ends, offset) + 1

    @cached_property
    def _ends(self) -> list[int]:
        """Where the lines end: the offset of every LF."""
        return [found.start() for found in re.finditer(b"\n", self._data)]

    @cached_property
    def hidden(self) -> tuple[tuple[int, int], ...]:
        """The byte ranges of the blob that redaction removes; whole lines where the blob is not UTF-8."""
        if not self.spans:
            return ()
        if self._text.isascii() and len(self._text) == len(self._data):
            return tuple((span.start, span.end) for span in self.spans)
        if "�" in self._text:
            return tuple(self._line_bytes(span) for span in self.spans)
        found: list[tuple[int, int]] = []
        at = offset = 0
        for span in self.spans:
            start = offset + len(self._text[at : span.start].encode())
            at, offset = span.end, start + len(self._text[span.start : span.end].encode())
            found.append((start, offset))
        return tuple(found)

    def _line_bytes(self, span: Span) -> tuple[int, int]:
        first = bisect_right(self._starts, span.start) - 1
        last = bisect_right(self._starts, max(span.start, span.end - 1)) - 1
        end = self._ends[last] if last < len(self._ends) else len(self._data)
        return self._ends[first - 1] + 1 if first else 0, end + 1

    def passage(self, first: int, last: int) -> Passage:
        """The lines `first` to `last`, redacted, with LF line ends and a final LF."""
        start = self._starts[first - 1]
        end = self._starts[last] if last < len(self._starts) else len(self._text)
        text, counts = cut(self._text, start, end, self._within(start, end))
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        if text.endswith("\r"):
            text = text[:-1]
        return Passage(first, last, text if text.endswith("\n") or not text else text + "\n", counts)

    def places_of(self, asked: Mapping[str, str], first: int, last: int) -> Iterator[tuple[int, str]]:
        """Where words with some stems stand in some lines, redacted text aside: each line with what the stem maps to.

        A word that is part of an identifier stands there, too.
        """
        begun = [beginning for stemmed in asked for beginning in beginnings(stemmed)]
        few, looked_at = len(begun) <= FEW_BEGINNINGS, 0
        for number in range(first, last + 1):
            line = composed(self._legible(number))
            folded = fold(line)
            # Most lines hold none of a few, and are not taken apart.
            if not few or any(beginning in folded for beginning in begun):
                looked_at += 1
                if looked_at > MOST_LINES:
                    return
                standing = (stem(word) for word, _ in readings(line))
                yield from ((number, asked[stemmed]) for stemmed in standing if stemmed in asked)

    def _legible(self, line: int) -> str:
        """A line without what redaction removes of it."""
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self._text)
        shown, at = "", start
        for span in self._within(start, end):
            shown += f"{self._text[at : max(at, span.start)]} "
            at = min(end, span.end)
        return shown + self._text[at:end]

    @cached_property
    def secrets(self) -> tuple[tuple[str, str], ...]:
        """The first secrets of the file that are long enough to be known again elsewhere, each with its kind."""
        texts = ((self._text[span.start : span.end], span.kind) for span in self.spans[:KNOWN_AGAIN])
        return tuple((text, kind) for text, kind in texts if len(text) >= SHORTEST_KNOWN)

    def removed_share(self, first: int, last: int) -> float:
        """The share of the characters of some lines that redaction removes."""
        start = self._starts[first - 1]
        end = self._starts[last] if last < len(self._starts) else len(self._text)
        removed = sum(min(end, span.end) - max(start, span.start) for span in self._within(start, end))
        return removed / max(1, end - start)

    def _within(self, start: int, end: int) -> Sequence[Span]:
        """The spans that reach into a part of the text; they are sorted and disjoint."""
        first = bisect_right(self.spans, start, key=lambda span: span.end)
        return self.spans[first : bisect_left(self.spans, end, first, key=lambda span: span.start)]


def decoded(data: bytes) -> str:
    """A blob's text; what is not UTF-8 shows as U+FFFD."""
    return data.decode(errors="replace")


def cut(text: str, start: int, end: int, spans: Iterable[Span]) -> tuple[str, dict[str, int]]:
    """A part of a text with every span replaced; a span that crosses the border leaves its marker inside."""
    parts: list[str] = []
    counts: Counter[str] = Counter()
    at = start
    for span in spans:
        if span.end > start and span.start < end:
            parts.append(text[at : max(at, span.start)])
            parts.append(marker(span.kind))
            counts[span.kind] += 1
            at = min(end, span.end)
    parts.append(text[at:end])
    return "".join(parts), dict(counts)


@contextmanager
def failing_closed() -> Iterator[None]:
    """Turn a rule that fails into an error that ends the run; nothing unredacted may follow."""
    try:
        yield
    except RedactionFailed as error:
        raise KradleError(
            ErrorCode.REDACTION_FAILED,
            "a redaction rule failed, so nothing was written",
            "report it; without redaction nothing is shown",
        ) from error


class BlobRedactor:
    """Redacts blobs whole, each once, and the short texts around them; it keeps spans, never texts."""

    def __init__(self, redactor: Redactor, kept: Kept | None = None) -> None:
        self._redactor = redactor
        self._kept = kept or NothingKept()
        self._blob_spans: dict[str, Sequence[Span]] = {}
        self._last: tuple[str, RedactedFile] | None = None
        self._names: dict[str, str] = {}

    def file(self, blob: str, read: Callable[[], bytes]) -> RedactedFile:
        """The redacted form of a blob; the last one is kept, since it is mostly asked for again."""
        if self._last is None or self._last[0] != blob:
            data = read()
            self._last = blob, RedactedFile(data, self.spans_of(blob, lambda: data))
        return self._last[1]

    def expect(self, blobs: Iterable[str]) -> None:
        """Hear which blobs' spans will be asked for."""
        self._kept.expect(f"spans {self.rules} {blob}" for blob in blobs if blob not in self._blob_spans)

    def spans_of(self, blob: str, read: Callable[[], bytes]) -> Sequence[Span]:
        """The spans of a blob's text that must not show; it is read only where they are not known."""
        spans = self._blob_spans.get(blob)
        if spans is None:
            spans = self._blob_spans[blob] = self._kept_spans(blob, read)
        return spans

    def _kept_spans(self, blob: str, read: Callable[[], bytes]) -> Sequence[Span]:
        """Spans that were kept under the rules that hold, else those that are found now."""
        key = f"spans {self.rules} {blob}"
        known = self._kept.get(key)
        if known is not None:
            return tuple(Span(*span) for span in known)
        found = self._spans(decoded(read()))
        self._kept.put(key, [[span.start, span.end, span.kind] for span in found])
        return found

    @cached_property
    def rules(self) -> str:
        """A name for what spans follow from beside the text."""
        rules = {"rules": RULES_VERSION, "patterns": [each.to_json() for each in self._redactor.extra]}
        return digest_value(rules).hex[:RULES_DIGITS]

    def name(self, text: str) -> str:
        """A title, id, path or other short text, redacted."""
        if text not in self._names:
            self._names[text] = self._name(text) if text else text
        return self._names[text]

    def _name(self, text: str) -> str:
        """What is clean is known again by its digest; what is not is kept nowhere."""
        key = self._name_key(text)
        if self._kept.get(key) is not None:
            return text
        shown = self._redacted(text)
        if shown == text:
            self._kept.put(key, True)
        return shown

    def _redacted(self, text: str) -> str:
        return cut(text, 0, len(text), self._spans(text))[0]

    def _name_key(self, text: str) -> str:
        return f"clean {self.rules} {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    def expect_names(self, texts: Iterable[str]) -> None:
        """Hear which short texts will be asked for."""
        self._kept.expect(self._name_key(text) for text in set(texts) if text not in self._names)

    def expect_fields(self, documents: Iterable[Outline]) -> None:
        """Hear of which documents the fields will be asked for."""
        self._kept.expect(map(self._fields_key, documents))

    def _fields_key(self, document: Outline) -> str:
        """What the fields of a document follow from."""
        return f"fields {self.rules} {document.blob} {document.start} {document.path}"

    def changed_fields(self, document: Outline, read: Callable[[], Sequence[str]]) -> Mapping[int, str]:
        """Those of the fields of a document, by their place, that redaction changes, as they are then.

        They are read only where it is not known that they hold no secret.
        """
        key = self._fields_key(document)
        known = self._kept.get(key)
        if known is None:
            known = [[place, name] for place, text in enumerate(read()) if (name := self._redacted(text)) != text]
            self._kept.put(key, known)
        return dict(known)

    def expect_flags(self, documents: Iterable[Outline]) -> None:
        """Hear of which documents the flags will be asked for."""
        self._kept.expect(map(self._flags_key, documents))

    def _flags_key(self, document: Outline) -> str:
        return f"flags {self.rules} {document.blob} {document.start} {document.end}"

    def flags(self, document: Outline, read: Callable[[], str]) -> tuple[str, ...]:
        """The flags of a document's redacted text, of a very long one those of its beginning."""
        key = self._flags_key(document)
        known = self._kept.get(key)
        if known is None:
            known = flags_of(read()[:FLAGGED_AT_ONCE])
            self._kept.put(key, known)
        return tuple(known)

    def shown(self, value: Shown) -> Shown:
        """The same value, of structs, mappings, lists, tuples and texts, with every text in it redacted."""
        return cast(Shown, self._shown(value))

    def _shown(self, value: Any) -> Any:
        if isinstance(value, Enum):
            return value
        if isinstance(value, str):
            return self.name(value)
        if isinstance(value, (tuple, list)):
            return type(value)(self._shown(entry) for entry in value)
        if isinstance(value, Mapping):
            return {name: self._shown(entry) for name, entry in value.items()}
        if isinstance(value, Struct):
            stated = {name: getattr(value, name) for name in value.__struct_fields__}
            shown = {name: self._shown(entry) for name, entry in stated.items()}
            if NAMED_FROM_OUTSIDE in shown:
                shown[NAMED_FROM_OUTSIDE] = self._renamed(shown[NAMED_FROM_OUTSIDE])
            return replace(value, **shown)
        return value

    def _renamed(self, values: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Values by redacted names; those of names that are then the same stand together."""
        joined: dict[str, tuple[str, ...]] = {}
        for name, entries in values.items():
            joined[self.name(name)] = (*joined.get(self.name(name), ()), *entries)
        return joined

    def _spans(self, text: str) -> Sequence[Span]:
        with failing_closed():
            return self._redactor.spans(text)


def flags_of(text: str) -> tuple[str, ...]:
    """The names of what is odd about a text; the rules are loaded when they are first asked for."""
    from kradle_ctx.instructions import flags

    return flags(text)


def flags_shown(known: Sequence[str], text: str) -> tuple[str, ...]:
    """The flags of a document with those of a passage that is shown of it, whose text was not yet looked at whole."""
    return tuple(sorted({*known, *flags_of(text)}))


class Window(Struct, frozen=True):
    """A run of lines, and how many different terms match in it."""

    first: int
    last: int
    terms: frozenset[str]


def windows(lines: Iterable[tuple[int, str]], first: int, last: int, context: int) -> list[Window]:
    """Runs of lines around matches, `context` lines on either side, in line order.

    Runs that touch, or that leave out no more than `JOINED_GAP` lines, are one. `lines` are pairs of line and term, in
    line order; windows stay within `first` and `last`, the document's borders.
    """
    joined: list[Window] = []
    for line, term in lines:
        start, end = max(first, line - context), min(last, line + context)
        if joined and start <= joined[-1].last + 1 + JOINED_GAP:
            previous = joined.pop()
            joined.append(Window(previous.first, max(previous.last, end), previous.terms | {term}))
        else:
            joined.append(Window(start, end, frozenset({term})))
    return joined


def best_windows(found: Sequence[Window], limit: int) -> list[Window]:
    """The windows with the most different terms, the best first, at most `limit`."""
    return sorted(found, key=lambda window: (-len(window.terms), window.first))[:limit]
