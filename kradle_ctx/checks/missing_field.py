"""KB020: a field that every record of a kind, or every edge of one, must have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from kradle_ctx.checks.check import Brain, Check, Fault, at_edge, at_field
from kradle_ctx.checks.edge_ends import is_outside, is_wrong_source
from kradle_ctx.checks.names import Names, quoted
from kradle_ctx.checks.nearest import nearest
from kradle_ctx.checks.typed_values import NESTED, stated_edges
from kradle_ctx.documents import Declaration, edge_target
from kradle_ctx.model.constraints import Attribute, Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document, Edge, Form
from kradle_ctx.yamldoc import shown

KIND_KEYS = frozenset({"nodeKind", "kind"})

STRUCTURE = frozenset({"attributes", "edges", "related"})
"""What a record states beside its fields."""

EMPTY: tuple[object, ...] = (None, "", [], {})
"""What counts as not stated; `false` and 0 are values."""

COLLECTIONS = frozenset({"list", "set", "map"})
"""Types of which an empty value is one: a command without flags has the flags `[]`."""

MOST_EDGES = 100
"""Attributes of edges of one document that are told."""

DOCUMENTS_AT_HAND = 64
"""Documents whose edges are kept at a time."""


def missing_field(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """Fields without a value; one that only adds edges to another record has none."""
    document = declaration.document
    if "extendsNode" in declaration.value:
        return
    kind_key = "nodeKind" if document.form is Form.GRAPH else "kind"
    for field in needed(declaration, kind_key, constraints):
        if not is_stated(field, declaration, constraints):
            told = f"a record of the kind {shown(document.kind)}" if document.kind is not None else "a record"
            hint = meant(declaration, field, kind_key, constraints)
            yield Fault(at_field(document, "id"), f"{told} must have {shown(field)}", key=field, hint=hint)


def is_stated(field: str, declaration: Declaration, constraints: Constraints) -> bool:
    """Whether a field has a value."""
    kind = constraints.kinds.get(declaration.document.kind or "")
    attribute = kind.attributes.get(field) if kind is not None else None
    return is_value(declaration.stated(field), attribute)


def is_value(value: Any, attribute: Attribute | None) -> bool:
    """Whether an attribute with some value counts as stated."""
    if value not in EMPTY:
        return True
    type_name = attribute.type.name if attribute is not None and attribute.type is not None else None
    return isinstance(value, (list, dict)) and type_name in COLLECTIONS


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


Place = tuple[str, int]
"""The path and the first byte of a document."""

Demanded = Mapping[str, Sequence[Attribute]]
"""The attributes that edges must have, by kind."""


def missing_of_edges(brain: Brain) -> Iterator[Fault]:
    """Edges without an attribute that the ontology requires of their kind; notes are held to nothing.

    Of an edge that may not join its two records KB032 tells, and nothing is told here.
    """
    known = brain.constraints.edges.values()
    found = {edge.name: [each for each in edge.attributes.values() if each.required] for edge in known}
    demanded = {kind: attributes for kind, attributes in found.items() if attributes}
    edges = EdgesWithAttributes(demanded, brain)
    for document in brain.documents() if demanded else ():
        if document.form is not Form.NOTE and any(edge.kind in demanded for edge in document.edges):
            yield from islice(edges.faults(document), MOST_EDGES)


class EdgesWithAttributes:
    """The edges that must have attributes, with what is said of them wherever their record states them."""

    def __init__(self, demanded: Demanded, brain: Brain) -> None:
        self._demanded = demanded
        self._brain = brain
        self._names = Names(brain)
        self._judged: dict[Edge, tuple[Place | None, Sequence[str]]] = {}
        self._stated: dict[Place, Mapping[Edge, Sequence[Mapping[str, Any]]]] = {}

    def faults(self, document: Document) -> Iterator[Fault]:
        """What the edges of a document lack; of one that several documents state the first tells it."""
        for edge, said in self._of(document).items():
            if self._lacking(edge, said) and may_join(document, edge, self._brain.constraints, self._names):
                if edge not in self._judged:
                    self._judged[edge] = self._judge(edge)
                first, lacks = self._judged[edge]
                if first == place_of(document):
                    yield from (lacking(document, edge, name) for name in lacks)

    def _judge(self, edge: Edge) -> tuple[Place | None, Sequence[str]]:
        """Where an edge is stated first, and what it lacks wherever it is stated."""
        stating = self._stating(edge)
        lacks = self._lacking(edge, [stated for document in stating for stated in self._of(document).get(edge, ())])
        return (place_of(stating[0]) if stating else None), [each.name for each in lacks]

    def _lacking(self, edge: Edge, said: Sequence[Mapping[str, Any]]) -> list[Attribute]:
        demanded = self._demanded[edge.kind]
        return [each for each in demanded if not any(is_value(stated.get(each.name), each) for stated in said)]

    def _stating(self, edge: Edge) -> list[Document]:
        """The documents that state an edge: those that declare its record, and those that extend it."""
        pointing = self._brain.pointing(edge.target, (edge.kind,))
        return [
            document for document, each in pointing if each.source == edge.source and document.form is not Form.NOTE
        ]

    def _of(self, document: Document) -> Mapping[Edge, Sequence[Mapping[str, Any]]]:
        """The edges of a document, with what stands beside their targets or below `attributes`."""
        place = place_of(document)
        if place not in self._stated:
            if len(self._stated) >= DOCUMENTS_AT_HAND:
                self._stated.clear()
            found: dict[Edge, list[Mapping[str, Any]]] = {}
            for _, kind, entry in stated_edges(self._brain.declaration(document), self._demanded):
                if (target := edge_target(entry)) is not None:
                    said = found.setdefault(Edge(document.key, kind, target), [])
                    nested = entry.get(NESTED) if isinstance(entry, dict) else None
                    said.extend(each for each in (entry, nested) if isinstance(each, dict))
            self._stated[place] = found
        return self._stated[place]


def place_of(document: Document) -> Place:
    """What tells a document from all others."""
    return document.path, document.start


def may_join(document: Document, edge: Edge, constraints: Constraints, names: Names) -> bool:
    """Whether the ontology allows an edge between the kinds of its two records."""
    allowed = constraints.edges[edge.kind]
    if is_wrong_source(document, allowed, constraints, names):
        return False
    return allowed.targets is None or not is_outside(names.kinds(edge.target), allowed.targets, constraints)


def lacking(document: Document, edge: Edge, attribute: str) -> Fault:
    """A finding of an edge that lacks an attribute."""
    return Fault(
        at_edge(document, edge),
        f"{quoted(edge.kind)} to {quoted(edge.target)} must have {quoted(attribute)}",
        key=f"{edge.kind} {edge.target} {attribute}",
        hint=f"state it beside the target, as in `{{target: ..., {attribute}: ...}}`",
    )


CHECK = Check(
    "KB020",
    "missing-field",
    Severity.ERROR,
    "A field without a value that every record or edge of the kind must have",
    "state the field",
    of_record=missing_field,
    of_brain=missing_of_edges,
    needs_ontology=True,
    of_whole_record=True,
)
