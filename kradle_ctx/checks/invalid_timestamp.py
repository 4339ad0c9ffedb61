"""KB024: a date or timestamp that is none, or cannot be right."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from kradle_ctx.checks.check import Brain, Check, Fault, Where, at_field
from kradle_ctx.checks.missing_field import EMPTY
from kradle_ctx.checks.typed_values import holds, typed_values
from kradle_ctx.documents import DATED, Declaration
from kradle_ctx.model.constraints import Constraints, ValueType
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.model.timestamps import INSTANT, lenient_instant
from kradle_ctx.yamldoc import shown

UPDATED = "updatedAt"

DATE, TIMESTAMP = "iso-date", "iso-timestamp"
DATES = frozenset({DATE, TIMESTAMP})

LATEST = timedelta(days=1)
"""How much later than its commit a record may say that it was updated: clocks and zones differ."""


class Trouble(NamedTuple):
    """What is wrong with a date, what to do, and how much it weighs where that is less than usual."""

    message: str
    hint: str | None = None
    severity: Severity | None = None


def has_date(value_type: ValueType) -> bool:
    """Whether a type is that of a date, or holds one."""
    return holds(value_type, DATES)


def invalid_timestamp(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """The dates that a record states: `updatedAt`, and whatever has the type of a date."""
    for typed in typed_values(declaration, constraints, has_date):
        if typed.type.name in DATES and isinstance(typed.value, str):
            found = trouble(typed.value, typed.type.name)
            if found is not None:
                yield fault(typed.where(declaration), typed.told, typed.value, typed.key, found)
    if (
        declaration.document.form is Form.NOTE
        or "extendsNode" in declaration.value
        or is_typed(declaration, constraints)
    ):
        return
    stated = declaration.stated(UPDATED)
    found = None if stated in EMPTY else untyped_trouble(stated)
    if found is not None:
        yield fault(at_field(declaration.document, UPDATED), f"`{UPDATED}`", stated, UPDATED, found)


def is_typed(declaration: Declaration, constraints: Constraints) -> bool:
    """Whether the ontology gives `updatedAt` the type of a date."""
    kind = constraints.kinds.get(declaration.document.kind or "")
    attribute = kind.attributes.get(UPDATED) if kind is not None else None
    return attribute is not None and attribute.type is not None and holds(attribute.type, DATES)


def untyped_trouble(stated: Any) -> Trouble | None:
    """What is wrong with a date of which the ontology says nothing."""
    return trouble(stated, "") if isinstance(stated, str) else Trouble("is no date")


def trouble(stated: str, type_name: str) -> Trouble | None:
    """What is wrong with a date; a type asks for a date alone, or for a time and its zone."""
    text = stated.strip()
    found = INSTANT.fullmatch(text)
    if found is None or lenient_instant(text) is None:
        return Trouble("is no date that exists" if DATED.match(text) else "is no date")
    if found["time"] is None:
        if type_name == TIMESTAMP:
            return Trouble("is a date without a time", f"write it as in `{found['day']}T12:00:00Z`", Severity.WARNING)
    elif type_name == DATE:
        return Trouble("has a time, and must be a date alone", f"write `{found['day']}`", Severity.WARNING)
    elif found["zone"] is None:
        return Trouble("names no zone", "write `Z` behind it where it is in UTC, else its offset", Severity.WARNING)
    return None


def fault(where: Where, told: str, value: Any, key: str, found: Trouble) -> Fault:
    """A finding of what is wrong with a date."""
    written = f": {shown(value)}" if isinstance(value, str) else ""
    return Fault(where, f"{told} {found.message}{written}", key=key, hint=found.hint, severity=found.severity)


def impossible_update(document: Document, brain: Brain) -> Iterator[Fault]:
    """What a note says of its update, and an update that is yet to come."""
    stated = document.updated_at
    if stated is None:
        return
    found = trouble(stated, "") if document.form is Form.NOTE else None
    instant = lenient_instant(stated)
    if instant is not None and instant - brain.moment > LATEST:
        found = Trouble("is later than the commit", "state when it was updated", Severity.WARNING)
    if found is not None:
        yield fault(at_field(document, UPDATED), f"`{UPDATED}`", stated, f"{UPDATED} here", found)


CHECK = Check(
    "KB024",
    "invalid-timestamp",
    Severity.ERROR,
    "A date or timestamp that is none, or cannot be right",
    "write it as in `2026-04-29T12:00:00Z`",
    of_record=invalid_timestamp,
    of_document=impossible_update,
)
