"""What the files of an ontology declare, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kradle_ctx.checks.check import Where, at_file
from kradle_ctx.ontology import OntologyFile
from kradle_ctx.yamldoc.places import Pointer, ValuePlace, value_places


class DeclaredKind(NamedTuple):
    """One declaration of a node kind or an edge kind: what it says, and where its name stands."""

    name: str
    fields: Mapping[str, Any]
    file: OntologyFile
    pointer: Pointer


def declared_kinds(files: Sequence[OntologyFile], field: str) -> Iterator[DeclaredKind]:
    """The declarations below `nodeKinds` or `edgeKinds`, in the forms that an ontology is read in."""
    for file in files:
        value = file.value.get(field) if isinstance(file.value, dict) else None
        if isinstance(value, dict):
            for name, fields in value.items():
                yield DeclaredKind(name, fields if isinstance(fields, dict) else {}, file, (field, name))
        elif isinstance(value, list):
            for place, entry in enumerate(value):
                if isinstance(entry, str):
                    yield DeclaredKind(entry, {}, file, (field, place))
                elif isinstance(entry, dict) and isinstance(entry.get("name"), str):
                    yield DeclaredKind(entry["name"], entry, file, (field, place, "name"))


class OntologyPlaces:
    """The places of values in the files of an ontology; a file is taken apart where something is wrong in it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, Mapping[Pointer, ValuePlace]]] = {}

    def where(self, file: OntologyFile, *pointer: str | int, key: bool = False) -> Where:
        """Where a value stands, or its key; else the nearest that holds it."""
        text, places = self._of(file)
        found = places.get(pointer)
        while found is None and pointer:
            pointer, key = pointer[:-1], True
            found = places.get(pointer)
        if found is None:
            return at_file(file.path)
        is_key = found.has_key and (key or found.scalar is None)
        at, end = (found.key_start, found.key_end) if is_key else (found.start, found.end)
        first_line = text[at:end].partition("\n")[0].rstrip("\r")
        return at_file(file.path, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), len(first_line))

    def of(self, kind: DeclaredKind, *below: str | int) -> Where:
        """Where the name of a kind stands, or something that is stated of it."""
        if below and (*kind.pointer[:2], *below) in self._of(kind.file)[1]:
            return self.where(kind.file, *kind.pointer[:2], *below)
        return self.where(kind.file, *kind.pointer, key=len(kind.pointer) == 2 and isinstance(kind.pointer[1], str))

    def _of(self, file: OntologyFile) -> tuple[str, Mapping[Pointer, ValuePlace]]:
        if file.path not in self._known:
            # The byte order mark is no character of a line.
            text = (file.data or b"").decode(errors="replace").removeprefix("\ufeff")
            self._known[file.path] = (text, value_places(text))
        return self._known[file.path]
