"""KB022: a value that is none of those that its field may take."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from kradle_ctx.checks.check import Brain, Check, Fault, Where, at_field
from kradle_ctx.checks.nearest import nearest
from kradle_ctx.checks.typed_values import holds, spelled, stated_fields, typed_values
from kradle_ctx.documents import Declaration
from kradle_ctx.model.access import SENSITIVITIES
from kradle_ctx.model.constraints import Constraints, ValueType
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.yamldoc import shown

SENSITIVITY = "sensitivity"

ENUM = frozenset({"enum"})

MOST_LISTED = 10
"""Allowed values that a hint names."""

SMALL = 50
"""Values among which one is looked for one after the other."""

MOST_SETS = 1_000
_sets: dict[int, tuple[tuple[str, ...], frozenset[str]]] = {}


def has_enum(value_type: ValueType) -> bool:
    """Whether a type lists values."""
    return holds(value_type, ENUM)


def unknown_value(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """Values that their `enum` type, the vocabulary, or the data model does not have."""
    document = declaration.document
    for typed in typed_values(declaration, constraints, has_enum):
        if typed.type.name == "enum" and is_unknown(typed.value, typed.type.values):
            yield fault(typed.where(declaration), typed.told, typed.key, typed.value, typed.type.values)
    if document.form is not Form.NOTE:
        yield from unknown_sensitivity(document, declaration.stated(SENSITIVITY))
    if constraints.vocabulary:
        yield from outside_vocabulary(declaration, constraints)


def outside_vocabulary(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """Values, and items of lists, that the vocabulary does not have; an `enum` comes before it."""
    kind = constraints.kinds.get(declaration.document.kind or "")
    for field, value in stated_fields(declaration):
        allowed = constraints.vocabulary.get(field)
        attribute = kind.attributes.get(field) if kind is not None else None
        is_enum = attribute is not None and attribute.type is not None and has_enum(attribute.type)
        if allowed is None or is_enum or (field == SENSITIVITY and is_unknown(value, SENSITIVITIES)):
            continue
        items = enumerate(value) if isinstance(value, list) else [(None, value)]
        for place, item in items:
            if is_unknown(item, allowed):
                pointer = (field,) if place is None else (field, place)
                yield fault(at_field(declaration.document, *pointer), shown(field), field, item, allowed)


def unknown_sensitivity(document: Document, value: Any) -> Iterator[Fault]:
    """A sensitivity that the data model does not have."""
    if value is None or value in SENSITIVITIES:
        return
    written = spelled(value)
    told = f"has no value {shown(written)}" if written is not None else "must be one word"
    yield Fault(
        at_field(document, SENSITIVITY),
        f"`{SENSITIVITY}` {told}, so this counts as restricted or more",
        key=f"{SENSITIVITY} {written}",
        hint=hint_for(written or "", SENSITIVITIES),
    )


def unknown_sensitivity_of_note(document: Document, brain: Brain) -> Iterator[Fault]:
    """The sensitivity of what is no record."""
    if document.form is Form.NOTE:
        yield from unknown_sensitivity(document, document.sensitivity)


def is_unknown(value: Any, allowed: tuple[str, ...]) -> bool:
    """Whether a scalar is none of some values; of a list or mapping KB021 tells, and where there are none, nothing."""
    written = spelled(value)
    if written is None or not allowed or is_among(allowed, written):
        return False
    return isinstance(value, str) or not is_among(allowed, str(value))


def is_among(allowed: tuple[str, ...], written: str) -> bool:
    """Whether a value is among some; a long list is made into a set once."""
    if len(allowed) <= SMALL:
        return written in allowed
    known = _sets.get(id(allowed))
    if known is None or known[0] is not allowed:
        if len(_sets) >= MOST_SETS:
            _sets.clear()
        known = _sets[id(allowed)] = (allowed, frozenset(allowed))
    return written in known[1]


def fault(where: Where, told: str, key: str, value: Any, allowed: tuple[str, ...]) -> Fault:
    """A finding of a scalar that is none of some values."""
    written = spelled(value) or ""
    message = f"{told} has no value {shown(written)}"
    return Fault(where, message, key=f"{key} {written}", hint=hint_for(written, allowed))


def hint_for(written: str, allowed: Collection[str]) -> str:
    """What to write in place of a wrong value."""
    near = nearest(written, allowed)
    listed = ", ".join(map(shown, islice(allowed, MOST_LISTED)))
    more = f" and {len(allowed) - MOST_LISTED} more" if len(allowed) > MOST_LISTED else ""
    meant = f"did you mean {shown(near)}? " if near is not None else ""
    return f"{meant}it may be {listed}{more}"


CHECK = Check(
    "KB022",
    "unknown-value",
    Severity.ERROR,
    "A value that is none of those that its field may take",
    "use one of the values, or add this one to the ontology",
    of_record=unknown_value,
    of_document=unknown_sensitivity_of_note,
    needs_ontology=True,
)
