"""Text search over the granted view: which terms of the query stand where, and how much that says."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from msgspec import Struct, field

from kradle_ctx.model.graph import Document, Form
from kradle_ctx.model.hits import Match
from kradle_ctx.model.search import Pattern
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Searcher
from kradle_ctx.tokens import TERM_LIMIT, Term, composed, fold, readings, stem, stems
from kradle_ctx.view import PATH_LINE, View

TermAt = Callable[[bytes, int, int], str | None]
"""The term that stands at a byte range of a blob, if any."""

SHORT_STEM = 4
"""A stem shorter than this is searched at word borders only, since it would stand inside too many words."""

SATURATION, LENGTH_SHARE = 1.2, 0.6
"""BM25's k1 and b (Robertson and Zaragoza 2009, section 3.6, give the customary ranges)."""

MATCHES_READ = 1_000
"""Matches of one term in one document that are counted; the score is saturated long before."""

IRREGULAR = {"die": "dying", "lie": "lying", "tie": "tying", "sky": "skies"}
"""Words that do not begin as their stem does, by the English Snowball stemmer's own list of exceptions."""

FIELD_WEIGHTS = (3.0, 2.0, 1.0, 1.0)
"""How many matches in the body one match is worth in the title, the names, the summary and the path.

Names are the id, the aliases, the tags and the kind."""

WORD_BYTES = re.compile(rb"[0-9A-Za-z\x80-\xff]+")
WINDOW = 64


class TextMatch(Struct):
    """What text search found in one document.

    `score` is BM25 over body and fields, `field_score` the share of it that title, names and summary alone would
    give; both use statistics of the granted view only.
    """

    matches: list[Match] = field(default_factory=list)
    terms: Counter[str] = field(default_factory=Counter)
    found_terms: tuple[str, ...] = ()
    score: float = 0.0
    field_score: float = 0.0

    def is_full(self, wanted: int) -> bool:
        """Whether each of so many terms was found as often as it is counted."""
        return len(self.matches) >= wanted * MATCHES_READ


class TextMatches(Struct, frozen=True):
    """What text search found, by document number; `truncated` when there were more matches than can be read."""

    documents: dict[int, TextMatch] = field(default_factory=dict)
    truncated: bool = False


def search_text(
    view: View, terms: Sequence[Term], searcher: Searcher, redactor: BlobRedactor, structured: bool = False
) -> TextMatches:
    """Documents of the view in which at least one term stands, by number; not where redaction removes it."""
    found = collect(view, patterns(terms), searcher, redactor, TermFinder(terms).term_at, len(terms), structured)
    score(view, found.documents, terms, redactor)
    return found


def search_expression(
    view: View, expression: str, searcher: Searcher, redactor: BlobRedactor, structured: bool = False
) -> TextMatches:
    """Documents of the view in which a regular expression matches, but for text that redaction removes."""
    found = collect(view, [Pattern(expression)], searcher, redactor, lambda data, start, end: expression, 1, structured)
    score(view, found.documents, [Term(expression, None, 1.0)], redactor)
    return found


def patterns(terms: Sequence[Term]) -> list[Pattern]:
    """Patterns for ripgrep, literals first and longer ones first, because the first that fits wins at one place."""
    literal = [term.text for term in terms if term.stem is None]
    expressions = [re.escape(form) for text in sorted(literal, key=len, reverse=True) for form in normal_forms(text)]
    for term in terms:
        if term.stem is not None:
            expressions.extend(stem_expression(form) for written in spellings(term) for form in normal_forms(written))
    return [Pattern(expression) for expression in dict.fromkeys(expressions)]


def spellings(term: Term) -> list[str]:
    """The stem of a word and, since folding may have changed more than its case (`ß`), the word as the query has it."""
    written = term.text.lower()
    stemmed = term.stem or written
    irregular = [IRREGULAR[stemmed]] if stemmed in IRREGULAR else []
    return [stemmed, *irregular] if written.isascii() else [stemmed, written]


def normal_forms(text: str) -> list[str]:
    """The composed and the decomposed spelling of a text; one of them where they are equal."""
    return list(dict.fromkeys(unicodedata.normalize(form, text) for form in ("NFC", "NFD")))


def stem_expression(stemmed: str) -> str:
    """What every word with this stem begins with: stemming may have changed a final `e` or `i`."""
    beginning = re.escape(trimmed(stemmed))
    long = len(trimmed(stemmed)) >= SHORT_STEM or not stemmed.isascii()
    return beginning if long else rf"(?:(?-u:\b)|_){beginning}"


