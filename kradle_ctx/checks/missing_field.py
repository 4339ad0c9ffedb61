"""KB020: a field that every record of a kind must have."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Check, Fault, at_field
from kradle_ctx.checks.nearest import nearest
from kradle_ctx.documents import Declaration
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Form
from kradle_ctx.yamldoc import shown

KIND_KEYS = frozenset({"nodeKind", "kind"})

STRUCTURE = frozenset({"attributes", "edges", "related"})
"""What a record states beside its fields."""

EMPTY: tuple[object, ...] = (None, "", [], {})
"""What counts as not stated; `false` and 0 are values."""

COLLECTIONS = frozenset({"list", "set", "map"})
"""Types of which an empty value is one: a command without flags has the flags `[]`."""


def missing_field(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """Fields without a value; one that only adds edges to another record has none."""
    document = declaration.document
    if "extendsNode" in declaration.value:
        return
    kind_key = "nodeKind" if document.form is Form.GRAPH else "kind"
    for field in needed(declaration, kind_key, constraints):
        if not is_stated(field, declaration, constraints):
            told = f"a {document.kind}" if document.kind is not None else "a record"
            hint = meant(declaration, field, kind_key, constraints)
            yield Fault(at_field(document, "id"), f"{told} must have {shown(field)}", key=field, hint=hint)


def is_stated(field: str, declaration: Declaration, constraints: Constraints) -> bool:
    """Whether a field has a value."""
    value = declaration.stated(field)
    if value not in EMPTY:
        return True
    if not isinstance(value, (list, dict)):
        return False
    kind = constraints.kinds.get(declaration.document.kind or "")
    attribute = kind.attributes.get(field) if kind is not None else None
    return attribute is not None and attribute.type is not None and attribute.type.name in COLLECTIONS


def needed(declaration: Declaration, kind_key: str, constraints: Constraints) -> Iterator[str]:
    """The fields that a record must have."""
    kind = constraints.kinds.get(declaration.document.kind or "")
    wanted = ("id", kind_key, *constraints.required, *(kind.required if kind is not None else ()))
    yield from dict.fromkeys(wanted)


def meant(declaration: Declaration, field: str, kind_key: str, constraints: Constraints) -> str | None:
    """What to do where the field was probably meant by another name."""
    if field == kind_key and KIND_KEYS & declaration.value.keys():
        return "in graph files the kind is `nodeKind`, in frontmatter it is `kind`"
    kind = constraints.kinds.get(declaration.document.kind or "")
    own = STRUCTURE.union(needed(declaration, kind_key, constraints), kind.attributes if kind is not None else ())
    stated = {**declaration.value, **declaration.fields}
    others = [name for name, value in stated.items() if value not in EMPTY and name not in own]
    near = nearest(field, others)
    return f"state the field: is {shown(near)} meant to be it?" if near is not None else None


CHECK = Check(
    "KB020",
    "missing-field",
    Severity.ERROR,
    "A field without a value that every record of the kind must have",
    "state the field",
    of_record=missing_field,
    needs_ontology=True,
    of_whole_record=True,
)
