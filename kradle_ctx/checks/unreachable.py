"""KB062: a record that nothing leads to or from."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Brain, Check, Fault, at_field
from kradle_ctx.checks.typed_values import holds
from kradle_ctx.model.constraints import Attribute, Constraints, ValueType
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document

REF = frozenset({"ref"})

REPOSITORY = "Repository"
"""The kind that `repoRefs` name."""


def unreachable(brain: Brain) -> Iterator[Fault]:
    """Records without any edge that name no other record, each once.

    Kinds that need no edge are left out, and kinds that others name in a field: who owns something is known by that.
    """
    exempt = named_in_fields(brain.constraints)
    naming = naming_kinds(brain.constraints)
    extended = set()
    alone: dict[str, Document] = {}
    for document in brain.documents():
        if document.extends:
            extended.add(document.id)
        elif document.id is not None and document.kind not in exempt and not leads_on(document):
            alone.setdefault(document.id, document)
    for record, document in alone.items():
        if record not in extended and is_alone(document, brain, naming):
            yield Fault(at_field(document, "id"), "no edge leads to this record or from it")


def leads_on(document: Document) -> bool:
    """Whether a document states an edge, or names what it belongs to."""
    return bool(document.edges or document.owners or document.repo_refs or document.source_refs)


def is_alone(document: Document, brain: Brain, naming: frozenset[str]) -> bool:
    """Whether nothing leads to the record of a document, and no declaration of it leads on."""
    declared = brain.declaring(document.id or "")
    if any(leads_on(other) or (other.kind in naming and brain.references(other)) for other in declared):
        return False
    names = dict.fromkeys((document.id or "", *(alias for other in declared for alias in other.aliases)))
    return not any(brain.pointing(name) for name in names)


def naming_kinds(constraints: Constraints) -> frozenset[str]:
    """The kinds that have an attribute which names records."""
    kinds = constraints.kinds.values()
    return frozenset(kind.name for kind in kinds if any(map(names_records, kind.attributes.values())))


def names_records(attribute: Attribute) -> bool:
    """Whether the type of an attribute holds a `ref`."""
    return attribute.type is not None and holds(attribute.type, REF)


def named_in_fields(constraints: Constraints) -> frozenset[str]:
    """The kinds that need no edge, and those that records name in fields."""
    found = {kind.name for kind in constraints.kinds.values() if kind.isolated}
    found |= {REPOSITORY} | (constraints.owner_kinds or set())
    described = [each.attributes for each in constraints.kinds.values()]
    described += [each.attributes for each in constraints.edges.values()]
    types = (attribute.type for attributes in described for attribute in attributes.values())
    return frozenset(found.union(*(kinds_in(each) for each in types if each is not None and holds(each, REF))))


def kinds_in(value_type: ValueType) -> frozenset[str]:
    """The kinds that a type names."""
    own = frozenset(value_type.values) if value_type.name == "ref" else frozenset()
    return own.union(*map(kinds_in, value_type.of))


CHECK = Check(
    "KB062",
    "unreachable",
    Severity.INFO,
    "A record that nothing leads to or from",
    "add an edge to what it belongs to, or remove the record",
    of_brain=unreachable,
    needs_ontology=True,
    of_absence=True,
)
