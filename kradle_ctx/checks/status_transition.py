"""KB043: a status that may not follow the one before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kradle_ctx.checks.check import Brain, Check, Fault, at_field
from kradle_ctx.checks.names import listed, quoted
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document


def status_transition(brain: Brain) -> Iterator[Fault]:
    """Records whose status the rules do not allow after that of the base.

    Nothing is said of a status that the rules do not name, nor where the base has several that differ.
    """
    transitions, base = brain.constraints.transitions, brain.base
    if transitions is None or base is None:
        return
    named = frozenset(transitions).union(*transitions.values())
    for document in brain.documents():
        if document.id is not None and not document.extends and document.status in named:
            before = status_before(document, base)
            following = transitions.get(before or "")
            if following is not None and document.status not in (before, *following):
                yield fault(document, before or "", following)


def status_before(document: Document, base: Brain) -> str | None:
    """The status of a record at the base: that of the declaration at its path, else the only one."""
    declared = base.declaring(document.id or "")
    here = [other for other in declared if other.path == document.path]
    found = {other.status for other in here or declared}
    return found.pop() if len(found) == 1 else None


def fault(document: Document, before: str, following: Sequence[str]) -> Fault:
    """A finding of a status."""
    allowed = frozenset(following)
    return Fault(
        at_field(document, "status"),
        f"the status was {quoted(before)}, and {quoted(document.status or '')} may not follow it",
        key=f"{before} {document.status}",
        hint=f"after {quoted(before)} comes {listed(allowed)}" if allowed else f"{quoted(before)} is the last status",
    )


CHECK = Check(
    "KB043",
    "status-transition",
    Severity.ERROR,
    "A status that may not follow the one before",
    "take a status that may follow, or let the rules allow this one",
    of_brain=status_transition,
    needs_ontology=True,
    needs_base=True,
)
