"""Reading a brain for validation: from the index where it is there, else from its files on two cores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from msgspec import to_builtins
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
from kradle_ctx.adapters.surveys import ReadSurvey, StoredSurvey, Wanted
from kradle_ctx.constraints import with_demands
from kradle_ctx.digest import digest_value
from kradle_ctx.documents import FileDocuments, is_readable, ontology_document
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.resources import OntologyResource
from kradle_ctx.model.search import Found, Pattern
from kradle_ctx.ontology import OntologyFile, build, ontology_files, read_files, starter_ontology
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import IndexStore, Progress, Searcher, Snapshot
from kradle_ctx.validation.files import BrainFiles
from kradle_ctx.validation.inspection import Inspected, Inspector
from kradle_ctx.validation.survey import Survey, demanded

PORTION = Decoder(list[tuple[str, str, Inspected]])
"""Reads what was made of some files in another process."""


class RepeatedSearch:
    """Searches once for what is asked again: a store is searched for the same names on both sides of a change."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._found: dict[tuple[object, ...], Found] = {}

    def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
        """All matches, as the searcher gives them."""
        # The same file has another path for each time that it was opened.
        file, asked = corpus.stat(), tuple(patterns)
        key = (file.st_dev, file.st_ino, file.st_size, asked)
        if key not in self._found:
            self._found[key] = self._searcher.search(corpus, asked)
        return self._found[key]


class BrainSurveyor:
    """Surveys brains; a file that two commits share is read once. `demands` are those of resources."""

    def __init__(
        self,
        index_store: IndexStore,
        searcher: Searcher,
        redactor: BlobRedactor,
        demands: Sequence[OntologyResource] = (),
        progress: Progress | None = None,
    ) -> None:
        self._demands = demands
        self._store = index_store
        self._searcher = RepeatedSearch(searcher)
        self._redactor = redactor
        self._progress = progress
        self._known: dict[tuple[str, str, str], Inspected] = {}
        self._constraints: dict[str, Constraints] = {}

    def survey(self, snapshot: Snapshot, root: str, ontology_path: str | None, *, in_part: bool = False) -> Survey:
        """Read the brain below `root`."""
        if not ((in_part and self._store.keeps) or self._store.knows(snapshot, root, ontology_path)):
            return self._read(snapshot, root, ontology_path)
        index = self._store.open(snapshot, root, ontology_path)
        files = BrainFiles(snapshot, root)
        return StoredSurvey(
            index,
            snapshot,
            files,
            self._searcher,
            self._redactor,
            self._demanded,
            self._inspected,
            digest_value([self._redactor.rules, to_builtins(self._demands)]).hex,
        )

    def constraints(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Constraints:
        """What the ontology of a brain demands; nothing else of the brain is read.

        Raises `ONTOLOGY_INVALID` where it does not parse.
        """
        files = BrainFiles(snapshot, root)
        paths = [file.path for file in snapshot.listing(root).files]
        parts = tuple(ontology_parts(ontology_files(paths, ontology_path)[1], files))
        faulty = next((part for part in parts if part.fault is not None), None)
        if faulty is not None:
            raise KradleError(
                ErrorCode.ONTOLOGY_INVALID, f"the ontology does not parse: {faulty.told}", "mend the file"
            )
        return self._joined(parts)

    def _demanded(self, digest: str, parts: Sequence[OntologyFile]) -> Constraints:
        if digest not in self._constraints:
            self._constraints[digest] = self._joined(parts)
        return self._constraints[digest]

    def _joined(self, parts: Sequence[OntologyFile]) -> Constraints:
        """What an ontology demands, and its organisation beside it."""
        found = demanded(parts)
        for more in self._demands:
            found = with_demands(found, more.required_fields, more.edge_kinds, more.vocabulary)
        return found

    def _read(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Survey:
        """Read every file; what of it cannot be read is listed."""
        listing = snapshot.listing(root)
        require_bounded("bytes of text", sum(file.size for file in listing.files if is_readable(file.path)), MAX_TEXT)
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
        inspections = {path: inspected.inspection for path, inspected in found.items()}
        return ReadSurvey(index, BrainFiles(snapshot, root), parts, constraints, inspections)

    def _inspected(
        self, snapshot: Snapshot, files: Sequence[Wanted], named: frozenset[str], constraints: Constraints, digest: str
    ) -> Mapping[str, Inspected]:
        new = [file for file in files if (digest, file.path, file.blob) not in self._known]
        work = partial(inspect_all, Inspector(constraints, self._redactor.spans_of), named)
        found = chain.from_iterable(map(PORTION.decode, read_each(snapshot, new, work)))
        for done, (path, blob, inspected) in enumerate(found):
            self._known[(digest, path, blob)] = inspected
            if self._progress is not None:
                self._progress(done, len(new))
        return {file.path: self._known[(digest, file.path, file.blob)] for file in files}


def inspect_all(inspector: Inspector, named: frozenset[str], files: Sequence[tuple[Wanted, bytes]]) -> list[bytes]:
    """Inspect files; the answers are packed, since that and unpacking take a third of what pickling takes."""
    return [encode([(file.path, file.blob, inspect_one(inspector, named, file, data)) for file, data in files])]


def inspect_one(inspector: Inspector, named: frozenset[str], file: Wanted, data: bytes) -> Inspected:
    """Inspect a file; one of the ontology is for the checks of the ontology."""
    if file.path not in named:
        return inspector(file.path, file.blob, data)
    own = FileDocuments((ontology_document(file.path, file.blob, data),))
    return Inspected(own, inspector.of_text(file.path, file.blob, data))


def ontology_parts(paths: Iterable[str], files: BrainFiles) -> Iterable[OntologyFile]:
    """The files of an ontology from their paths, and those that a manifest among them names."""
    return read_files(paths, lambda path: files.data(path) if files.blob(path) is not None else None)
