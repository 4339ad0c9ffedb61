"""Which edges lead to records that do not lead back, and which of these can be told to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from kradle_ctx.checks import CHECKS
from kradle_ctx.checks.edge_ends import is_outside
from kradle_ctx.checks.edge_kinds import names_of, synonyms
from kradle_ctx.checks.names import Names
from kradle_ctx.model.constraints import EdgeConstraints
from kradle_ctx.model.findings import Span
from kradle_ctx.model.graph import Document, Edge
from kradle_ctx.repairs.layout import LeftAlone
from kradle_ctx.validation.brain import IndexedBrain
from kradle_ctx.validation.findings import faults
from kradle_ctx.validation.inspection import placed
from kradle_ctx.validation.places import Places
from kradle_ctx.yamldoc import shown

EDGE_INVERSE = "KB034"

CHECKED = {check.id: check for check in CHECKS if check.id == EDGE_INVERSE}

Place = tuple[str, Span, str]
"""The path, the place and the message of a finding."""


class Unanswered(NamedTuple):
    """An edge whose target does not lead back, the line that states it, and the kind of edge that would."""

    document: Document
    edge: Edge
    line: int
    inverse: str


def unanswered(brain: IndexedBrain, places: Places, counted: Collection[Place]) -> Iterator[Unanswered]:
    """The edges that findings are about."""
    for check, fault in faults(brain, CHECKED) if counted else ():
        document, edge = fault.where.document, fault.where.edge
        kind = brain.constraints.edges.get(edge.kind) if edge is not None else None
        if document is None or edge is None or kind is None or kind.inverse is None:
            continue
        found = placed(check, fault, places)
        if (document.path, found.span, found.message) in counted:
            yield Unanswered(document, edge, found.span.line, kind.inverse)


class InverseEdges:
    """Chooses the documents that are to state inverse edges; what it has chosen counts as stated."""

    def __init__(self, brain: IndexedBrain) -> None:
        self._brain = brain
        self._names = Names(brain)
        self._alike = synonyms(brain.constraints)
        self._records: dict[str, list[Document]] = {}
        self._stated: dict[tuple[str, frozenset[str]], set[str]] = {}
        self._taken: set[tuple[str, frozenset[str]]] = set()

    def stating(self, wanted: Unanswered) -> Document:
        """The document of the target that is to state the inverse; raises `LeftAlone`."""
        record_id = self._names.record(wanted.edge.target)
        records = self._declaring(record_id) if record_id is not None else []
        if record_id is None or not records:
            raise LeftAlone(f"{shown(wanted.edge.target)} is no record with an id of its own")
        if len(records) > 1 and not self._brain.merges:
            raise LeftAlone(f"{shown(record_id)} is declared more than once")
        if record_id == wanted.edge.source:
            raise LeftAlone("the edge leads back to its own record")
        self._require_allowed(wanted, record_id)
        return records[0]

    def _declaring(self, record_id: str) -> list[Document]:
        """The declarations of a record, those that state edges first."""
        if record_id not in self._records:
            declared = [document for document in self._brain.declaring(record_id) if not document.extends]
            self._records[record_id] = sorted(declared, key=lambda document: not document.edges)
        return self._records[record_id]

    def _stating(self, record_id: str, kinds: frozenset[str]) -> set[str]:
        """Where the edges of some kinds lead that a record states."""
        key = (record_id, kinds)
        if key not in self._stated:
            edges = (edge for document in self._brain.declaring(record_id) for edge in document.edges)
            self._stated[key] = {edge.target for edge in edges if edge.kind in kinds}
        return self._stated[key]

    def _require_allowed(self, wanted: Unanswered, record_id: str) -> None:
        """Raise `LeftAlone` where the ontology does not allow the inverse edge beside those that are stated."""
        kind, source = self._brain.constraints.edges[wanted.inverse], wanted.edge.source
        kinds = self._alike[wanted.inverse]
        stated = self._stating(record_id, kinds)
        if not names_of(wanted.document, self._brain).isdisjoint(stated):
            raise LeftAlone("the inverse is stated")
        self._require_ends(kind, record_id, source)
        if kind.one_target and stated:
            raise LeftAlone(f"{shown(record_id)} may state one {shown(kind.name)}, and states another")
        others = kind.one_source and any(edge.source != record_id for _, edge in self._brain.pointing(source, kinds))
        if others or (kind.one_source and (source, kinds) in self._taken):
            raise LeftAlone(f"another record states {shown(kind.name)} to {shown(source)}, and one may")
        stated.add(source)
        self._taken.add((source, kinds))

    def _require_ends(self, kind: EdgeConstraints, record_id: str, source: str) -> None:
        """Raise `LeftAlone` where an edge may not join the kinds of two records in this direction."""
        for end, allowed in ((record_id, kind.sources), (source, kind.targets)):
            if allowed is not None and is_outside(self._names.kinds(end), allowed, self._brain.constraints):
                raise LeftAlone(f"the ontology does not allow {shown(kind.name)} between these kinds of records")
