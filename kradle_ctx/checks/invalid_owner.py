"""KB025: an owner that is no record, or of a kind that owns nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Fault, at_field
from kradle_ctx.model.constraints import KindConstraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document
from kradle_ctx.yamldoc import shown

MOST_OWNERS = 100
"""Owners of one record that are looked at."""

MOST_KINDS = 5
"""Kinds that a message names."""


def invalid_owner(brain: Brain) -> Iterator[Fault]:
    """The owners of records that cannot be asked; each name is looked up once."""
    known: dict[str, str | None] = {}
    for document in brain.documents():
        if document.owners and document.id is not None and not document.extends:
            kind = brain.constraints.kinds.get(document.kind or "")
            if not is_told_elsewhere(kind):
                yield from of_record(document, brain, known)


def of_record(document: Document, brain: Brain, known: dict[str, str | None]) -> Iterator[Fault]:
    """The owners of one record."""
    for place, owner in enumerate(islice(document.owners, MOST_OWNERS)):
        if owner not in known:
            known[owner] = trouble(owner, brain)
        found = known[owner]
        if found is not None:
            yield Fault(
                at_field(document, "owners", place),
                f"the owner {shown(owner)} {found}",
                key=owner,
                hint=PERSON_HINT if "@" in owner else None,
            )


def is_told_elsewhere(kind: KindConstraints | None) -> bool:
    """Whether the ontology gives owners a type: of a `ref` KB023 tells, and a `string` may name anybody."""
    for field in ("owners", "owner"):
        attribute = kind.attributes.get(field) if kind is not None else None
        if attribute is not None and attribute.type is not None:
            inner = attribute.type.of[0] if attribute.type.of else attribute.type
            return inner.name in ("ref", "string")
    return False


def trouble(owner: str, brain: Brain) -> str | None:
    """What is wrong with an owner."""
    declared = [document.kind for document in brain.named(owner) if document.kind is not None]
    if not declared:
        return "is no record"
    owning = brain.constraints.owner_kinds
    if owning is None or not owning.isdisjoint(declared):
        return None
    return f"is a {shown(declared[0])}: owners are of the kind {told(owning)}"


def told(kinds: frozenset[str]) -> str:
    """Some kinds in words."""
    listed = [shown(kind) for kind in sorted(kinds)[:MOST_KINDS]]
    return " or ".join(listed)


PERSON_HINT = "name the team's record by its id, as in `team:platform`; an address or handle belongs into that record"

CHECK = Check(
    "KB025",
    "invalid-owner",
    Severity.ERROR,
    "An owner that is no record, or of a kind that owns nothing",
    "name an owner by its id, as in `team:platform`, and add its record if there is none",
    of_brain=invalid_owner,
    needs_ontology=True,
    of_absence=True,
)
