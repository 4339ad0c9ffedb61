"""KB011: declarations of one record that disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from typing import Any

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_field
from kradle_ctx.checks.names import quoted
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import DESCRIBING, Document, Form
from kradle_ctx.yamldoc.places import Pointer

TEXT_HINT = "state it in one of the declarations: of several the first that is not empty counts, in the order of paths"
SHAPE_HINT = "state a list, a map or a single value in all of them"

STRUCTURE = frozenset({"edges", "related"})
"""What is joined from all declarations."""

MOST_FIELDS = 100
"""Fields of one declaration that are told."""


class Shape(Enum):
    """What a value is that has others in it."""

    LIST = "a list"
    MAP = "a map"


def conflicting_declarations(brain: Brain) -> Iterator[Fault]:
    """Where the layout profile merges: fields, keys of maps, and kinds that differ between declarations of one id."""
    declared: dict[str, list[Document]] = defaultdict(list)
    for document in brain.documents() if brain.merges else ():
        if document.id is not None and not document.extends:
            declared[document.id].append(document)
    for record, documents in declared.items():
        if len(documents) > 1:
            yield from of_record(brain.declaring(record), brain)


def of_record(documents: Sequence[Document], brain: Brain) -> Iterator[Fault]:
    """What each declaration says otherwise than one before it."""
    stated = Stated()
    for document in documents:
        yield from islice(of_declaration(document, stated, brain), MOST_FIELDS)


class Stated:
    """What was stated of a record so far: the first single value of each place, and the first list or map."""

    def __init__(self) -> None:
        self._values: dict[Pointer, tuple[Any, Document]] = {}
        self._shapes: dict[Pointer, tuple[Any, Document]] = {}

    def otherwise(self, pointer: Pointer, value: Any, document: Document) -> tuple[Document, bool] | None:
        """The declaration that says something else, and whether it is a list or map beside a single value."""
        is_shape = isinstance(value, Shape)
        alike, others = (self._shapes, self._values) if is_shape else (self._values, self._shapes)
        known = alike.setdefault(pointer, (value, document))
        if known[0] != value:
            return known[1], is_shape
        return (others[pointer][1], True) if pointer in others else None


def of_declaration(document: Document, stated: Stated, brain: Brain) -> Iterator[Fault]:
    """What a declaration says otherwise than was stated before, to which the rest of it is added."""
    for pointer, value in values_of(document, brain):
        found = stated.otherwise(pointer, value, document)
        if found is not None:
            yield fault(document, pointer, found[0], another_shape=found[1])


def values_of(document: Document, brain: Brain) -> Iterator[tuple[Pointer, Any]]:
    """The kind and the scalars of a declaration, those in maps with them; a field without a value states none."""
    kind_key = "nodeKind" if document.form is Form.GRAPH else "kind"
    yield ("nodeKind",), document.kind
    for field, value in brain.declaration(document).fields.items():
        if (
            field not in STRUCTURE
            and field not in ("id", kind_key)
            and not (field in DESCRIBING and value in (None, ""))
        ):
            yield from scalars((field,), value)


def scalars(pointer: Pointer, value: Any) -> Iterator[tuple[Pointer, Any]]:
    """A scalar, or those in a map; lists and maps are joined, so of them only that they are one counts here."""
    pending = [(pointer, value)]
    while pending:
        place, found = pending.pop()
        if isinstance(found, Mapping):
            pending.extend(((*place, key), inner) for key, inner in reversed(list(found.items())))
            yield place, Shape.MAP
        elif isinstance(found, list):
            yield place, Shape.LIST
        elif found is not None:
            yield place, found


def fault(document: Document, pointer: Pointer, other: Document, *, another_shape: bool) -> Fault:
    """A finding of a field; answers can live with a list or map in one declaration and a single value in another."""
    is_kind, is_text = pointer == ("nodeKind",), pointer[0] in DESCRIBING
    named = "the kind" if is_kind else quoted(".".join(map(str, pointer)))
    places = (("nodeKind",) if each.form is Form.GRAPH or not is_kind else ("kind",) for each in (document, other))
    here, there = (place if is_kind else pointer for place in places)
    hint = SHAPE_HINT if another_shape else TEXT_HINT if is_text else None
    return Fault(
        at_field(document, *here),
        f"{named} is not what another declaration of {quoted(document.id or '')} says",
        key="/".join(map(str, pointer)),
        related=(Elsewhere(at_field(other, *there), "it is stated otherwise here"),),
        hint=hint,
        severity=Severity.INFO if is_text else Severity.WARNING if another_shape else None,
    )


CHECK = Check(
    "KB011",
    "conflicting-declarations",
    Severity.ERROR,
    "Declarations of one record that disagree",
    "state the field once, or the same everywhere; the record is left out of every answer until then",
    of_brain=conflicting_declarations,
)
