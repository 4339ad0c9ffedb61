"""Reads resources from texts: one or more YAML documents each, checked before anything is made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.bundle import API_VERSION
from kradle_ctx.model.resources import Resources
from kradle_ctx.resources.build import BUILDERS
from kradle_ctx.resources.place import Place, shown
from kradle_ctx.resources.redaction import faulty_patterns
from kradle_ctx.yamldoc import read_documents

MOST_CHARACTERS = 1 << 20
"""A text of resources is refused beyond this length: a thousand grants take a tenth of it."""


def read_resources(texts: Iterable[tuple[str, str]]) -> Resources:
    """Read every resource of the texts, each given with a name for messages.

    A text holds one or more YAML documents; null ones are skipped. Anything else that is not a valid resource of
    a known kind, and a resource that is given twice (kind, organisation and name), raises `RESOURCE_INVALID` with
    `file:line` and the field. Nothing is read in part.
    """
    found: dict[str, list[Any]] = defaultdict(list)
    places: dict[tuple[str, str, str], Place] = {}
    for place, document in documents_of(texts):
        check(place, document)
        kind = document["kind"]
        field, build = BUILDERS[kind]
        resource = build(document)
        first = places.setdefault((kind, resource.organization, resource.name), place)
        if first is not place:
            raise invalid(place, f"{kind} {resource.name} is given twice, first at {first}", "remove one of the two")
        found[field].append(resource)
    return Resources(**{field: tuple(resources) for field, resources in found.items()})


def documents_of(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[Place, Any]]:
    """Every document that is not null, with its place; the first fault of YAML ends it."""
    for name, text in texts:
        if len(text) > MOST_CHARACTERS:
            raise invalid(Place(name, 1, text), f"the file is longer than {MOST_CHARACTERS} characters", "split it")
        for document in read_documents(text):
            place = Place(name, document.line_start, text, document.line_end)
            if document.fault is not None:
                at = Place(name, document.fault.line, text)
                raise invalid(at, shown(document.fault.message), "correct the YAML")
            if document.value is not None:
                yield place, document.value


def check(place: Place, document: Any) -> None:
    """Raise `RESOURCE_INVALID` unless the document is a valid resource of a known kind."""
    from kradle_ctx.resources.schema import field_name, schema_faults

    if not isinstance(document, Mapping):
        raise invalid(place, "a resource must be a mapping with apiVersion, kind, metadata and spec", "see schemas/")
    if document.get("apiVersion") != API_VERSION:
        raise invalid(place, f"apiVersion: must be {API_VERSION}", f"write apiVersion: {API_VERSION}", ("apiVersion",))
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in BUILDERS:
        raise invalid(place, f"kind: must be one of {', '.join(BUILDERS)}", "leave other resources out", ("kind",))
    faults = schema_faults(kind, document)
    if faults:
        others = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        field = f"{faults[0].field}: " if faults[0].field else ""
        hint = f"see schemas/{kind}.schema.json"
        raise invalid(place, f"{field}{faults[0].message}{others}", hint, faults[0].line_path)
    for path in faulty_patterns(document):
        raise invalid(place, f"{field_name(path)}: must be an RE2 expression", "see re2.readthedocs.io/syntax", path)


def invalid(place: Place, message: str, hint: str, path: tuple[str | int, ...] = ()) -> KradleError:
    """The error for a fault at a place, or at a field of the document there."""
    line = place.line_of(path)
    return KradleError(ErrorCode.RESOURCE_INVALID, f"{place.file}:{line}: {message}", hint, file=place.file, line=line)
