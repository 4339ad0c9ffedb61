"""Hits -> RankedHits: named criteria, one documented score, and a total order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from kradle_ctx.model.access import breadth
from kradle_ctx.model.graph import RETIRED_STATUSES
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
    scored = [measured(hit, best, pinned_at) for hit in hits.hits]
    if request.rank is RankOrder.LITERAL:
        scored.sort(key=literal_order)
    else:
        scored.sort(key=lambda ranked: (tier(ranked.hit, request), -ranked.score, ranked.hit.document.number))
    return RankedHits(tuple(replacements_first(scored)), hits.omitted, hits.warnings, hits.stems)


def tier(hit: Hit, request: Request) -> tuple[bool, bool, bool, bool]:
    """What no score can outweigh: selected, tied by an association, matched by text, and no raw event of a run.

    For a replay or a debugging task raw events are what is asked for.
    """
    evidence = hit.evidence
    raw = hit.document.kind in RAW_EVENT_KINDS and request.task_kind not in REPLAY_TASKS
    return (not evidence.selected, evidence.association_rank != 0, not evidence.terms, raw)


def measured(hit: Hit, best: float, pinned_at: datetime) -> RankedHit:
    """The hit with the criteria that follow from its document and the pinned commit alone, and with its score."""
    updated = hit.document.updated_at
    recent = recency(updated, pinned_at) if updated is not None else None
    classed = size_class(hit.document.size)
    return RankedHit(hit, score(hit, best, recent, classed), recent, classed)


def score(hit: Hit, best: float, recent: float | None, classed: int) -> float:
    """One number, monotone in every criterion, rounded so that no platform's last digit can reorder.

    Text counts relative to the best match; every other criterion is a factor, so that each decides between items that
    are about equal in the others, and none but those of `tier` outweighs all the rest.
    """
    evidence = hit.evidence
    value = 0.05 + evidence.text_score / best
    value *= ASSOCIATION_FACTOR[evidence.association_rank]
    value *= distance_factor(evidence.distance)
    value *= ALLOW_FACTOR[breadth(evidence.allow)]
    value *= 1.0 - RECENCY_SHARE + RECENCY_SHARE * (recent or 0.0)
    value *= 1.0 if evidence.approved else UNAPPROVED_FACTOR
    value *= 1.0 - SIZE_SHARE * classed / SIZE_CLASSES
    if retired(hit):
        value *= RETIRED_FACTOR
    return round(value, 9)


def literal_order(ranked: RankedHit) -> tuple[object, ...]:
    """The criteria one after the other, as an audit wants them."""
    evidence = ranked.hit.evidence
    distance = evidence.distance if evidence.distance is not None else math.inf
    return (
        not evidence.selected,
        evidence.association_rank,
        distance,
        breadth(evidence.allow),
        -evidence.text_score,
        -(ranked.recency or 0.0),
        not evidence.approved,
        retired(ranked.hit),
        ranked.size_class,
        ranked.hit.document.number,
    )


def distance_factor(distance: int | None) -> float:
    """The factor of a distance in edges."""
    return UNREACHED_FACTOR if distance is None else DISTANCE_FACTOR[min(distance, len(DISTANCE_FACTOR) - 1)]


@lru_cache(maxsize=4096)
def recency(updated_at: str, pinned_at: datetime) -> float | None:
    """1 for a record updated at the pinned commit, halving with age; None when it does not say."""
    updated = lenient_instant(updated_at)
    if updated is None:
        return None
    age_days = max(0.0, (pinned_at - updated).total_seconds() / 86_400)
    return round(math.pow(0.5, age_days / HALF_LIFE_DAYS), 9)


def size_class(size: int) -> int:
    """0 below 1 kB, then one more for each doubling: a few bytes more or less must not decide."""
    return min((size // 1024).bit_length(), SIZE_CLASSES)


def retired(hit: Hit) -> bool:
    """Whether a record says of itself that it is over, or an approved one says so."""
    return hit.evidence.superseded_by is not None or hit.document.status in RETIRED_STATUSES


def replacements_first(scored: Sequence[RankedHit]) -> list[RankedHit]:
    """Move each superseded record behind its approved replacement where both were found."""
    present = {ranked.hit.document.id for ranked in scored} - {None}
    placed: set[str] = set()
    waiting: dict[str, list[RankedHit]] = {}
    ordered: list[RankedHit] = []

    def place(first: RankedHit) -> None:
        pending = [first]
        while pending:
            following = pending.pop(0)
            ordered.append(following)
            record_id = following.hit.document.id
            if record_id is not None and record_id not in placed:
                placed.add(record_id)
                pending = waiting.pop(record_id, []) + pending

    for ranked in scored:
        evidence = ranked.hit.evidence
        replacement = evidence.superseded_by
        if replacement is None or replacement not in present or replacement in placed or evidence.selected:
            place(ranked)
        else:
            waiting.setdefault(replacement, []).append(ranked)
    return [*ordered, *(ranked for left in waiting.values() for ranked in left)]
