"""RankedHits -> RedactedHits: the only maker of that type, so that nothing raw can reach the bundle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count

from msgspec.structs import replace

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.model.hits import (
    LISTED,
    Evidence,
    Hit,
    Omitted,
    Passage,
    RankedHit,
    RankedHits,
    RedactedHit,
    RedactedHits,
    Shapes,
)
from kradle_ctx.model.request import WHOLE_MODES, QueryMode, Request
from kradle_ctx.passages import BlobRedactor, RedactedFile, Window, best_windows, windows
from kradle_ctx.redaction import marker
from kradle_ctx.retrieval.matches import MATCHES_READ
from kradle_ctx.view import View

BROAD_SHARE = 0.5
"""An item of which redaction removes more than this share of the characters means nothing and is left out."""

EXCERPT_LIMIT = 3
"""Excerpts of one document."""

UNMATCHED_NOTE_LINES = 20
"""Lines of a note that is shown for its ties and not for its text."""

WHOLE_NOTE_BYTES = 4_096
"""A note up to this size is shown whole where it fits: its excerpts would lose the steps between two matches."""

HEAD_LINES = 8
"""First lines of a graph record that an excerpt keeps; of a Markdown record it keeps the whole frontmatter."""

TITLE_LIMIT = 2_000
"""Characters of a title that are kept, since it stands in the bundle outside the budget of the section."""

GAP = "[... {count} lines left out ...]\n"


def redact(ranked: RankedHits, view: View, request: Request, redactor: BlobRedactor) -> RedactedHits:
    """Redact hits as they are asked for, so that what no budget can hold costs nothing.

    Raises `REDACTION_TOO_BROAD` for an item selected by name of which redaction leaves too little.
    """

    def evidence(position: int) -> Evidence:
        return ranked.hits[position].hit.evidence

    def shapes(position: int) -> Shapes | None:
        return shapes_of(ranked.hits[position].hit, ranked.stems, view, request, redactor)

    def redacted(position: int) -> RedactedHit:
        return redact_hit(ranked.hits[position], view, redactor)

    left_out = count()

    def omitted(position: int, reason: str) -> Omitted:
        document = ranked.hits[position].hit.document
        name = redactor.name(document.key) if next(left_out) < LISTED else ""
        return Omitted(name, reason, document.size)

    expect(ranked.hits[:LISTED], view, redactor)
    dropped = tuple(
        replace(entry, item=redactor.name(entry.item) if place < LISTED else "")
        for place, entry in enumerate(ranked.omitted)
    )
    warnings = tuple(redactor.name(warning) for warning in ranked.warnings)
    return RedactedHits(len(ranked.hits), evidence, shapes, redacted, omitted, dropped, warnings)


def expect(hits: Sequence[RankedHit], view: View, redactor: BlobRedactor) -> None:
    """Have what is known of the first hits looked up together; those beyond them rarely fit any budget."""
    outlines = [ranked.hit.document for ranked in hits]
    view.expect(numbers=[outline.number for outline in outlines])
    redactor.expect(outline.blob for outline in outlines)
    redactor.expect_flags(outlines)
    names = [name for outline in outlines for name in (outline.path, outline.id, outline.kind, outline.status)]
    steps = (step for ranked in hits for step in ranked.hit.evidence.breadcrumb)
    redactor.expect_names(name for name in (*names, *steps) if name)


def shapes_of(
    hit: Hit, stems: Mapping[str, str], view: View, request: Request, redactor: BlobRedactor
) -> Shapes | None:
    """The forms in which a hit can be shown; None where redaction leaves too little of it.

    A document read is whole or nothing, and so is frontmatter; a record is whole, or its head with ever fewer
    excerpts; a note is shown by ever fewer excerpts, and whole when it is small or was selected.
    """
    document = view.document(hit.document.number)
    file = redactor.file(document.blob, lambda: view.text(document))
    if file.removed_share(document.line_start, document.line_end) > BROAD_SHARE:
        if hit.evidence.selected:
            raise too_broad(redactor.name(document.key))
        return None
    if request.query_mode is QueryMode.GRAPH_ONLY and document.form is Form.MARKDOWN:
        return Shapes((file.passage(document.line_start, max(document.line_start, document.body_line - 1)),))
    whole = (file.passage(document.line_start, document.line_end),)
    if request.query_mode in WHOLE_MODES:
        return Shapes(whole)

    def best() -> list[Window]:
        return excerpt_windows(document, places(hit, document, file, stems), request.context_lines)

    if request.query_mode is QueryMode.GREP_ONLY or document.form in (Form.NOTE, Form.ONTOLOGY):
        small = len(whole[0].text.encode()) <= WHOLE_NOTE_BYTES and request.query_mode is not QueryMode.GREP_ONLY
        if hit.evidence.selected or small:
            return Shapes(whole, lambda: excerpts(file, best()))
        largest, *smaller = excerpts(file, best())
        return Shapes(largest, (lambda: smaller) if smaller else None)
    least = len(file.passage(document.line_start, head_end(document)).text.encode())
    return Shapes(whole, lambda: heads(document, file, best()), least)


def too_broad(name: str) -> KradleError:
    """The error for what was selected and is all but gone."""
    return KradleError(
        ErrorCode.REDACTION_TOO_BROAD,
        f"redaction leaves too little of {name}",
        "take the secrets out of the document, or do not select it",
        item=name,
    )


def redact_hit(ranked: RankedHit, view: View, redactor: BlobRedactor) -> RedactedHit:
    """What stands beside the passages of a hit."""
    outline = ranked.hit.document
    document = view.document(outline.number)
    file = redactor.file(document.blob, lambda: view.text(document))
    return RedactedHit(
        document=redact_document(document, redactor, secrets_of(document, view, redactor)),
        evidence=redact_evidence(ranked, redactor),
        score=ranked.score,
        flags=redactor.flags(outline, lambda: file.passage(document.line_start, document.line_end).text),
    )


def places(hit: Hit, document: Document, file: RedactedFile, stems: Mapping[str, str]) -> list[tuple[int, str]]:
    """The lines of a document where terms stand, each with its term, in line order."""
    matched = [(file.line_at(match.offset), match.term) for match in hit.matches]
    counts: Counter[str] = Counter()
    for line, term in file.places_of(stems, document.line_start, document.line_end) if stems else ():
        # As many as count: more of them make one excerpt of the whole.
        counts[term] += 1
        if counts[term] <= MATCHES_READ:
            matched.append((line, term))
    return sorted(matched)


def excerpts(file: RedactedFile, best: Sequence[Window]) -> list[tuple[Passage, ...]]:
    """Ever fewer of the best windows, each a passage, in line order."""
    fewer = (best[:count] for count in range(len(best), 0, -1))
    return [tuple(file.passage(part.first, part.last) for part in in_line_order(parts)) for parts in fewer]


def heads(document: Document, file: RedactedFile, best: Sequence[Window]) -> Iterator[tuple[Passage, ...]]:
    """A record's head with ever fewer of the best windows, and at last alone."""
    yield from ((with_head(document, file, best[:count]),) for count in range(len(best), -1, -1))


