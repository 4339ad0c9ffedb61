"""The `Index` port over a view in a store: nothing is loaded that is not asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from kradle_ctx.adapters.index.rows import FORMS, document_from
from kradle_ctx.adapters.index.text_log import LogReader, header
from kradle_ctx.adapters.index.views import StoredView
from kradle_ctx.adapters.no_index import index_name
from kradle_ctx.adapters.text_corpus import HEADER, TextCorpus
from kradle_ctx.documents import mentionable
from kradle_ctx.model.graph import Document, Edge, Skipped
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ports import Corpus, IndexDamaged, Kept, Outline, Place

DOCUMENT = """
SELECT d.start, d.end, d.body, d.id, d.kind, d.sensitivity, d.form, d.extends, d.stated, f.path, f.blob, f.place, f.size
FROM documents d JOIN files f ON f.place = d.place WHERE d.number = ?
"""
MENTIONING = "SELECT DISTINCT document FROM mentioning WHERE name IN (?, '')"

OUTLINES = """
SELECT d.number, f.path, d.id, d.kind, d.sensitivity, d.form, d.extends, d.end - d.body
FROM documents d JOIN files f ON f.place = d.place
"""


UNSOUND = (sqlite3.Error, ValueError, TypeError, IndexError, KeyError, OverflowError)
"""What a damaged database raises."""


@contextmanager
def sound() -> Iterator[None]:
    """Turn what a damaged database raises into `IndexDamaged`."""
    try:
        yield
    except UNSOUND as error:
        raise IndexDamaged(f"it does not read ({type(error).__name__})") from error


class StoredIndex:
    """One tree's documents, known by their place in path and line order."""

    def __init__(self, connection: sqlite3.Connection, view: StoredView, log: LogReader, kept: Kept) -> None:
        self._connection = connection
        self._view = view
        self._log = log
        self._documents: dict[int, Document] = {}
        self._places_of_text: dict[tuple[str, str], tuple[int, int]] = {}
        self.kept = kept
        self.tree = view.tree
        self.name = index_name(view.tree, view.ontology_path)
        self.size = len(view.documents)

    @property
    def ontology(self) -> Ontology:
        """The ontology at the commit."""
        return self._view.ontology

    @property
    def skipped(self) -> Sequence[Skipped]:
        """Files and documents that could not be read."""
        return (*self._view.listed, *self._view.unread)

    @property
    def duplicates(self) -> Sequence[str]:
        """Ids that more than one document declares, in text order."""
        return self._view.duplicates

    def document(self, number: int) -> Document:
        """A document by its number."""
        found = self._documents.get(number)
        if found is None:
            (row,) = self._rows(DOCUMENT, self._view.documents[number])
            with sound():
                found = self._documents[number] = document_from(row[:9], row[9], row[10])
            self._places_of_text[found.path, found.blob] = row[11:]
        return found

    def named(self, name: str) -> Sequence[int]:
        """Documents whose id or alias is `name`."""
        return self._places("SELECT document FROM names WHERE name = ?", name)

    def at_path(self, path: str) -> Sequence[int]:
        """Documents in the file of that path."""
        return self._in_files("SELECT first, count FROM files WHERE path = ?", path)

    def mentioning(self, name: str) -> Sequence[int] | None:
        """Notes that may mention an id."""
        return self._places(MENTIONING, name) if mentionable(name) else None

    def holding(self, blob: str) -> Sequence[int]:
        """Documents in files with that content."""
        return self._in_files("SELECT first, count FROM files WHERE blob = ?", blob)

    def referring(self, value: str) -> Sequence[int]:
        """Documents that name `value` in `repoRefs`, `sourceRefs` or `tags`."""
        return self._places("SELECT document FROM referring WHERE value = ?", value)

    def incoming(self, target: str, kind: str | None = None) -> Sequence[tuple[int, Edge]]:
        """Edges whose target is the given id, of one kind or of any, each with the document that states it."""
        if kind is None:
            numbers = self._places("SELECT DISTINCT document FROM incoming WHERE target = ?", target)
        else:
            numbers = self._places("SELECT document FROM incoming WHERE target = ? AND kind = ?", target, kind)
        return [
            (number, edge)
            for number in numbers
            for edge in dict.fromkeys(self.document(number).edges)
            if edge.target == target and kind in (None, edge.kind)
        ]

    def outlines(self) -> Iterator[Outline]:
        """The outline of every document."""
        for number, path, record_id, kind, sensitivity, form, extends, length in self._rows(OUTLINES):
            place = self._view.place(number)
            if place is not None:
                yield Outline(place, path, record_id, kind, sensitivity, FORMS[form], bool(extends), length)

    def text(self, document: Document) -> bytes:
        """The bytes of the whole blob that holds a document."""
        place, size = self._places_of_text[document.path, document.blob]
        return self._log.read(place, document.path, document.blob, size)

    def corpus(self, numbers: Iterable[int]) -> Corpus:
        """A file of the text of the given documents."""
        return TextCorpus(((number, self.document(number)) for number in numbers), self.text)

    @cached_property
    def shared_corpus(self) -> Corpus | None:
        """The log of the store; an empty one is no file that can be searched."""
        return SharedCorpus(self, self._log) if self._log.size else None

    def file_at(self, offset: int) -> tuple[int, int, list[tuple[int, int, int]]]:
        """The file at an offset of the log: where its record and its bytes begin, and its documents of this view.

        Documents are their number and their first and last byte in the blob.
        """
        rows = self._rows(
            "SELECT place, path, first, count FROM files WHERE place <= ? ORDER BY place DESC LIMIT 1", offset
        )
        if not rows:
            raise IndexDamaged("its text is not the one it speaks of")
        place, path, first, count = rows[0]
        documents = []
        for number, start, end in self._rows(
            "SELECT number, start, end FROM documents WHERE number >= ? AND number < ?", first, first + count
        ):
            if (known := self._view.place(number)) is not None:
                documents.append((known, start, end))
        return place, place + len(header(path)), documents

    def _places(self, query: str, *values: str) -> list[int]:
        places = (self._view.place(number) for (number,) in self._rows(query, *values))
        return sorted(place for place in places if place is not None)

    def _in_files(self, query: str, value: str) -> list[int]:
        numbers = (number for first, count in self._rows(query, value) for number in range(first, first + count))
        return sorted(place for number in numbers if (place := self._view.place(number)) is not None)

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except UNSOUND as error:
            raise IndexDamaged(f"it does not read ({type(error).__name__})") from error


class SharedCorpus:
    """The log as a corpus: what is of no document of the view is nowhere."""

    def __init__(self, index: StoredIndex, log: LogReader) -> None:
        self._index = index
        self.path: Path = log.path
        self.size = log.size
        self._file: tuple[int, int, list[tuple[int, int, int]]] = (0, 0, [])
        self._until = 0

    def locate(self, offset: int) -> Place | None:
        """The document and the byte offset in its blob; `HEADER` for a path line, with the file's first document."""
        if offset >= self.size:
            return None
        if not self._file[0] <= offset < self._until:
            self._file = self._index.file_at(offset)
            self._until = self._end(offset)
        _, text, documents = self._file
        if offset < text:
            return Place(documents[0][0], HEADER) if documents else None
        at = offset - text
        return next((Place(number, at) for number, start, end in documents if start <= at < end), None)

    def _end(self, offset: int) -> int:
        """Up to where the file that was found last is known to reach."""
        _, text, documents = self._file
        return max(offset + 1, text, *(text + end for _, _, end in documents), 0)
