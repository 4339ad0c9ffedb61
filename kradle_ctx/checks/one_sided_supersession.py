"""KB040: a record that is replaced, and that goes on as if it was not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_edge, at_field
from kradle_ctx.checks.edge_kinds import names_of, supersession
from kradle_ctx.checks.names import Names, listed, quoted
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import APPROVED_STATUSES, RETIRED_STATUSES, Document, Edge

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
    stating = (document for document in brain.documents() if any(edge.kind in sides.kinds for edge in document.edges))
    brain.expect((document.key for document in stating), sides.kinds)
    for document in brain.documents():
        edges = [edge for edge in dict.fromkeys(document.edges) if edge.kind in sides.kinds]
        if edges:
            found = (sides.fault(document, edge) for edge in edges)
            yield from islice((fault for fault in found if fault is not None), MOST_EDGES)


class Standing(NamedTuple):
    """A record as far as it matters: its id, a declaration of it, one that is approved, and whether one is retired."""

    record: str
    declared: Document
    approved: Document | None
    is_retired: bool


class Sides:
    """What records say of each other, looked up once for each name."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._relation = supersession(brain.constraints)
        self.kinds = self._relation.forward | self._relation.backward
        self._back = listed(self._relation.backward.intersection(brain.constraints.edges))
        self._names = Names(brain)
        self._standing: dict[str, Standing | None] = {}
        self._leading: dict[str, frozenset[str]] = {}
        self._replaced: dict[str, frozenset[str]] = {}

    def fault(self, document: Document, edge: Edge) -> Fault | None:
        """A finding of one side; none where the target is no one record, or says something of supersession, too."""
        other = self._standing_of(edge.target)
        if other is None or other.record == document.key or other.record in self._leading_to(document):
            return None
        if not self._is_approved(document):
            return None
        return (
            self._of_new(document, edge, other)
            if edge.kind in self._relation.forward
            else of_old(document, edge, other)
        )

    def _of_new(self, document: Document, edge: Edge, old: Standing) -> Fault | None:
        """A finding of a record that supersedes one which does not know."""
        if old.approved is None or old.is_retired or not self._replaced_by(old).isdisjoint(self._names_of(document)):
            return None
        return Fault(
            at_edge(document, edge),
            f"{quoted(edge.kind)} leads to {quoted(edge.target)}, which is still {quoted(old.approved.status or '')}",
            key=f"{edge.kind} {edge.target}",
            related=(Elsewhere(at_field(old.approved, "status"), "the status of the old record"),),
            hint=f"{CHECK.hint}, or let it state {self._back}" if self._back else None,
        )

    def _is_approved(self, document: Document) -> bool:
        """Whether the record of a document is approved; what only adds edges to one has no status of its own."""
        if not document.extends:
            return document.status in APPROVED_STATUSES
        standing = self._standing_of(document.key)
        return standing is not None and standing.approved is not None

    def _standing_of(self, name: str) -> Standing | None:
        """The record behind a name; None where there is none, or where several could be meant."""
        if name not in self._standing:
            record = self._names.record(name)
            declared = [each for each in self._brain.named(name) if each.key == record]
            self._standing[name] = standing(record, declared) if record is not None else None
        return self._standing[name]

    def _leading_to(self, document: Document) -> frozenset[str]:
        """The records that state supersession towards a record, from either end."""
        if document.key not in self._leading:
            found: set[str] = set()
            for name in self._names_of(document):
                found.update(edge.source for _, edge in self._brain.pointing(name, self.kinds))
            self._leading[document.key] = frozenset(found)
        return self._leading[document.key]

    def _names_of(self, document: Document) -> frozenset[str]:
        return names_of(document, self._brain, self._names)

    def _replaced_by(self, old: Standing) -> frozenset[str]:
        """What a record names in an attribute as what replaces it."""
        if old.record not in self._replaced:
            declared = self._brain.declaring(old.record)
            stated = (each for document in declared for each in self._brain.references(document))
            self._replaced[old.record] = frozenset(each.target for each in stated if each.pointer[0] in REPLACED_FIELDS)
        return self._replaced[old.record]


def standing(record: str, declared: Sequence[Document]) -> Standing:
    """A record from its declarations."""
    approved = next((each for each in declared if each.status in APPROVED_STATUSES), None)
    return Standing(record, declared[0], approved, any(each.status in RETIRED_STATUSES for each in declared))


def of_old(document: Document, edge: Edge, new: Standing) -> Fault:
    """A finding of an approved record that names a successor which does not know."""
    return Fault(
        at_edge(document, edge),
        f"{quoted(edge.kind)} leads to {quoted(edge.target)}, which does not say that it supersedes this",
        key=f"{edge.kind} {edge.target}",
        related=(Elsewhere(at_field(new.declared, "id"), "the new record"),),
        hint="state `supersedes` in the new record: answers go by that edge",
    )


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
