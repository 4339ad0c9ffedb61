"""What retrieval found, as it passes through rank, redact and bound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field

from kradle_ctx.model.graph import Document, Outline


class Match(Struct, frozen=True):
    """One place where a term of the query stands: the byte offset in the document's blob, and the term's text."""

    offset: int
    term: str


class Evidence(Struct, frozen=True):
    """Why a document was found: every criterion that ranking uses and `why` shows.

    `distance` counts edges from the nearest seed, None when no seed reaches it; `breadcrumb` names ids and edge
    kinds on the way. `allow` is the pattern or kind that granted it. `text_score` is 0 without a match.
    `superseded_by` is an approved replacement in the granted view. `recency` (0 to 1, None without a date) and
    `size_class` follow from ranking, and are filled in for what is shown.
    """

    selected: bool = False
    association: str | None = None
    association_rank: int = 3
    distance: int | None = None
    breadcrumb: tuple[str, ...] = ()
    allow: str = ""
    terms: tuple[str, ...] = ()
    match_count: int = 0
    text_score: float = 0.0
    approved: bool = False
    superseded_by: str | None = None
    recency: float | None = None
    size_class: int = 0


class Hit(Struct, frozen=True):
    """A document that retrieval found, with the matches of literals and expressions in line order."""

    document: Outline
    evidence: Evidence
    matches: tuple[Match, ...] = ()


class Hits(Struct, frozen=True):
    """Everything retrieval found, in no order that matters, beside what it left out by rule.

    `stems` are those of the words that were asked for, each with its term's text.
    """

    hits: tuple[Hit, ...]
    omitted: tuple[Omitted, ...] = ()
    warnings: tuple[str, ...] = ()
    stems: Mapping[str, str] = field(default_factory=dict)


class RankedHit(Struct, frozen=True):
    """A hit with its final score and the criteria that ranking found."""

    hit: Hit
    score: float
    recency: float | None = None
    size_class: int = 0


class RankedHits(Struct, frozen=True):
    """Hits in their total order, with the stems of the words that were asked for."""

    hits: tuple[RankedHit, ...]
    omitted: tuple[Omitted, ...] = ()
    warnings: tuple[str, ...] = ()
    stems: Mapping[str, str] = field(default_factory=dict)


class Passage(Struct, frozen=True):
    """Whole lines of one document, redacted and ready to show; with `gaps`, lines between them are left out."""

    line_start: int
    line_end: int
    text: str
    redactions: Mapping[str, int] = field(default_factory=dict)
    gaps: bool = False


class Shapes(Struct, frozen=True):
    """The forms in which a document can be shown: the largest, and the smaller ones, made when they are asked for.

    Each is a run of passages. `smaller` gives them by falling size, each of `least` bytes or more; it is None where a
    document is shown whole or not at all.
    """

    largest: tuple[Passage, ...]
    smaller: Callable[[], Iterable[tuple[Passage, ...]]] | None = None
    least: int = 0


class RedactedHit(Struct, frozen=True):
    """What stands beside the passages of a ranked hit, its every text redacted; only `stages/redact.py` makes one.

    `document` carries redacted title, path and ids; `flags` say what is odd about its text.
    """

    document: Document
    evidence: Evidence
    score: float
    flags: tuple[str, ...] = ()


LISTED = 100
"""Omitted and skipped items that are named one by one; counts and reasons cover all of them."""


class RedactedHits(Struct, frozen=True):
    """Hits in their order, each redacted when it is asked for.

    `evidence` gives the bare evidence at a position, `shapes` the forms in which it can be shown, None where redaction
    left too little, `hit` what stands beside them, and `omit` says that it is left out for a reason, the first ones by
    name; only `shapes` and `hit` read the document.
    """

    count: int
    evidence: Callable[[int], Evidence]
    shapes: Callable[[int], Shapes | None]
    hit: Callable[[int], RedactedHit]
    omit: Callable[[int, str], Omitted]
    omitted: tuple[Omitted, ...] = ()
    warnings: tuple[str, ...] = ()


class Omitted(Struct, frozen=True):
    """An item left out, by id or path, with a stable reason and its size in bytes; empty where nothing lists it."""

    item: str
    reason: str
    bytes: int = 0


class Item(Struct, frozen=True):
    """One chosen passage of one document: an entry of the bundle's `sources`."""

    kind: str
    document: Document
    evidence: Evidence
    score: float
    passage: Passage
    flags: tuple[str, ...] = ()


class Selection(Struct, frozen=True):
    """What fits, in order, and what was left out with reasons."""

    items: tuple[Item, ...]
    omitted: tuple[Omitted, ...]
    truncated: bool
    warnings: tuple[str, ...] = ()
