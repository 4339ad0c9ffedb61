"""How the records hang together, by networkx: only this command waits for it to load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from networkx import DiGraph

ACYCLIC = ("depends_on", "supersedes")
"""Kinds of edge along which a cycle is a fault of the brain."""

HUBS = 10
"""Records with the most edges that are named."""


def connections(names: Mapping[str, str], edges: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    """Components, cycles and degrees of the records, and how many edges lead to no record that is granted.

    `names` are the ids and aliases of the records, each with the id. Edges between two records count; several between
    the same two are one in components and degrees.
    """
    import networkx

    known = [(names[source], kind, names[target]) for source, kind, target in edges if {source, target} <= names.keys()]
    graph: DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(names.values())
    graph.add_edges_from((source, target) for source, _, target in known)
    sizes = [len(component) for component in networkx.weakly_connected_components(graph)]
    degrees = sorted((-degree, record_id) for record_id, degree in graph.degree() if degree)
    return {
        "unresolvedEdges": sum(target not in names for _, _, target in edges),
        "components": {"count": len(sizes), "largest": max(sizes, default=0)},
        "cycles": {
            kind: cycles((source, target) for source, each, target in known if each == kind) for kind in ACYCLIC
        },
        "hubs": [{"id": record_id, "degree": -degree} for degree, record_id in degrees[:HUBS]],
    }


def cycles(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The sorted ids of each group of records that lead back to themselves along some edges."""
    import networkx

    graph: DiGraph[str] = networkx.DiGraph(list(pairs))
    groups = networkx.strongly_connected_components(graph)
    found = (sorted(group) for group in groups)
    return sorted(group for group in found if len(group) > 1 or graph.has_edge(group[0], group[0]))
