"""RedactedHits + Budget -> Selection: what fits both hard limits, and what was left out with reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.budget import Budget
from kradle_ctx.model.graph import Form
from kradle_ctx.model.hits import Item, Omitted, Passage, RedactedHit, RedactedHits, Selection, Shapes
from kradle_ctx.model.request import WHOLE_MODES, QueryMode, Request
from kradle_ctx.model.trust import RUN_KINDS
from kradle_ctx.passages import FLAGGED_AT_ONCE, flags_shown
from kradle_ctx.render.prompt import GRAPH_HEADING, MARKDOWN_HEADING, TRUST_ROOM, item_lines, preamble, rendered_size
from kradle_ctx.sources import source_entry

WHOLE_SHARE = 0.25
"""A document takes at most this share of the budget whole; a larger one is shown by its excerpts first."""

TRIES = 20
"""So many items in a row that do not fit end the search for smaller ones."""

KINDS = {
    Form.GRAPH: "memory-graph-record",
    Form.MARKDOWN: "memory-markdown-record",
    Form.NOTE: "memory-grep-excerpt",
    Form.ONTOLOGY: "memory-document",
}

BANNER_ROOM = 384
"""Bytes kept free for the stale banner, so that a retry of an old pin selects what its first run selected."""

PLACEHOLDER_COMMIT = "0" * 40
PLACEHOLDER_DIGEST = "sha256:" + "0" * 64


class Filling(Struct):
    """The selection as it grows."""

    room: int
    used: int
    items: list[Item] = field(default_factory=list)
    omitted: list[Omitted] = field(default_factory=list)
    documents: int = 0
    matched: int = 0
    misses: int = 0


def bound(redacted: RedactedHits, budget: Budget, request: Request) -> Selection:
    """Take hits in their order as long as they fit; an excerpt shrinks before an item is dropped.

    Raises `LIMIT_EXCEEDED` when not even the section's head fits.
    """
    head = rendered_size(preamble(request.brain, PLACEHOLDER_COMMIT, PLACEHOLDER_DIGEST))
    require_room(head, budget)
    overhead = head + rendered_size(["", GRAPH_HEADING, "", MARKDOWN_HEADING])
    filling = Filling(budget.room, overhead + BANNER_ROOM)
    for position in range(redacted.count):
        if filling.misses >= TRIES or filling.documents >= budget.max_records:
            reason = "over-budget" if filling.misses >= TRIES else "over-max-records"
            filling.omitted.extend(redacted.omit(rest, reason) for rest in range(position, redacted.count))
            break
        take(filling, redacted, position, budget, request.query_mode)
    truncated = any(entry.reason.startswith("over-") for entry in filling.omitted)
    omitted = (*filling.omitted, *redacted.omitted)
    return Selection(tuple(filling.items), omitted, truncated, redacted.warnings)


def require_room(head: int, budget: Budget) -> None:
    """Raise when the section's head alone passes a limit."""
    if head > budget.room:
        raise KradleError(
            ErrorCode.LIMIT_EXCEEDED,
            f"the limits leave {budget.room} bytes for the memory section, and its head alone takes {head}",
            "raise --max-bytes and --max-tokens, or maxContextBytes of the memory source",
        )


def take(filling: Filling, redacted: RedactedHits, position: int, budget: Budget, mode: QueryMode) -> None:
    """Add one hit's passages, or note why it is left out."""
    evidence = redacted.evidence(position)
    by_text = bool(evidence.terms) and not evidence.selected and evidence.association_rank > 0
    if by_text and filling.matched >= budget.max_matches:
        filling.omitted.append(redacted.omit(position, "over-max-matches"))
        return
    shapes = redacted.shapes(position)
    if shapes is None:
        filling.omitted.append(redacted.omit(position, "redaction-too-broad"))
        return
    most = filling.room if evidence.selected else int(filling.room * WHOLE_SHARE)
    hit: RedactedHit | None = None
    for passages in offered(shapes, most, filling.room - filling.used):
        hit = hit or redacted.hit(position)
        items = [item(hit, passage, mode) for passage in passages]
        size = sum(rendered_size(item_lines(source_entry(item))) + TRUST_ROOM for item in items)
        if filling.used + size <= filling.room:
            filling.items.extend(items)
            filling.used += size
            filling.documents += 1
            filling.matched += by_text
            filling.misses = 0
            return
    filling.omitted.append(redacted.omit(position, "over-budget"))
    filling.misses += 1


def item(hit: RedactedHit, passage: Passage, mode: QueryMode) -> Item:
    """One passage of a hit, with the flags of all that is shown of it."""
    flags = hit.flags
    if hit.document.end - hit.document.start > FLAGGED_AT_ONCE:
        flags = flags_shown(flags, passage.text)
    return Item(item_kind(hit, mode), hit.document, hit.evidence, hit.score, passage, flags)


def offered(shapes: Shapes, most: int, left: int) -> Iterator[tuple[Passage, ...]]:
    """The shapes that can fit what is left: not the largest where it would take too much and there are others."""
    largest = size_of(shapes.largest)
    if largest <= left and (largest <= most or shapes.smaller is None):
        yield shapes.largest
    if shapes.smaller is not None and shapes.least <= left:
        yield from (smaller for smaller in shapes.smaller() if size_of(smaller) <= left)


def size_of(passages: Sequence[Passage]) -> int:
    """Bytes of the texts of passages."""
    return sum(len(passage.text.encode()) for passage in passages)


def item_kind(hit: RedactedHit, mode: QueryMode) -> str:
    """The `kind` of a source entry."""
    if mode in WHOLE_MODES:
        return "memory-document"
    if mode is QueryMode.GREP_ONLY:
        return "memory-grep-excerpt"
    if hit.document.kind in RUN_KINDS:
        return "memory-run-record"
    return KINDS[hit.document.form]
