"""The words of a document by which it is found, as texts from which a table of words can be made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.graph import Document
from kradle_ctx.tokens import CAMEL_BORDER, composed, fold, readings

LETTERS = bytes.maketrans(
    bytes(range(256)),
    bytes(
        ord("a") if 97 <= code <= 122 else ord("A") if 65 <= code <= 90 else ord("0") if 48 <= code <= 57 else ord(".")
        for code in range(256)
    ),
)
"""The class of each byte: a small letter, a capital, a digit, or what ends a run of them."""

BORDERS = (b"aA", b"AAa")
"""The borders of `CAMEL_BORDER`, between classes of letters."""

MOST_REMEMBERED = 64
"""Characters of a run whose parts are remembered: it is the name of a field, and stands in many documents."""

FOREIGN = lazy_expression(r"(?<![0-9A-Za-z])(?>(?:[0-9A-Za-z]*+[^\x00-\x7f]++)+)[0-9A-Za-z]*+")
"""A run of letters and digits with anything in it that is not ASCII."""


LONGEST = 1_000
"""Characters of a word; a term has `TERM_LENGTH` at most."""


class DocumentWords(NamedTuple):
    """The words of a document's parts: of its frontmatter and its body, and of the fields that describe it."""

    head: str
    body: str
    title: str
    names: str
    summary: str
    path: str


class Fields(NamedTuple):
    """The texts that describe a document: its title, its names, its summary and its path.

    Names are the id, the kind, the aliases and the tags.
    """

    title: str
    names: str
    summary: str
    path: str


def fields_of(document: Document) -> Fields:
    """The texts that describe a document; a title that only repeats the id says nothing more."""
    names = " ".join((document.id or "", document.kind or "", *document.aliases, *document.tags))
    return Fields(document.title if document.title != document.id else "", names, document.summary, document.path)


def words_of(document: Document, data: bytes) -> DocumentWords:
    """The words of a document, given the bytes of its blob."""
    head, body = data[document.start : document.body], data[document.body : document.end]
    texts = (part.decode(errors="replace") if part else "" for part in (head, body))
    return DocumentWords(*map(spelled_out, (*texts, *fields_of(document))))


def spelled_out(text: str) -> str:
    """A text whose runs of ASCII letters and digits, and of all that is not ASCII, are the `readings` of the given one.

    They are in small letters once those of ASCII are. So a table of words can be made by a tokeniser that knows no more
    than ASCII.
    """
    if not text.isascii():
        text = FOREIGN.sub(lambda run: folded_words(run.group()), composed(text))
    parts = list(camel_parts(text))
    return " ".join((text, *parts)) if parts else text


def folded_words(run: str) -> str:
    """The readings of a run, folded; no query asks for one beyond any length, and a table would cut it in a letter."""
    return " ".join(fold(word) for word, _ in readings(run) if len(word) <= LONGEST)


def camel_parts(text: str) -> Iterator[str]:
    """The parts of every run of ASCII letters and digits that has a case border."""
    classes = text.encode("ascii", "replace").translate(LETTERS)
    borders = [classes.find(border) for border in BORDERS]
    while found := [place for place in borders if place >= 0]:
        begin = classes.rfind(b".", 0, min(found)) + 1
        end = classes.find(b".", min(found))
        end = end if end >= 0 else len(classes)
        run = text[begin:end]
        yield parts_of(run) if len(run) <= MOST_REMEMBERED else " ".join(CAMEL_BORDER.split(run))
        borders = [
            classes.find(border, end) if 0 <= place < end else place
            for border, place in zip(BORDERS, borders, strict=True)
        ]


@lru_cache(maxsize=4096)
def parts_of(run: str) -> str:
    """The parts of a run, between blanks."""
    return " ".join(CAMEL_BORDER.split(run))
