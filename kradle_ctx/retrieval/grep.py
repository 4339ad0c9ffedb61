"""Search of the text itself, for literals and expressions: what stands at each match, redacted text aside."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from kradle_ctx.model.graph import Document, Form
from kradle_ctx.model.hits import Match
from kradle_ctx.model.search import Pattern
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Searcher
from kradle_ctx.retrieval.matches import MATCHES_READ, TextMatch, TextMatches
from kradle_ctx.tokens import Term, fold
from kradle_ctx.view import PATH_LINE, View

TermAt = Callable[[bytes, int, int], str | None]
"""The term that stands at a byte range of a blob, if any."""


def patterns(literals: Iterable[Term]) -> list[Pattern]:
    """Patterns for ripgrep, longer ones first, because the first that fits wins at one place."""
    texts = sorted((term.text for term in literals), key=len, reverse=True)
    expressions = [re.escape(form) for text in texts for form in normal_forms(text)]
    return [Pattern(expression) for expression in dict.fromkeys(expressions)]


def normal_forms(text: str) -> list[str]:
    """The composed and the decomposed spelling of a text; one of them where they are equal."""
    return list(dict.fromkeys(unicodedata.normalize(form, text) for form in ("NFC", "NFD")))


def literal_at(literals: Iterable[Term]) -> TermAt:
    """Tells which literal, if any, stands free at a match."""
    texts = {fold(term.text): term.text for term in literals}

    def term_at(data: bytes, start: int, end: int) -> str | None:
        literal = texts.get(fold(data[start:end].decode(errors="replace")))
        return literal if literal is not None and free_standing(data, start, end) else None

    return term_at


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
    searched: Sequence[Pattern],
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
    answer = view.search(searcher, searched)
    matched = list(answer.found)
    redactor.expect({view.outline(number).blob for number, _, _ in matched})
    for number, start, end in matched:
        if number in found and len(found[number].matches) >= wanted * MATCHES_READ:
            continue
        document = document_of(number)
        if start == PATH_LINE:
            found.update((other, TextMatch()) for other in view.at_path(document.path) if other not in found)
            continue
        if structured and not (document.form is Form.GRAPH or start < document.body):
            continue
        term = term_at(reader.read(document), start, end)
        if term is not None and found[number].counts.get(term, 0) < MATCHES_READ and not reader.hides(start, end):
            found[number].add(Match(start, term))
    return TextMatches(dict(sorted(found.items())), truncated=answer.truncated)


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
            self._hidden = self._redactor.file(self._blob, lambda: self._data).hidden
        # Hidden ranges are sorted and disjoint, so only the last one that begins before the end can reach in.
        at = bisect_left(self._hidden, (end, 0)) - 1
        return at >= 0 and start < self._hidden[at][1]
