"""View + Request -> Hits: traverse from the seeds, and grep what was reached and what matches by text."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct, field

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import path_pattern
from kradle_ctx.model.graph import APPROVED_STATUSES, Document, Form
from kradle_ctx.model.hits import Evidence, Hit, Hits, Omitted
from kradle_ctx.model.request import WHOLE_MODES, QueryMode, Request
from kradle_ctx.model.resources import Association
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Searcher
from kradle_ctx.redaction.spans import marker
from kradle_ctx.render.escape import escape_line
from kradle_ctx.retrieval.matches import TextMatch, TextMatches
from kradle_ctx.retrieval.mentions import with_mentions
from kradle_ctx.retrieval.search import search_expression, search_text
from kradle_ctx.retrieval.seeds import Seed, Tie, seeds_from_refs, seeds_from_words, source_keys, ties
from kradle_ctx.retrieval.supersession import Replacements
from kradle_ctx.retrieval.traverse import Fringe, Reach, traverse
from kradle_ctx.tokens import fold, is_literal, query_terms
from kradle_ctx.view import View

UNMATCHED_LIMIT, FEWEST_UNMATCHED = 400, 40
"""So many records are kept that were reached without a text match, the nearest, fewer by each that has one.

The farthest are left out, but not below the second number.
"""


NO_MATCH = TextMatch()
"""What text search found in a document that it did not find."""


class Findings(Struct, frozen=True):
    """What the parts of retrieval found, by document number."""

    text: dict[int, TextMatch]
    reach: Reach
    ties: dict[int, Tie]
    selected: set[int]
    stems: Mapping[str, str] = field(default_factory=dict)
    truncated: bool = False


def retrieve(
    view: View, request: Request, associations: Iterable[Association], *, searcher: Searcher, redactor: BlobRedactor
) -> Hits:
    """Find every document that a request could mean, with the evidence for each; nothing is ordered or cut by size.

    A match inside text that redaction removes is no match.
    """

    require_question(request)
    selected = selected_documents(view, request)
    if request.query_mode in WHOLE_MODES:
        found = Findings({}, Reach({}, ()), {}, selected)
    else:
        found = find(view, request, tuple(associations), searcher, redactor, selected)
    replacements = Replacements(view)
    chosen = candidates(view, found, replacements)
    numbers = [number for number in chosen if wanted(view, number, request, selected)]
    kept = nearest(numbers, view, found)
    replacements.expect(record_id for number in kept if (record_id := view.outline(number).id) is not None)
    hits = tuple(hit(view, number, found, replacements) for number in kept)
    left_out = [view.outline(number) for number in sorted(set(numbers) - set(kept))]
    dropped = tuple(Omitted(document.key, "too-far", document.size) for document in left_out)
    return Hits(hits, dropped, warnings(view, found), found.stems)


def require_question(request: Request) -> None:
    """Raise when nothing is asked; without a query, source refs make a graph question, and a selection is one, too."""
    if request.query_mode is QueryMode.ONTOLOGY_VALIDATION:
        return
    if request.query_mode is QueryMode.DOCUMENT_READ and not request.select:
        raise KradleError(ErrorCode.USAGE, "document-read reads what is selected, and nothing is", "give --select ITEM")
    if not (request.query or request.select or any(request.source_refs.values())):
        raise KradleError(
            ErrorCode.USAGE,
            "nothing is asked: there is no query, no source ref and no selection",
            'give --query "..." or say what the run is about, such as --repo NAME',
        )


def selected_documents(view: View, request: Request) -> set[int]:
    """The documents selected by id or path; one that is absent and one that is denied give the same error."""
    numbers: set[int] = set()
    for name in request.select:
        named = [*view.named(name), *view.at_path(name)]
        if not named:
            raise KradleError(
                ErrorCode.MEMORY_ITEM_UNAVAILABLE,
                f"{escape_line(name)} is not available at this commit",
                "check the id or path; it may be absent, or outside what the grants allow",
                item=name,
            )
        numbers.update(named)
    return numbers


def find(
    view: View,
    request: Request,
    associations: tuple[Association, ...],
    searcher: Searcher,
    redactor: BlobRedactor,
    selected: set[int],
) -> Findings:
    """Search, then tie and traverse, as far as the query mode goes."""
    matches = text_matches(view, request, searcher, redactor)
    text = matches.documents
    if request.query_mode is QueryMode.GREP_ONLY:
        return Findings(text, Reach({}, ()), {}, selected, matches.stems, matches.truncated)
    keys = source_keys(request)
    seeds = list(seeds_from_refs(view, keys))
    tied: dict[int, Tie] = {}
    for tie in ties(view, request, keys, associations):
        if tie.number not in tied or tie.rank < tied[tie.number].rank:
            tied[tie.number] = tie
    seeds.extend(Seed(tie.breadcrumb[-1], 0, tie.breadcrumb) for tie in tied.values() if tie.rank == 0)
    seeds.extend(seeds_from_words(view, text, 1 if keys else 0))
    matched = {view.outline(number).key for number in (*text, *tied, *selected)}

    def asked_for(key: str) -> bool:
        return any(wanted(view, number, request, selected) for number in view.records(key) or view.at_path(key))

    reach = traverse(view, seeds, request.edge_depth, Fringe(matched, asked_for, most_unmatched(text)))
    if request.query_mode is QueryMode.GRAPH_AND_GREP and request.edge_depth:
        reach = with_mentions(view, reach, searcher, redactor)
    return Findings(text, reach, tied, selected, matches.stems, matches.truncated)


def text_matches(view: View, request: Request, searcher: Searcher, redactor: BlobRedactor) -> TextMatches:
    """Text matches by document; none for a request that has no query."""
    query = searched(request)
    if not query.strip():
        return TextMatches()
    structured = request.query_mode is QueryMode.GRAPH_ONLY
    if request.regex:
        return search_expression(view, query, searcher, redactor, structured)
    return search_text(view, query_terms(query), searcher, redactor, structured)


def searched(request: Request) -> str:
    """The query as it is searched: the marker of a redaction is no word, and in an expression no set of characters."""
    query = request.query
    for kind in request.query_redactions:
        query = query.replace(marker(kind), re.escape(marker(kind)) if request.regex else " ")
    return query


def candidates(view: View, found: Findings, replacements: Replacements) -> Sequence[int]:
    """Every document that anything found, and the approved replacements of those that are superseded."""
    numbers = {*found.text, *found.ties, *found.selected}
    view.expect(found.reach.nodes)
    for key in found.reach.nodes:
        numbers.update(view.records(key) or view.at_path(key))
    ids = [record_id for number in found.text if (record_id := view.outline(number).id) is not None]
    replacements.expect(ids)
    current = {replacement for record_id in ids if (replacement := replacements.of(record_id)) is not None}
    numbers.update(number for record_id in current for number in view.records(record_id))
    view.expect_outlines(numbers)
    return sorted(numbers)


def wanted(view: View, number: int, request: Request, selected: Container[int]) -> bool:
    """Whether the request's own narrowing keeps a document; what was selected by name is always kept."""
    if number in selected:
        return True
    document = view.outline(number)
    if document.form is Form.ONTOLOGY:
        return False
    if request.query_mode is QueryMode.GRAPH_ONLY and document.form is Form.NOTE:
        return False
    if request.query_mode is QueryMode.GREP_ONLY and document.form is Form.GRAPH:
        return False
    if request.kinds and document.kind is not None and document.kind not in request.kinds:
        return False
    included = request.include_paths
    if included and not any(path_pattern(pattern).fullmatch(document.path) for pattern in included):
        return False
    filters = request.filter
    narrowed = filters.owners or filters.statuses or filters.tags or filters.edges
    return not narrowed or passes_filter(view.document(number), request)


