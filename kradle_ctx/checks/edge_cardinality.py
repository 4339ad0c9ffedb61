"""KB033: more edges of a kind than one record may have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_edge
from kradle_ctx.checks.edge_kinds import Stated, names_of, synonyms
from kradle_ctx.checks.names import Names, quoted
from kradle_ctx.model.findings import Confidence, Severity
from kradle_ctx.model.graph import Document, Edge

MOST_EDGES = 100
"""Edges of one document that are told."""

MOST_PLACES = 20
"""Other edges that a finding names."""

MOST_NAMES = 100
"""Names of one record by which edges towards it are looked up."""


def edge_cardinality(brain: Brain) -> Iterator[Fault]:
    """Sources with several targets where an edge kind allows one, and targets with several sources."""
    names = Names(brain)
    yield from several_targets(brain, names)
    yield from several_sources(brain, names)


def several_targets(brain: Brain, names: Names) -> Iterator[Fault]:
    """Each record whose edges of a kind lead to several others; all that state its edges count as one."""
    single = {edge.name for edge in brain.constraints.edges.values() if edge.one_target}
    alike = synonyms(brain.constraints) if single else {}
    stated: dict[tuple[str, frozenset[str]], list[Stated]] = defaultdict(list)
    for document in brain.documents() if single else ():
        for edge in dict.fromkeys(document.edges):
            if edge.kind in single:
                stated[edge.source, alike[edge.kind]].append((document, edge))
    for edges in stated.values():
        for found in of_one_record(edges, brain):
            if len({edge.target for _, edge in found}) > 1:
                yield from told_once(sorted(found, key=lambda stated: stated[0].path in brain.touched), names)


def of_one_record(edges: list[Stated], brain: Brain) -> Iterator[list[Stated]]:
    """The edges of one id by record: where the layout profile joins nothing, two records may have one id."""
    declaring = {(document.path, document.start) for document, _ in edges if not document.extends}
    if brain.merges or len(declaring) < 2:
        yield edges
        return
    apart: dict[tuple[str, int], list[Stated]] = defaultdict(list)
    for document, edge in edges:
        if not document.extends:
            apart[document.path, document.start].append((document, edge))
    yield from apart.values()


def told_once(edges: list[Stated], names: Names) -> Iterator[Fault]:
    """A finding where the edges lead to several records, at the first that leads to another than those before."""
    reached = {names.record(edge.target) or edge.target for _, edge in edges}
    if len(reached) < 2:
        return
    first = names.record(edges[0][1].target) or edges[0][1].target
    others = [each for each in edges if (names.record(each[1].target) or each[1].target) != first]
    document, edge = others[0]
    yield Fault(
        at_edge(document, edge),
        f"{quoted(edge.kind)} leads to {len(reached)} records, and may lead to one",
        key=edge.kind,
        related=tuple(
            Elsewhere(at_edge(other, each), f"it leads to {quoted(each.target)} here")
            for other, each in islice([edges[0], *others[1:]], MOST_PLACES)
        ),
        hint="keep one of the targets",
    )


def several_sources(brain: Brain, names: Names) -> Iterator[Fault]:
    """Each record but the first whose edge of a kind leads to what may have one such source."""
    single = {edge.name for edge in brain.constraints.edges.values() if edge.one_source}
    sources = Sources(brain, names)
    for document in brain.documents() if single else ():
        edges = [edge for edge in dict.fromkeys(document.edges) if edge.kind in single]
        if edges:
            yield from islice(sources.of_document(document, edges), MOST_EDGES)


class Sources:
    """The first record whose edges of some kinds lead to another, each looked up once."""

    def __init__(self, brain: Brain, names: Names) -> None:
        self._names = names
        self._alike = synonyms(brain.constraints)
        self._brain = brain
        self._firsts: dict[tuple[frozenset[str], str], Stated] = {}
        self._told: set[tuple[str, str, str]] = set()

    def of_document(self, document: Document, edges: Iterable[Edge]) -> Iterator[Fault]:
        """The edges of a document that lead to what another record has, by its id or by an alias."""
        for edge in edges:
            record = self._names.record(edge.target)
            if record is None:
                continue
            key = (self._alike[edge.kind], record)
            if key not in self._firsts:
                self._firsts[key] = self._first(*key) or (document, edge)
            first = self._firsts[key]
            told = (edge.source, edge.kind, record)
            if first[1].source != edge.source and told not in self._told:
                self._told.add(told)
                yield taken(document, edge, first)

    def _first(self, kinds: frozenset[str], record: str) -> Stated | None:
        """The first edge of some kinds that leads to a record."""
        declared = self._brain.declaring(record)
        names = {record, *(name for document in declared for name in names_of(document, self._brain, self._names))}
        found = (self._brain.pointing(name, kinds) for name in islice(sorted(names), MOST_NAMES))
        firsts = [stated[0] for stated in found if stated]
        touched = self._brain.touched
        return min(firsts, key=lambda stated: (stated[0].path in touched, stated[0].order), default=None)


def taken(document: Document, edge: Edge, first: Stated) -> Fault:
    """A finding of a target that another record has already."""
    return Fault(
        at_edge(document, edge),
        f"{quoted(edge.kind)} leads to {quoted(edge.target)}, which {quoted(first[1].source)} has already:"
        " only one record may",
        key=f"{edge.kind} {edge.target}",
        related=(Elsewhere(at_edge(*first), "this edge leads there, too"),),
        hint="keep one of the two edges; where several records may share it, its cardinality is `N:N`",
        severity=Severity.WARNING,
        confidence=Confidence.MEDIUM,
    )


CHECK = Check(
    "KB033",
    "edge-cardinality",
    Severity.ERROR,
    "More edges of a kind than one record may have",
    "keep one of the edges, or let the ontology allow several",
    of_brain=edge_cardinality,
    needs_ontology=True,
)
