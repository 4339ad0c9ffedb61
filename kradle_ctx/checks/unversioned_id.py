"""KB015: an id without the version that it must have."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Check, Fault, at_field
from kradle_ctx.documents import Declaration
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.yamldoc import shown

VERSION = lazy_expression(
    r"current|latest|next|[0-9]+\.x(?:\.x)?|[0-9]+\.[0-9]+\.x|[0-9]+\.[0-9]+\.[0-9]+(?:-[A-Za-z0-9_.]+)?"
)
"""The forms of rule V-1.10 of the Atlas ontology."""

FORMS = "`current`, `latest`, `next`, `1.x`, `1.2.x` or `1.2.3`"


def unversioned_id(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """An id of a versioned kind without a version, or with none that can be told; and any that ends in `@`."""
    record = declaration.document.id
    if record is None or declaration.document.extends:
        return
    _, separator, version = record.rpartition("@")
    kind = constraints.kinds.get(declaration.document.kind or "")
    if separator and not version:
        message = f"the id {shown(record)} has no version behind its `@`"
    elif kind is None or not kind.versioned:
        return
    elif not separator:
        message = f"the id {shown(record)} must name a version, like that of every {shown(kind.name)}"
    elif VERSION.fullmatch(version) is None:
        message = f"the id {shown(record)} must name a version, and {shown(version)} is none"
    else:
        return
    yield Fault(at_field(declaration.document, "id"), message)


CHECK = Check(
    "KB015",
    "unversioned-id",
    Severity.ERROR,
    "An id without the version that it must have",
    f"end it in `@` and a version: {FORMS}",
    of_record=unversioned_id,
    needs_ontology=True,
)
