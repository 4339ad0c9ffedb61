"""KB034: an edge whose target does not state the inverse that the ontology requires."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_edge
from kradle_ctx.checks.edge_kinds import Stated, names_of, synonyms
from kradle_ctx.checks.names import Names, quoted
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document, Edge
from kradle_ctx.yamldoc import shown

MOST_EDGES = 100
"""Edges of one document that are told."""


def edge_inverse(brain: Brain) -> Iterator[Fault]:
    """Edges of the kinds that require it whose target does not lead back; of other kinds nothing is said."""
    known = brain.constraints.edges
    demanding = {edge.name: edge.inverse for edge in known.values() if edge.requires_inverse and edge.inverse in known}
    answers = Answers(brain)
    for document in brain.documents() if demanding else ():
        edges = [edge for edge in dict.fromkeys(document.edges) if edge.kind in demanding]
        found = (answers.fault(document, edge, demanding[edge.kind] or "") for edge in edges)
        yield from islice((fault for fault in found if fault is not None), MOST_EDGES)


class Answers:
    """What leads back to records, looked up once for each record and kind."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._names = Names(brain)
        self._alike = synonyms(brain.constraints)
        self._leading: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
        self._elsewhere: dict[tuple[str, frozenset[str]], Stated | None] = {}

    def fault(self, document: Document, edge: Edge, inverse: str) -> Fault | None:
        """A finding of an edge that is not answered; none where its target is not there, which is KB031."""
        target = self._names.record(edge.target)
        if target is None and self._brain.holds_file(edge.target):
            target = edge.target
        kinds = self._alike[inverse]
        if target is None or target in self._leading_to(document, kinds):
            return None
        other = self._leading_elsewhere(target, kinds)
        told = f"to {quoted(other[1].target)}, not back" if other is not None else "not at all"
        return Fault(
            at_edge(document, edge),
            f"{quoted(edge.kind)} leads to {quoted(edge.target)}, which states its inverse {shown(inverse)} {told}",
            key=f"{edge.kind} {edge.target}",
            related=(Elsewhere(at_edge(*other), "it is stated here"),) if other is not None else (),
            hint=f"add {quoted(inverse)} there, or remove this edge",
        )

    def _leading_to(self, document: Document, kinds: frozenset[str]) -> frozenset[str]:
        """The records whose edges of some kinds lead to the record of a document."""
        key = (document.key, kinds)
        if key not in self._leading:
            names = names_of(document, self._brain, self._names)
            self._leading[key] = frozenset(sources(self._brain.pointing(name, kinds) for name in sorted(names)))
        return self._leading[key]

    def _leading_elsewhere(self, record: str, kinds: frozenset[str]) -> Stated | None:
        """An edge of some kinds that a record states."""
        key = (record, kinds)
        if key not in self._elsewhere:
            declared = self._brain.declaring(record)
            stated = ((document, edge) for document in declared for edge in document.edges if edge.kind in kinds)
            self._elsewhere[key] = next(stated, None)
        return self._elsewhere[key]


def sources(stated: Iterable[Iterable[Stated]]) -> Iterator[str]:
    """The records that edges come from."""
    return (edge.source for each in stated for _, edge in each)


CHECK = Check(
    "KB034",
    "edge-inverse",
    Severity.ERROR,
    "An edge whose target does not state the inverse that the ontology requires",
    "add the inverse edge to the target, or remove this one",
    of_brain=edge_inverse,
    needs_ontology=True,
    of_absence=True,
)
