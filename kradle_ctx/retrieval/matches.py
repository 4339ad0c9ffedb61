"""What text search finds in a document."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from kradle_ctx.model.hits import Match

MATCHES_READ = 1_000
"""Matches of one term in one document that are counted; the score is saturated long before."""


class TextMatch(Struct):
    """What text search found in one document.

    `counts` is how often each term stands in the text, `fields` what the terms in title, names, summary and path are
    worth, in matches in the text. `matches` are the places of literals and of expressions. `score` is BM25 over all,
    `field_score` the share of it that the fields alone would give; both use statistics of the granted view only.
    """

    counts: dict[str, int] = field(default_factory=dict)
    fields: dict[str, float] = field(default_factory=dict)
    matches: list[Match] = field(default_factory=list)
    found_terms: tuple[str, ...] = ()
    score: float = 0.0
    field_score: float = 0.0

    def add(self, match: Match) -> None:
        """Count a match."""
        self.counts[match.term] = self.counts.get(match.term, 0) + 1
        self.matches.append(match)


class TextMatches(Struct, frozen=True):
    """What text search found, by document number.

    `stems` are those of the words that were asked for, each with its term's text; `truncated` when there were more
    matches than can be read.
    """

    documents: dict[int, TextMatch] = field(default_factory=dict)
    stems: Mapping[str, str] = field(default_factory=dict)
    truncated: bool = False
