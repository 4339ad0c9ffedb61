"""Search by words: where they stand is looked up, and only what redaction touches is read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from kradle_ctx.model.graph import Form
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.retrieval.matches import MATCHES_READ, TextMatch
from kradle_ctx.tokens import Term, fold, stem, stems
from kradle_ctx.view import View
from kradle_ctx.words import DocumentWords, Fields, fields_of

FIELD_WEIGHTS = {"title": 3.0, "names": 2.0, "summary": 1.0, "path": 1.0}
"""How many matches in the text one match is worth in each of the `Fields`."""

TEXT = DocumentWords._fields[:2]
"""The parts of a document that are its text; the others are its fields."""

InFields = dict[int, dict[str, set[str]]]
"""The terms that stand in each field of each document."""


def stems_of(terms: Iterable[Term]) -> dict[str, str]:
    """The texts of those terms that are words, by their stems."""
    return {term.stem: term.text for term in terms if term.stem is not None}


def count_words(
    view: View, terms: Sequence[Term], found: dict[int, TextMatch], redactor: BlobRedactor, structured: bool
) -> InFields:
    """Count how often terms stand in texts, and give the fields they stand in; redacted text aside.

    With `structured`, only graph records and frontmatter count.
    """
    in_fields: InFields = defaultdict(lambda: defaultdict(set))
    texts: dict[int, dict[str, int]] = defaultdict(dict)
    for stemmed, term in stems_of(terms).items():
        for number, part, count in view.standing(stemmed):
            if part not in TEXT:
                in_fields[number][part].add(term)
            elif not structured or part == "head" or view.outline(number).form is Form.GRAPH:
                texts[number][term] = texts[number].get(term, 0) + count
    redactor.expect({view.outline(number).blob for number in texts})
    for number, counts in texts.items():
        if hides(view, number, redactor):
            counts = shown_counts(view, number, stems_of(terms), redactor, structured)
        for term, count in counts.items():
            # A word that a literal stands for, too, was counted with it.
            most = max(count, found[number].counts.get(term, 0))
            found[number].counts[term] = min(most, MATCHES_READ)
    return in_fields


def hides(view: View, number: int, redactor: BlobRedactor) -> bool:
    """Whether redaction removes anything of the file of a document."""
    outline = view.outline(number)
    return bool(redactor.spans_of(outline.blob, lambda: view.text(outline)))


def shown_counts(
    view: View, number: int, asked: Mapping[str, str], redactor: BlobRedactor, structured: bool
) -> Counter[str]:
    """How often terms stand in what redaction leaves of a document."""
    document = view.document(number)
    last = document.line_end
    if structured and document.form is not Form.GRAPH:
        last = document.body_line - 1
    file = redactor.file(document.blob, lambda: view.text(document))
    return Counter(term for _, term in file.places_of(asked, document.line_start, last))


def weigh_fields(
    view: View, in_fields: InFields, literals: Sequence[Term], found: dict[int, TextMatch], redactor: BlobRedactor
) -> None:
    """Fill in what the terms in the fields of documents are worth, redacted text aside.

    A literal is looked for where a word of a field matches, or where it stands in the text: with it its words do.
    """
    numbers = sorted({*in_fields, *(found if literals else ())})
    redactor.expect_fields(map(view.outline, numbers))
    folded = [(term.text, fold(term.text)) for term in literals]
    if folded:
        view.expect(numbers=numbers)
    for number in numbers:
        standing = in_fields.get(number, {})
        changed = redactor.changed_fields(view.outline(number), partial(fields, view, number))
        if changed or folded:
            shown = [changed.get(place, text) for place, text in enumerate(fields(view, number))]
            standing = standing_in(dict(zip(FIELD_WEIGHTS, shown, strict=True)), standing, folded)
        worth: dict[str, float] = {}
        for name, weight in FIELD_WEIGHTS.items():
            for term in standing.get(name, ()):
                worth[term] = worth.get(term, 0.0) + weight
        if worth:
            found[number].fields = worth


def fields(view: View, number: int) -> Fields:
    """The texts that describe a document."""
    return fields_of(view.stated(number))


def standing_in(
    shown: Mapping[str, str], standing: Mapping[str, Iterable[str]], literals: Iterable[tuple[str, str]]
) -> dict[str, set[str]]:
    """The words that stand in the shown texts of fields, of those that stand in the texts, and the literals.

    Literals are their text and the same folded.
    """
    found: dict[str, set[str]] = {}
    for name, text in shown.items():
        words, folded = standing.get(name, ()), fold(text)
        present = set(stems(text)) if words else set()
        found[name] = {term for term in words if stem(term) in present}
        found[name] |= {term for term, literal in literals if literal in folded}
    return found