def trimmed(stemmed: str) -> str:
    """A stem without what stemming may have made of an end: `reliabl` is the stem of `reliability`, too."""
    return stemmed[:-1] if len(stemmed) > 2 and (stemmed[-1] in "ei" or stemmed.endswith("bl")) else stemmed


class TermFinder:
    """Tells which term, if any, the text at a match satisfies; the tokeniser has the last word, not the pattern."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._literals = {fold(term.text): term.text for term in terms if term.stem is None}
        self._stems = {term.stem: term.text for term in terms if term.stem is not None}
        self._known: dict[tuple[bytes, int], str | None] = {}

    def term_at(self, data: bytes, start: int, end: int) -> str | None:
        """The text of the term that stands at a byte range."""
        if self._literals:
            literal = self._literals.get(fold(data[start:end].decode(errors="replace")))
            if literal is not None and free_standing(data, start, end):
                return literal
        for token in WORD_BYTES.finditer(data, max(0, start - WINDOW), min(len(data), end + WINDOW)):
            if token.start() >= end:
                break
            if token.end() > start:
                key = (token.group(), max(0, start - token.start()))
                if key not in self._known:
                    self._known[key] = self._word_term(*key)
                if self._known[key] is not None:
                    return self._known[key]
        return None

    def _word_term(self, token: bytes, inside: int) -> str | None:
        position = len(composed(token[:inside].decode(errors="replace")))
        for word, end in readings(composed(token.decode(errors="replace"))):
            if end > position and (known := self._stems.get(stem(word))) is not None:
                return known
        return None


def free_standing(data: bytes, start: int, end: int) -> bool:
    """Whether no letter or digit continues a literal that begins or ends in one."""
    before, first, last, after = (
        data[start - 1 : start],
        data[start : start + 1],
        data[end - 1 : end],
        data[end : end + 1],
    )
    return not (before.isalnum() and first.isalnum()) and not (last.isalnum() and after.isalnum())


def collect(
    view: View,
    searched: Iterable[Pattern],
    searcher: Searcher,
    redactor: BlobRedactor,
    term_at: TermAt,
    wanted: int,
    structured: bool = False,
) -> TextMatches:
    """Search the corpus and sort the matches by document; a match in a path counts for all documents of the file.

    `term_at` can tell so many terms as are `wanted`. With `structured`, only graph records and frontmatter count.
    """
    found: dict[int, TextMatch] = defaultdict(TextMatch)
    reader, document_of = BlobReader(view, redactor), cache(view.document)
    answer = view.search(searcher, list(searched))
    matched = list(answer.found)
    redactor.expect({view.document(number).blob for number, _, _ in matched})
    for number, start, end in matched:
        if number in found and found[number].is_full(wanted):
            continue
        document = document_of(number)
        if start == PATH_LINE:
            found.update((other, TextMatch()) for other in view.at_path(document.path) if other not in found)
            continue
        if structured and not (document.form is Form.GRAPH or start < document.body):
            continue
        term = term_at(reader.read(document), start, end)
        if term is None or found[number].terms[term] >= MATCHES_READ:
            continue
        if not reader.hides(start, end):
            found[number].matches.append(Match(start, term))
            found[number].terms[term] += 1
    return TextMatches(dict(sorted(found.items())), answer.truncated)


class BlobReader:
    """Keeps the blob that is being looked at, since matches come in file order."""

    def __init__(self, view: View, redactor: BlobRedactor) -> None:
        self._view = view
        self._redactor = redactor
        self._blob = ""
        self._data = b""
        self._hidden: Sequence[tuple[int, int]] | None = None

    def read(self, document: Document) -> bytes:
        """The bytes of the document's blob."""
        if self._blob != document.blob:
            self._blob, self._data, self._hidden = document.blob, self._view.text(document), None
        return self._data

    def hides(self, start: int, end: int) -> bool:
        """Whether redaction removes any byte of a range of the blob read last."""
        if self._hidden is None:
            self._hidden = self._redactor.file(self._blob, self._data).hidden
        # Hidden ranges are sorted and disjoint, so only the last one that begins before the end can reach in.
        at = bisect_left(self._hidden, (end, 0)) - 1
        return at >= 0 and start < self._hidden[at][1]


