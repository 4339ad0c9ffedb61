"""KB040: a record that is replaced, and that goes on as if it was not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_edge, at_field
from kradle_ctx.checks.edge_kinds import Incoming, names_of, supersession
from kradle_ctx.checks.names import listed
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import APPROVED_STATUSES, RETIRED_STATUSES, Document, Edge
from kradle_ctx.yamldoc import shown

REPLACED_FIELDS = frozenset({"supersededBy", "replacedBy"})
"""Attributes that name what a record is replaced by, where the ontology gives them the type `ref`."""

MOST_EDGES = 100
"""Edges of one document that are told."""


def one_sided_supersession(brain: Brain) -> Iterator[Fault]:
    """Supersession of which one side tells alone.

    Either the old record is still approved and names no other, or the new one does not say what it replaces. A draft
    may mean to supersede what holds until it is approved. Two records that supersede each other are KB041's.
    """
    sides = Sides(brain)
    for document in brain.documents():
        edges = [edge for edge in dict.fromkeys(document.edges) if edge.kind in sides.kinds]
        if edges:
            found = (sides.fault(document, edge) for edge in edges)
            yield from islice((fault for fault in found if fault is not None), MOST_EDGES)


class Sides:
    """What records say of each other, looked up once for each record."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._relation = supersession(brain.constraints)
        self.kinds = self._relation.forward | self._relation.backward
        self._back = listed(self._relation.backward.intersection(brain.constraints.edges))
        self._incoming = Incoming(brain)
        self._leading: dict[str, frozenset[str]] = {}

    def fault(self, document: Document, edge: Edge) -> Fault | None:
        """A finding of one side."""
        if edge.kind in self._relation.forward:
            return self._of_new(document, edge)
        return self._of_old(document, edge)

    def _of_new(self, document: Document, edge: Edge) -> Fault | None:
        """A finding of a record that supersedes one which does not know."""
        new = self._declared(document)
        old = self._brain.named(edge.target)
        told = next((each for each in old if each.status in APPROVED_STATUSES), None)
        if told is None or not is_approved(new) or any(each.status in RETIRED_STATUSES for each in old):
            return None
        if self._both_lead(document, told) or any(self._names_in_field(each, document) for each in old):
            return None
        return Fault(
            at_edge(document, edge),
            f"{shown(edge.kind)} leads to {shown(edge.target)}, which is still {shown(told.status or '')}",
            key=f"{edge.kind} {edge.target}",
            related=(Elsewhere(at_field(told, "status"), "the status of the old record"),),
            hint=f"{CHECK.hint}, or let it state {self._back}" if self._back else None,
        )

    def _of_old(self, document: Document, edge: Edge) -> Fault | None:
        """A finding of an approved record that names a successor which does not know."""
        declared = self._brain.named(edge.target)
        if not declared or not is_approved(self._declared(document)):
            return None
        if any(self._both_lead(document, new) for new in declared):
            return None
        return Fault(
            at_edge(document, edge),
            f"{shown(edge.kind)} leads to {shown(edge.target)}, which does not say that it supersedes this",
            key=f"{edge.kind} {edge.target}",
            related=(Elsewhere(at_field(declared[0], "id"), "the new record"),),
            hint="state `supersedes` in the new record: answers go by that edge",
        )

    def _both_lead(self, document: Document, other: Document) -> bool:
        """Whether the other record states supersession of either kind towards this one, or is the same record."""
        return other.key == document.key or other.key in self._leading_to(document)

    def _leading_to(self, document: Document) -> frozenset[str]:
        """The records that state supersession towards a record, from either end."""
        if document.key not in self._leading:
            found: set[str] = set()
            for name in names_of(document, self._brain):
                found.update(edge.source for _, edge in self._incoming.towards(name, self.kinds))
            self._leading[document.key] = frozenset(found)
        return self._leading[document.key]

    def _names_in_field(self, old: Document, new: Document) -> bool:
        """Whether a record names another in an attribute as what replaces it."""
        named = {each.target for each in self._brain.references(old) if each.pointer[0] in REPLACED_FIELDS}
        return not named.isdisjoint(names_of(new, self._brain))

    def _declared(self, document: Document) -> Sequence[Document]:
        """What declares the record of a document; that is the document, unless it only adds edges."""
        return self._brain.declaring(document.id) if document.extends and document.id is not None else (document,)


def is_approved(declared: Sequence[Document]) -> bool:
    """Whether a declaration is approved."""
    return any(document.status in APPROVED_STATUSES for document in declared)


CHECK = Check(
    "KB040",
    "one-sided-supersession",
    Severity.WARNING,
    "A record that is replaced, and that goes on as if it was not",
    "retire the old record: set its status to `deprecated`",
    of_brain=one_sided_supersession,
    needs_ontology=True,
    of_absence=True,
)
