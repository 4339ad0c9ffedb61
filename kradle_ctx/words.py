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

FOREIGN = lazy_expression(r"(?<![0-9A-Za-z])(?:[0-9A-Za-z]*+[^\x00-\x7f]++)++[0-9A-Za-z]*+")
"""A run of letters and digits with anything in it that is not ASCII."""


MOST_REMEMBERED = 64
"""Characters of a run whose parts are remembered: it is the name of a field, and stands in many documents."""


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
        text = FOREIGN.sub(lambda run: " ".join(fold(word) for word, _ in readings(run.group())), composed(text))
    classes = text.encode("ascii", "replace").translate(LETTERS)
    if b"aA" in classes or b"AAa" in classes:
        return " ".join((text, *camel_parts(text, classes)))
    return text


def camel_parts(text: str, classes: bytes) -> Iterator[str]:
    """The parts of every run of ASCII letters and digits that has a case border, given the classes of its letters."""
    after_small, after_capitals, length = classes.find(b"aA"), classes.find(b"AAa"), len(classes)
    while after_small >= 0 or after_capitals >= 0:
        border = min(after_small % (length + 1), after_capitals % (length + 1))
        begin = classes.rfind(b".", 0, border) + 1
        end = classes.find(b".", border) % (length + 1)
        run = text[begin:end]
        yield from parts_of(run) if len(run) <= MOST_REMEMBERED else CAMEL_BORDER.split(run)
        if 0 <= after_small < end:
            after_small = classes.find(b"aA", end)
        if 0 <= after_capitals < end:
            after_capitals = classes.find(b"AAa", end)


@lru_cache(maxsize=4096)
def parts_of(run: str) -> list[str]:
    """The parts of one run of ASCII letters and digits."""
    return CAMEL_BORDER.split(run)
