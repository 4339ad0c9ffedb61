"""What is wrong with the types of attributes in an ontology."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from kradle_ctx.checks.check import Brain, Fault
from kradle_ctx.checks.names import listed, quoted
from kradle_ctx.checks.nearest import nearest
from kradle_ctx.checks.ontology_places import DeclaredKind, OntologyPlaces
from kradle_ctx.checks.typed_values import WRAPPERS
from kradle_ctx.checks.wrong_type import FORMS
from kradle_ctx.constraints import attributes_of
from kradle_ctx.model.constraints import ValueType
from kradle_ctx.model.findings import Severity
from kradle_ctx.ontology import entries
from kradle_ctx.yamldoc import shown
from kradle_ctx.yamldoc.places import Pointer

KNOWN = frozenset(FORMS) | WRAPPERS | {"any", "json", "enum", "ref", "list", "set", "map", "object"}
"""Types that values are compared with, and those that hold anything."""

OTHER_NAMES = {
    "array": "list<...>",
    "boolean": "bool",
    "date": "iso-date",
    "datetime": "iso-timestamp",
    "integer": "int",
    "number": "float",
    "text": "string",
    "timestamp": "iso-timestamp",
    "uri": "url",
}
"""Names of types in other notations."""


def faults_of_types(declared: Sequence[DeclaredKind], brain: Brain, places: OntologyPlaces) -> Iterator[Fault]:
    """Types that are not known, so that any value passes, and references to kinds that are none."""
    known = KNOWN | own_types(brain)
    kinds = brain.constraints.kinds.keys() | {kind.name for kind in declared if kind.pointer[0] == "nodeKinds"}
    for kind in declared:
        for attribute in attributes_of(kind.fields.get("attributes")).values():
            found = parts_of(attribute.type) if attribute.type is not None else frozenset()
            told = f"the attribute {shown(attribute.name)} of {quoted(kind.name)}"
            unknown = frozenset(name for name, _ in found if name not in known)
            if unknown:
                yield Fault(
                    places.of(kind, *pointer_to(attribute.name, kind)),
                    f"{told} has the unknown type{'s' if len(unknown) > 1 else ''} {listed(unknown)}: any value passes",
                    key=f"type {kind.name} {attribute.name}",
                    hint=meant(min(unknown)),
                    severity=Severity.WARNING,
                )
            nowhere = frozenset(
                value for name, values in found if name == "ref" for value in values if value not in kinds
            )
            if nowhere and kinds:
                near = nearest(min(nowhere), sorted(kinds))
                yield Fault(
                    places.of(kind, *pointer_to(attribute.name, kind)),
                    f"{told} refers to {listed(nowhere)}, which is no kind of record",
                    key=f"ref {kind.name} {attribute.name}",
                    hint=f"did you mean {quoted(near)}?" if near is not None else None,
                )


def pointer_to(attribute: str, kind: DeclaredKind) -> Pointer:
    """Where the type of an attribute is stated, below its kind."""
    stated = kind.fields.get("attributes")
    if isinstance(stated, list):
        names = (each.get("name") if isinstance(each, dict) else None for each in stated)
        return ("attributes", next((place for place, name in enumerate(names) if name == attribute), 0), "type")
    fields = stated.get(attribute) if isinstance(stated, dict) else None
    return ("attributes", attribute, "type") if isinstance(fields, dict) else ("attributes", attribute)


@lru_cache(maxsize=4096)
def parts_of(value_type: ValueType) -> frozenset[tuple[str, tuple[str, ...]]]:
    """The names of a type and of those inside of it, each with its values."""
    own = frozenset({(value_type.name, value_type.values)})
    return own.union(*map(parts_of, value_type.of))


def own_types(brain: Brain) -> frozenset[str]:
    """The types that an ontology declares itself."""
    values = [file.value for file in brain.ontology_files if isinstance(file.value, dict)]
    stated: list[Any] = [value.get(key) for value in values for key in ("attributeTypes", "primitiveTypes")]
    return frozenset(name for each in stated for name, _ in entries(each))


def meant(name: str) -> str:
    """What to write instead."""
    other = OTHER_NAMES.get(name.lower()) or nearest(name, sorted(KNOWN))
    return f"did you mean `{other}`?" if other is not None else "take a type that is known, or `any`"
