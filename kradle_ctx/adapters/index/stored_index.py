"""The `Index` port over a view in a store: nothing is loaded that is not asked for."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from kradle_ctx.adapters.index.rows import FORMS, document_from, written
from kradle_ctx.adapters.index.text_log import LogReader, header
from kradle_ctx.adapters.index.views import StoredView
from kradle_ctx.adapters.text_corpus import HEADER, TextCorpus
from kradle_ctx.documents import mentionable
from kradle_ctx.model.graph import Document, Edge, Skipped
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ports import Corpus, IndexDamaged, Kept, Origin, Outline, Place, index_name, outline_of

COLUMNS = """
SELECT d.number, d.start, d.end, d.body, d.id, d.kind, d.sensitivity, d.form, d.extends,
       d.status, d.updated, d.stated,
       f.path, f.blob, f.place, f.size
"""
DOCUMENTS = f"{COLUMNS} FROM documents d JOIN files f ON f.place = d.place"
# In just this order: from the offsets to their files, and from these to their documents.
IN_FILES = f"""{COLUMNS}
FROM (SELECT DISTINCT (SELECT max(place) FROM files WHERE place <= value) AS place FROM json_each(?)) found
CROSS JOIN files f ON f.place = found.place
CROSS JOIN documents d ON d.number >= f.first AND d.number < f.first + f.count
ORDER BY d.number
"""
INCOMING = """
SELECT i.place, i.kind, i.source, d.number, f.path, d.id, d.kind, d.sensitivity, d.form, d.extends, d.end - d.body
FROM incoming i JOIN documents d ON d.number = i.document JOIN files f ON f.place = d.place WHERE i.target = ?
"""
INCOMING_OF_KIND = f"{INCOMING} AND i.kind = ?"
MENTIONING = "SELECT DISTINCT document FROM mentioning WHERE name IN (?, '')"

NAMED = "SELECT document FROM names WHERE name = ?"
EXPECTED = """
SELECT n.name, d.number, f.path, d.id, d.kind, d.sensitivity, d.form, d.extends, d.end - d.body
FROM json_each(?) e CROSS JOIN names n ON n.name = e.value CROSS JOIN documents d ON d.number = n.document
JOIN files f ON f.place = d.place
"""
EXPECTED_DOCUMENTS = f"{DOCUMENTS} WHERE d.number IN (SELECT value FROM json_each(?))"
TARGETS = """
SELECT DISTINCT i.target, i.document FROM json_each(?) e CROSS JOIN incoming i ON i.target = e.value AND i.kind = ?
"""
OUTLINES = """
SELECT d.number, f.path, d.id, d.kind, d.sensitivity, d.form, d.extends, d.end - d.body
FROM documents d JOIN files f ON f.place = d.place
"""


EXPECTED_OUTLINES = f"{OUTLINES} WHERE d.number IN (SELECT value FROM json_each(?))"

GONE = -1
"""The number of a document that is not asked for by it."""

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
        self._outlines: dict[int, Outline] = {}
        self._answers: dict[tuple[str, ...], list[int]] = {}
        self._places_of_text: dict[tuple[str, str], tuple[int, int]] = {}
        self.kept = kept
        self.tree = view.tree
        self.name = index_name(view.tree, view.ontology_path)
        self.size = len(view.documents)

    def close(self) -> None:
        """Let go of the files; what was read stays."""
        self._connection.close()
        self._log.close()

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
            (row,) = self._rows(f"{DOCUMENTS} WHERE d.number = ?", self._view.documents[number])
            found = self._enter(number, row)
        return found

    def _enter(self, number: int, row: tuple[Any, ...]) -> Document:
        with sound():
            found = self._documents[number] = document_from(row[1:12], row[12], row[13])
        self._outlines[number] = outline_of(number, found)
        self._places_of_text[found.path, found.blob] = row[14:]
        return found

    def expect(self, names: Iterable[str] = (), numbers: Iterable[int] = ()) -> None:
        """Look names up together, with the outlines of what they name, and documents."""
        unread = [self._view.documents[number] for number in numbers if number not in self._documents]
        for document in self._rows(EXPECTED_DOCUMENTS, written(unread)) if unread else ():
            self._enter(self._view.places[document[0]], document)
        asked = [name for name in dict.fromkeys(names) if (NAMED, name) not in self._answers]
        found: dict[str, list[int]] = {name: [] for name in asked}
        for name, *row in self._rows(EXPECTED, written(asked)) if asked else ():
            number = self._view.place(row[0])
            if number is not None:
                found[name].append(number)
                if number not in self._outlines:
                    self._outlines[number] = self._outline(number, tuple(row))
        self._answers.update({(NAMED, name): sorted(numbers) for name, numbers in found.items()})

    def named(self, name: str) -> Sequence[int]:
        """Documents whose id or alias is `name`."""
        return self._places(NAMED, name)

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
        rows = self._rows(INCOMING, target) if kind is None else self._rows(INCOMING_OF_KIND, target, kind)
        stated = []
        for at, kind_stated, source, *row in rows:
            number = self._view.place(row[0])
            if number is not None:
                self._outlines.setdefault(number, self._outline(number, tuple(row)))
                stated.append((number, at, Edge(source, kind_stated, target)))
        return [(number, edge) for number, _, edge in sorted(stated, key=itemgetter(0, 1))]

    def targets(self, kind: str, names: Iterable[str]) -> set[str]:
        """Those of some ids that any edge of a kind has as its target."""
        rows = self._rows(TARGETS, written(list(names)), kind)
        return {target for target, document in rows if self._view.place(document) is not None}

    @property
    def origin(self) -> Origin | None:
        """The index that this one was made from."""
        base = self._view.base
        if base is None:
            return None
        gone, come = (
            [self._outline(GONE, row) for row in self._rows(EXPECTED_OUTLINES, written(numbers))]
            for numbers in (base.gone, base.come)
        )
        return Origin(base.name, base.duplicates, gone, come)

    def outline(self, number: int) -> Outline:
        """The outline of a document."""
        found = self._outlines.get(number)
        if found is None:
            (row,) = self._rows(f"{OUTLINES} WHERE d.number = ?", self._view.documents[number])
            found = self._outlines[number] = self._outline(number, row)
        return found

    def outlines(self) -> Iterator[Outline]:
        """The outline of every document."""
        for row in self._rows(OUTLINES):
            place = self._view.place(row[0])
            if place is not None:
                yield self._outline(place, row)

    def _outline(self, number: int, row: tuple[Any, ...]) -> Outline:
        _, path, record_id, kind, sensitivity, form, extends, length = row
        return Outline(number, path, record_id, kind, sensitivity, FORMS[form], bool(extends), length)

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

    def files_at(self, offsets: Iterable[int]) -> list[TextOfFile]:
        """The files at some offsets of the log that hold documents of this view, as they come in it."""
        found: dict[int, TextOfFile] = {}
        for row in self._rows(IN_FILES, written(list(offsets))):
            number = self._view.place(row[0])
            if number is not None:
                document = self._documents.get(number) or self._enter(number, row)
                path, _, place, size = row[12:]
                if place not in found:
                    text = place + len(header(path))
                    found[place] = TextOfFile(place, text, text + size, [])
                found[place].documents.append((number, document.start, document.end))
        return list(found.values())

    def _places(self, query: str, *values: str) -> list[int]:
        known = self._answers.get((query, *values))
        if known is None:
            known = self._answers[query, *values] = self._in_view(number for (number,) in self._rows(query, *values))
        return known

    def _in_files(self, query: str, value: str) -> list[int]:
        known = self._answers.get((query, value))
        if known is None:
            rows = self._rows(query, value)
            numbers = (number for first, count in rows for number in range(first, first + count))
            known = self._answers[query, value] = self._in_view(numbers)
        return known

    def _in_view(self, numbers: Iterable[int]) -> list[int]:
        return sorted(place for number in numbers if (place := self._view.place(number)) is not None)

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except UNSOUND as error:
            raise IndexDamaged(f"it does not read ({type(error).__name__})") from error


class TextOfFile(NamedTuple):
    """A file in the log: where its record, its bytes and its line feed begin, and its documents.

    Documents are their number and their first and last byte in the blob.
    """

    place: int
    text: int
    end: int
    documents: list[tuple[int, int, int]]


class SharedCorpus:
    """The log as a corpus: what is of no document of the view is nowhere."""

    def __init__(self, index: StoredIndex, log: LogReader) -> None:
        self._index = index
        self.path: Path = log.path
        self.size = log.size
        self._files: list[TextOfFile] = []
        self._offsets: frozenset[int] = frozenset()

    def expect(self, offsets: Sequence[int]) -> None:
        """Look up the files at some offsets."""
        self._files = self._index.files_at(offset for offset in offsets if offset < self.size)
        self._offsets = frozenset(offsets)

    def locate(self, offset: int) -> Place | None:
        """The document and the byte offset in its blob; `HEADER` for a path line, with the file's first document."""
        if offset not in self._offsets:
            self.expect([offset])
        file = self._files[bisect_right(self._files, offset, key=itemgetter(0)) - 1] if self._files else None
        if file is None or not file.place <= offset <= file.end:
            return None
        if offset < file.text:
            return Place(file.documents[0][0], HEADER)
        at = offset - file.text
        return next((Place(number, at) for number, start, end in file.documents if start <= at < end), None)
