"""The `Index` port over a view in a store: nothing is loaded that is not asked for."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from kradle_ctx.adapters.index.rows import FORMS, document_from, written
from kradle_ctx.adapters.index.text_log import LogReader, header
from kradle_ctx.adapters.index.views import StoredView
from kradle_ctx.adapters.index.word_table import places_of_word, words_with
from kradle_ctx.adapters.text_corpus import HEADER, TextCorpus
from kradle_ctx.documents import mentionable
from kradle_ctx.model.graph import Document, Edge, Outline, Skipped, outline_of
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ports import Corpus, IndexDamaged, Kept, Origin, Place, index_name

OUTLINE = """
d.number, d.path, d.blob, d.start, d.body, d.end, d.id, d.kind, d.sensitivity, d.form, d.extends, d.status, d.updated
"""
DOCUMENT = f"SELECT {OUTLINE}, s.value, d.place"
OF_NUMBER = "CROSS JOIN documents d ON d.number = {}"
DOCUMENTS = f"{DOCUMENT} FROM json_each(?) e {OF_NUMBER.format('e.value')} CROSS JOIN stated s ON s.number = d.number"
# In just this order: from the offsets to their files, and from these to their documents.
IN_FILES = f"""{DOCUMENT}, f.size
FROM (SELECT DISTINCT (SELECT max(place) FROM files WHERE place <= value) AS place FROM json_each(?)) found
CROSS JOIN files f ON f.place = found.place
CROSS JOIN documents d ON d.number >= f.first AND d.number < f.first + f.count
CROSS JOIN stated s ON s.number = d.number
ORDER BY d.number
"""
INCOMING = f"""
SELECT i.target, i.place, i.kind, i.source, {OUTLINE}
FROM json_each(?) e CROSS JOIN incoming i ON i.target = e.value {OF_NUMBER.format("i.document")}
"""
INCOMING_OF_KIND = INCOMING.replace("i.target = e.value", "i.target = e.value AND i.kind = ?")
MENTIONING = "SELECT document FROM mentioning WHERE name = ?"

NAMED = "SELECT document FROM names WHERE name = ?"
REFERRING = "SELECT document FROM referring WHERE value = ?"
AT_PATH = "SELECT first, count FROM files WHERE path = ?"
EXPECTED = f"""
SELECT n.name, {OUTLINE}
FROM json_each(?) e CROSS JOIN names n ON n.name = e.value {OF_NUMBER.format("n.document")}
"""
EXPECTED_REFERRING = "SELECT r.value, r.document FROM json_each(?) e CROSS JOIN referring r ON r.value = e.value"
EXPECTED_PATHS = "SELECT f.path, f.first, f.count FROM json_each(?) e CROSS JOIN files f ON f.path = e.value"
OUTLINES = f"SELECT {OUTLINE} FROM documents d"
EXPECTED_OUTLINES = f"SELECT {OUTLINE} FROM json_each(?) e {OF_NUMBER.format('e.value')}"

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
        self._incoming: dict[tuple[str, str | None], list[tuple[int, Edge]]] = {}
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
            self.expect(numbers=(number,))
            with sound():
                found = self._documents[number]
        return found

    def _enter(self, number: int, row: Sequence[Any]) -> Document:
        with sound():
            found = self._documents[number] = document_from(row[1:14])
        self._outlines[number] = outline_of(number, found)
        return found

    def expect(self, names: Iterable[str] = (), numbers: Iterable[int] = ()) -> None:
        """Look names up together, with the outlines of what they name, and documents."""
        unread = [self._view.documents[number] for number in numbers if number not in self._documents]
        for row in self._rows(DOCUMENTS, written(unread)) if unread else ():
            self._enter(self._view.places[row[0]], row)
        if asked := [name for name in dict.fromkeys(names) if (NAMED, name) not in self._answers]:
            rows = self._rows(EXPECTED, written(asked))
            for row in rows:
                self._outlined(row[1:])
            self._answer(NAMED, asked, ((row[0], row[1]) for row in rows))
            self._expect_paths([name for name in asked if not self._answers[NAMED, name]])

    def expect_outlines(self, numbers: Iterable[int]) -> None:
        """Look outlines up together."""
        unread = [self._view.documents[number] for number in numbers if number not in self._outlines]
        for row in self._rows(EXPECTED_OUTLINES, written(unread)) if unread else ():
            self._outlined(row)

    def expect_edges(self, names: Iterable[str]) -> None:
        """Look up together what names stand for, with whole documents, and all that states an edge towards them."""
        asked = [name for name in dict.fromkeys(names) if (name, None) not in self._incoming]
        if not asked:
            return
        text = written(asked)
        self._expect_paths(asked)
        self._answer(REFERRING, asked, self._rows(EXPECTED_REFERRING, text))
        self.expect(asked)
        self.expect(numbers=[at for name in asked for at in (*self.named(name), *self.at_path(name))])
        self._enter_incoming(asked, None, self._rows(INCOMING, text))

    def with_incoming(self, targets: Iterable[str], kind: str) -> Sequence[str]:
        """Look up together what states an edge of a kind; those of the ids towards which there is one."""
        targets = list(targets)
        asked = [target for target in targets if (target, kind) not in self._incoming]
        if asked:
            self._enter_incoming(asked, kind, self._rows(INCOMING_OF_KIND, written(asked), kind))
        return [target for target in targets if self._incoming[target, kind]]

    def _enter_incoming(self, targets: Iterable[str], of_kind: str | None, rows: Iterable[Sequence[Any]]) -> None:
        stated: dict[str, list[tuple[int, int, Edge]]] = {target: [] for target in targets}
        for target, at, kind, source, *row in rows:
            number = self._outlined(row)
            if number is not None:
                stated[target].append((number, at, Edge(source, kind, target)))
        for target, edges in stated.items():
            found = [(number, edge) for number, _, edge in sorted(edges, key=itemgetter(0, 1))]
            self._incoming[target, of_kind] = found

    def _expect_paths(self, paths: Sequence[str]) -> None:
        rows = self._rows(EXPECTED_PATHS, written(paths))
        self._answer(AT_PATH, paths, ((path, at) for path, first, count in rows for at in range(first, first + count)))

    def _answer(self, query: str, names: Iterable[str], rows: Iterable[tuple[str, int]]) -> None:
        """Note which documents a query by name gives, for every name that was asked for."""
        found: dict[str, list[int]] = {name: [] for name in names}
        for name, document in rows:
            found[name].append(document)
        self._answers.update({(query, name): self._in_view(numbers) for name, numbers in found.items()})

    def _outlined(self, row: Sequence[Any]) -> int | None:
        """Keep the outline of a row; its place in the view, if it has one."""
        number = self._view.place(row[0])
        if number is not None and number not in self._outlines:
            self._outlines[number] = outline_from(number, row)
        return number

    def words(self, beginning: str) -> Sequence[str]:
        """The words that begin so."""
        with sound():
            return words_with(self._connection, beginning)

    def standing(self, word: str) -> Sequence[tuple[int, str, int]]:
        """Where a word stands."""
        with sound():
            rows = places_of_word(self._connection, word)
        place = self._view.place
        return [(number, part, count) for document, part, count in rows if (number := place(document)) is not None]

    def named(self, name: str) -> Sequence[int]:
        """Documents whose id or alias is `name`."""
        return self._places(NAMED, name)

    def at_path(self, path: str) -> Sequence[int]:
        """Documents in the file of that path."""
        return self._in_files(AT_PATH, path)

    def mentioning(self, name: str) -> Mapping[int, bool] | None:
        """Notes that may mention an id."""
        if not mentionable(name):
            return None
        anything, certain = self._places(MENTIONING, ""), self._places(MENTIONING, name)
        return dict.fromkeys(anything, False) | dict.fromkeys(certain, True)

    def holding(self, blob: str) -> Sequence[int]:
        """Documents in files with that content."""
        return self._in_files("SELECT first, count FROM files WHERE blob = ?", blob)

    def referring(self, value: str) -> Sequence[int]:
        """Documents that name `value` in `repoRefs`, `sourceRefs` or `tags`."""
        return self._places(REFERRING, value)

    def incoming(self, target: str, kind: str | None = None) -> Sequence[tuple[int, Edge]]:
        """Edges whose target is the given id, of one kind or of any, each with the document that states it."""
        if kind is None:
            self.expect_edges((target,))
        else:
            self.with_incoming((target,), kind)
        return self._incoming[target, kind]

    @property
    def origin(self) -> Origin | None:
        """The index that this one was made from."""
        base = self._view.base
        if base is None:
            return None
        gone, come = (
            [outline_from(GONE, row) for row in self._rows(EXPECTED_OUTLINES, written(numbers))]
            for numbers in (base.gone, base.come)
        )
        return Origin(base.name, base.duplicates, gone, come)

    def outline(self, number: int) -> Outline:
        """The outline of a document."""
        found = self._outlines.get(number)
        if found is None:
            self.expect_outlines((number,))
            with sound():
                found = self._outlines[number]
        return found

    def outlines(self) -> Iterator[Outline]:
        """The outline of every document."""
        for row in self._rows(OUTLINES):
            place = self._view.place(row[0])
            if place is not None:
                yield outline_from(place, row)

    def text(self, document: Document | Outline) -> bytes:
        """The bytes of the whole blob that holds a document."""
        query = "SELECT place, size FROM files WHERE path = ? AND blob = ? LIMIT 1"
        ((place, size),) = self._rows(query, document.path, document.blob)
        return self._log.read(place, document.path, document.blob, size)

    def corpus(self, numbers: Iterable[int]) -> Corpus:
        """A file of the text of the given documents."""
        numbers = list(numbers)
        self.expect_outlines(numbers)
        return TextCorpus(((number, self.outline(number)) for number in numbers), self.text)

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
                place, size = row[14:]
                if place not in found:
                    text = place + len(header(document.path))
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


def outline_from(number: int, row: Sequence[Any]) -> Outline:
    """The outline of a row."""
    _, path, blob, start, body, end, record_id, kind, sensitivity, form, extends, status, updated = row
    return Outline(
        number,
        path,
        blob,
        start,
        body,
        end,
        record_id,
        kind,
        sensitivity,
        FORMS[form],
        bool(extends),
        status,
        updated,
    )


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
