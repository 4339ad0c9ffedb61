"""Whether a document says what it did, but for one repair."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kradle_ctx.documents import edge_target
from kradle_ctx.model.graph import Form
from kradle_ctx.repairs.dates import ATTRIBUTES, UPDATED_AT
from kradle_ctx.repairs.ordering import wanted_order
from kradle_ctx.yamldoc import Value

EDGE_ROOTS = ("edges", "related")

Mapped = Mapping[str, Any]


def alike(first: Value, second: Value) -> bool:
    """Whether two values are the same, numbers and booleans told apart, in whatever order their keys are."""
    return spelled(first) == spelled(second)


def spelled(value: Value) -> str:
    """A text that is the same for the same values."""
    return json.dumps(value, sort_keys=True)


def adds_date(instant: str, before: Mapped, after: Mapped) -> bool:
    """Whether one document is the other with a date that was not stated."""
    return any(alike(dated, dict(after)) for dated in with_date(before, instant))


def with_date(value: Mapped, instant: str) -> Iterator[dict[str, Any]]:
    """A document with the date at each place where it can stand."""
    attributes = value.get(ATTRIBUTES)
    if not value.get(UPDATED_AT):
        yield {**value, UPDATED_AT: instant}
    if not attributes or (isinstance(attributes, dict) and not attributes.get(UPDATED_AT)):
        yield {**value, ATTRIBUTES: {**(attributes or {}), UPDATED_AT: instant}}


def adds_edges(kind: str, targets: Sequence[str], before: Mapped, after: Mapped) -> bool:
    """Whether one document is the other with more edges of a kind, each stated last."""
    changed = [key for key in after if key not in before or not alike(after[key], before[key])]
    if len(changed) != 1 or changed[0] not in EDGE_ROOTS or not before.keys() <= after.keys():
        return False
    old, new = before.get(changed[0]) or {}, after[changed[0]]
    if isinstance(new, list):
        added = new[len(old) :]
        kinds = {entry.get("kind") for entry in added if isinstance(entry, dict)}
        return kinds == {kind} and alike(new[: len(old)], old) and names(added, targets, 2)
    if not isinstance(new, dict) or not isinstance(old, dict):
        return False
    others = [{key: value for key, value in each.items() if key != kind} for each in (old, new)]
    was, now = items(old.get(kind)), items(new.get(kind))
    return alike(others[0], others[1]) and alike(now[: len(was)], was) and names(now[len(was) :], targets, 1)


def items(value: Any) -> list[Any]:
    """The targets of one kind, which need no list around a single one."""
    if isinstance(value, list):
        return value
    return [value] if value else []


def names(stated: Sequence[Any], targets: Sequence[str], keys: int) -> bool:
    """Whether edges name some ids, and say no more than so many keys do."""
    plain = all(len(entry) == keys for entry in stated if isinstance(entry, dict))
    return plain and [edge_target(entry) for entry in stated] == list(targets)


def reorders(form: Form, before: Mapped, after: Mapped) -> bool:
    """Whether one document is the other with its keys in their order."""
    return alike(dict(before), dict(after)) and list(after) == wanted_order(list(before), form)
