"""One file of the brain: its documents, what the checks of single files and records say, and what it refers to."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.checks import CHECKS, Check, Fault, File, Reference, Secret
from kradle_ctx.checks.typed_values import typed_values, wanted_types
from kradle_ctx.documents import Declaration, FileDocuments, read_declarations
from kradle_ctx.model.constraints import Constraints, KindConstraints, ValueType
from kradle_ctx.model.findings import Confidence, Severity, Span
from kradle_ctx.redaction import Span as Hidden
from kradle_ctx.suppressions import Suppression, suppressions
from kradle_ctx.validation.places import Places

SpansOf = Callable[[str, Callable[[], bytes]], Sequence[Hidden]]
"""The spans of a blob's text that redaction hides; its bytes are read only where they are not known."""

MOST_FAULTS = 1_000
"""Faults of one document that one check tells; the last then says that there are more."""


class Placed(Struct, frozen=True, array_like=True):
    """A fault with its place in its file, whatever that is called."""

    check: str
    span: Span
    message: str
    key: str
    subject: str | None
    hint: str | None
    severity: Severity | None
    confidence: Confidence | None
    related: tuple[tuple[Span, str], ...]


class Inspection(Struct, frozen=True, array_like=True):
    """What follows from the content of a file alone; `references` are by the first line of their document."""

    faults: tuple[Placed, ...] = ()
    references: tuple[tuple[int, Reference], ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    secrets: tuple[Secret, ...] = ()


class Inspected(Struct, frozen=True, array_like=True):
    """A file that was read."""

    documents: FileDocuments
    inspection: Inspection


class Inspector:
    """Inspects files by what an ontology demands."""

    def __init__(self, constraints: Constraints, spans_of: SpansOf, checks: Sequence[Check] = CHECKS) -> None:
        self._constraints = constraints
        self._spans_of = spans_of
        self._of_file = [check for check in checks if check.of_file is not None]
        self._of_record = [check for check in checks if check.of_record is not None]
        self._naming = {name: naming_attributes(kind) for name, kind in constraints.kinds.items()}

    def __call__(self, path: str, blob: str, data: bytes) -> Inspected:
        """Read and inspect a file."""
        read = read_declarations(path, blob, data)
        text = data.decode(errors="replace")
        hidden = self._spans_of(blob, lambda: data)
        secrets = tuple(Secret(span.start, span.end, span.kind) for span in hidden)
        is_text = "\ufffd" not in text or is_utf8(data)
        file = File(path, text, read.declarations, read.faulty, secrets, is_text, read.others)
        found = list(all_placed(self._faults(file), Places(lambda path: text), read.declarations))
        references = [
            (declaration.document.line_start, reference)
            for declaration in read.declarations
            for reference in self._references_of(declaration)
        ]
        aside = tuple(suppressions(text, is_markdown=file.is_markdown))
        return Inspected(read.documents, Inspection(tuple(found), tuple(references), aside, secrets))

    def of_text(self, path: str, blob: str, data: bytes) -> Inspection:
        """What a file says that holds no records: its secrets, and what it sets aside."""
        text = data.decode(errors="replace")
        hidden = self._spans_of(blob, lambda: data)
        secrets = tuple(Secret(span.start, span.end, span.kind) for span in hidden)
        file = File(path, text, (), (), secrets)
        found = all_placed(self._faults(file), Places(lambda path: text))
        return Inspection(tuple(found), (), tuple(suppressions(text, is_markdown=file.is_markdown)), secrets)

    def _references_of(self, declaration: Declaration) -> Iterator[Reference]:
        yield from references_of(declaration, self._naming.get(declaration.document.kind or "", ()))
        has_any = wanted_types(self._constraints, names_records).of_edges
        for typed in typed_values(declaration, self._constraints, names_records) if has_any else ():
            if typed.edge is not None and typed.type.name == "ref" and isinstance(typed.value, str):
                yield Reference(typed.pointer, typed.type.values, typed.value, typed.edge)

    def _faults(self, file: File) -> Iterator[tuple[Check, Fault]]:
        for check in self._of_file:
            assert check.of_file is not None
            for fault in check.of_file(file, self._constraints):
                yield check, fault
        for declaration in file.declarations:
            for check in self._of_record:
                assert check.of_record is not None
                for fault in check.of_record(declaration, self._constraints):
                    yield check, fault


def all_placed(
    faults: Iterable[tuple[Check, Fault]], places: Places, declarations: Sequence[Declaration] = ()
) -> Iterator[Placed]:
    """Faults with their places; of each check up to a limit in each document, since not all may show all of a file."""
    starts = sorted(declaration.document.line_start for declaration in declarations)
    counts: Counter[tuple[str, int]] = Counter()
    for check, fault in faults:
        line = fault.where.document.line_start if fault.where.document is not None else fault.where.line
        stated = (check.id, bisect_right(starts, line))
        counts[stated] += 1
        if counts[stated] < MOST_FAULTS:
            yield placed(check, fault, places)
        elif counts[stated] == MOST_FAULTS:
            more = f"{fault.message}; there are more in this file, which are not listed"
            yield placed(check, replace(fault, message=more), places)


def is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def placed(check: Check, fault: Fault, places: Places) -> Placed:
    """A fault with its place."""
    return Placed(
        check.id,
        places.span(fault.where),
        fault.message,
        fault.key,
        fault.subject or (fault.where.document.id if fault.where.document is not None else None),
        fault.hint,
        fault.severity,
        fault.confidence,
        tuple((places.span(other.where), other.message) for other in fault.related),
    )


def naming_attributes(kind: KindConstraints) -> tuple[tuple[str, ValueType], ...]:
    """The attributes of a kind whose types hold a `ref`."""
    typed = ((attribute.name, attribute.type) for attribute in kind.attributes.values())
    return tuple((name, stated) for name, stated in typed if stated is not None and names_records(stated))


def references_of(declaration: Declaration, naming: Sequence[tuple[str, ValueType]]) -> Iterator[Reference]:
    """The typed attributes of a record that name others."""
    for name, stated in naming:
        yield from named_in(declaration.stated(name), stated, (name,))


def names_records(value_type: ValueType) -> bool:
    """Whether a type holds a `ref`."""
    return value_type.name == "ref" or any(names_records(inner) for inner in value_type.of)


def named_in(value: Any, value_type: ValueType, pointer: tuple[str | int, ...]) -> Iterator[Reference]:
    """What a value of a type names, with the pointer to each."""
    if value_type.name == "evidence-bound" and value_type.of:
        yield from named_in(value, value_type.of[0], pointer)
    elif value_type.name == "ref":
        if isinstance(value, str):
            yield Reference(pointer, value_type.values, value)
    elif value_type.name in ("list", "set") and isinstance(value, list) and value_type.of:
        for place, item in enumerate(value):
            yield from named_in(item, value_type.of[0], (*pointer, place))
    elif value_type.name == "map" and isinstance(value, dict) and value_type.of:
        for key, item in value.items():
            yield from named_in(item, value_type.of[-1], (*pointer, key))
