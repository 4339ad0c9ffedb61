"""KB010: an id that more than one document declares."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_field
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document
from kradle_ctx.yamldoc import shown

MOST_PLACES = 20
"""Other declarations that a finding names."""


MOST_DECLARATIONS = 100
"""Declarations of one id that are told."""


def duplicate_id(document: Document, brain: Brain) -> Iterator[Fault]:
    """Each declaration of an id but the first; where the layout profile merges, those that disagree are KB011."""
    if document.id is None or document.extends or brain.merges:
        return
    declared = brain.declaring(document.id)
    if len(declared) < 2 or (declared[0].path, declared[0].start) == (document.path, document.start):
        return
    if all((other.path, other.start) != (document.path, document.start) for other in declared[:MOST_DECLARATIONS]):
        return
    others = [
        other for other in declared[: MOST_PLACES + 1] if (other.path, other.start) != (document.path, document.start)
    ]
    yield Fault(
        at_field(document, "id"),
        f"{shown(document.id)} is declared more than once: first in {declared[0].path}",
        related=tuple(Elsewhere(at_field(other, "id"), "declared here, too") for other in others[:MOST_PLACES]),
    )


CHECK = Check(
    "KB010",
    "duplicate-id",
    Severity.ERROR,
    "An id that more than one document declares",
    "give one of them another id, or join them; all are left out of every answer until then",
    of_document=duplicate_id,
)
