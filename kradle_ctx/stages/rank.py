"""Hits -> RankedHits: named criteria, one documented score, and a total order."""

from __future__ import annotations

import math
from datetime import datetime
from functools import lru_cache

from msgspec.structs import replace

from kradle_ctx.model.access import breadth
from kradle_ctx.model.graph import RETIRED_STATUSES, Document
from kradle_ctx.model.hits import Hit, Hits, RankedHit, RankedHits
from kradle_ctx.model.request import RankOrder, Request
from kradle_ctx.model.timestamps import lenient_instant

ASSOCIATION_FACTOR = (1.30, 1.20, 1.15, 1.0)
"""By association, typed edge, `repoRefs`, none."""

DISTANCE_FACTOR = (1.0, 0.85, 0.65, 0.55)
"""By edges from the seeds; farther than the last counts as the last, and unreached as `UNREACHED_FACTOR`."""

UNREACHED_FACTOR = 0.45
ALLOW_FACTOR = (1.02, 1.01, 1.0)
UNAPPROVED_FACTOR = 0.9
RETIRED_FACTOR = 0.35

HALF_LIFE_DAYS = 180.0
"""Recency is worth at most `RECENCY_SHARE`, and halves in so many days before the pinned commit."""

RECENCY_SHARE = 0.05
SIZE_SHARE, SIZE_CLASSES = 0.01, 11
"""Size is worth at most so much, in so many classes: a blob is 1 MiB at most."""

RAW_EVENT_KINDS = frozenset({"RunJournalEvent", "RunTaskResult"})
REPLAY_TASKS = frozenset({"replay", "debug"})


def rank(hits: Hits, request: Request, pinned_at: datetime) -> RankedHits:
    """Put hits in their total order.

    Explicit selection stands above everything, an association above all that was not selected, a text match above
    what was merely reached, and summaries of a run above its raw events; within these the score decides, and ties end
    in path and line. A retired or superseded record comes after its approved replacement whatever its score.
    """
    best = max((hit.evidence.text_score for hit in hits.hits), default=0.0) or 1.0
    scored = [(hit, score(hit, best)) for hit in (measured(hit, pinned_at) for hit in hits.hits)]
    if request.rank is RankOrder.LITERAL:
        scored.sort(key=lambda pair: literal_order(pair[0]))
    else:
        scored.sort(key=lambda pair: (tier(pair[0], request), -pair[1], pair[0].document.order))
    ordered = replacements_first(scored)
    ranked = tuple(RankedHit(hit, value) for hit, value in ordered)
    return RankedHits(ranked, hits.omitted, hits.warnings)


def tier(hit: Hit, request: Request) -> tuple[bool, bool, bool, bool]:
    """What no score can outweigh: selected, tied by an association, matched by text, and no raw event of a run.

    For a replay or a debugging task raw events are what is asked for.
    """
    evidence = hit.evidence
    raw = hit.document.kind in RAW_EVENT_KINDS and request.task_kind not in REPLAY_TASKS
    return (not evidence.selected, evidence.association_rank != 0, not evidence.terms, raw)


def score(hit: Hit, best: float) -> float:
    """One number, monotone in every criterion, rounded so that no platform's last digit can reorder.

    Text counts relative to the best match; every other criterion is a factor, so that each decides between items that
    are about equal in the others, and none but those of `tier` outweighs all the rest.
    """
    evidence = hit.evidence
    value = 0.05 + evidence.text_score / best
    value *= ASSOCIATION_FACTOR[evidence.association_rank]
    value *= distance_factor(evidence.distance)
    value *= ALLOW_FACTOR[breadth(evidence.allow)]
    value *= 1.0 - RECENCY_SHARE + RECENCY_SHARE * (evidence.recency or 0.0)
    value *= 1.0 if evidence.approved else UNAPPROVED_FACTOR
    value *= 1.0 - SIZE_SHARE * evidence.size_class / SIZE_CLASSES
    if retired(hit):
        value *= RETIRED_FACTOR
    return round(value, 9)


def literal_order(hit: Hit) -> tuple[object, ...]:
    """The criteria one after the other, as an audit wants them."""
    evidence = hit.evidence
    distance = evidence.distance if evidence.distance is not None else math.inf
    return (
        not evidence.selected,
        evidence.association_rank,
        distance,
        breadth(evidence.allow),
        -evidence.text_score,
        -(evidence.recency or 0.0),
        not evidence.approved,
        retired(hit),
        evidence.size_class,
        hit.document.order,
    )


def distance_factor(distance: int | None) -> float:
    """The factor of a distance in edges."""
    return UNREACHED_FACTOR if distance is None else DISTANCE_FACTOR[min(distance, len(DISTANCE_FACTOR) - 1)]


def measured(hit: Hit, pinned_at: datetime) -> Hit:
    """The hit with the criteria that follow from its document and the pinned commit alone."""
    document = hit.document
    evidence = replace(hit.evidence, recency=recency(document.updated_at, pinned_at), size_class=size_class(document))
    return replace(hit, evidence=evidence)


@lru_cache(maxsize=4096)
def recency(updated_at: str | None, pinned_at: datetime) -> float | None:
    """1 for a record updated at the pinned commit, halving with age; None when it does not say."""
    updated = lenient_instant(updated_at) if updated_at is not None else None
    if updated is None:
        return None
    age_days = max(0.0, (pinned_at - updated).total_seconds() / 86_400)
    return round(math.pow(0.5, age_days / HALF_LIFE_DAYS), 9)


def size_class(document: Document) -> int:
    """0 below 1 kB, then one more for each doubling: a few bytes more or less must not decide."""
    size = document.end - document.start
    return min((size // 1024).bit_length(), SIZE_CLASSES)


def retired(hit: Hit) -> bool:
    """Whether a record says of itself that it is over, or an approved one says so."""
    return hit.evidence.superseded_by is not None or hit.document.status in RETIRED_STATUSES


def replacements_first(scored: list[tuple[Hit, float]]) -> list[tuple[Hit, float]]:
    """Move each superseded record behind its approved replacement where both were found."""
    present = {hit.document.id for hit, _ in scored if hit.document.id is not None}
    placed: set[str] = set()
    waiting: dict[str, list[tuple[Hit, float]]] = {}
    ordered: list[tuple[Hit, float]] = []

    def place(pair: tuple[Hit, float]) -> None:
        pending = [pair]
        while pending:
            following = pending.pop(0)
            ordered.append(following)
            record_id = following[0].document.id
            if record_id is not None and record_id not in placed:
                placed.add(record_id)
                pending = waiting.pop(record_id, []) + pending

    for pair in scored:
        replacement = pair[0].evidence.superseded_by
        if replacement in present and replacement not in placed and not pair[0].evidence.selected:
            waiting.setdefault(str(replacement), []).append(pair)
        else:
            place(pair)
    for pair in [pair for pairs in waiting.values() for pair in pairs]:
        ordered.append(pair)
    return ordered
