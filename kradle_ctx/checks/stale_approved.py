"""KB061: an approved record that was not looked at for long."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Brain, Check, Fault, at_field
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import APPROVED_STATUSES, Document
from kradle_ctx.model.timestamps import lenient_instant
from kradle_ctx.model.trust import RUN_KINDS


def stale_approved(document: Document, brain: Brain) -> Iterator[Fault]:
    """An approved record that was last updated too long before the commit; what tells of a run does not age."""
    if document.updated_at is None or document.status not in APPROVED_STATUSES or document.kind in RUN_KINDS:
        return
    instant = lenient_instant(document.updated_at)
    if document.id is None or instant is None:
        return
    days = (brain.moment - instant).days
    if days > brain.constraints.stale_after_days:
        yield Fault(at_field(document, "updatedAt"), f"this is {document.status}, and was last updated {days} days ago")


CHECK = Check(
    "KB061",
    "stale-approved",
    Severity.WARNING,
    "An approved record that was not looked at for long",
    "look whether it still holds: then update `updatedAt`, else change it, or its status",
    of_document=stale_approved,
)
