"""KB023: an attribute that names a record which is not there, or of another kind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Fault, Reference, at_field
from kradle_ctx.checks.names import Names, listed, quoted
from kradle_ctx.checks.typed_values import EdgeStated, TypedValue
from kradle_ctx.checks.unreachable import names_records, naming_kinds
from kradle_ctx.model.constraints import Constraints, ValueType
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document
from kradle_ctx.yamldoc import shown

MOST_REFERENCES = 10_000
"""References of one record that are looked up."""

MOST_FAULTS = 100
"""References of one record that are told."""


def broken_reference(brain: Brain) -> Iterator[Fault]:
    """Attributes of the type `ref`, also of edges, that name nothing, or a record of a kind that they may not name."""
    constraints, names = brain.constraints, Names(brain)
    naming, of_edges = naming_kinds(constraints), naming_edges(constraints)
    for document in brain.documents():
        is_naming = document.kind in naming and not document.extends
        if is_naming or any(edge.kind in of_edges for edge in document.edges):
            stated = islice(brain.references(document), MOST_REFERENCES)
            found = (fault(document, reference, names, constraints) for reference in stated)
            yield from islice((each for each in found if each is not None), MOST_FAULTS)


def naming_edges(constraints: Constraints) -> frozenset[str]:
    """The kinds of edges that have an attribute which names records."""
    edges = constraints.edges.values()
    return frozenset(edge.name for edge in edges if any(map(names_records, edge.attributes.values())))


def fault(document: Document, reference: Reference, names: Names, constraints: Constraints) -> Fault | None:
    """A finding of a reference; none of an empty text, which names nothing on purpose."""
    target = reference.target.strip()
    kinds = names.kinds(target)
    if not target or (kinds and (not reference.kinds or not kinds.isdisjoint(reference.kinds))):
        return None
    edge = EdgeStated(*reference.edge) if reference.edge is not None else None
    stated = TypedValue(reference.pointer, ValueType("ref", reference.kinds), target, edge)
    if not kinds and (reference.kinds or not names_of_ontology(target, constraints)):
        message, hint = f"{stated.told} names {quoted(target)}, which no record declares", None
    elif kinds and kinds <= constraints.kinds.keys():
        message = f"{stated.told} names {quoted(target)}, which is of the kind {shown(min(kinds))}"
        hint = f"it names {listed(frozenset(reference.kinds))}"
    else:
        return None
    return Fault(at_field(document, *reference.pointer), message, key=f"{stated.key}/{target}", hint=hint)


def names_of_ontology(target: str, constraints: Constraints) -> bool:
    """Whether a name is of a kind of the ontology: a `ref` of any node also names those, as in `NodeKind:Runbook`."""
    bare = target.rpartition(":")[2]
    return bare in constraints.kinds or bare in constraints.edges


CHECK = Check(
    "KB023",
    "broken-reference",
    Severity.ERROR,
    "An attribute that names a record which is not there, or of another kind",
    "correct the id, or add the record",
    of_brain=broken_reference,
    needs_ontology=True,
    of_absence=True,
)
