"""The one tokeniser: from a query to its terms, and from matched text back to the terms it satisfies."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import Stemmer
from msgspec import Struct

from kradle_ctx.expressions import lazy_expression

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both
    but by can cannot could did do does doing done down during each either else ever every few find for from
    further get give had has have having he her here hers him his how i if in into is it its itself just let
    like me more most my need no nor not now of off on once only or other our ours out over own please same
    shall she should show so some such tell than that the their them then there these they this those through
    to too under until up us use used using very want was we were what when where whether which while who whom
    why will with without would you your yours
    ain aren couldn d didn doesn don hadn hasn haven isn ll m mustn re s shouldn t ve wasn weren won wouldn
    """.split()
)
"""Words of English questions that carry no topic; the last line holds what an apostrophe leaves of contractions."""

WORD = lazy_expression(r"[^\W_]+", re.UNICODE)
CAMEL_BORDER = lazy_expression(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
QUOTED = lazy_expression(r'"([^"\n]{2,200})"|“([^”\n]{2,200})”')
UNTYPED = lazy_expression(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")
"""Control characters and what is no character part words, as blanks do; a search could not even be asked for some."""

CHUNK = lazy_expression(r"\S+")
EDGE_PUNCTUATION = ".,;:!?()[]{}<>'\"`*“”‘’«»…"
IDENTIFIER_MARKS = lazy_expression(r"[\w.@-][./:_@#-][\w@]|[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]")
SHORT_NUMBER = lazy_expression(r"\d{1,2}")
"""A part of an identifier that says nothing on its own: it would match days, versions and line numbers anywhere."""

CJK = lazy_expression(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")

MOST_MARKS = 30
"""Combining marks in a row that a text may hold, as in the Stream-Safe Text Format (Unicode Standard Annex 15)."""

MARKED = lazy_expression(rf"[^\x00-\x7f]{{{MOST_MARKS + 1},}}")
"""What can hold more."""

TERM_LIMIT = 200
"""Terms of a query beyond this number are left out, the last ones first."""

TERM_LENGTH = 200
"""Longest term in characters; no one types a longer one, and nothing else would contain it."""

WORD_WEIGHT, LITERAL_WEIGHT, PART_WEIGHT = 1.0, 2.0, 0.5
"""Identifiers and phrases count for more than common words, and their parts for less than words of their own."""


class Term(Struct, frozen=True):
    """One thing the query asks for.

    `text` is what `why` shows. A word matches any word with the same `stem`; a literal (stem None) matches its exact
    characters, case aside.
    """

    text: str
    stem: str | None
    weight: float

    @property
    def key(self) -> str:
        """What identifies the term: the stem of a word, the folded text of a literal."""
        return self.stem if self.stem is not None else "=" + fold(self.text)


@lru_cache(maxsize=1)
def stemmer() -> Stemmer.Stemmer:
    """The English Snowball stemmer; its algorithm is stable across releases of the library."""
    return Stemmer.Stemmer("english")


def composed(text: str) -> str:
    """A text in NFC: a combining mark is no letter, so that a decomposed word would fall apart.

    More than `MOST_MARKS` marks in a row are cut, since to order them takes the square of their number.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", MARKED.sub(lambda run: with_few_marks(run.group()), text))


def with_few_marks(text: str) -> str:
    """A text without the marks that follow more than `MOST_MARKS` others."""
    kept, marks = [], 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def fold(text: str) -> str:
    """Case-folded NFC, so that spelling variants of one text compare equal."""
    return composed(text).casefold()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of one word, folded first."""
    folded = fold(word)
    return stemmer().stemWord(folded) if folded.isascii() else folded


def query_terms(query: str) -> tuple[Term, ...]:
    """The terms of a natural-language query, in the order they first appear.

    Quoted phrases stay whole; identifiers, paths, error codes and ids are literal and also give their parts; other
    words are stemmed, and stop words go. Words of scripts without spaces give pairs of characters. A query of
    nothing but stop words keeps them.
    """
    terms: dict[str, Term] = {}
    for term in candidate_terms(query):
        known = terms.get(term.key)
        if len(term.text) <= TERM_LENGTH and (known is None or known.weight < term.weight):
            terms[term.key] = term
    kept = [term for term in terms.values() if term.stem is None or fold(term.text) not in STOP_WORDS]
    return tuple((kept or list(terms.values()))[:TERM_LIMIT])


def beginnings(stemmed: str) -> tuple[str, ...]:
    """What every word with a stem begins with, one or the other: stemming changes the end of a word.

    `reliabl` is the stem of `reliability`, too; `dying` and `skies` are its exceptions (English Snowball stemmer).
    """
    cut = len(stemmed) > 2 and (stemmed[-1] in "ei" or stemmed.endswith("bl"))
    trimmed = stemmed[:-1] if cut else stemmed
    if len(stemmed) == len("die") and stemmed.endswith("ie"):
        return trimmed, f"{stemmed[0]}ying"
    return (trimmed, "skies") if stemmed == "sky" else (trimmed,)


def is_literal(text: str) -> bool:
    """Whether a text is matched as it stands: an identifier, a path, an option or a phrase."""
    return text.startswith("-") or " " in text or IDENTIFIER_MARKS.search(text) is not None


def candidate_terms(query: str) -> Iterator[Term]:
    """Every term of a query, repeated ones and stop words included."""
    query = composed(UNTYPED.sub(" ", query))
    for first, second in QUOTED.findall(query):
        if phrase := (first or second).strip():
            yield Term(phrase, None, LITERAL_WEIGHT)
            yield from chunk_terms(phrase, PART_WEIGHT)
    yield from chunk_terms(QUOTED.sub(" ", query), WORD_WEIGHT)


def chunk_terms(text: str, word_weight: float) -> Iterator[Term]:
    """The terms of a text without quotes: what stands between blanks is an identifier or gives words."""
    for chunk in CHUNK.findall(text):
        bare = chunk.strip(EDGE_PUNCTUATION)
        if bare and is_literal(bare):
            yield Term(bare, None, LITERAL_WEIGHT)
            yield from (Term(word, stem(word), PART_WEIGHT) for word in words(bare) if not SHORT_NUMBER.fullmatch(word))
        elif any(words(bare)):
            yield from (Term(word, stem(word), word_weight) for word in words(bare))
        elif bare or len(chunk) > 1:
            yield Term(bare or chunk, None, word_weight)


def words(text: str) -> Iterator[str]:
    """Words of a text: identifiers are split at punctuation and case borders, CJK runs into pairs of characters."""
    yield from (word for word, _ in placed_words(composed(text)))


def placed_words(text: str) -> Iterator[tuple[str, int]]:
    """Words of a composed text, each with the character offset where it ends."""
    for run in WORD.finditer(text):
        if not run.group().isascii() and CJK.search(run.group()):
            last = max(run.start() + 1, run.end() - 1)
            yield from ((text[at : min(at + 2, run.end())], min(at + 2, run.end())) for at in range(run.start(), last))
        else:
            end = run.start()
            for part in CAMEL_BORDER.split(run.group()):
                end += len(part)
                yield part, end


def readings(text: str) -> Iterator[tuple[str, int]]:
    """Every word that a composed text can be found by: its words, and `GitHub` as a whole beside `Git` and `Hub`."""
    yield from placed_words(text)
    yield from ((run.group(), run.end()) for run in WORD.finditer(text) if CAMEL_BORDER.search(run.group()))


def stems(text: str) -> list[str]:
    """Stems of all words of a text, stop words included; the form in which fields are compared with terms."""
    return [stem(word) for word, _ in readings(composed(text))]
