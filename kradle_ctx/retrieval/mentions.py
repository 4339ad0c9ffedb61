"""Notes that mention the id of a reached record: a tie that no edge states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.graph import Form
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Searcher
from kradle_ctx.retrieval.grep import BlobReader, collect, patterns
from kradle_ctx.retrieval.traverse import Reach, Reached
from kradle_ctx.retrieval.words import hides
from kradle_ctx.tokens import Term, fold
from kradle_ctx.view import View

MENTIONED = 64
"""Ids that are looked for, the nearest first."""

CONTINUED = lazy_expression(rb"[\w-]|[./:@]\w")
"""What follows an id that is only the beginning of a longer one."""


def with_mentions(view: View, reach: Reach, searcher: Searcher, redactor: BlobRedactor) -> Reach:
    """Add the notes that mention a reached record, one step farther than the record itself."""
    nearest = sorted((node.distance, key) for key, node in reach.nodes.items() if view.records(key))[:MENTIONED]
    ids = {fold(key): key for _, key in nearest}
    candidates = {name: view.mentioning(name) for name in ids}
    redactor.expect({view.outline(number).blob for notes in candidates.values() for number in notes or ()})
    reader, found = BlobReader(view, redactor), defaultdict[int, set[str]](set)
    for name, notes in candidates.items():
        for number, certain in (notes or {}).items():
            # Where nothing of a note is hidden, a mention is one, and its text need not be read.
            if (certain and not hides(view, number, redactor)) or mentions(view, reader, number, name.encode()):
                found[number].add(ids[name])
    searched = {name: ids[name] for name, notes in candidates.items() if notes is None}
    for number, keys in search_mentions(view, searched, searcher, redactor).items():
        found[number].update(keys)
    added: dict[str, Reached] = {}
    for number in sorted(found):
        path = view.outline(number).path
        if path not in reach.nodes:
            key = min(found[number], key=lambda key: (reach.nodes[key].distance, key))
            node = reach.nodes[key]
            added[path] = Reached(node.distance + 1, (*node.breadcrumb, "<-mentions-", path))
    return Reach({**reach.nodes, **added}, reach.hubs)


def mentions(view: View, reader: BlobReader, number: int, name: bytes) -> bool:
    """Whether a note mentions an id, given in small ASCII letters, where redaction hides nothing of it."""
    data = reader.read(view.document(number))
    text, at = data.lower(), -1
    while (at := text.find(name, at + 1)) >= 0:
        if stands(data, at, at + len(name)) and not reader.hides(at, at + len(name)):
            return True
    return False


def stands(data: bytes, start: int, end: int) -> bool:
    """Whether a text that was found is no part of a longer word."""
    return CONTINUED.match(data, end) is None and CONTINUED.match(data[max(0, start - 1) : start]) is None


def search_mentions(
    view: View, ids: Mapping[str, str], searcher: Searcher, redactor: BlobRedactor
) -> dict[int, set[str]]:
    """The ids that notes mention, by a search of all text; ids are given by their folded form."""

    def id_at(data: bytes, start: int, end: int) -> str | None:
        return ids.get(fold(data[start:end].decode(errors="replace"))) if stands(data, start, end) else None

    if not ids:
        return {}
    terms = [Term(key, None, 1.0) for key in ids.values()]
    matches = collect(view, patterns(terms), searcher, redactor, id_at, len(terms)).documents
    return {
        number: set(match.counts)
        for number, match in matches.items()
        if match.counts and view.document(number).form is Form.NOTE
    }
