"""The graph index: every granted record, every edge that a granted document states, and how to find them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from kradle_ctx.index.connections import connections
from kradle_ctx.model.graph import Form
from kradle_ctx.model.versions import INDEXER_VERSION, RULES_VERSION

Edges = Sequence[tuple[str, str, str]]


class Entry(Struct, frozen=True):
    """What is told of a granted document: its place, and its texts as they may be shown, empty where it has none.

    `size` is its bytes. `extends` marks an addition of edges to another record.
    """

    form: Form
    extends: bool
    blob: str
    size: int
    line_start: int
    line_end: int
    sensitivity: str
    path: str
    title: str
    id: str
    kind: str
    status: str
    updated_at: str
    owners: tuple[str, ...]
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    repo_refs: tuple[str, ...]
    source_refs: tuple[str, ...]
    edges: tuple[tuple[str, str, str], ...]

    @property
    def is_record(self) -> bool:
        """Whether the document declares a record: a note has no id, and an addition of edges another's."""
        return bool(self.id) and not self.extends


def graph_index(head: Mapping[str, Any], entries: Sequence[Entry], skipped: int) -> dict[str, Any]:
    """The document; `head` are the fields that both derived files begin with. Records and edges are iterators."""
    records = sorted(filter(lambda entry: entry.is_record, entries), key=record_order)
    edges = sorted({edge for entry in entries for edge in entry.edges})
    return {
        "apiVersion": head["apiVersion"],
        "kind": "AgentMemoryGraphIndex",
        **{name: value for name, value in head.items() if name != "apiVersion"},
        "versions": {"indexer": INDEXER_VERSION, "rules": RULES_VERSION},
        "stats": stats(entries, records, edges, skipped),
        "records": map(record_value, records),
        "edges": ({"source": source, "kind": kind, "target": target} for source, kind, target in edges),
        "pathIndex": found_by((entry.path, entry.id) for entry in records),
        "ownerIndex": found_by((owner, entry.id) for entry in records for owner in entry.owners),
        "repoIndex": found_by((repo, entry.id) for entry in records for repo in entry.repo_refs),
        "tagIndex": found_by((tag, entry.id) for entry in records for tag in entry.tags),
    }


def record_order(entry: Entry) -> tuple[str, str, int]:
    """Records by id; the declarations of one by path and line."""
    return entry.id, entry.path, entry.line_start


def record_value(entry: Entry) -> dict[str, Any]:
    """A record as it is written; what it does not state is left out."""
    value: dict[str, Any] = {
        "id": entry.id,
        "kind": entry.kind,
        "title": entry.title,
        "path": entry.path,
        "lineStart": entry.line_start,
        "lineEnd": entry.line_end,
        "blob": entry.blob,
        "sensitivity": entry.sensitivity,
    }
    stated = {
        "status": entry.status,
        "updatedAt": entry.updated_at,
        "owners": entry.owners,
        "aliases": entry.aliases,
        "tags": entry.tags,
        "repoRefs": entry.repo_refs,
        "sourceRefs": entry.source_refs,
    }
    return value | {name: field for name, field in stated.items() if field}


def found_by(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Sorted ids under sorted names."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, record_id in pairs:
        found[name].add(record_id)
    return {name: sorted(found[name]) for name in sorted(found)}


def stats(entries: Sequence[Entry], records: Sequence[Entry], edges: Edges, skipped: int) -> dict[str, Any]:
    """Counts over what is granted alone."""
    forms = Counter(entry.form.value for entry in entries)
    return {
        "documents": {form.value: forms[form.value] for form in Form},
        "records": dict(sorted(Counter(entry.kind for entry in records).items())),
        "edges": dict(sorted(Counter(kind for _, kind, _ in edges).items())),
        "files": len({entry.path for entry in entries}),
        "skipped": skipped,
        **connections(names_of(records), edges),
    }


def names_of(records: Sequence[Entry]) -> dict[str, str]:
    """The ids and aliases of records, each with the id; an id wins over an alias, and of two the first."""
    names = {alias: entry.id for entry in reversed(records) for alias in entry.aliases}
    return names | {entry.id: entry.id for entry in records}
