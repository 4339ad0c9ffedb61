"""The granted view: an index at a commit, already cut to what the reader may see.

Everything downstream asks the view, never the index, so that a denied document can show through no result, count,
statistic or path. Only `stages/load.py` makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access, Rules, sensitivity_rank
from kradle_ctx.model.graph import Document, Edge, Form, Outline, Skipped
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.model.search import Found, Pattern
from kradle_ctx.ports import Corpus, Index, Searcher
from kradle_ctx.today import Today
from kradle_ctx.tokens import beginnings, stem

Agreement = Callable[[Sequence[Document]], bool]


class Statistics(Struct, frozen=True):
    """Number of granted documents and the mean length of their bodies in bytes; what ranking may know of the whole."""

    documents: int
    mean_length: float


SHARED_FLOOR, SHARED_TIMES = 16 << 20, 4
"""A text that holds more than what is granted is searched up to this size, or up to so many times what is granted."""

PATH_LINE = -1
"""The offset of a match in a path."""


class Matched(NamedTuple):
    """A match: the number of a visible document and byte offsets in its blob; `PATH_LINE` where its path matches."""

    number: int
    start: int
    end: int


class Matches(Struct, frozen=True):
    """All matches of a search, those of a document together and in order; `truncated` when there were too many."""

    found: Iterator[Matched]
    truncated: bool


class View:
    """A commit's documents and edges as one reader may see them.

    Where an id is declared more than once in the view, `agree` says whether the declarations are merged; without
    agreement all of them are withheld. `today` is None where the pin is the access commit. `policy` names access,
    agreement and today together.
    """

    def __init__(
        self,
        index: Index,
        access: Access,
        today: Today | None,
        agree: Agreement,
        root: str,
        policy: str,
    ) -> None:
        self._index = index
        self._access = access
        self._rules = Rules(access)
        self._today = today
        self._agree = agree
        self._policy = policy
        self._allowed: dict[int, str | None] = {}
        self._outlines: dict[int, Outline] = {}
        self._withheld: dict[str, bool] = {}
        self._records: dict[str, list[int]] = {}
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
        key = f"statistics {self._index.name} {self._policy}"
        known = self._index.kept.get(key)
        if known is None and (known := self._counted_since()) is not None:
            self._index.kept.put(key, known)
        if known is None:
            if self._today is not None:
                self._today.expect_all()
            lengths = [outline.length for outline in self._index.outlines() if self._counts(outline)]
            known = [len(lengths), sum(lengths)]
            self._index.kept.put(key, known)
        documents, total = known
        return Statistics(documents, total / documents if documents else 0.0)

    def _counted_since(self) -> list[int] | None:
        """Number and bytes of the granted documents, from what was counted in the index that this one was made from.

        None where that was not counted, or where what came or went can have changed which duplicates are withheld.
        """
        origin = self._index.origin
        if origin is None or self._today is not None or tuple(origin.duplicates) != tuple(self._index.duplicates):
            return None
        known = self._index.kept.get(f"statistics {origin.name} {self._policy}")
        changed = [(-1, outline) for outline in origin.gone] + [(1, outline) for outline in origin.come]
        if known is None or any(outline.id in self._declared_often for _, outline in changed):
            return None
        counted = [(sign, outline.length) for sign, outline in changed if self._counts(outline)]
        return [known[0] + sum(sign for sign, _ in counted), known[1] + sum(sign * size for sign, size in counted)]

    def allowed(self, number: int) -> str | None:
        """The pattern or kind by which a document may be seen; None when it may not."""
        try:
            return self._allowed[number]
        except KeyError:
            by = self._grant(number)
            outline = self._index.outline(number)
            if by is not None and outline.id in self._declared_often and not outline.extends:
                by = None if self._is_withheld(outline.id) else by
            self._allowed[number] = by
            return by

    def document(self, number: int) -> Document:
        """A visible document; one of several that declare the same record knows what the others state of it."""
        document = self._index.document(number)
        declared = self.declarations(document)
        return joined(document, declared) if len(declared) > 1 else document

    def declarations(self, document: Document) -> list[Document]:
        """What a visible document is joined from, as it stands: the visible declarations of its record, or itself."""
        if document.id is None or document.extends or document.id not in self._declared_often:
            return [document]
        return [self._index.document(other) for other in self.records(document.id)]

    def outline(self, number: int) -> Outline:
        """The outline of a visible document; of a record that is declared several times, with its joined status."""
        outline = self._outlines.get(number)
        if outline is None:
            outline = self._index.outline(number)
            if outline.id in self._declared_often and not outline.extends:
                document = self.document(number)
                outline = outline._replace(status=document.status, updated_at=document.updated_at)
            self._outlines[number] = outline
        return outline

    def stated(self, number: int) -> Document:
        """A visible document as it stands, without what other declarations of its record add."""
        return self._index.document(number)

    @cached_property
    def _declared_often(self) -> frozenset[str]:
        return frozenset(self._index.duplicates)

    def records(self, record_id: str) -> list[int]:
        """Visible documents that declare an id, in path order."""
        found = self._records.get(record_id)
        if found is None:
            found = self._records[record_id] = [
                number for number in self.named(record_id) if self._index.outline(number).id == record_id
            ]
        return found

    def named(self, name: str) -> list[int]:
        """Visible documents whose id or alias is `name`."""
        return self._visible(self._index.named(name))

    def at_path(self, path: str) -> list[int]:
        """Visible documents in the file of that path."""
        return self._visible(self._index.at_path(path))

    def referring(self, value: str) -> list[int]:
        """Visible documents that name `value` in `repoRefs`, `sourceRefs` or `tags`."""
        return self._visible(self._index.referring(value))

    def mentioning(self, name: str) -> dict[int, bool] | None:
        """Visible notes that may mention an id, given in small letters, each with whether it does for certain.

        None where only a search can tell.
        """
        found = self._index.mentioning(name)
        if found is None:
            return None
        self._index.expect_outlines(found)
        return {number: certain for number, certain in found.items() if self._is_searchable(number)}

    def outgoing(self, key: str) -> Iterator[Edge]:
        """Edges that visible documents state from a record, or from a note known by its path; each once."""
        numbers = (*self._index.named(key), *self._index.at_path(key))
        stating = [number for number in numbers if self.allowed(number) is not None]
        yield from dict.fromkeys(
            edge for number in stating for edge in self._index.document(number).edges if edge.source == key
        )

    def incoming(self, record_id: str, kind: str | None = None) -> Iterator[Edge]:
        """Edges that visible documents state towards an id, of one kind or of any; each once."""
        yield from dict.fromkeys(
            edge for number, edge in self._index.incoming(record_id, kind) if self.allowed(number) is not None
        )

    def references(self, key: str) -> Iterator[tuple[str, str]]:
        """What a record, or a note known by its path, names in `repoRefs` and `sourceRefs`: the field and the value."""
        for number in self.records(key) or self.at_path(key):
            document = self._index.document(number)
            yield from (("repoRefs", value) for value in document.repo_refs)
            yield from (("sourceRefs", value) for value in document.source_refs)

    def expect(self, names: Iterable[str] = (), numbers: Iterable[int] = ()) -> None:
        """Hear which names and which documents will be asked for."""
        self._index.expect(names, numbers)

    def expect_outlines(self, numbers: Iterable[int]) -> None:
        """Hear of which documents the outlines will be asked for."""
        self._index.expect_outlines(numbers)

    def expect_edges(self, names: Iterable[str]) -> None:
        """Hear of which names all edges and references will be asked for."""
        self._index.expect_edges(names)

    def with_incoming(self, targets: Iterable[str], kind: str) -> list[str]:
        """Those of some ids towards which visible documents state an edge of a kind."""
        stated = self._index.with_incoming(targets, kind)
        return [target for target in stated if next(self.incoming(target, kind), None) is not None]

    def standing(self, stemmed: str) -> Iterator[tuple[int, str, int]]:
        """Where words with a stem stand: the visible document, its part as in `DocumentWords`, and how often."""
        words = (word for beginning in beginnings(stemmed) for word in self._index.words(beginning))
        places = [place for word in words if stem(word) == stemmed for place in self._index.standing(word)]
        numbers = {number for number, _, _ in places}
        self._index.expect_outlines(numbers)
        visible = set(filter(self._is_searchable, numbers))
        return (place for place in places if place[0] in visible)

    def text(self, document: Document | Outline) -> bytes:
        """The bytes of the whole blob that holds a visible document."""
        return self._index.text(document)

    def search(self, searcher: Searcher, patterns: Sequence[Pattern]) -> Matches:
        """Where patterns match in the visible documents and in their paths.

        A text that holds other documents, too, answers only where that cannot be told: a search of it that was cut or
        given up is made again on the text of the visible documents alone.
        """
        shared = self._index.shared_corpus
        if shared is not None and shared.size <= max(SHARED_FLOOR, SHARED_TIMES * self._granted_bytes):
            with suppress(TooMuch):
                return Matches(self._visible_matches(shared, whole(searcher, shared, patterns)), False)
        answer = searcher.search(self._corpus.path, patterns)
        return Matches(self._visible_matches(self._corpus, answer), answer.truncated)

    def _visible_matches(self, corpus: Corpus, answer: Found) -> Iterator[Matched]:
        corpus.expect([span.start for span in answer.spans])
        for span in answer.spans:
            place = corpus.locate(span.start)
            if place is None:
                continue
            number, start = place
            if start < 0:
                visible = filter(self._is_searchable, self._index.at_path(self._index.outline(number).path))
                if (first := next(visible, None)) is not None:
                    yield Matched(first, PATH_LINE, PATH_LINE)
            elif self._is_searchable(number):
                yield Matched(number, start, start + span.end - span.start)

    @property
    def _granted_bytes(self) -> int:
        return round(self.statistics.documents * self.statistics.mean_length)

    @cached_property
    def _corpus(self) -> Corpus:
        """A file of the text of the visible documents alone."""
        return self._index.corpus(sorted(outline.number for outline in self._index.outlines() if self._counts(outline)))

    def _is_searchable(self, number: int) -> bool:
        """Whether text search may find a document and statistics count it: no ontology, and no bare edges."""
        outline = self._index.outline(number)
        return not outline.extends and outline.form is not Form.ONTOLOGY and self.allowed(number) is not None

    def _counts(self, outline: Outline) -> bool:
        """The same, without the whole document where its outline is enough."""
        if outline.extends or outline.form is Form.ONTOLOGY:
            return False
        if outline.id in self._declared_often:
            return self._is_searchable(outline.number)
        return self._rules.allows(outline.path, outline.kind, self._sensitivity(outline)) is not None

    def gone_today(self, document: Document) -> bool:
        """Whether a visible document of an old pin is no longer in the brain."""
        return self._today is not None and self._today.sensitivity(document) is None

    def stands_today(self, document: Document) -> bool:
        """Whether the text of a document stands in the brain today, be it under another name."""
        return self._today is None or self._today.holds(document.blob)

    def _shown(self, entry: Skipped) -> Skipped | None:
        if not entry.read:
            if not self._access.covers_path(entry.path):
                return None
            told = self._rules.allows(entry.path, None, "restricted") is not None
            return entry if told else replace(entry, reason=entry.reason.partition(":")[0], line=0)
        documents = [self._index.document(number) for number in self.at_path(entry.path)]
        known = any(document.line_start <= entry.line <= document.line_end for document in documents)
        return entry if known else None

    def _visible(self, numbers: Sequence[int]) -> list[int]:
        return [
            number for number in numbers if self.allowed(number) is not None and not self._index.outline(number).extends
        ]

    def _grant(self, number: int) -> str | None:
        outline = self._index.outline(number)
        return self._rules.allows(outline.path, outline.kind, self._sensitivity(outline))

    def _sensitivity(self, outline: Outline) -> str:
        """The stricter of the pinned and the current sensitivity; the pinned one when it is gone today."""
        if self._today is None:
            return outline.sensitivity
        current = self._today.sensitivity(outline) or outline.sensitivity
        return max(outline.sensitivity, current, key=sensitivity_rank)

    def _is_withheld(self, record_id: str) -> bool:
        """Whether an id that is declared often is not shown, since what the reader may see of it does not agree."""
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


class TooMuch(Exception):
    """A search that found more than is read, or took too long."""


def whole(searcher: Searcher, corpus: Corpus, patterns: Sequence[Pattern]) -> Found:
    """The answer of a search that was neither cut nor given up; raises `TooMuch`."""
    try:
        answer = searcher.search(corpus.path, patterns)
    except KradleError as error:
        if error.code is not ErrorCode.LIMIT_EXCEEDED:
            raise
        raise TooMuch from error
    if answer.truncated:
        raise TooMuch
    return answer


def joined(document: Document, declarations: Sequence[Document]) -> Document:
    """A declaration with the scalars and lists of all declarations of its record.

    They are known to agree, but for the texts that describe it, of which the first counts.
    """

    def first(field: str) -> Any:
        return next((value for entry in declarations if (value := getattr(entry, field))), getattr(document, field))

    def union(field: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(value for entry in declarations for value in getattr(entry, field)))

    stated: dict[str, Any] = {field: first(field) for field in ("status", "summary", "updated_at")}
    # A record without a title has its id in place of one.
    stated["title"] = next((entry.title for entry in declarations if entry.title != entry.id), document.title)
    for field in ("owners", "aliases", "tags", "repo_refs", "source_refs", "edges"):
        stated[field] = union(field)
    return replace(document, **stated)
