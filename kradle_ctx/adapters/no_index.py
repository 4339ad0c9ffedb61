"""The index store that keeps nothing: every file of the commit is read anew, in one pass."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from kradle_ctx.adapters.index.word_table import (
    WORD_TABLE,
    add_words,
    has_words,
    open_vocabulary,
    places_of_word,
    words_with,
)
from kradle_ctx.adapters.text_corpus import TextCorpus
from kradle_ctx.documents import (
    FileDocuments,
    is_readable,
    mentionable,
    mentioned,
    ontology_document,
    read_file_documents,
)
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.graph import Document, Edge, Form, Outline, Skipped, outline_of
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ontology import read_ontology
from kradle_ctx.ports import (
    Corpus,
    File,
    Index,
    Kept,
    Listing,
    NothingKept,
    Origin,
    Progress,
    Snapshot,
    index_name,
)
from kradle_ctx.words import words_of

DERIVED_FOLDER = "indexes/"

MAX_TEXT = 512 << 20
"""Bytes of text that are read of one commit; a small repository can hold one large file under very many names."""

MAX_DOCUMENTS = 250_000
"""Documents of one commit; a file can hold thousands."""


class NoIndexStore:
    """Builds an index in memory for each snapshot; parsed files are shared between snapshots by blob and path.

    `progress` is told the number of files read and their total.
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self._parsed: dict[tuple[str, str], FileDocuments] = {}
        self._progress = progress
        self.kept: Kept = NothingKept()
        self.notes: Sequence[str] = ()
        self.keeps = False

    def knows(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> bool:
        """Nothing is stored."""
        return False

    def give_up(self, why: str) -> None:
        """Nothing is stored."""

    def close(self) -> None:
        """Nothing is held."""

    def open(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Index:
        """Read and parse every file below `root`."""
        listing = snapshot.listing(root)
        require_bounded("bytes of text", sum(file.size for file in listing.files if is_readable(file.path)), MAX_TEXT)
        blobs = {file.path: file.blob for file in listing.files}

        def read(path: str) -> bytes | None:
            return snapshot.read(blobs[path]) if path in blobs else None

        ontology = read_ontology([file.path for file in listing.files], read, ontology_path)
        named = set(ontology.paths)
        readable = (file for file in listing.files if is_readable(file.path) or file.path in named)
        chosen = [file for file in readable if not file.path.startswith(DERIVED_FOLDER)]
        documents: list[Document] = []
        skipped = skipped_by(listing)
        for done, file in enumerate(chosen):
            if self._progress is not None:
                self._progress(done, len(chosen))
            if file.path in named:
                documents.append(ontology_document(file.path, file.blob, snapshot.read(file.blob)))
                continue
            parsed = self._parse(snapshot, file)
            documents.extend(parsed.documents)
            skipped.extend(parsed.skipped)
            require_bounded("documents", len(documents) + len(skipped), MAX_DOCUMENTS)
        return MemoryIndex(snapshot, listing.tree, ontology_path, ontology, documents, skipped)

    def _parse(self, snapshot: Snapshot, file: File) -> FileDocuments:
        known = self._parsed.get((file.path, file.blob))
        if known is None:
            known = read_file_documents(file.path, file.blob, snapshot.read(file.blob))
            self._parsed[(file.path, file.blob)] = known
        return known


def skipped_by(listing: Listing) -> list[Skipped]:
    """What a listing skips, but for derived files: nobody misses an export that is too large to be read."""
    return [entry for entry in listing.skipped if not entry.path.startswith(DERIVED_FOLDER)]


def require_bounded(what: str, number: int, limit: int) -> None:
    """Raise `LIMIT_EXCEEDED` when a commit holds more of something than is read."""
    if number > limit:
        raise KradleError(
            ErrorCode.LIMIT_EXCEEDED,
            f"the brain holds more than {limit} {what} at this commit",
            "name a smaller folder with --root, or split the brain",
        )


class MemoryIndex:
    """All documents of one snapshot, with lookup tables."""

    def __init__(
        self,
        snapshot: Snapshot,
        tree: str,
        ontology_path: str | None,
        ontology: Ontology,
        documents: list[Document],
        skipped: list[Skipped],
    ) -> None:
        self._snapshot = snapshot
        self.tree = tree
        self.name = index_name(tree, ontology_path)
        self.kept: Kept = NothingKept()
        self.shared_corpus: Corpus | None = None
        self.origin: Origin | None = None
        self.ontology = ontology
        self.skipped: Sequence[Skipped] = tuple(skipped)
        self._documents = documents
        self._named: dict[str, list[int]] = defaultdict(list)
        self._at_path: dict[str, list[int]] = defaultdict(list)
        self._referring: dict[str, list[int]] = defaultdict(list)
        self._incoming: dict[str, list[tuple[int, Edge]]] = defaultdict(list)
        self._holding: dict[str, list[int]] = defaultdict(list)
        for number, document in enumerate(documents):
            self._enter(number, document)

    def _enter(self, number: int, document: Document) -> None:
        self._at_path[document.path].append(number)
        self._holding[document.blob].append(number)
        for name in dict.fromkeys((*((document.id,) if document.id else ()), *document.aliases)):
            self._named[name].append(number)
        for value in dict.fromkeys((*document.repo_refs, *document.source_refs, *document.tags)):
            self._referring[value].append(number)
        for edge in dict.fromkeys(document.edges):
            self._incoming[edge.target].append((number, edge))

    @property
    def duplicates(self) -> Sequence[str]:
        """Ids that more than one document declares, in text order."""
        return sorted(name for name, numbers in self._named.items() if len(numbers) > 1 and self._declared(name) > 1)

    def _declared(self, name: str) -> int:
        found = [self._documents[number] for number in self._named[name]]
        return sum(document.id == name and not document.extends for document in found)

    @property
    def size(self) -> int:
        """Number of documents."""
        return len(self._documents)

    def document(self, number: int) -> Document:
        """A document by its number."""
        return self._documents[number]

    def expect(self, names: Iterable[str] = (), numbers: Iterable[int] = ()) -> None:
        """Everything is in memory."""

    def expect_outlines(self, numbers: Iterable[int]) -> None:
        """Everything is in memory."""

    def expect_edges(self, names: Iterable[str]) -> None:
        """Everything is in memory."""

    def with_incoming(self, targets: Iterable[str], kind: str) -> Sequence[str]:
        """Those of some ids that are the target of an edge of a kind."""
        return [target for target in targets if self.incoming(target, kind)]

    def words(self, beginning: str) -> Sequence[str]:
        """The words that begin so."""
        return words_with(self._words, beginning)

    def standing(self, word: str) -> Sequence[tuple[int, str, int]]:
        """Where a word stands."""
        return places_of_word(self._words, word)

    @cached_property
    def _words(self) -> sqlite3.Connection:
        connection = sqlite3.connect(":memory:")
        try:
            connection.executescript(WORD_TABLE)
            open_vocabulary(connection)
        except sqlite3.OperationalError as error:
            raise KradleError(
                ErrorCode.USAGE, "this Python's SQLite has no FTS5", "use a Python whose sqlite3 module has it"
            ) from error
        found = enumerate(self._documents)
        chosen = ((number, document) for number, document in found if has_words(document))
        add_words(connection, ((number, words_of(document, self.text(document))) for number, document in chosen))
        return connection

    def named(self, name: str) -> Sequence[int]:
        """Documents whose id or alias is `name`."""
        return self._named.get(name, ())

    def at_path(self, path: str) -> Sequence[int]:
        """Documents in the file of that path."""
        return self._at_path.get(path, ())

    def referring(self, value: str) -> Sequence[int]:
        """Documents that name `value` in `repoRefs`, `sourceRefs` or `tags`."""
        return self._referring.get(value, ())

    def mentioning(self, name: str) -> Mapping[int, bool] | None:
        """Notes that may mention an id."""
        if not mentionable(name):
            return None
        return dict.fromkeys(self._mentioning.get("", ()), False) | dict.fromkeys(self._mentioning.get(name, ()), True)

    @cached_property
    def _mentioning(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, document in enumerate(self._documents):
            for name in mentioned(self.text(document)) if document.form is Form.NOTE else ():
                found[name].append(number)
        return found

    def holding(self, blob: str) -> Sequence[int]:
        """Documents in files with that content."""
        return self._holding.get(blob, ())

    def outline(self, number: int) -> Outline:
        """The outline of a document."""
        return outline_of(number, self._documents[number])

    def outlines(self) -> Iterator[Outline]:
        """The outline of every document."""
        yield from map(self.outline, range(self.size))

    def incoming(self, target: str, kind: str | None = None) -> Sequence[tuple[int, Edge]]:
        """Edges whose target is the given id, of one kind or of any, each with the document that states it."""
        stated = self._incoming.get(target, ())
        return stated if kind is None else [(number, edge) for number, edge in stated if edge.kind == kind]

    def text(self, document: Document | Outline) -> bytes:
        """The bytes of the whole blob that holds a document."""
        return self._snapshot.read(document.blob)

    def corpus(self, numbers: Iterable[int]) -> Corpus:
        """A file of the text of the given documents."""
        return TextCorpus(((number, self._documents[number]) for number in numbers), self.text)
