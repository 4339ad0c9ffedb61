"""KB013: a kind that the ontology does not have."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Check, Fault, at_field
from kradle_ctx.checks.missing_field import EMPTY
from kradle_ctx.checks.names import listed, quoted
from kradle_ctx.checks.nearest import nearest
from kradle_ctx.documents import Declaration, name
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Form
from kradle_ctx.yamldoc import shown


def unknown_node_kind(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """The kind of a record that no ontology file declares; where none declares any, all are known."""
    document = declaration.document
    key = "nodeKind" if document.form is Form.GRAPH else "kind"
    stated = declaration.value.get(key)
    if stated in EMPTY or declaration.value.get("id") in EMPTY or not constraints.kinds:
        return  # KB020 tells what is missing; of an `extendsNode` both are
    kind = name(stated)
    if kind is None:
        yield Fault(at_field(document, key), f"`{key}` is no name of a kind", key=key, hint="name one kind")
    elif kind not in constraints.kinds:
        hint = meant(kind, document.id, constraints)
        yield Fault(at_field(document, key), f"the ontology has no kind {shown(kind)}", key=kind, hint=hint)


def meant(kind: str, record: str | None, constraints: Constraints) -> str | None:
    """Which kind was probably meant: ids tell by their prefix, and spelling tells where no kind has that prefix."""
    prefix, colon, _ = (record or "").partition(":")
    sharing = frozenset(each.name for each in constraints.kinds.values() if colon and each.prefix == prefix)
    near = nearest(kind, sorted(sharing) or constraints.kinds)
    if near is not None:
        return f"did you mean {quoted(near)}?"
    return f"ids that begin with {quoted(prefix + colon)} are of the kind {listed(sharing)}" if sharing else None


CHECK = Check(
    "KB013",
    "unknown-node-kind",
    Severity.ERROR,
    "A kind that the ontology does not have",
    "correct the kind, or add it to the ontology",
    of_record=unknown_node_kind,
    needs_ontology=True,
)
