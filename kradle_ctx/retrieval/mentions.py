"""Notes that mention the id of a reached record: a tie that no edge states."""

from __future__ import annotations

import re

from kradle_ctx.model.graph import Form
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Searcher
from kradle_ctx.retrieval.grep import collect, patterns
from kradle_ctx.retrieval.traverse import Reach, Reached
from kradle_ctx.tokens import Term, fold
from kradle_ctx.view import View

MENTIONED = 64
"""Ids that are looked for, the nearest first."""

CONTINUED = re.compile(rb"[\w-]|[./:@]\w")
"""What follows an id that is only the beginning of a longer one."""


def with_mentions(view: View, reach: Reach, searcher: Searcher, redactor: BlobRedactor) -> Reach:
    """Add the notes that mention a reached record, one step farther than the record itself."""
    nearest = sorted((node.distance, key) for key, node in reach.nodes.items() if view.records(key))[:MENTIONED]
    ids = {fold(key): key for _, key in nearest}

    def id_at(data: bytes, start: int, end: int) -> str | None:
        continued = CONTINUED.match(data, end) or CONTINUED.match(data[max(0, start - 1) : start])
        return None if continued else ids.get(fold(data[start:end].decode(errors="replace")))

    terms = [Term(key, None, 1.0) for _, key in nearest]
    added: dict[str, Reached] = {}
    for number, match in collect(view, patterns(terms), searcher, redactor, id_at, len(terms)).documents.items():
        document = view.document(number)
        if document.form is Form.NOTE and match.terms and document.path not in reach.nodes:
            key = min(match.terms, key=lambda key: (reach.nodes[key].distance, key))
            node = reach.nodes[key]
            added[document.path] = Reached(node.distance + 1, (*node.breadcrumb, "<-mentions-", document.path))
    return Reach({**reach.nodes, **added}, reach.hubs)
