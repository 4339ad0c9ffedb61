"""An ontology as JSON Schemas, by which editors complete and check records while they are typed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from kradle_ctx.model.constraints import Attribute, Constraints, EdgeConstraints, KindConstraints, ValueType

DIALECT = "http://json-schema.org/draft-07/schema#"
"""What the YAML language server of the common editors reads in full."""

SIMPLE: dict[str, dict[str, Any]] = {
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "tokens": {"type": "integer", "minimum": 0},
    "float": {"type": "number"},
    "cost-per-million-tokens": {"type": "number", "minimum": 0},
    "url": {"type": "string", "pattern": "^https?://"},
    "object": {"type": "object"},
    **{name: {"type": "string"} for name in ("string", "slug", "id", "markdown", "code", "path", "iso-date")},
    "iso-timestamp": {"type": "string"},
}
"""Types without arguments; what is not named here is not restricted, as an editor must not refuse what is valid."""

BESIDE = frozenset({"id", "nodeKind", "kind", "edges"})
"""Fields of a graph record that stand beside its attributes."""

EDGES_OF_FRONTMATTER = "related"


def exported_schemas(constraints: Constraints) -> dict[str, bytes]:
    """The schemas by file name: of graph records, and of the frontmatter of Markdown records."""
    values = {
        "graph-record.schema.json": graph_schema(constraints),
        "frontmatter.schema.json": frontmatter_schema(constraints),
    }
    return {name: (json.dumps(value, indent=1, sort_keys=False) + "\n").encode() for name, value in values.items()}


def graph_schema(constraints: Constraints) -> dict[str, Any]:
    """The schema of one document of a graph file."""
    kinds = constraints.kinds.values()
    return {
        "$schema": DIALECT,
        "title": "Graph record",
        "type": "object",
        "anyOf": [{"required": ["nodeKind", "id"]}, {"required": ["extendsNode"]}],
        "properties": {
            "nodeKind": kind_names(kinds),
            "id": {"type": "string"},
            "extendsNode": {
                "type": "object",
                "required": ["id"],
                "properties": {"id": {"type": "string"}, "nodeKind": kind_names(kinds)},
            },
            "attributes": {"type": "object"},
            "edges": edges_schema(constraints.edges.values()),
        },
        "allOf": [case(kind, "nodeKind", graph_case(kind, constraints)) for kind in kinds],
        "definitions": definitions(constraints),
    }


def frontmatter_schema(constraints: Constraints) -> dict[str, Any]:
    """The schema of the frontmatter of a Markdown record."""
    kinds = constraints.kinds.values()
    return {
        "$schema": DIALECT,
        "title": "Frontmatter of a record",
        "type": "object",
        "properties": {
            "kind": kind_names(kinds),
            "id": {"type": "string"},
            EDGES_OF_FRONTMATTER: edges_schema(constraints.edges.values()),
        },
        "allOf": [case(kind, "kind", frontmatter_case(kind, constraints)) for kind in kinds],
        "definitions": definitions(constraints),
    }


def kind_names(kinds: Iterable[KindConstraints]) -> dict[str, Any]:
    """The names of kinds, each with what it is for."""
    described = [{"const": kind.name, **described_by(kind.description)} for kind in kinds]
    return {"oneOf": described} if described else {"type": "string"}


def described_by(text: str) -> dict[str, str]:
    """A description, where there is one."""
    return {"description": text} if text else {}


def case(kind: KindConstraints, field: str, then: Mapping[str, Any]) -> dict[str, Any]:
    """What holds for records of a kind."""
    return {"if": {"required": [field], "properties": {field: {"const": kind.name}}}, "then": dict(then)}


def graph_case(kind: KindConstraints, constraints: Constraints) -> dict[str, Any]:
    """What a graph record of a kind must be like."""
    required = [name for name in needed(kind, constraints) if name not in BESIDE]
    attributes = {"type": "object", "properties": properties(kind, constraints, BESIDE), "required": required}
    found = {"properties": {"id": id_schema(kind), "attributes": attributes, "edges": edges_from(kind, constraints)}}
    return {**found, "required": ["attributes"]} if required else found


def frontmatter_case(kind: KindConstraints, constraints: Constraints) -> dict[str, Any]:
    """What the frontmatter of a record of a kind must be like."""
    required = [name for name in needed(kind, constraints) if name not in ("nodeKind", "edges")]
    beside = {"id": id_schema(kind), EDGES_OF_FRONTMATTER: edges_from(kind, constraints)}
    return {"properties": {**properties(kind, constraints, BESIDE), **beside}, "required": required}


def needed(kind: KindConstraints, constraints: Constraints) -> list[str]:
    """The fields that records of a kind must have."""
    return list(dict.fromkeys((*constraints.required, *kind.required)))


def id_schema(kind: KindConstraints) -> dict[str, Any]:
    """Ids of a kind."""
    return {"type": "string", **({"pattern": f"^{kind.prefix}:."} if kind.prefix else {})}


def properties(kind: KindConstraints, constraints: Constraints, beside: frozenset[str]) -> dict[str, Any]:
    """The fields of a kind: those that are typed, those that are required, and those with a vocabulary."""
    found = {name: attribute_schema(attribute) for name, attribute in kind.attributes.items() if name not in beside}
    for name in needed(kind, constraints):
        if name not in beside:
            found.setdefault(name, {})
    for name, allowed in constraints.vocabulary.items():
        one = {"enum": list(allowed)}
        found[name] = {
            "anyOf": [one, {"type": "array", "items": one}],
            **described_by(found.get(name, {}).get("description", "")),
        }
    return found


def attribute_schema(attribute: Attribute) -> dict[str, Any]:
    """An attribute."""
    return {**type_schema(attribute.type), **described_by(attribute.description)}


def type_schema(value_type: ValueType | None) -> dict[str, Any]:
    """A type; one that is not known restricts nothing."""
    if value_type is None:
        return {}
    if value_type.name == "enum":
        return {"enum": list(value_type.values)}
    if value_type.name == "ref":
        return {"type": "string"}
    if value_type.name in ("list", "set"):
        return {"type": "array", "items": type_schema(value_type.of[0] if value_type.of else None)}
    if value_type.name == "map":
        return {"type": "object", "additionalProperties": type_schema(value_type.of[-1] if value_type.of else None)}
    return dict(SIMPLE.get(value_type.name, {}))


def edges_from(kind: KindConstraints, constraints: Constraints) -> dict[str, Any]:
    """The edges that records of a kind may state."""
    return edges_schema(
        edge for edge in constraints.edges.values() if edge.sources is None or kind.name in edge.sources
    )


def edges_schema(edges: Iterable[EdgeConstraints]) -> dict[str, Any]:
    """A map from edge kinds to targets."""
    found = {edge.name: {"$ref": f"#/definitions/{pointer(edge.name)}"} for edge in edges}
    return {"type": "object", "properties": found, **({"additionalProperties": False} if found else {})}


def definitions(constraints: Constraints) -> dict[str, Any]:
    """The targets of every edge kind, said once."""
    return {edge.name: targets_schema(edge) for edge in constraints.edges.values()}


def pointer(name: str) -> str:
    """A name as part of a JSON pointer in a URI fragment (RFC 6901)."""
    return quote(name.replace("~", "~0").replace("/", "~1"), safe="")


def targets_schema(edge: EdgeConstraints) -> dict[str, Any]:
    """The targets of an edge kind: an id, a mapping with `target`, or a list of them."""
    attributes = {name: attribute_schema(attribute) for name, attribute in edge.attributes.items()}
    mapping = {"type": "object", "required": ["target"], "properties": {"target": {"type": "string"}, **attributes}}
    one = {"anyOf": [{"type": "string"}, mapping]}
    return {"anyOf": [*one["anyOf"], {"type": "array", "items": one}], **described_by(edge.description)}
