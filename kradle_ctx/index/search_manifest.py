"""The search manifest: which granted files text search looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kradle_ctx.digest import digest_bytes
from kradle_ctx.index.graph_index import Entry
from kradle_ctx.model.graph import Form
from kradle_ctx.model.versions import INDEXER_VERSION, RULES_VERSION, TOKENIZER


def search_manifest(head: Mapping[str, Any], entries: Sequence[Entry], graph: bytes) -> dict[str, Any]:
    """The document; `graph` is the graph index that it goes with."""
    files = searchable(entries)
    return {
        "apiVersion": head["apiVersion"],
        "kind": "AgentMemorySearchManifest",
        **{name: value for name, value in head.items() if name != "apiVersion"},
        "versions": {"indexer": INDEXER_VERSION, "rules": RULES_VERSION, "tokenizer": TOKENIZER},
        "graphIndexDigest": digest_bytes(graph),
        "totals": {"files": len(files), **{name: sum(row[name] for row in files) for name in ("documents", "bytes")}},
        "files": files,
    }


def searchable(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """The files in path order; documents and bytes are of what is granted of each."""
    files: dict[tuple[str, str], dict[str, Any]] = {}
    for entry in entries:
        if not entry.extends and entry.form is not Form.ONTOLOGY:
            new = {"path": entry.path, "blob": entry.blob, "documents": 0, "bytes": 0}
            row = files.setdefault((entry.path, entry.blob), new)
            row["documents"] += 1
            row["bytes"] += entry.size
    return [files[key] for key in sorted(files)]
