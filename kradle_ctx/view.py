"""The granted view: an index at a commit, already cut to what the reader may see.

Everything downstream asks the view, never the index, so that a denied document can show through no result, count,
statistic or path. Only `stages/load.py` makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kradle_ctx.model.access import Access, Sensitivities
from kradle_ctx.model.graph import APPROVED_STATUSES, RETIRED_STATUSES, Document, Edge, Form, Skipped
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ports import Corpus, Index

Agreement = Callable[[Sequence[Document]], bool]

CHAIN_LIMIT = 64
"""Records that are looked at along a chain of supersession; an honest one is far shorter."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Number of granted documents and the mean length of their bodies in bytes; what ranking may know of the whole."""

    documents: int
    mean_length: float


class View:
    """A commit's documents and edges as one reader may see them.

    Where an id is declared more than once in the view, `agree` says whether the declarations are merged; without
    agreement all of them are withheld.
    """

    def __init__(
        self,
        index: Index,
        access: Access,
        sensitivities: Sensitivities,
        agree: Agreement,
        root: str,
    ) -> None:
        self._index = index
        self._access = access
        self._sensitivities = sensitivities
        self._agree = agree
        self._granted: dict[int, str | None] = {}
        self._withheld: dict[str, bool] = {}
        self.root = root

    @property
    def ontology(self) -> Ontology:
        """The ontology at the commit."""
        return self._index.ontology

    @property
    def tree(self) -> str:
        """Id of the tree at the brain's root."""
        return self._index.tree

    @cached_property
    def skipped(self) -> tuple[Skipped, ...]:
        """What could not be read as it says, as far as the reader may know of it.

        What kept a file from being read follows from content that may be restricted; only who may see that is told.
        """
        shown = (self._shown(entry) for entry in self._index.skipped)
        return tuple(entry for entry in shown if entry is not None)

    @cached_property
    def duplicates(self) -> tuple[str, ...]:
        """Ids that are withheld because granted documents declare them more than once and do not agree."""
        return tuple(name for name in self._index.duplicates if self._is_withheld(name))

    @cached_property
    def statistics(self) -> Statistics:
        """Counts over the granted documents alone."""
        searchable = (self._index.document(number) for number in self._searchable)
        lengths = [document.end - document.body for document in searchable]
        return Statistics(len(lengths), sum(lengths) / len(lengths) if lengths else 0.0)

    def allowed(self, number: int) -> str | None:
        """The pattern or kind by which a document may be seen; None when it may not."""
        by = self._grant(number)
        if by is None:
            return None
        document = self._index.document(number)
        if document.id is not None and not document.extends and self._is_withheld(document.id):
            return None
        return by

    def document(self, number: int) -> Document:
        """A visible document; one of several that declare the same record knows what the others state of it."""
        document = self._index.document(number)
        if document.id is None or document.extends or document.id not in self._declared_often:
            return document
        return joined(document, [self._index.document(other) for other in self.records(document.id)])

    @cached_property
    def _declared_often(self) -> frozenset[str]:
        return frozenset(self._index.duplicates)

    def records(self, record_id: str) -> list[int]:
        """Visible documents that declare an id, in path order."""
        return [
            number
            for number in self._index.named(record_id)
            if self.allowed(number) is not None
            and self._index.document(number).id == record_id
            and not self._index.document(number).extends
        ]

    def named(self, name: str) -> list[int]:
        """Visible documents whose id or alias is `name`."""
        return [
            number
            for number in self._index.named(name)
            if self.allowed(number) is not None and not self._index.document(number).extends
        ]

    def at_path(self, path: str) -> list[int]:
        """Visible documents in the file of that path."""
        return self._visible(self._index.at_path(path))

    def referring(self, value: str) -> list[int]:
        """Visible documents that name `value` in `repoRefs`, `sourceRefs` or `tags`."""
        return self._visible(self._index.referring(value))

    def outgoing(self, key: str) -> Iterator[Edge]:
        """Edges that visible documents state from a record, or from a note known by its path; each once."""
        numbers = (*self._index.named(key), *self._index.at_path(key))
        stating = [number for number in numbers if self.allowed(number) is not None]
        yield from dict.fromkeys(
            edge for number in stating for edge in self._index.document(number).edges if edge.source == key
        )

    def incoming(self, record_id: str) -> Iterator[Edge]:
        """Edges that visible documents state towards an id; each once."""
        yield from dict.fromkeys(
            edge for number, edge in self._index.incoming(record_id) if self.allowed(number) is not None
        )

    def references(self, key: str) -> Iterator[tuple[str, str]]:
        """What a record, or a note known by its path, names in `repoRefs` and `sourceRefs`: the field and the value."""
        for number in self.records(key) or self.at_path(key):
            document = self._index.document(number)
            yield from (("repoRefs", value) for value in document.repo_refs)
            yield from (("sourceRefs", value) for value in document.source_refs)

    def replacement(self, record_id: str) -> str | None:
        """The approved record of the view that supersedes the given one, over any retired ones between them.

        None within a cycle of supersession, where no record can be called current.
        """
        seen, pending = {record_id}, [record_id]
        behind: set[str] = set()
        while pending and len(seen) <= CHAIN_LIMIT:
            replaced = pending.pop(0)
            sources = sorted(edge.source for edge in self.incoming(replaced) if edge.kind == "supersedes")
            if sources:
                self._follow_superseded(replaced, behind)
            for source in sources:
                if source in seen or source in behind:
                    continue
                if self._has_status(source, APPROVED_STATUSES):
                    return source
                seen.add(source)
                if self._has_status(source, RETIRED_STATUSES):
                    pending.append(source)
        return None

    def text(self, document: Document) -> bytes:
        """The bytes of the whole blob that holds a visible document."""
        return self._index.text(document)

    @cached_property
    def corpus(self) -> Corpus:
        """A file of the text of the visible documents alone, so that no cut and no time limit can tell of others."""
        return self._index.corpus(self._searchable)

    @cached_property
    def _searchable(self) -> list[int]:
        """Visible documents that text search may find and statistics count: no ontology, and no bare edges."""
        return [
            number
            for number in range(self._index.size)
            if self.allowed(number) is not None
            and not self._index.document(number).extends
            and self._index.document(number).form is not Form.ONTOLOGY
        ]

    def gone_today(self, document: Document) -> bool:
        """Whether a visible document of an old pin is no longer in the brain."""
        return self._sensitivities.current(document) is None

    def stands_today(self, document: Document) -> bool:
        """Whether the text of a document stands in the brain today, be it under another name."""
        return self._sensitivities.same or document.blob in self._sensitivities.blobs

    def _shown(self, entry: Skipped) -> Skipped | None:
        if not entry.read:
            if not self._access.covers_path(entry.path):
                return None
            told = self._access.allows(entry.path, None, "restricted") is not None
            return entry if told else replace(entry, reason=entry.reason.partition(":")[0], line=0)
        documents = [self._index.document(number) for number in self.at_path(entry.path)]
        known = any(document.line_start <= entry.line <= document.line_end for document in documents)
        return entry if known else None

    def _visible(self, numbers: Sequence[int]) -> list[int]:
        return [
            number
            for number in numbers
            if self.allowed(number) is not None and not self._index.document(number).extends
        ]

    def _grant(self, number: int) -> str | None:
        if number not in self._granted:
            document = self._index.document(number)
            sensitivity = self._sensitivities.stricter(document)
            self._granted[number] = self._access.allows(document.path, document.kind, sensitivity)
        return self._granted[number]

    def _is_withheld(self, record_id: str) -> bool:
        if record_id not in self._withheld:
            declared = [
                self._index.document(number)
                for number in self._index.named(record_id)
                if self._grant(number) is not None
                and self._index.document(number).id == record_id
                and not self._index.document(number).extends
            ]
            self._withheld[record_id] = len(declared) > 1 and not self._agree(declared)
        return self._withheld[record_id]

    def _follow_superseded(self, record_id: str, behind: set[str]) -> None:
        """Add what a record supersedes, itself or over others, to what is known to be behind."""
        pending = [record_id]
        while pending and len(behind) <= CHAIN_LIMIT:
            targets = {edge.target for edge in self.outgoing(pending.pop(0)) if edge.kind == "supersedes"}
            pending.extend(sorted(targets - behind))
            behind |= targets

    def _has_status(self, record_id: str, statuses: Container[str | None]) -> bool:
        return any(self._index.document(number).status in statuses for number in self.records(record_id))


def joined(document: Document, declarations: Sequence[Document]) -> Document:
    """A declaration with the scalars and lists of all declarations of its record; they are known to agree."""

    def first(field: str) -> Any:
        return next((value for entry in declarations if (value := getattr(entry, field))), getattr(document, field))

    def union(field: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(value for entry in declarations for value in getattr(entry, field)))

    stated: dict[str, Any] = {field: first(field) for field in ("status", "summary", "updated_at")}
    for field in ("owners", "aliases", "tags", "repo_refs", "source_refs", "edges"):
        stated[field] = union(field)
    return replace(document, **stated)