def passes_filter(document: Document, request: Request) -> bool:
    """Whether each filter list that is not empty names one of the document's own values."""
    filters = request.filter
    edge_kinds = [edge.kind for edge in document.edges]
    status = [document.status] if document.status is not None else []
    pairs = (
        (filters.owners, document.owners),
        (filters.statuses, status),
        (filters.tags, document.tags),
        (filters.edges, edge_kinds),
    )
    return all(not asked or any(value in asked for value in values) for asked, values in pairs)


def nearest(numbers: Sequence[int], view: View, found: Findings) -> list[int]:
    """All documents with evidence of their own, and the nearest of those that traversal alone brought."""
    own = {number for number in numbers if number in found.text or number in found.selected or number in found.ties}
    reached = [number for number in numbers if number not in own]
    most = most_unmatched(found.text)
    if len(reached) <= most:
        return list(numbers)

    def distance(number: int) -> tuple[int, int]:
        node = found.reach.nodes.get(view.outline(number).key)
        return (node.distance if node is not None else len(numbers), number)

    return sorted([*own, *sorted(reached, key=distance)[:most]])


def most_unmatched(text: Mapping[int, TextMatch]) -> int:
    """How many documents are kept that the graph alone speaks for."""
    return max(FEWEST_UNMATCHED, UNMATCHED_LIMIT - len(text))


