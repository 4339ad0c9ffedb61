"""Searches of small brains, answered by path."""

from __future__ import annotations

from collections.abc import Mapping

from kradle_ctx.model.access import Access
from kradle_ctx.ports import Searcher
from kradle_ctx.retrieval.matches import TextMatch
from kradle_ctx.retrieval.search import search_expression, search_text
from kradle_ctx.tokens import query_terms
from tests.fakes import Content, InMemorySearcher
from tests.pipeline import EVERYTHING, blob_redactor, brain, view_of

ByPath = dict[str, TextMatch]


def search(
    files: Mapping[str, Content],
    query: str,
    access: Access = EVERYTHING,
    structured: bool = False,
    searcher: Searcher | None = None,
) -> ByPath:
    """What a query finds, by path."""
    view = view_of(brain(files), access)
    found = search_text(view, query_terms(query), searcher or InMemorySearcher(), blob_redactor(), structured)
    return {view.document(number).path: match for number, match in found.documents.items()}


def express(files: Mapping[str, Content], expression: str, structured: bool = False) -> ByPath:
    """What a regular expression finds, by path."""
    view = view_of(brain(files))
    found = search_expression(view, expression, InMemorySearcher(), blob_redactor(), structured)
    return {view.document(number).path: match for number, match in found.documents.items()}


def counts(found: ByPath) -> dict[str, dict[str, int]]:
    """How often terms stand in the text of each document, where any does."""
    return {path: dict(match.counts) for path, match in found.items() if match.counts}
