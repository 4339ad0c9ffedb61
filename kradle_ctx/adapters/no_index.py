"""The index store that keeps nothing: every file of the commit is read anew, in one pass."""

from __future__ import annotations

import os
import tempfile
import weakref
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from kradle_ctx.documents import FileDocuments, is_readable, read_file_documents
from kradle_ctx.model.graph import Document, Edge, Skipped
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ontology import read_ontology
from kradle_ctx.ports import File, Index, Snapshot

DERIVED_FOLDER = "indexes/"

Progress = Callable[[int, int], None]


class NoIndexStore:
    """Builds an index in memory for each snapshot; parsed files are shared between snapshots by blob and path.

    `progress` is told the number of files read and their total.
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self._parsed: dict[tuple[str, str], FileDocuments] = {}
        self._progress = progress

    def open(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Index:
        """Read and parse every file below `root`."""
        listing = snapshot.listing(root)
        blobs = {file.path: file.blob for file in listing.files}

        def read(path: str) -> bytes | None:
            return snapshot.read(blobs[path]) if path in blobs else None

        ontology = read_ontology([file.path for file in listing.files], read, ontology_path)
        named = set(ontology.paths)
        chosen = [
            file
            for file in listing.files
            if is_readable(file.path) and file.path not in named and not file.path.startswith(DERIVED_FOLDER)
        ]
        documents: list[Document] = []
        skipped = list(listing.skipped)
        for done, file in enumerate(chosen):
            if self._progress is not None:
                self._progress(done, len(chosen))
            parsed = self._parse(snapshot, file)
            documents.extend(parsed.documents)
            skipped.extend(parsed.skipped)
        return MemoryIndex(snapshot, listing.tree, ontology, documents, skipped)

    def _parse(self, snapshot: Snapshot, file: File) -> FileDocuments:
        known = self._parsed.get((file.path, file.blob))
        if known is None:
            known = read_file_documents(file.path, file.blob, snapshot.read(file.blob))
            self._parsed[(file.path, file.blob)] = known
        return known


class MemoryIndex:
    """All documents of one snapshot, with lookup tables."""

    def __init__(
        self,
        snapshot: Snapshot,
        tree: str,
        ontology: Ontology,
        documents: list[Document],
        skipped: list[Skipped],
    ) -> None:
        self._snapshot = snapshot
        self.tree = tree
        self.ontology = ontology
        self.skipped: Sequence[Skipped] = tuple(skipped)
        self._documents = documents
        self._named: dict[str, list[int]] = defaultdict(list)
        self._at_path: dict[str, list[int]] = defaultdict(list)
        self._referring: dict[str, list[int]] = defaultdict(list)
        self._incoming: dict[str, list[tuple[int, Edge]]] = defaultdict(list)
        for number, document in enumerate(documents):
            self._enter(number, document)
        self._corpus: NamelessFile | None = None
        self._starts: list[int] = []
        self._first: list[int] = []

    def _enter(self, number: int, document: Document) -> None:
        self._at_path[document.path].append(number)
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

    def named(self, name: str) -> Sequence[int]:
        """Documents whose id or alias is `name`."""
        return self._named.get(name, ())

    def at_path(self, path: str) -> Sequence[int]:
        """Documents in the file of that path."""
        return self._at_path.get(path, ())

    def referring(self, value: str) -> Sequence[int]:
        """Documents that name `value` in `repoRefs`, `sourceRefs` or `tags`."""
        return self._referring.get(value, ())

    def incoming(self, target: str) -> Sequence[tuple[int, Edge]]:
        """Edges whose target is the given id, each with the document that states it."""
        return self._incoming.get(target, ())

    def text(self, document: Document) -> bytes:
        """The bytes of the whole blob that holds a document."""
        return self._snapshot.read(document.blob)

    def corpus(self) -> Path:
        """All files, each after a line with its path, in one file that leaves nothing on the disk."""
        if self._corpus is None:
            self._corpus = NamelessFile()
            offset = 0
            with self._corpus.writer() as stream:
                for file_path, numbers in self._at_path.items():
                    header = file_path.encode("utf-8", "surrogateescape") + b"\n"
                    data = self.text(self._documents[numbers[0]])
                    stream.write(header + data + b"\n")
                    self._starts.append(offset + len(header))
                    self._first.append(numbers[0])
                    offset += len(header) + len(data) + 1
        return self._corpus.path

    def locate(self, offset: int) -> tuple[int, int] | None:
        """The document and the byte offset in its blob of a byte of the corpus; None between documents.

        A byte of a path line belongs to the first document of its file, at a negative offset.
        """
        at = bisect_right(self._starts, offset) - 1
        following = self._starts[at + 1] if at + 1 < len(self._starts) else None
        if following is not None and offset >= following - self._header(at + 1):
            return self._first[at + 1], offset - following
        if at < 0:
            return None
        local = offset - self._starts[at]
        for number in self._at_path[self._documents[self._first[at]].path]:
            document = self._documents[number]
            if document.start <= local < document.end:
                return number, local
        return None

    def _header(self, at: int) -> int:
        path = self._documents[self._first[at]].path
        return len(path.encode("utf-8", "surrogateescape")) + 1


class NamelessFile:
    """A file that another process can read by path and that vanishes with this object.

    Where the system has no anonymous files, it is a temporary file readable by its owner alone, removed at the end.
    """

    def __init__(self) -> None:
        if hasattr(os, "memfd_create"):
            self._descriptor = os.memfd_create("kradle-ctx-corpus")
            self.path = Path(f"/proc/{os.getpid()}/fd/{self._descriptor}")
        else:
            self._descriptor, name = tempfile.mkstemp(prefix="kradle-ctx-")
            self.path = Path(name)
        weakref.finalize(self, discard, self._descriptor, self.path)

    def writer(self) -> BinaryIO:
        """A stream that writes into the file."""
        return os.fdopen(os.dup(self._descriptor), "wb", buffering=1 << 20)


def discard(descriptor: int, path: Path) -> None:
    """Close the file, and remove it where it has a name."""
    os.close(descriptor)
    if not path.is_relative_to("/proc"):
        path.unlink(missing_ok=True)
