"""KB012: a document that extends no record, or says more than it may."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Brain, Check, Fault, at_field
from kradle_ctx.checks.missing_field import EMPTY
from kradle_ctx.checks.names import quoted
from kradle_ctx.documents import Declaration, name
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document
from kradle_ctx.yamldoc import shown

EXTENDS = "extendsNode"


def extends_wrongly(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """An `extendsNode` that names no id, and attributes beside it, which are read nowhere."""
    if EXTENDS not in declaration.value:
        return
    document, extended = declaration.document, declaration.value[EXTENDS]
    if not isinstance(extended, dict) or name(extended.get("id")) is None:
        hint = "name it as in `extendsNode: {id: 'service:web', nodeKind: Service}`"
        yield Fault(at_field(document, EXTENDS), "`extendsNode` names no record by its `id`", key=EXTENDS, hint=hint)
    if declaration.value.get("attributes") not in EMPTY:
        yield Fault(
            at_field(document, "attributes", key=True),
            "a document that extends a record adds edges alone: these attributes are not read",
            key="attributes",
            hint="state them where the record is declared",
        )


def extends_nothing(document: Document, brain: Brain) -> Iterator[Fault]:
    """An extended id that no record declares, or that is of another kind."""
    if not document.extends or document.id is None:
        return
    declared = brain.declaring(document.id)
    kinds = {other.kind for other in declared}
    if not declared:
        known = next((other.id for other in brain.named(document.id) if other.id is not None), None)
        hint = f"it is an alias: name {quoted(known)}" if known is not None else None
        yield Fault(
            at_field(document, EXTENDS, "id"),
            f"`extendsNode` names {quoted(document.id)}, which no record declares",
            key="id",
            hint=hint,
        )
    elif document.kind is not None and document.kind not in kinds:
        stated = shown(declared[0].kind or "")
        yield Fault(
            at_field(document, EXTENDS, "nodeKind"),
            f"{quoted(document.id)} is of the kind {stated}, and not {shown(document.kind)}",
            key="nodeKind",
            hint=f"write {stated}",
        )


CHECK = Check(
    "KB012",
    "extends-nothing",
    Severity.ERROR,
    "A document that extends no record, or says more than it may",
    "name the id of a record, or declare it",
    of_record=extends_wrongly,
    of_document=extends_nothing,
    of_absence=True,
)
