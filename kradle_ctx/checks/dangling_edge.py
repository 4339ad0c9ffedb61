"""KB031: an edge to a record that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Brain, Check, Fault, at_edge
from kradle_ctx.checks.names import quoted
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document

MOST_EDGES = 100
"""Edges of one document that are told."""


def dangling_edge(document: Document, brain: Brain) -> Iterator[Fault]:
    """Edges whose target is neither an id or alias of a record nor the path of a document."""
    told = 0
    for edge in dict.fromkeys(document.edges):
        if told == MOST_EDGES:
            return
        if not brain.named(edge.target) and not brain.holds_file(edge.target):
            told += 1
            yield Fault(
                at_edge(document, edge),
                f"{quoted(edge.kind)} leads to {quoted(edge.target)}, which no record declares",
                key=f"{edge.kind} {edge.target}",
            )


CHECK = Check(
    "KB031",
    "dangling-edge",
    Severity.ERROR,
    "An edge to a record that is not there",
    "correct the id, add the record, or remove the edge",
    of_document=dangling_edge,
    of_absence=True,
)