def in_line_order(found: Sequence[Window]) -> list[Window]:
    """Windows as they follow each other in the document."""
    return sorted(found, key=lambda window: window.first)


def excerpt_windows(document: Document, places: Sequence[tuple[int, str]], context: int) -> list[Window]:
    """The best windows around the matches, the best first; the beginning of a document that has none."""
    found = best_windows(windows(places, document.line_start, document.line_end, context), EXCERPT_LIMIT)
    if found:
        return found
    last = min(document.line_end, document.line_start + UNMATCHED_NOTE_LINES - 1)
    return [Window(document.line_start, last, frozenset())]


def head_end(document: Document) -> int:
    """The last line of what an excerpt of a record keeps of its beginning."""
    if document.form is Form.MARKDOWN and document.body_line > document.line_start:
        return document.body_line - 1
    return min(document.line_end, document.line_start + HEAD_LINES - 1)


def with_head(document: Document, file: RedactedFile, found: Sequence[Window]) -> Passage:
    """A record's head and its best windows in one passage, with a line that counts what each gap leaves out."""
    text, counts, shown = "", Counter[str](), document.line_start - 1
    for window in [Window(document.line_start, head_end(document), frozenset()), *in_line_order(found)]:
        first = max(window.first, shown + 1)
        if first <= window.last:
            if first > shown + 1:
                text += GAP.format(count=first - shown - 1)
            part = file.passage(first, window.last)
            text += part.text
            counts.update(part.redactions)
            shown = window.last
    if shown < document.line_end:
        text += GAP.format(count=document.line_end - shown)
    return Passage(document.line_start, document.line_end, text, dict(counts), gaps=True)


def secrets_of(document: Document, view: View, redactor: BlobRedactor) -> tuple[tuple[str, str], ...]:
    """The secrets of all files that state what is told of a document: a record may be joined from several."""
    stating = {each.blob: each for each in (document, *view.declarations(document))}
    files = (redactor.file(each.blob, partial(view.text, each)) for each in stating.values())
    return tuple(dict.fromkeys(secret for file in files for secret in file.secrets))


def redact_document(document: Document, redactor: BlobRedactor, secrets: Sequence[tuple[str, str]] = ()) -> Document:
    """A document whose every text that can be shown has passed the redactor.

    `secrets` of its files are hidden in its title and names, too: an alias can carry one to where nothing tells of it.
    """

    def name(text: str) -> str:
        for secret, kind in secrets:
            text = text.replace(secret, marker(kind))
        return redactor.name(text)

    return replace(
        document,
        path=name(document.path),
        title=shortened(name(document.title)),
        id=name(document.id) if document.id is not None else None,
        kind=name(document.kind) if document.kind is not None else None,
        status=name(document.status) if document.status is not None else None,
        owners=tuple(name(owner) for owner in document.owners),
        summary="",
        aliases=(),
        tags=(),
        repo_refs=(),
        source_refs=(),
        edges=(),
    )


def shortened(title: str) -> str:
    """A title within its limit, cut after redaction: the head of a secret would pass it."""
    return title if len(title) <= TITLE_LIMIT else title[: TITLE_LIMIT - 1] + "…"


def redact_evidence(ranked: RankedHit, redactor: BlobRedactor) -> Evidence:
    """Evidence whose every text has passed the redactor; terms come from the query, which has already."""
    evidence, name = ranked.hit.evidence, redactor.name
    return replace(
        evidence,
        recency=ranked.recency,
        size_class=ranked.size_class,
        association=name(evidence.association) if evidence.association is not None else None,
        breadcrumb=tuple(name(step) for step in evidence.breadcrumb),
        allow=name(evidence.allow),
        superseded_by=name(evidence.superseded_by) if evidence.superseded_by is not None else None,
    )
