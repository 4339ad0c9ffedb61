"""KB011: declarations of one record that disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_field
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.yamldoc import shown
from kradle_ctx.yamldoc.places import Pointer

TEXTS = frozenset({"displayName", "title", "description", "summary"})
"""Fields of which the first that is not empty counts."""

STRUCTURE = frozenset({"edges", "related"})
"""What is joined from all declarations."""

MOST_FIELDS = 100
"""Fields of one declaration that are told."""


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
    stated: dict[Pointer, tuple[Any, Document]] = {}
    for document in documents:
        yield from islice(of_declaration(document, stated, brain), MOST_FIELDS)


def of_declaration(document: Document, stated: dict[Pointer, tuple[Any, Document]], brain: Brain) -> Iterator[Fault]:
    """What a declaration says otherwise than `stated`, to which the rest of it is added."""
    for pointer, value in values_of(document, brain):
        known = stated.setdefault(pointer, (value, document))
        if known[0] != value:
            yield fault(document, pointer, known[1])


def values_of(document: Document, brain: Brain) -> Iterator[tuple[Pointer, Any]]:
    """The kind and the scalars of a declaration, those in maps with them; a field without a value states none."""
    kind_key = "nodeKind" if document.form is Form.GRAPH else "kind"
    yield ("nodeKind",), document.kind
    for field, value in brain.declaration(document).fields.items():
        if field not in STRUCTURE and field not in ("id", kind_key) and not (field in TEXTS and value in (None, "")):
            yield from scalars((field,), value)


def scalars(pointer: Pointer, value: Any) -> Iterator[tuple[Pointer, Any]]:
    """A scalar, or those in a map; lists are joined, and a map counts as its parts."""
    pending = [(pointer, value)]
    while pending:
        place, found = pending.pop()
        if isinstance(found, Mapping):
            pending.extend(((*place, key), inner) for key, inner in reversed(list(found.items())))
        elif not isinstance(found, list) and found is not None:
            yield place, found


def fault(document: Document, pointer: Pointer, other: Document) -> Fault:
    """A finding of a field."""
    is_kind, is_text = pointer == ("nodeKind",), pointer[0] in TEXTS
    named = "the kind" if is_kind else shown(".".join(map(str, pointer)))
    places = (("nodeKind",) if each.form is Form.GRAPH or not is_kind else ("kind",) for each in (document, other))
    here, there = (place if is_kind else pointer for place in places)
    return Fault(
        at_field(document, *here),
        f"{named} is not what another declaration of {shown(document.id or '')} says",
        key="/".join(map(str, pointer)),
        related=(Elsewhere(at_field(other, *there), "it is stated otherwise here"),),
        hint="state it in one of the declarations" if is_text else None,
        severity=Severity.INFO if is_text else None,
    )


CHECK = Check(
    "KB011",
    "conflicting-declarations",
    Severity.ERROR,
    "Declarations of one record that disagree",
    "state the field once, or the same everywhere; the record is left out of every answer until then",
    of_brain=conflicting_declarations,
)
