"""Reading a brain for validation: from the index where it is there, else from its files on two cores."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from msgspec import convert, to_builtins
from msgspec.msgpack import Decoder, encode

from kradle_ctx.adapters.no_index import (
    DERIVED_FOLDER,
    MAX_DOCUMENTS,
    MAX_TEXT,
    MemoryIndex,
    require_bounded,
    skipped_by,
)
from kradle_ctx.adapters.reading import read_each
from kradle_ctx.documents import FileDocuments, is_readable, ontology_document
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.search import Pattern
from kradle_ctx.ontology import OntologyFile, build, ontology_files, read_files, starter_ontology
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import File, Index, IndexStore, Progress, Searcher, Snapshot
from kradle_ctx.validation.files import BrainFiles
from kradle_ctx.validation.inspection import Inspected, Inspection, Inspector
from kradle_ctx.validation.survey import InspectionOf, Survey, demanded
from kradle_ctx.validation.versions import CHECKS_VERSION

PORTION = Decoder(list[tuple[str, str, Inspected]])
"""Reads what was made of some files in another process."""

DIGITS = 16
"""Digits of the ontology's digest by which inspections are kept."""


class BrainSurveyor:
    """Surveys brains; a file that two commits share is read once."""

    def __init__(
        self, index_store: IndexStore, searcher: Searcher, redactor: BlobRedactor, progress: Progress | None = None
    ) -> None:
        self._store = index_store
        self._searcher = searcher
        self._redactor = redactor
        self._progress = progress
        self._known: dict[tuple[str, str, str], Inspected] = {}
        self._constraints: dict[str, Constraints] = {}

    def survey(self, snapshot: Snapshot, root: str, ontology_path: str | None, *, whole: bool) -> Survey:
        """Read the brain below `root`; `whole` tells that every document will be looked at."""
        if not self._store.knows(snapshot, root, ontology_path):
            return self._read(snapshot, root, ontology_path)
        index = self._store.open(snapshot, root, ontology_path)
        files = BrainFiles(snapshot, root)
        parts = tuple(ontology_parts(index.ontology.paths, files))
        constraints = self._demanded(str(index.ontology.digest), parts)
        kept = KeptInspections(index, files, self._inspector(constraints), self._redactor)
        if whole:
            index = in_memory(index, snapshot, ontology_path)
            kept.expect(index)
        return Survey(index, files, parts, constraints, kept.of, partial(naming_in_text, index, self._searcher))

    def constraints(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Constraints:
        """What the ontology of a brain demands; nothing else of the brain is read."""
        files = BrainFiles(snapshot, root)
        paths = [file.path for file in snapshot.listing(root).files]
        return demanded(tuple(ontology_parts(ontology_files(paths, ontology_path)[1], files)))

    def _demanded(self, digest: str, parts: tuple[OntologyFile, ...]) -> Constraints:
        if digest not in self._constraints:
            self._constraints[digest] = demanded(parts)
        return self._constraints[digest]

    def _inspector(self, constraints: Constraints) -> Inspector:
        return Inspector(constraints, self._redactor.spans_of)

    def _read(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Survey:
        """Read every file; what of it cannot be read is listed."""
        listing = snapshot.listing(root)
        require_bounded("bytes of text", sum(file.size for file in listing.files if is_readable(file.path)), MAX_TEXT)
        files = BrainFiles(snapshot, root)
        blobs = {file.path: file.blob for file in listing.files}
        origin, named = ontology_files(list(blobs), ontology_path)
        parts = tuple(read_files(named, lambda path: snapshot.read(blobs[path]) if path in blobs else None))
        ontology = build(origin, parts) if parts else starter_ontology()
        constraints = self._demanded(str(ontology.digest), parts)
        chosen = [file for file in listing.files if is_readable(file.path) or file.path in ontology.paths]
        chosen = [file for file in chosen if not file.path.startswith(DERIVED_FOLDER)]
        found = self._inspected(snapshot, chosen, frozenset(ontology.paths), constraints, str(ontology.digest))
        documents = [document for file in chosen for document in found[file.path].documents.documents]
        skipped = skipped_by(listing)
        skipped += [entry for file in chosen for entry in found[file.path].documents.skipped]
        require_bounded("documents", len(documents) + len(skipped), MAX_DOCUMENTS)
        index = MemoryIndex(snapshot, listing.tree, ontology_path, ontology, documents, skipped)
        nothing = Inspected(FileDocuments(), Inspection())

        def inspection_of(path: str) -> Inspection:
            return found.get(path, nothing).inspection

        return Survey(index, files, parts, constraints, inspection_of, partial(naming_in_values, index, inspection_of))

    def _inspected(
        self, snapshot: Snapshot, files: Sequence[File], named: frozenset[str], constraints: Constraints, digest: str
    ) -> Mapping[str, Inspected]:
        new = [file for file in files if (digest, file.path, file.blob) not in self._known]
        work = partial(inspect_all, self._inspector(constraints), named)
        found = chain.from_iterable(map(PORTION.decode, read_each(snapshot, new, work)))
        for done, (path, blob, inspected) in enumerate(found):
            self._known[(digest, path, blob)] = inspected
            if self._progress is not None:
                self._progress(done, len(new))
        return {file.path: self._known[(digest, file.path, file.blob)] for file in files}


def inspect_all(inspector: Inspector, named: frozenset[str], files: Sequence[tuple[File, bytes]]) -> list[bytes]:
    """Inspect files; the answers are packed, since that and unpacking take a third of what pickling takes."""
    return [encode([(file.path, file.blob, inspect_one(inspector, named, file, data)) for file, data in files])]


def inspect_one(inspector: Inspector, named: frozenset[str], file: File, data: bytes) -> Inspected:
    """Inspect a file; one of the ontology is for the checks of the ontology."""
    return ontology_part(file, data) if file.path in named else inspector(file.path, file.blob, data)


def ontology_part(file: File, data: bytes) -> Inspected:
    """A file of the ontology, which the checks of the ontology look at."""
    return Inspected(FileDocuments((ontology_document(file.path, file.blob, data),)), Inspection())


def ontology_parts(paths: Iterable[str], files: BrainFiles) -> Iterator[OntologyFile]:
    """The files of an ontology from their paths, and those that a manifest among them names."""
    return read_files(paths, lambda path: files.data(path) if files.blob(path) is not None else None)


def in_memory(index: Index, snapshot: Snapshot, ontology_path: str | None) -> Index:
    """An index whose documents will all be looked at, with all of them at hand."""
    index.expect(numbers=range(index.size))
    documents = [index.document(number) for number in range(index.size)]
    return MemoryIndex(snapshot, index.tree, ontology_path, index.ontology, documents, list(index.skipped))


def naming_in_values(index: Index, inspection_of: InspectionOf, names: Collection[str]) -> Iterator[int]:
    """The documents that name some ids, of an index that has all of them at hand."""
    if not names:
        return
    wanted = frozenset(names)
    for number in range(index.size):
        document = index.document(number)
        stated = (reference.target for _, reference in inspection_of(document.path).references)
        if not wanted.isdisjoint(document.owners) or any(target in wanted for target in stated):
            yield number


def naming_in_text(index: Index, searcher: Searcher, names: Collection[str]) -> Iterable[int]:
    """The documents in whose text some ids stand, found by one search over the text of the store."""
    shared = index.shared_corpus
    if not names:
        return ()
    if shared is None:
        return range(index.size)
    answer = searcher.search(shared.path, [Pattern(re.escape(name)) for name in sorted(names)])
    if answer.truncated:
        return range(index.size)
    shared.expect([span.start for span in answer.spans])
    places = (shared.locate(span.start) for span in answer.spans)
    return {place.number for place in places if place is not None}


class KeptInspections:
    """Inspections of files, kept by their content and by what they follow from beside it."""

    def __init__(self, index: Index, files: BrainFiles, inspector: Inspector, redactor: BlobRedactor) -> None:
        self._index = index
        self._kept = index.kept
        self._files = files
        self._inspector = inspector
        self._rules = f"inspection {CHECKS_VERSION} {index.ontology.digest.hex[:DIGITS]} {redactor.rules}"
        self._ontology = frozenset(index.ontology.paths)

    def expect(self, index: Index) -> None:
        """Look those of all documents up together."""
        found = (index.document(number) for number in range(index.size))
        self._kept.expect({self._key(document.path, document.blob) for document in found})

    def of(self, path: str) -> Inspection:
        """The inspection of a file."""
        number = next(iter(self._index.at_path(path)), None)
        # A file that holds no document at all is not in the index.
        blob = self._index.outline(number).blob if number is not None else self._files.blob(path)
        if blob is None or path in self._ontology:
            return Inspection()
        key = self._key(path, blob)
        known = self._kept.get(key)
        if known is not None:
            return convert(known, Inspection)
        made = self._inspector(path, blob, self._files.data(path)).inspection
        self._kept.put(key, to_builtins(made))
        return made

    def _key(self, path: str, blob: str) -> str:
        return f"{self._rules} {path.rpartition('.')[2]} {blob}"
