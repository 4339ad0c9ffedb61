"""Text search over the granted view: which terms of the query stand where, and how much that says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from kradle_ctx.model.search import Pattern
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Searcher
from kradle_ctx.retrieval.grep import collect, literal_at, patterns
from kradle_ctx.retrieval.matches import TextMatch, TextMatches
from kradle_ctx.retrieval.scores import score
from kradle_ctx.retrieval.words import count_words, stems_of, weigh_fields
from kradle_ctx.tokens import Term
from kradle_ctx.view import View


def search_text(
    view: View, terms: Sequence[Term], searcher: Searcher, redactor: BlobRedactor, structured: bool = False
) -> TextMatches:
    """Documents of the view in which at least one term stands, by number; not where redaction removes it.

    Words are looked up, literals are searched for.
    """
    literals = [term for term in terms if term.stem is None]
    found: dict[int, TextMatch] = defaultdict(TextMatch)
    truncated = False
    if literals:
        answer = collect(view, patterns(literals), searcher, redactor, literal_at(literals), len(literals), structured)
        found.update(answer.documents)
        truncated = answer.truncated
    in_fields = count_words(view, terms, found, redactor, structured)
    weigh_fields(view, in_fields, literals, found, redactor)
    score(view, found, terms)
    return TextMatches(dict(sorted(found.items())), stems_of(terms), truncated)


def search_expression(
    view: View, expression: str, searcher: Searcher, redactor: BlobRedactor, structured: bool = False
) -> TextMatches:
    """Documents of the view in which a regular expression matches, but for text that redaction removes."""
    term = Term(expression, None, 1.0)
    found = collect(view, [Pattern(expression)], searcher, redactor, lambda data, start, end: expression, 1, structured)
    weigh_fields(view, {}, [term], found.documents, redactor)
    score(view, found.documents, [term])
    return found