def hit(view: View, number: int, found: Findings, replacements: Replacements) -> Hit:
    """A document with all evidence for it."""
    document = view.outline(number)
    tie = found.ties.get(number)
    node = found.reach.nodes.get(document.key)
    text = found.text.get(number, NO_MATCH)
    distance = node.distance if node is not None else 1 if tie is not None else None
    if tie is not None and tie.rank != 1:
        distance = 0
    terms = distinct(text.found_terms)
    evidence = Evidence(
        selected=number in found.selected,
        association=tie.relationship if tie is not None else None,
        association_rank=tie.rank if tie is not None else 3,
        distance=distance,
        breadcrumb=tie.breadcrumb if tie is not None else node.breadcrumb if node is not None else (),
        allow=view.allowed(number) or "",
        terms=terms,
        match_count=sum(text.counts.get(term, 0) for term in terms),
        text_score=round(text.score, 6),
        approved=document.status in APPROVED_STATUSES,
        superseded_by=replacements.of(document.id) if document.id is not None else None,
    )
    return Hit(document, evidence, tuple(text.matches))


@lru_cache(maxsize=1024)
def distinct(terms: tuple[str, ...]) -> tuple[str, ...]:
    """Terms without those that are only parts of another one: of an identifier, a path or a phrase."""
    wholes = [fold(term) for term in terms if is_literal(term)]
    kept: dict[str, str] = {}
    for term in terms:
        folded = fold(term)
        if not any(folded != whole and folded in whole for whole in wholes):
            kept.setdefault(folded, term)
    return tuple(kept.values())


def warnings(view: View, found: Findings) -> tuple[str, ...]:
    """What the reader should know of the search: duplicates withheld, hubs not followed, matches not counted."""
    said = []
    if view.duplicates:
        shown = ", ".join(view.duplicates[:5]) + (", ..." if len(view.duplicates) > 5 else "")
        said.append(f"withheld, because declared more than once: {shown} ({len(view.duplicates)} in all)")
    if found.reach.hubs:
        hubs = sorted(set(found.reach.hubs))
        shown = ", ".join(hubs[:5]) + (", ..." if len(hubs) > 5 else "")
        said.append(f"incoming edges not followed, because there are too many: {shown} ({len(hubs)} in all)")
    if found.reach.left_out:
        said.append(f"the last edge leads on to {found.reach.left_out} more names, which nothing else speaks for")
    if found.truncated:
        said.append("there were more matches than are read; the last ones were not counted")
    return tuple(said)
