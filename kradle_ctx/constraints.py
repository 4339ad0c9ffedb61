"""From the files of an ontology to what validation demands: attributes, edges, vocabulary and rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.constraints import Attribute, Constraints, EdgeConstraints, KindConstraints, ValueType
from kradle_ctx.ontology import REQUIRED_FIELDS, OntologyFile, entries, texts

ANY_KIND = frozenset({"*", "Any", "any", "NodeKind"})
"""What stands for every kind; `ref<NodeKind>` of the Atlas form names a node of any kind."""

TOKEN = lazy_expression(r"\s*([<>,|]|[^<>,|]+)")

RULE_LISTS = ("forbiddenPaths", "containmentEdges", "ownerKinds", "requireInverse", "versionedKinds")

NOT_FIELDS = frozenset({"nodeKinds", "edgeKinds", "checks", *RULE_LISTS, "kindPaths", "staleAfterDays"})

DEEPEST_TYPE = 8
"""Types inside types that are read; deeper ones count as any."""

Declared = Mapping[str, Sequence[Mapping[str, Any]]]
"""Kinds by name, each with all that is declared of it."""

SETTINGS = frozenset({"off", "error", "warning", "info"})


def read_constraints(files: Iterable[OntologyFile]) -> Constraints:
    """Join what the files of an ontology demand; of two that say the same the first holds.

    An edge kind that is declared twice allows what either declaration does: records cannot tell which one is meant.
    """
    values = [(file.path, file.value) for file in files if isinstance(file.value, dict)]
    rules = {key: value for _, stated in reversed(values) for key, value in stated.items()}
    edges = edges_of(declared(values, "edgeKinds"), rules)
    required = rules.get("requiredFields")
    return Constraints(
        kinds=kinds_of(declared(values, "nodeKinds"), rules),
        edges=edges,
        version=text(rules.get("catalogSchemaVersion"), rules.get("version")),
        required=tuple(texts(required.get("record") if isinstance(required, dict) else required)),
        vocabulary=vocabulary_in(values),
        transitions=transitions_of(rules.get("allowedStatusTransitions")),
        forbidden_paths=tuple(texts(rules.get("forbiddenPaths"))),
        stale_after_days=days(rules.get("staleAfterDays"), 365),
        owner_kinds=owner_kinds(rules, edges),
        edges_within=tuple(texts(rules.get("containmentEdges"))) or ("part_of", "contains"),
        settings=settings_of(rules.get("checks")),
    )


def declared(values: Iterable[tuple[str, Mapping[str, Any]]], field: str) -> dict[str, list[Mapping[str, Any]]]:
    """The kinds that a field of the files names, each with all that is declared of it, in order."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for _, stated in values:
        for name, fields in entries(stated.get(field)):
            found.setdefault(name, []).append(fields)
    return found


def with_demands(
    constraints: Constraints,
    required: Iterable[str],
    edge_kinds: Iterable[str] | None,
    vocabulary: Mapping[str, tuple[str, ...]],
) -> Constraints:
    """The same with what an organisation demands beside the ontology: more fields, fewer edge kinds, fewer values.

    `edge_kinds` None leaves those of the ontology. Of a field with two vocabularies the values that both have remain.
    """
    kinds = None if edge_kinds is None else frozenset(edge_kinds)
    edges = {name: edge for name, edge in constraints.edges.items() if kinds is None or name in kinds}
    allowed = dict(constraints.vocabulary)
    for field, values in vocabulary.items():
        allowed[field] = tuple(value for value in values if value in allowed.get(field, values))
    return replace(
        constraints,
        required=tuple(dict.fromkeys((*constraints.required, *required))),
        edges=edges,
        vocabulary=allowed,
    )


def text(*values: Any) -> str | None:
    """The first of some values that is a text or a number."""
    found = (str(value) for value in values if isinstance(value, str | int | float) and not isinstance(value, bool))
    return next(found, None)


def days(value: Any, default: int) -> int:
    """A number of days."""
    return value if type(value) is int and value > 0 else default


def kinds_of(kinds: Declared, rules: Mapping[str, Any]) -> dict[str, KindConstraints]:
    """What node kinds demand; of one that is declared twice the first declaration holds."""
    versioned = frozenset(texts(rules.get("versionedKinds")))
    found = {name: kind_constraints(name, fields[0], rules) for name, fields in kinds.items()}
    return {name: replace(kind, versioned=kind.versioned or name in versioned) for name, kind in found.items()}


