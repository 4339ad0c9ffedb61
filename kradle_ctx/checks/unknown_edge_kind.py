"""KB030: an edge of a kind that the ontology does not have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Fault, Where, at_field
from kradle_ctx.checks.names import quoted
from kradle_ctx.checks.nearest import nearest
from kradle_ctx.checks.typed_values import EDGE_FIELDS
from kradle_ctx.documents import Declaration, name
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.yamldoc import shown
from kradle_ctx.yamldoc.places import Pointer

MOST_KINDS = 100
"""Unknown kinds of one record that are told."""


def unknown_edge_kind(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """The kinds of a record's edges that no ontology file declares, each once; where it has none, all are known."""
    if constraints.edges and declaration.document.form is not Form.NOTE and declaration.document.id is not None:
        stated: dict[str, Pointer] = {}
        for kind, pointer in stated_kinds(declaration):
            if kind not in constraints.edges:
                stated.setdefault(kind, pointer)
        for kind, pointer in islice(stated.items(), MOST_KINDS):
            where = at_field(declaration.document, *pointer, key=len(pointer) == 2)
            yield fault(where, kind, constraints, declaration.document.kind)


def stated_kinds(declaration: Declaration) -> Iterator[tuple[str, Pointer]]:
    """The kinds of the edges that a record states, and where."""
    for field in EDGE_FIELDS.get(declaration.document.form, ()):
        value = declaration.value.get(field)
        if isinstance(value, dict):
            for kind in value:
                yield kind, (field, kind)
        elif isinstance(value, list):
            for place, entry in enumerate(value):
                kind = name(entry.get("kind")) if isinstance(entry, dict) else None
                if kind is not None:
                    yield kind, (field, place, "kind")


def in_note(document: Document, brain: Brain) -> Iterator[Fault]:
    """The same of a note, which is no record."""
    constraints = brain.constraints
    if document.form is Form.NOTE and document.edges and constraints.edges:
        unknown = dict.fromkeys(edge.kind for edge in document.edges if edge.kind not in constraints.edges)
        for kind in islice(unknown, MOST_KINDS):
            yield fault(at_field(document, "related", kind, key=True), kind, constraints, None)


def fault(where: Where, kind: str, constraints: Constraints, source: str | None) -> Fault:
    """A finding of an unknown kind; what was probably meant is a kind that the record may state."""
    edges = constraints.edges.values()
    known = (edge.name for edge in edges if source is None or edge.sources is None or source in edge.sources)
    near = nearest_kind(kind, tuple(known))
    meant = f"did you mean {quoted(near)}?" if near is not None else None
    return Fault(where, f"the ontology has no kind of edge {shown(kind)}", key=kind, hint=meant)


@lru_cache(maxsize=1024)
def nearest_kind(kind: str, known: tuple[str, ...]) -> str | None:
    """The known kind that was probably meant; brains often have one mistake in many records."""
    return nearest(kind, known)


CHECK = Check(
    "KB030",
    "unknown-edge-kind",
    Severity.ERROR,
    "An edge of a kind that the ontology does not have",
    "correct the kind, or add it to the ontology",
    of_record=unknown_edge_kind,
    of_document=in_note,
    needs_ontology=True,
)
