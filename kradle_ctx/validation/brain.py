"""The records of a commit as checks look them up: all of them, or those that a change can matter to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from kradle_ctx.checks import Brain, Reference
from kradle_ctx.documents import Declaration, read_declarations
from kradle_ctx.model.findings import Span
from kradle_ctx.model.graph import Document, Edge, Form, Skipped
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ontology import OntologyFile
from kradle_ctx.validation.files import is_read
from kradle_ctx.validation.folders import Folders
from kradle_ctx.validation.incoming import Incoming
from kradle_ctx.validation.inspection import Placed
from kradle_ctx.validation.survey import Survey

FILES_AT_HAND = 256
"""Files whose values are kept for the next who asks."""


class Visible(NamedTuple):
    """What of a brain one reader may see: the numbers of documents, and what could not be read."""

    numbers: frozenset[int]
    skipped: Sequence[Skipped]


class IndexedBrain:
    """The `Brain` of an index.

    `scope` are the numbers of the documents to be checked, None for all. `changed` are paths whose documents come after
    others that say the same, so that a change is found where it was made. What `visible` does not hold is not there.
    """

    def __init__(
        self,
        survey: Survey,
        moment: datetime,
        *,
        merges: bool = False,
        scope: Collection[int] | None = None,
        changed: Collection[str] = frozenset(),
        base: Brain | None = None,
        stale_indexes: Sequence[tuple[str, str]] = (),
        visible: Visible | None = None,
    ) -> None:
        self._index = survey.index
        self._incoming = Incoming(survey.index)
        self._survey = survey
        self._scope = sorted(scope) if scope is not None else range(survey.index.size)
        self._whole = scope is None
        self._changed = changed
        self._visible = visible
        self._is_expected = False
        self._declaring: dict[str, tuple[Document, ...]] = {}
        self._references: dict[str, dict[int, list[Reference]]] = {}
        self._stated_by: dict[str, Sequence[Declaration]] = {}
        self._named_by: dict[str, tuple[Document, ...]] = {}
        self.ontology_files: Sequence[OntologyFile] = [
            file for file in survey.ontology_files if visible is None or self.holds_file(file.path)
        ]
        self.constraints = survey.constraints
        self.moment = moment
        self.merges = merges
        self.base = base
        self.stale_indexes = stale_indexes

    @property
    def ontology(self) -> Ontology:
        """The ontology at the commit."""
        return self._index.ontology

    @cached_property
    def skipped(self) -> Sequence[Skipped]:
        """What could not be read, as far as it is to be checked."""
        if self._visible is not None:
            return self._visible.skipped
        entries = self._index.skipped
        return entries if self._whole else [entry for entry in entries if entry.path in self._changed]

    def documents(self) -> Iterator[Document]:
        """The documents to be checked, in path and line order, ontology files aside."""
        self._expect_scope()
        found = map(self._index.document, self._shown(self._scope))
        return (document for document in found if document.form is not Form.ONTOLOGY)

    def _expect_scope(self) -> None:
        """Look up together the documents to be checked, and of a few of them what their edges lead to."""
        if self._is_expected:
            return
        self._is_expected = True
        self._index.expect(numbers=self._scope)
        if not self._whole:
            found = [self._index.document(number) for number in self._scope]
            self.expect(dict.fromkeys(edge.target for document in found for edge in document.edges))

    def _shown(self, numbers: Iterable[int]) -> Iterable[int]:
        visible = self._visible
        return numbers if visible is None else (number for number in numbers if number in visible.numbers)

    @property
    def is_cut(self) -> bool:
        """Whether grants cut it."""
        return self._visible is not None

    def shows(self, path: str, line: int) -> bool:
        """Whether a line may be told of: it is in a visible document, or what is wrong with it may be known."""
        if self._visible is None:
            return True
        found = map(self._index.document, self._shown(self._index.at_path(path)))
        in_document = any(document.line_start <= line <= document.line_end for document in found)
        return in_document or any(entry.path == path and entry.line == line for entry in self._visible.skipped)

    def told_of(self, path: str, fault: Placed) -> Iterator[Placed]:
        """What may be said of a fault whose line may not be told of: that the file is not read as it says."""
        for entry in self._visible.skipped if self._visible is not None else ():
            if entry.path == path and not entry.read and fault.subject is None:
                yield replace(fault, span=Span(), message=entry.reason, key="", hint=None, related=())
                return

    @cached_property
    def records(self) -> int:
        """How many records are to be checked: of a change, those in the files that it touches."""
        if self.base is None:
            numbers = self._shown(self._scope)
        else:
            numbers = [number for path in self._changed for number in self._index.at_path(path)]
        found = map(self._index.outline, numbers)
        return sum(outline.id is not None and not outline.extends for outline in found)

    @property
    def files(self) -> int:
        """How many files are to be checked: of a change, those that it touches and that are there after it."""
        return sum(self.base is None or path in self._changed for path in self.paths())

    @cached_property
    def _paths(self) -> Sequence[str]:
        self._expect_scope()
        read = [document.path for document in map(self._index.document, self._shown(self._scope))]
        skipped = (entry.path for entry in self.skipped)
        return tuple(dict.fromkeys([*read, *self._without_documents(), *skipped]))

    def _without_documents(self) -> Iterable[str]:
        """The files to be checked in which there may be no document; no grant shows such a file."""
        if self._visible is not None:
            return ()
        if self._whole:
            return self._survey.paths
        files = self._survey.files
        return sorted(path for path in self._changed if is_read(path) and files.blob(path) is not None)

    def paths(self) -> Sequence[str]:
        """The paths of the files to be checked."""
        return self._paths

    @property
    def touched(self) -> Collection[str]:
        """The paths of files that a change touches."""
        return self._changed

    def twins(self, path: str) -> Collection[str]:
        """A path, and what beside it differs only in case or the form of accents."""
        return self._folders.twins(path)

    def first_file(self, path: str) -> str:
        """A file itself, or the first in a folder."""
        return self._folders.first_file(path)

    @cached_property
    def _folders(self) -> Folders:
        if self._visible is None:
            return Folders(self._survey.files.names)
        within: dict[str, dict[str, None]] = defaultdict(dict)
        for path in self._paths:
            while path:
                folder, _, name = path.rpartition("/")
                within[folder][name] = None
                path = folder
        return Folders(lambda folder: within.get(folder, ()))

    def declaring(self, record_id: str) -> Sequence[Document]:
        """The declarations of an id in path and line order, those in changed files last."""
        found = self._declaring.get(record_id)
        if found is None:
            named = (document for document in self._named(record_id) if document.id == record_id)
            found = self._declaring[record_id] = self._changed_last(named)
        return found

    def stating(self, record_id: str) -> Sequence[Document]:
        """The declarations of an id and what extends it, in path and line order."""
        found = map(self._index.document, self._shown(self._index.named(record_id)))
        return [document for document in found if document.key == record_id]

    def named(self, name: str) -> Sequence[Document]:
        """The declarations whose id or alias is a name."""
        found = self._named_by.get(name)
        if found is None:
            found = self._named_by[name] = self._changed_last(self._named(name))
        return found

    def holds_file(self, path: str) -> bool:
        """Whether a document has that path."""
        return next(iter(self._shown(self._index.at_path(path))), None) is not None

    def pointing(self, target: str, kinds: Collection[str] | None = None) -> Sequence[tuple[Document, Edge]]:
        """The edges of some kinds, or of all, towards a name, with their documents, those in changed files last."""
        stated = self._index.incoming(target) if kinds is None else self._incoming.towards(target, kinds)
        shown = frozenset(self._shown([number for number, _ in stated]))
        self._index.expect(numbers=shown)
        found = [(self._index.document(number), edge) for number, edge in stated if number in shown]
        return sorted(found, key=lambda stated: stated[0].path in self._changed)

    def expect(self, names: Iterable[str], kinds: Collection[str] = ()) -> None:
        """Look up together what is declared under some names, and what leads to them."""
        names = list(names)
        self._index.expect(names)
        declared = [number for name in names for number in self._index.named(name)]
        self._index.expect(numbers=[*declared, *self._incoming.expect(names, kinds)])

    def references(self, document: Document) -> Sequence[Reference]:
        """The typed attributes of a document that name records."""
        known = self._references.get(document.path)
        if known is None:
            if len(self._references) >= FILES_AT_HAND:
                self._references.clear()
            known = self._references[document.path] = defaultdict(list)
            for line, reference in self._survey.inspection_of(document.path).references:
                known[line].append(reference)
        return known.get(document.line_start, ())

    def declaration(self, document: Document) -> Declaration:
        """A document with its values."""
        stated = self._stated(document)
        return next(found for found in stated if found.document.start == document.start)

    def _stated(self, document: Document) -> Sequence[Declaration]:
        path = document.path
        known = self._stated_by.get(path)
        if known is None:
            if len(self._stated_by) >= FILES_AT_HAND:
                self._stated_by.clear()
            known = self._stated_by[path] = read_declarations(
                path, document.blob, self._index.text(document)
            ).declarations
        return known

    def _named(self, name: str) -> Iterator[Document]:
        found = map(self._index.document, self._shown(self._index.named(name)))
        return (document for document in found if not document.extends)

    def _changed_last(self, documents: Iterable[Document]) -> tuple[Document, ...]:
        if not self._changed:
            return tuple(documents)
        return tuple(sorted(documents, key=lambda document: document.path in self._changed))