def kind_constraints(name: str, fields: Mapping[str, Any], rules: Mapping[str, Any]) -> KindConstraints:
    """What one node kind demands, in either form."""
    prefix, paths, required = fields.get("prefix"), rules.get("kindPaths"), rules.get("requiredFields")
    attributes = attributes_of(fields.get("attributes"))
    needed = [field for key in REQUIRED_FIELDS for field in texts(fields.get(key))]
    needed += [attribute.name for attribute in attributes.values() if attribute.required]
    needed += texts(required.get(name)) if isinstance(required, dict) else ()
    return KindConstraints(
        name,
        prefix if isinstance(prefix, str) else None,
        tuple(dict.fromkeys(needed)),
        attributes,
        tuple(texts(paths.get(name))) if isinstance(paths, dict) else (),
        versioned=fields.get("versionQualified") is True,
        isolated=fields.get("isolatedAllowed") is True,
        description=description_of(fields, "description", "purpose"),
    )


def edges_of(edges: Declared, rules: Mapping[str, Any]) -> dict[str, EdgeConstraints]:
    """What edge kinds demand; an alias takes what it does not say from its canonical kind."""
    demanding = frozenset(texts(rules.get("requireInverse")))
    canonical = {name: joined([edge_constraints(name, each) for each in stated]) for name, stated in edges.items()}
    found: dict[str, EdgeConstraints] = {}
    for name, stated in edges.items():
        alias = canonical[name].alias_of
        whole = canonical.get(alias) if alias is not None else None
        edge = (
            joined([taking(edge_constraints(name, each), each, whole) for each in stated]) if whole else canonical[name]
        )
        found[name] = replace(edge, requires_inverse=edge.requires_inverse or name in demanding)
    return found


def edge_constraints(name: str, fields: Mapping[str, Any]) -> EdgeConstraints:
    """What one declaration of an edge kind demands, in either form."""
    source_count, colon, target_count = str(fields.get("cardinality") or "").partition(":")
    inverse, alias = fields.get("inverse"), fields.get("aliasOf")
    return EdgeConstraints(
        name,
        kinds_named(fields.get("source") or fields.get("domain")),
        kinds_named(fields.get("target") or fields.get("range")),
        one_target=target_count == "1",
        one_source=source_count == "1" and bool(colon),
        attributes=attributes_of(fields.get("attributes")),
        inverse=inverse if isinstance(inverse, str) else None,
        alias_of=alias if isinstance(alias, str) else None,
        requires_inverse=fields.get("requiresInverse") is True,
        description=description_of(fields, "description"),
    )


def taking(edge: EdgeConstraints, fields: Mapping[str, Any], whole: EdgeConstraints) -> EdgeConstraints:
    """An alias with what only its canonical kind says."""
    lacks_source = fields.get("source") is None and fields.get("domain") is None
    lacks_target = fields.get("target") is None and fields.get("range") is None
    counts = edge if fields.get("cardinality") is not None else whole
    return replace(
        edge,
        sources=whole.sources if lacks_source else edge.sources,
        targets=whole.targets if lacks_target else edge.targets,
        one_target=counts.one_target,
        one_source=counts.one_source,
        attributes=whole.attributes if fields.get("attributes") is None else edge.attributes,
        inverse=edge.inverse if fields.get("inverse") is not None else whole.inverse,
        requires_inverse=(edge if fields.get("requiresInverse") is not None else whole).requires_inverse,
        description=edge.description if fields.get("description") is not None else whole.description,
    )


def joined(declarations: Sequence[EdgeConstraints]) -> EdgeConstraints:
    """What all declarations of an edge kind allow together."""
    first = declarations[0]
    if len(declarations) == 1:
        return first
    attributes = {name: each for edge in reversed(declarations) for name, each in edge.attributes.items()}
    for name, attribute in attributes.items():
        demanded = all(name in edge.attributes and edge.attributes[name].required for edge in declarations)
        attributes[name] = replace(attribute, required=demanded)
    return replace(
        first,
        sources=any_of([edge.sources for edge in declarations]),
        targets=any_of([edge.targets for edge in declarations]),
        one_target=all(edge.one_target for edge in declarations),
        one_source=all(edge.one_source for edge in declarations),
        attributes=attributes,
        inverse=next((edge.inverse for edge in declarations if edge.inverse), None),
        alias_of=next((edge.alias_of for edge in declarations if edge.alias_of), None),
        requires_inverse=any(edge.requires_inverse for edge in declarations),
        description=next((edge.description for edge in declarations if edge.description), ""),
    )


