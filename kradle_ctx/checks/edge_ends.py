"""KB032: an edge from or to a record of a kind that it may not join."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Fault, at_edge
from kradle_ctx.checks.names import Names, listed, quoted
from kradle_ctx.model.constraints import Constraints, EdgeConstraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document, Edge
from kradle_ctx.yamldoc import shown

MOST_EDGES = 100
"""Edges of one record that are told."""


def edge_ends(brain: Brain) -> Iterator[Fault]:
    """Edges that the ontology does not allow between the kinds of their two records.

    Of an id that is declared with several kinds any may fit. Kinds that the ontology does not have are KB013's.
    """
    constraints, names = brain.constraints, Names(brain)
    bound = {edge.name for edge in constraints.edges.values() if edge.sources is not None or edge.targets is not None}
    for document in brain.documents():
        edges = [edge for edge in dict.fromkeys(document.edges) if edge.kind in bound]
        if edges:
            yield from islice(of_document(document, edges, constraints, names), MOST_EDGES)


def of_document(document: Document, edges: list[Edge], constraints: Constraints, names: Names) -> Iterator[Fault]:
    """The edges of one document; of a kind that it may not state at all one is told."""
    wrong: dict[str, bool] = {}
    for edge in edges:
        allowed = constraints.edges[edge.kind]
        if edge.kind not in wrong:
            wrong[edge.kind] = is_wrong_source(document, allowed, constraints, names)
            if wrong[edge.kind]:
                yield wrong_source(document, edge, allowed, names)
        if wrong[edge.kind] or allowed.targets is None:
            continue
        if is_outside(names.kinds(edge.target), allowed.targets, constraints):
            yield wrong_target(document, edge, allowed, names)


def is_wrong_source(document: Document, allowed: EdgeConstraints, constraints: Constraints, names: Names) -> bool:
    """Whether a record may not state edges of a kind; a note is of no kind, and may state any."""
    if allowed.sources is None or document.id is None or document.kind in allowed.sources:
        return False
    return is_outside(names.kinds(document.id), allowed.sources, constraints)


def is_outside(kinds: frozenset[str], allowed: frozenset[str], constraints: Constraints) -> bool:
    """Whether a record has kinds, all of which the ontology knows, and none of which is allowed."""
    return bool(kinds) and kinds.isdisjoint(allowed) and kinds <= constraints.kinds.keys()


def wrong_source(document: Document, edge: Edge, allowed: EdgeConstraints, names: Names) -> Fault:
    """A finding of an edge that the record may not state."""
    assert allowed.sources is not None
    kind = document.kind if not document.extends else None
    told = kind or min(names.kinds(edge.source))
    hint = f"it comes from {listed(allowed.sources)}"
    turned = allowed.targets is not None and told in allowed.targets
    if turned and not allowed.sources.isdisjoint(names.kinds(edge.target)):
        hint = f"is it meant the other way round? {hint}"
    return Fault(
        at_edge(document, edge),
        f"{quoted(edge.kind)} may not come from the kind {shown(told)}",
        key=f"{edge.kind} from",
        hint=hint,
    )


def wrong_target(document: Document, edge: Edge, allowed: EdgeConstraints, names: Names) -> Fault:
    """A finding of an edge that may not lead where it does."""
    assert allowed.targets is not None
    kind = min(names.kinds(edge.target))
    return Fault(
        at_edge(document, edge),
        f"{quoted(edge.kind)} may not lead to {quoted(edge.target)}, which is of the kind {shown(kind)}",
        key=f"{edge.kind} {edge.target}",
        hint=f"it leads to {listed(allowed.targets)}",
    )


CHECK = Check(
    "KB032",
    "edge-ends",
    Severity.ERROR,
    "An edge between kinds that it may not join",
    "correct the edge, or let the ontology allow it",
    of_brain=edge_ends,
    needs_ontology=True,
)
