"""What was read of a brain: from its files, or from the index."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Protocol

from msgspec import Struct, ValidationError, convert, to_builtins

from kradle_ctx.adapters.no_index import MemoryIndex
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.search import Pattern
from kradle_ctx.model.versions import CHECKS_VERSION
from kradle_ctx.ontology import OntologyFile, first_files, read_files
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Index, Kept, NothingKept, Searcher, Snapshot
from kradle_ctx.validation.files import BrainFiles, is_read
from kradle_ctx.validation.inspection import Inspected, Inspection, Inspector
from kradle_ctx.validation.survey import Survey

DIGITS = 16
"""Digits of the ontology's digest by which inspections are kept."""

ESCAPE = r"\\(?:[xuU/]|\s*$)"
"""What can stand for a letter of an id, or in the middle of one, in a value in double quotes."""

SPELLED_OTHERWISE = re.compile(r"[\s\\\"']|[^\x21-\U0010ffff]")
"""What can be written in more ways than can be searched for."""

MANY = 500
"""Files that were never inspected beyond which several processes inspect them."""


class Wanted(Protocol):
    """A file to inspect."""

    @property
    def path(self) -> str:
        """Where it is."""

    @property
    def blob(self) -> str:
        """Its blob."""


class Named(Struct, frozen=True):
    """A file of an index."""

    path: str
    blob: str


Demanded = Callable[[str, Sequence[OntologyFile]], Constraints]
"""What the ontology of a digest demands."""

InspectMany = Callable[[Snapshot, Sequence[Named], frozenset[str], Constraints, str], Mapping[str, Inspected]]
"""Inspects files of a snapshot, those of the ontology aside, by what the ontology of a digest demands."""


def inspection_from(kept: Any) -> Inspection | None:
    """An inspection that was kept; None where there is none, or one of another form."""
    try:
        return convert(kept, Inspection) if kept is not None else None
    except ValidationError:
        return None


class ReadSurvey:
    """A brain whose files were all read."""

    def __init__(
        self,
        index: Index,
        files: BrainFiles,
        ontology_files: Sequence[OntologyFile],
        constraints: Constraints,
        inspections: Mapping[str, Inspection],
    ) -> None:
        self.index = index
        self.files = files
        self.kept: Kept = NothingKept()
        self.rules = ""
        self.ontology_files = ontology_files
        self.constraints = constraints
        self._inspections = inspections

    def inspection_of(self, path: str) -> Inspection:
        """What a file says by itself."""
        return self._inspections.get(path, Inspection())

    @property
    def paths(self) -> Collection[str]:
        """The paths of all files that were read."""
        return self._inspections.keys()

    def naming(self, names: Collection[str]) -> Iterator[int]:
        """The documents that name some ids."""
        wanted = frozenset(names)
        for number in range(self.index.size) if wanted else ():
            document = self.index.document(number)
            stated = (reference.target for _, reference in self.inspection_of(document.path).references)
            if not wanted.isdisjoint(document.owners) or any(target in wanted for target in stated):
                yield number

    def at_hand(self) -> Survey:
        """All documents are."""
        return self