def any_of(ends: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    """All kinds of several ends of edges, None for any."""
    named = [end for end in ends if end is not None]
    return frozenset().union(*named) if len(named) == len(ends) else None


def description_of(fields: Mapping[str, Any], *names: str) -> str:
    """What the first of some fields says, for people."""
    return next((fields[name].strip() for name in names if isinstance(fields.get(name), str)), "")


def kinds_named(value: Any) -> frozenset[str] | None:
    """The kinds that an edge may join, None for any."""
    named = frozenset(texts(value))
    return None if not named or named & ANY_KIND else named


def attributes_of(value: Any) -> dict[str, Attribute]:
    """Attributes from a list of mappings with `name`, or from a map from name to a type or to fields."""
    found: dict[str, Attribute] = {}
    for name, fields in attribute_entries(value):
        told = description_of(fields, "description", "notes")
        found.setdefault(name, Attribute(name, type_of(fields), fields.get("required") is True, told))
    return found


def attribute_entries(value: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Names and fields of attributes."""
    if isinstance(value, dict):
        for name, fields in value.items():
            yield name, fields if isinstance(fields, dict) else {"type": fields}
    elif isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                yield entry["name"], entry


def type_of(fields: Mapping[str, Any]) -> ValueType | None:
    """The type of an attribute; `enum: [...]` beside it, or instead of it, lists the values."""
    listed = fields.get("enum") or fields.get("values")
    if isinstance(listed, list):
        return ValueType("enum", tuple(str(value) for value in listed))
    stated = fields.get("type")
    return read_type(whole_type(stated, fields)) if isinstance(stated, str) else None


def whole_type(stated: str, fields: Mapping[str, Any]) -> str:
    """A type as it was meant.

    Between the braces of a flow mapping an unquoted `enum<a, b, c>` falls apart at its commas: the parts after the
    first become keys without values.
    """
    if stated.count("<") <= stated.count(">"):
        return stated
    keys = list(fields)
    after = keys[keys.index("type") + 1 :]
    return ",".join([stated, *takewhile(lambda key: fields[key] is None, after)])


def read_type(stated: str) -> ValueType:
    """A type from its notation: `string`, `list<T>`, `map<K,V>`, `enum<a,b>`, `ref<Kind|Kind>`."""
    if stated.count("<") != stated.count(">"):
        return ValueType("any")
    tokens = [found.strip() for found in TOKEN.findall(stated)]
    found, end = _type(tokens, 0, 0)
    return found if end == len(tokens) else ValueType("any")


def _type(tokens: Sequence[str], at: int, depth: int) -> tuple[ValueType, int]:
    """The type that begins at a token, and the token behind it."""
    if at >= len(tokens) or depth > DEEPEST_TYPE or tokens[at] in "<>,|":
        return ValueType("any"), len(tokens)
    name, at = tokens[at], at + 1
    if at == len(tokens) or tokens[at] != "<":
        return ValueType(name), at
    if name in ("enum", "ref"):
        end = next((place for place in range(at + 1, len(tokens)) if tokens[place] == ">"), len(tokens))
        values = tuple(token for token in tokens[at + 1 : end] if token not in ("<", ",", "|"))
        any_kind = name == "ref" and not ANY_KIND.isdisjoint(values)
        return ValueType(name, () if any_kind else values), min(end + 1, len(tokens))
    inner: list[ValueType] = []
    while at < len(tokens) and tokens[at] in ("<", ","):
        found, at = _type(tokens, at + 1, depth + 1)
        inner.append(found)
    return ValueType(name, of=tuple(inner)), min(at + 1, len(tokens))


def vocabulary_in(values: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, tuple[str, ...]]:
    """The values that fields may take: from `vocabulary`, and from files that are named after it."""
    found: dict[str, tuple[str, ...]] = {}
    for path, stated in values:
        named = re.search(r"vocabular(?:y|ies)\.ya?ml$", path) is not None
        listed = stated if named else stated.get("vocabulary")
        for field, allowed in (listed if isinstance(listed, dict) else {}).items():
            if isinstance(allowed, list) and field not in NOT_FIELDS:
                found.setdefault(field, tuple(str(value) for value in allowed))
    return found


def transitions_of(value: Any) -> dict[str, tuple[str, ...]] | None:
    """Which status may follow which."""
    if not isinstance(value, dict):
        return None
    return {status: tuple(texts(following)) for status, following in value.items()}


def owner_kinds(rules: Mapping[str, Any], edges: Mapping[str, EdgeConstraints]) -> frozenset[str] | None:
    """The kinds that may own: as the rules say, else those at which `owned_by` may end."""
    stated = frozenset(texts(rules.get("ownerKinds")))
    return stated or (edges["owned_by"].targets if "owned_by" in edges else None)


def settings_of(value: Any) -> dict[str, str]:
    """Severities by check id; a mapping's `off` reads as false where it is not quoted."""
    if not isinstance(value, dict):
        return {}
    stated = {check: "off" if setting is False else setting for check, setting in value.items()}
    return {check: setting for check, setting in stated.items() if isinstance(setting, str) and setting in SETTINGS}
