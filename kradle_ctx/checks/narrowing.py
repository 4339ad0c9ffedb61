"""What one ontology allowed and another does not, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kradle_ctx.checks.names import quoted
from kradle_ctx.model.constraints import Attribute, Constraints, EdgeConstraints, KindConstraints, ValueType
from kradle_ctx.yamldoc import shown

WIDER = frozenset(
    {("int", "float"), ("tokens", "int"), ("tokens", "float"), ("iso-date", "string"), ("slug", "string")}
)
"""Types that have another in themselves."""

ANYTHING = ("any", "json")


def narrowed(before: Constraints, after: Constraints) -> Iterator[str]:
    """Every change by which a record that was right can be wrong."""
    for name, kind in before.kinds.items():
        if name not in after.kinds:
            yield f"the kind {shown(name)} is gone"
        else:
            yield from of_kind(kind, after.kinds[name])
    for field in sorted(set(after.required).difference(before.required)):
        yield f"every record must have {shown(field)}"
    for name, edge in before.edges.items():
        if name not in after.edges:
            yield f"the kind of edge {shown(name)} is gone"
        else:
            yield from of_edge(edge, after.edges[name])
    yield from of_vocabulary(before.vocabulary, after.vocabulary)


def of_kind(before: KindConstraints, after: KindConstraints) -> Iterator[str]:
    """What records of a kind may no longer be."""
    name = quoted(before.name)
    if after.prefix is not None and after.prefix != before.prefix:
        yield f"ids of {name} begin with {quoted(after.prefix)}"
    if after.versioned and not before.versioned:
        yield f"ids of {name} must name a version"
    for field in sorted(set(after.required).difference(before.required)):
        yield f"records of the kind {name} must have {shown(field)}"
    yield from of_attributes(name, before.attributes, after.attributes)


def of_edge(before: EdgeConstraints, after: EdgeConstraints) -> Iterator[str]:
    """What edges of a kind may no longer do."""
    name = quoted(before.name)
    if is_less(before.sources, after.sources):
        yield f"fewer kinds may state {name}"
    if is_less(before.targets, after.targets):
        yield f"{name} may lead to fewer kinds"
    if after.one_target and not before.one_target:
        yield f"{name} may lead to one record"
    if after.one_source and not before.one_source:
        yield f"{name} may come from one record"
    if after.requires_inverse and not before.requires_inverse:
        yield f"{name} requires its inverse"
    yield from of_attributes(name, before.attributes, after.attributes)


def is_less(before: frozenset[str] | None, after: frozenset[str] | None) -> bool:
    """Whether kinds that were allowed are not; None allows any."""
    return after is not None and (before is None or not before <= after)


def of_attributes(owner: str, before: Mapping[str, Attribute], after: Mapping[str, Attribute]) -> Iterator[str]:
    """Attributes that may hold less than before; of one that is gone nothing is demanded, and a new one is no loss."""
    for name, attribute in after.items():
        known = before.get(name)
        if known is not None and is_narrower(known.type, attribute.type):
            yield f"{quoted(name)} of {owner} may hold less"


def is_narrower(before: ValueType | None, after: ValueType | None) -> bool:
    """Whether a type excludes values that another has; None has all."""
    if after is None or after.name in ANYTHING:
        return False
    if before is None or before.name in ANYTHING:
        return True
    if before.name != after.name:
        return (before.name, after.name) not in WIDER
    if after.name in ("enum", "ref") and after.values:
        return not before.values or not set(before.values) <= set(after.values)
    inner = (*before.of, *[ValueType("any")] * (len(after.of) - len(before.of)))
    return any(map(is_narrower, inner, after.of))


def of_vocabulary(before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Values that fields may no longer have."""
    for field, values in after.items():
        lost = set(before[field]).difference(values) if field in before else None
        if lost is None:
            yield f"{quoted(field)} takes listed values alone"
        elif lost:
            yield f"{quoted(field)} may no longer be {quoted(min(lost))}"
