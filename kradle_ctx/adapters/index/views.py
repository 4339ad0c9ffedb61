"""The view of one tree: which documents it holds, in which order, and what can be said of it as a whole."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.json import decode
from msgspec.structs import astuple

from kradle_ctx.adapters.index.rows import checksum, written
from kradle_ctx.digest import Digest
from kradle_ctx.model.graph import Skipped
from kradle_ctx.model.ontology import EdgeKind, NodeKind, Ontology

NUMBERS = "I"
"""Array type of document numbers: four bytes."""

ABSENT = 0xFFFFFFFF
"""The place of a document that a view does not hold."""


class Base(Struct, frozen=True):
    """The view that another one was made from, by the name of its index, and the documents that went and came."""

    name: str
    duplicates: tuple[str, ...]
    gone: tuple[int, ...]
    come: tuple[int, ...]


class StoredView(Struct, frozen=True):
    """A tree as it was indexed.

    `documents` are the numbers of its documents in path and line order, and `places` the place in that order of every
    document of the store up to the last of them. `listed` is what the listing skipped, `unread` what could not be read
    of files. `entries`, `text` and `duplicates` are counts, bytes of readable files, and ids declared more than once.
    """

    tree: str
    ontology_path: str
    documents: array[int]
    places: array[int]
    ontology: Ontology
    listed: tuple[Skipped, ...]
    unread: tuple[Skipped, ...]
    entries: int
    text: int
    duplicates: tuple[str, ...]
    base: Base | None = None

    def place(self, number: int) -> int | None:
        """Where a document stands in the order, None when the view does not hold it."""
        place = self.places[number] if number < len(self.places) else ABSENT
        return place if place != ABSENT else None


def places_of(documents: Sequence[int]) -> array[int]:
    """The place of every document in the order."""
    places = array(NUMBERS, [ABSENT]) * (max(documents, default=-1) + 1)
    for place, number in enumerate(documents):
        places[number] = place
    return places


def read_view(connection: sqlite3.Connection, tree: str, ontology_path: str) -> StoredView | None:
    """The view of a tree, None when it was never indexed."""
    row = connection.execute(
        "SELECT facts, documents, places FROM views WHERE tree = ? AND ontology_path = ?", (tree, ontology_path)
    ).fetchone()
    if row is None:
        return None
    facts = decode(row[0])
    documents, places = array(NUMBERS), array(NUMBERS)
    documents.frombytes(row[1])
    places.frombytes(row[2])
    return StoredView(
        tree,
        ontology_path,
        documents,
        places,
        ontology_from(facts["ontology"]),
        tuple(Skipped(*entry) for entry in facts["listed"]),
        tuple(Skipped(*entry) for entry in facts["unread"]),
        facts["entries"],
        facts["text"],
        tuple(facts["duplicates"]),
        Base(*facts["base"]) if facts["base"] else None,
    )


def view_row(view: StoredView, made: int) -> tuple[Any, ...]:
    """A view as a row of its table."""
    facts = {
        "ontology": ontology_value(view.ontology),
        "listed": [skipped_value(entry) for entry in view.listed],
        "unread": [skipped_value(entry) for entry in view.unread],
        "entries": view.entries,
        "text": view.text,
        "duplicates": view.duplicates,
        "base": astuple(view.base) if view.base is not None else None,
    }
    columns = (view.tree, view.ontology_path, made, written(facts), view.documents.tobytes(), view.places.tobytes())
    return (*columns, checksum(*columns))


def skipped_value(entry: Skipped) -> list[Any]:
    """What could not be read, as JSON."""
    return [entry.path, entry.reason, entry.line, entry.read]


def ontology_value(ontology: Ontology) -> dict[str, Any]:
    """An ontology as JSON."""
    return {
        "origin": ontology.origin,
        "digest": str(ontology.digest),
        "nodes": [[kind.name, kind.prefix, kind.required] for kind in ontology.node_kinds.values()],
        "edges": [
            [kind.name, kind.sources, kind.targets, kind.inverse, kind.alias_of]
            for kind in ontology.edge_kinds.values()
        ],
        "paths": ontology.paths,
        "faults": ontology.faults,
    }


def ontology_from(value: dict[str, Any]) -> Ontology:
    """An ontology from its JSON."""
    nodes = [NodeKind(name, prefix, tuple(required)) for name, prefix, required in value["nodes"]]
    edges = [
        EdgeKind(name, tuple(sources), tuple(targets), inverse, alias)
        for name, sources, targets, inverse, alias in value["edges"]
    ]
    return Ontology(
        value["origin"],
        Digest(value["digest"]),
        {kind.name: kind for kind in nodes},
        {kind.name: kind for kind in edges},
        tuple(value["paths"]),
        tuple(value["faults"]),
    )


def by_path(entries: Iterable[Skipped]) -> list[Skipped]:
    """Entries in path-byte order, those of a file as they were."""
    return sorted(entries, key=lambda entry: entry.path.encode("utf-8", "surrogateescape"))
