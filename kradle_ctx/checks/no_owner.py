"""KB060: a record that nobody owns."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kradle_ctx.checks.check import Brain, Check, Fault, at_field
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document
from kradle_ctx.model.trust import RUN_KINDS

OWNER_FIELDS = frozenset({"owners", "owner"})
OWNED_BY = "owned_by"


def no_owner(brain: Brain) -> Iterator[Fault]:
    """Records without `owners` and without an `owned_by` edge, where the ontology knows owners at all.

    Owners themselves and what tells of runs need none. Of a kind whose owners are required KB020 tells.
    """
    constraints = brain.constraints
    if not knows_owners(constraints):
        return
    asked = kinds_without(constraints)
    documents = [document for document in brain.documents() if document.id is not None and document.kind in asked]
    edges = {OWNED_BY, *(edge.name for edge in constraints.edges.values() if edge.alias_of == OWNED_BY)}
    told = {document.id for document in documents if is_owned(document, edges)}
    for document in documents:
        if document.id is None or document.id in told or document.extends:
            continue
        told.add(document.id)
        if not any(is_owned(other, edges) for other in brain.declaring(document.id)):
            yield Fault(at_field(document, "id"), "nothing says who owns this record")


def knows_owners(constraints: Constraints) -> bool:
    """Whether records are owned: by an edge from any kind, or in a field that some kind has or must have."""
    edge = constraints.edges.get(OWNED_BY)
    if (edge is not None and edge.sources is None) or "owners" in constraints.required:
        return True
    return any("owners" in kind.required or "owners" in kind.attributes for kind in constraints.kinds.values())


def kinds_without(constraints: Constraints) -> frozenset[str]:
    """The kinds that should have owners and need not state them."""
    if not OWNER_FIELDS.isdisjoint(constraints.required):
        return frozenset()
    exempt = RUN_KINDS | (constraints.owner_kinds or frozenset())
    asked = (kind for kind in constraints.kinds.values() if OWNER_FIELDS.isdisjoint(kind.required))
    return frozenset(kind.name for kind in asked if kind.name not in exempt)


def is_owned(document: Document, edges: Collection[str]) -> bool:
    """Whether a document names an owner, in a field or by an edge."""
    return bool(document.owners) or any(edge.kind in edges for edge in document.edges)


CHECK = Check(
    "KB060",
    "no-owner",
    Severity.WARNING,
    "A record that nobody owns",
    "state `owners`, or an `owned_by` edge",
    of_brain=no_owner,
    needs_ontology=True,
    of_absence=True,
)
