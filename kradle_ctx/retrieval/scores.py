"""How much it says that terms stand in a document: BM25 over the granted view."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from kradle_ctx.retrieval.matches import TextMatch
from kradle_ctx.tokens import Term
from kradle_ctx.view import View

SATURATION, LENGTH_SHARE = 1.2, 0.6
"""BM25's k1 and b (Robertson and Zaragoza 2009, section 3.6, give the customary ranges)."""


def score(view: View, found: dict[int, TextMatch], terms: Sequence[Term]) -> None:
    """Fill in scores, and drop documents in which nothing matched after all."""
    for number in [number for number, match in found.items() if not match.counts and not match.fields]:
        del found[number]
    statistics = view.statistics
    containing: Counter[str] = Counter()
    for match in found.values():
        containing.update(dict.fromkeys((*match.counts, *match.fields), 1))
    weight: dict[str, float] = {}
    for term in terms:
        worth = term.weight * inverse_frequency(containing[term.text], statistics.documents)
        weight[term.text] = max(worth, weight.get(term.text, 0.0))
    mean = statistics.mean_length or 1.0
    for number, match in found.items():
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * view.outline(number).length / mean)
        fill_in(match, weight, norm)


def fill_in(match: TextMatch, weight: dict[str, float], norm: float) -> None:
    """Score one document; terms and their weights come in the order of the query."""
    counts, fields = match.counts, match.fields
    match.found_terms = tuple(text for text in weight if text in counts or text in fields)
    match.score = sum(
        weight[text] * saturate(counts.get(text, 0) + fields.get(text, 0.0), norm) for text in match.found_terms
    )
    if fields:
        match.field_score = sum(weight[text] * saturate(fields[text], SATURATION) for text in sorted(fields))


def inverse_frequency(containing: int, documents: int) -> float:
    """BM25's idf, in the form that is never negative."""
    return math.log(1 + (documents - containing + 0.5) / (containing + 0.5))


def saturate(frequency: float, norm: float) -> float:
    """BM25's saturating term frequency."""
    return frequency * (SATURATION + 1) / (frequency + norm)
