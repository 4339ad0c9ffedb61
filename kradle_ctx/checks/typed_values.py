"""The values of a record that an ontology gives types: its attributes, and those of its edges."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from kradle_ctx.checks.check import Where, at_field
from kradle_ctx.documents import Declaration, edge_target
from kradle_ctx.model.constraints import Attribute, Constraints, ValueType
from kradle_ctx.model.graph import Form
from kradle_ctx.yamldoc import shown
from kradle_ctx.yamldoc.places import Pointer
from kradle_ctx.yamldoc.scalars import spell_float

EDGE_FIELDS = {Form.GRAPH: ("edges",), Form.MARKDOWN: ("related", "edges")}
"""Where each form states edges."""

NESTED = "attributes"
"""Where an edge may state its attributes, if not beside its target."""

WRAPPERS = frozenset({"evidence-bound"})
"""Types that say something of a value and leave it what it is."""

MOST_WANTED = 64
"""Choices of attributes that are known again; a run reads two ontologies at most."""


class EdgeStated(NamedTuple):
    """An edge that has attributes."""

    kind: str
    target: str


class TypedValue(NamedTuple):
    """A value, its type, and where it is: below an attribute of the record, or of one of its edges."""

    pointer: Pointer
    type: ValueType
    value: Any
    edge: EdgeStated | None = None

    def where(self, declaration: Declaration) -> Where:
        """Its place."""
        return at_field(declaration.document, *self.pointer)

    @property
    def told(self) -> str:
        """What it is called in a message."""
        names = [part for part in self._below_edge() if isinstance(part, str)]
        told = shown(".".join(names))
        return told if self.edge is None else f"{told} of the edge {shown(self.edge.kind)}"

    @property
    def key(self) -> str:
        """What tells it apart from other values of the record; items of one list are not told apart."""
        names = [part for part in self._below_edge() if isinstance(part, str)]
        return "/".join(names if self.edge is None else (self.edge.kind, self.edge.target, *names))

    def _below_edge(self) -> Pointer:
        if self.edge is None:
            return self.pointer
        # `edges`, the kind of the edge, and maybe its place in a list; a list of all edges has no kinds for keys.
        below = self.pointer[1:] if isinstance(self.pointer[1], int) else self.pointer[2:]
        below = below[1:] if isinstance(below[0], int) else below
        return below[1:] if below[0] == NESTED and len(below) > 1 else below


@lru_cache(maxsize=4096)
def holds(value_type: ValueType, names: frozenset[str]) -> bool:
    """Whether a type, or one inside of it, has one of some names."""
    return value_type.name in names or any(holds(inner, names) for inner in value_type.of)


class Wanted(NamedTuple):
    """The attributes that a check looks at, with their types: by kinds of records, and by kinds of edges."""

    constraints: Constraints
    of_kinds: Mapping[str, Mapping[str, ValueType]]
    of_edges: Mapping[str, Mapping[str, ValueType]]


_wanted: dict[tuple[int, Callable[[ValueType], bool]], Wanted] = {}


def wanted_types(constraints: Constraints, wanted: Callable[[ValueType], bool]) -> Wanted:
    """The attributes of wanted types; they are looked for once for each ontology, as it is asked for every record."""
    known = _wanted.get((id(constraints), wanted))
    if known is None or known.constraints is not constraints:
        if len(_wanted) > MOST_WANTED:
            _wanted.clear()
        known = _wanted[(id(constraints), wanted)] = Wanted(
            constraints,
            {name: chosen(kind.attributes, wanted, ("id",)) for name, kind in constraints.kinds.items()},
            {
                name: found
                for name, edge in constraints.edges.items()
                if (found := chosen(edge.attributes, wanted, ("target", "id")))
            },
        )
    return known


def chosen(
    attributes: Mapping[str, Attribute], wanted: Callable[[ValueType], bool], aside: tuple[str, ...]
) -> dict[str, ValueType]:
    """The types of those attributes that are wanted."""
    typed = ((name, attribute.type) for name, attribute in attributes.items() if name not in aside)
    return {name: stated for name, stated in typed if stated is not None and wanted(stated)}


def typed_values(
    declaration: Declaration,
    constraints: Constraints,
    wanted: Callable[[ValueType], bool],
    passes: Callable[[ValueType, Any], bool] = lambda value_type, value: False,
) -> Iterator[TypedValue]:
    """The values of wanted types, and what is inside of them; an absent value and the record's own id are none.

    What `passes` is left out.
    """
    types = wanted_types(constraints, wanted)
    of_kind = types.of_kinds.get(declaration.document.kind or "")
    if of_kind and "extendsNode" not in declaration.value:
        for name, value_type in of_kind.items():
            value = declaration.stated(name)
            if value is not None and not passes(value_type, value):
                yield from parts(TypedValue((name,), value_type, value))
    if types.of_edges:
        yield from of_edges(declaration, types.of_edges, passes)


def stated_fields(declaration: Declaration) -> Iterator[tuple[str, Any]]:
    """What a record states of itself, among its attributes or beside them."""
    for name, value in declaration.fields.items():
        if value is not None:
            yield name, value
    if declaration.fields is not declaration.value:
        for name, value in declaration.value.items():
            if value is not None and declaration.fields.get(name) is None:
                yield name, value


def of_edges(
    declaration: Declaration,
    of_kinds: Mapping[str, Mapping[str, ValueType]],
    passes: Callable[[ValueType, Any], bool],
) -> Iterator[TypedValue]:
    """The values of the attributes of edges."""
    for pointer, kind, entry in edge_entries(declaration, of_kinds):
        edge = EdgeStated(kind, edge_target(entry) or "")
        nested = entry.get(NESTED)
        for place, stated in ((pointer, entry), ((*pointer, NESTED), nested if isinstance(nested, dict) else {})):
            for name, value_type in of_kinds[kind].items():
                value = stated.get(name)
                if value is not None and not passes(value_type, value):
                    yield from parts(TypedValue((*place, name), value_type, value, edge))


def edge_entries(declaration: Declaration, kinds: Container[str]) -> Iterator[tuple[Pointer, str, Mapping[str, Any]]]:
    """The edges of some kinds that are mappings: where, their kind, and what they say."""
    for pointer, kind, stated in stated_edges(declaration, kinds):
        if isinstance(stated, dict):
            yield pointer, kind, stated


def stated_edges(declaration: Declaration, kinds: Container[str]) -> Iterator[tuple[Pointer, str, Any]]:
    """The edges of some kinds: where, their kind, and their targets, which are ids or mappings."""
    for field in EDGE_FIELDS.get(declaration.document.form, ()):
        value = declaration.value.get(field)
        if isinstance(value, dict):
            for kind, targets in value.items():
                if kind not in kinds:
                    continue
                if isinstance(targets, list):
                    for place, target in enumerate(targets):
                        yield (field, kind, place), kind, target
                else:
                    yield (field, kind), kind, targets
        elif isinstance(value, list):
            for place, entry in enumerate(value):
                if isinstance(entry, dict) and isinstance(entry.get("kind"), str) and entry["kind"] in kinds:
                    yield (field, place), entry["kind"], entry


def parts(typed: TypedValue) -> Iterator[TypedValue]:
    """A value and what is inside of it, as far as its type says."""
    pointer, value_type, value, edge = typed
    if value_type.name in WRAPPERS and value_type.of:
        yield from parts(TypedValue(pointer, value_type.of[0], value, edge))
        return
    yield typed
    if value_type.name in ("list", "set") and len(value_type.of) == 1 and isinstance(value, list):
        for place, item in enumerate(value):
            yield from parts(TypedValue((*pointer, place), value_type.of[0], item, edge))
    elif value_type.name == "map" and len(value_type.of) == 2 and isinstance(value, dict):
        for key, item in value.items():
            if item is not None:
                yield from parts(TypedValue((*pointer, key), value_type.of[1], item, edge))


def spelled(value: Any) -> str | None:
    """A scalar as it is written in YAML; None for what is no scalar."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return spell_float(value)
    return str(value) if isinstance(value, int) else None