def score(view: View, found: dict[int, TextMatch], terms: Sequence[Term], redactor: BlobRedactor) -> None:
    """Fill in BM25 scores, and drop documents in which nothing matched after all."""
    fields = weights_of_fields({number: view.document(number) for number in found}, terms, redactor)
    for number in [number for number, match in found.items() if not match.terms and not fields[number]]:
        del found[number]
    statistics = view.statistics
    containing: Counter[str] = Counter()
    for number, match in found.items():
        containing.update({*match.terms, *fields[number]})
    weight = {term.text: term.weight * inverse_frequency(containing[term.text], statistics.documents) for term in terms}
    for number, match in found.items():
        document = view.document(number)
        length = (document.end - document.body) / (statistics.mean_length or 1.0)
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
        extra = fields[number]
        match.found_terms = tuple(term.text for term in terms if term.text in match.terms or term.text in extra)
        match.score = sum(
            weight[text] * saturate(match.terms[text] + extra.get(text, 0.0), norm) for text in match.found_terms
        )
        match.field_score = sum(weight[text] * saturate(extra[text], SATURATION) for text in sorted(extra))


def inverse_frequency(containing: int, documents: int) -> float:
    """BM25's idf, in the form that is never negative."""
    return math.log(1 + (documents - containing + 0.5) / (containing + 0.5))


def saturate(frequency: float, norm: float) -> float:
    """BM25's saturating term frequency."""
    return frequency * (SATURATION + 1) / (frequency + norm)


def weights_of_fields(
    documents: Mapping[int, Document], terms: Sequence[Term], redactor: BlobRedactor
) -> dict[int, dict[str, float]]:
    """What the terms that stand in the fields of each document are worth, redacted text aside."""
    texts = {number: fields_of(document) for number, document in documents.items()}
    standing = {number: [matching_terms(text, terms) for text in fields] for number, fields in texts.items()}
    # They are redacted only where a term stands in any, since that is rare.
    matching = [number for number, found in standing.items() if any(found)]
    redactor.expect_names(texts[number] for number in matching)
    weights: dict[int, dict[str, float]] = {number: {} for number in documents}
    for number in matching:
        shown = redactor.names(texts[number])
        for text, raw, found, worth in zip(shown, texts[number], standing[number], FIELD_WEIGHTS, strict=True):
            for term in found if text == raw else matching_terms(text, terms):
                weights[number][term] = weights[number].get(term, 0.0) + worth
    return weights


def fields_of(document: Document) -> tuple[str, str, str, str]:
    """Title, names, summary and path of a document."""
    names = " ".join((document.id or "", document.kind or "", *document.aliases, *document.tags))
    return (document.title if document.title != document.id else "", names, document.summary, document.path)


@lru_cache(maxsize=4 * TERM_LIMIT)
def folded_literal(text: str) -> str:
    """A literal term, folded once for all fields of all documents."""
    return fold(text)


@lru_cache(maxsize=4 * TERM_LIMIT)
def beginnings(term: Term) -> tuple[str, ...]:
    """What a text with a term must hold, once folded: the beginning of each spelling of its stem, or the literal."""
    if term.stem is None:
        return (folded_literal(term.text),)
    return tuple(fold(trimmed(spelling)) for spelling in spellings(term))


def chunks_with(text: str, folded: str, terms: Sequence[Term]) -> list[str]:
    """What stands between blanks and can hold a word of a term: a long summary is not stemmed for one word of it."""
    chunks, spoken = text.split(), folded.split()
    expression = beginning_expression(tuple(terms))
    if expression is None or len(chunks) != len(spoken):
        return chunks
    joined, found, at, place = " ".join(spoken), {}, 0, 0
    for hit in expression.finditer(joined):
        place += joined.count(" ", at, hit.start())
        at = hit.start()
        found[place] = chunks[place]
    return list(found.values())


@lru_cache(maxsize=64)
def beginning_expression(terms: tuple[Term, ...]) -> re.Pattern[str] | None:
    """An expression for the beginnings of the words that terms ask for; None where they ask for none."""
    wanted = [re.escape(beginning) for term in terms if term.stem is not None for beginning in beginnings(term)]
    return re.compile("|".join(wanted)) if wanted and all(wanted) else None


def matching_terms(text: str, terms: Sequence[Term]) -> list[str]:
    """The terms that stand in a text."""
    folded = fold(text)
    if not any(beginning in folded for term in terms for beginning in beginnings(term)):
        return []
    present = set(stems(" ".join(chunks_with(text, folded, terms))))
    return [
        term.text
        for term in terms
        if (term.stem in present if term.stem is not None else folded_literal(term.text) in folded)
    ]