class StoredSurvey:
    """A brain whose index is stored; what its files say is kept by their content and by what it follows from beside."""

    def __init__(
        self,
        index: Index,
        snapshot: Snapshot,
        files: BrainFiles,
        searcher: Searcher,
        redactor: BlobRedactor,
        demanded: Demanded,
        inspect_many: InspectMany,
        rules: str,
    ) -> None:
        self.index = index
        self.files = files
        self.kept = index.kept
        self._snapshot = snapshot
        self._searcher = searcher
        self._redactor = redactor
        self._demanded = demanded
        self._inspect_many = inspect_many
        self.rules = f"{CHECKS_VERSION} {index.ontology.digest.hex[:DIGITS]} {rules[:DIGITS]}"
        self._named = frozenset(index.ontology.paths)

    @cached_property
    def ontology_files(self) -> Sequence[OntologyFile]:
        """The files of its ontology, and those that a manifest among them names."""
        files, first = self.files, first_files(self.index.ontology)
        return tuple(read_files(first, lambda path: files.data(path) if files.blob(path) is not None else None))

    @cached_property
    def constraints(self) -> Constraints:
        """What its ontology demands; its files are not read for that twice."""
        key = f"constraints {self.rules}"
        known = self.kept.get(key)
        if known is not None:
            # What is of another form is made anew.
            with suppress(ValidationError):
                return convert(known, Constraints)
        made = self._demanded(str(self.index.ontology.digest), self.ontology_files)
        self.kept.put(key, to_builtins(made))
        return made

    @cached_property
    def _inspector(self) -> Inspector:
        return Inspector(self.constraints, self._redactor.spans_of)

    def inspection_of(self, path: str) -> Inspection:
        """What a file says by itself."""
        if path not in self._named and not is_read(path):
            return Inspection()
        number = next(iter(self.index.at_path(path)), None)
        # A file that holds no document at all is not in the index.
        blob = self.index.outline(number).blob if number is not None else self.files.blob(path)
        if blob is None:
            return Inspection()
        known = inspection_from(self.kept.get(self._key(path, blob)))
        if known is not None:
            return known
        data = self.files.data(path)
        if path in self._named:
            return self._keep(path, blob, self._inspector.of_text(path, blob, data))
        return self._keep(path, blob, self._inspector(path, blob, data).inspection)

    @cached_property
    def paths(self) -> Collection[str]:
        """The paths of all files that are read."""
        return self.files.read().keys()

    def naming(self, names: Collection[str]) -> Iterable[int]:
        """The documents in whose text some ids stand, or may with escapes, by one search over the store."""
        shared = self.index.shared_corpus
        if not names:
            return ()
        if shared is None or any(SPELLED_OTHERWISE.search(name) for name in names):
            return range(self.index.size)
        # Where case counts, ripgrep takes a fifth of the time.
        patterns = [Pattern(f"(?-i:{each})") for each in (*map(re.escape, sorted(names)), ESCAPE)]
        answer = self._searcher.search(shared.path, patterns)
        if answer.truncated:
            return range(self.index.size)
        shared.expect([span.start for span in answer.spans])
        places = (shared.locate(span.start) for span in answer.spans)
        return {place.number for place in places if place is not None}

    def at_hand(self) -> Survey:
        """The same with all documents and inspections at hand."""
        index = self.index
        index.expect(numbers=range(index.size))
        documents = [index.document(number) for number in range(index.size)]
        skipped = list(index.skipped)
        whole = MemoryIndex(self._snapshot, index.tree, None, index.ontology, documents, skipped)
        # A file that holds no document at all is not in the index.
        files = {**self.files.read(), **{document.path: document.blob for document in documents}}
        return ReadSurvey(whole, self.files, self.ontology_files, self.constraints, self._inspections(files))

    def _inspections(self, files: Mapping[str, str]) -> Mapping[str, Inspection]:
        wanted = {path: self._key(path, blob) for path, blob in files.items()}
        self.kept.expect(wanted.values())
        known = {path: inspection_from(self.kept.get(key)) for path, key in wanted.items()}
        found = {path: value for path, value in known.items() if value is not None}
        missing = [Named(path, files[path]) for path, value in known.items() if value is None]
        if len(missing) > MANY:
            digest = str(self.index.ontology.digest)
            made = self._inspect_many(self._snapshot, missing, self._named, self.constraints, digest)
            for file in missing:
                found[file.path] = self._keep(file.path, file.blob, made[file.path].inspection)
        else:
            found |= {file.path: self.inspection_of(file.path) for file in missing}
        return found

    def _keep(self, path: str, blob: str, made: Inspection) -> Inspection:
        self.kept.put(self._key(path, blob), to_builtins(made))
        return made

    def _key(self, path: str, blob: str) -> str:
        role = "ontology" if path in self._named else "records"
        return f"inspection {role} {self.rules} {path.rpartition('.')[2]} {blob}"
