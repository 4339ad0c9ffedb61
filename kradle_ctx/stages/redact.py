"""RankedHits -> RedactedHits: the only maker of that type, so that nothing raw can reach the bundle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, count, repeat

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
)
from kradle_ctx.model.request import QueryMode, Request
from kradle_ctx.passages import BlobRedactor, RedactedFile, Window, best_windows, windows
from kradle_ctx.redaction import marker
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

    def redacted(position: int) -> RedactedHit:
        return redact_hit(ranked.hits[position], view, request, redactor)

    left_out = count()

    def omitted(position: int, reason: str) -> Omitted:
        document = ranked.hits[position].hit.document
        name = redactor.name(document.key) if next(left_out) < LISTED else ""
        return Omitted(name, reason, document.end - document.start)

    expect([entry.hit for entry in ranked.hits[:LISTED]], redactor)
    listed = chain(redactor.names([entry.item for entry in ranked.omitted[:LISTED]]), repeat(""))
    dropped = tuple(replace(entry, item=name) for entry, name in zip(ranked.omitted, listed, strict=False))
    warnings = tuple(redactor.name(warning) for warning in ranked.warnings)
    return RedactedHits(len(ranked.hits), evidence, redacted, omitted, dropped, warnings)


def expect(hits: Sequence[Hit], redactor: BlobRedactor) -> None:
    """Have what is known of the first hits looked up together; hits beyond them rarely fit any budget."""
    documents = [hit.document for hit in hits]
    redactor.expect(document.blob for document in documents)
    redactor.expect_flags((document.blob, document.line_start, document.line_end) for document in documents)
    names = ((names_of(hit.document), names_in(hit.evidence), (hit.document.key,)) for hit in hits)
    redactor.expect_names(chain.from_iterable(names))


def redact_hit(ranked: RankedHit, view: View, request: Request, redactor: BlobRedactor) -> RedactedHit:
    """One hit with its passages."""
    hit = ranked.hit
    document = hit.document
    file = redactor.file(document.blob, view.text(document))
    unsafe = file.removed_share(document.line_start, document.line_end) > BROAD_SHARE
    if unsafe and hit.evidence.selected:
        raise KradleError(
            ErrorCode.REDACTION_TOO_BROAD,
            f"redaction leaves too little of {redactor.name(document.key)}",
            "take the secrets out of the document, or do not select it",
            item=redactor.name(document.key),
        )
    return RedactedHit(
        document=redact_document(document, redactor, file.secrets),
        evidence=redact_evidence(hit.evidence, redactor),
        score=ranked.score,
        shapes=() if unsafe else shapes(hit, file, request),
        flags=() if unsafe else redactor.flags(document.blob, file, document.line_start, document.line_end),
    )


def shapes(hit: Hit, file: RedactedFile, request: Request) -> tuple[tuple[Passage, ...], ...]:
    """The forms in which a document can be shown, each smaller than the one before.

    A document read is whole or nothing, and so is frontmatter; a record is whole, or its head with ever fewer
    excerpts; a note is shown by ever fewer excerpts, and whole when it is small or was selected.
    """
    document = hit.document
    if request.query_mode is QueryMode.GRAPH_ONLY and document.form is Form.MARKDOWN:
        return ((file.passage(document.line_start, max(document.line_start, document.body_line - 1)),),)
    whole = file.passage(document.line_start, document.line_end)
    if request.query_mode is QueryMode.DOCUMENT_READ:
        return ((whole,),)
    found = excerpt_windows(hit, file, request.context_lines)
    fewer = [found[:count] for count in range(len(found), 0, -1)]
    if request.query_mode is QueryMode.GREP_ONLY or document.form in (Form.NOTE, Form.ONTOLOGY):
        excerpts = [tuple(file.passage(part.first, part.last) for part in in_line_order(parts)) for parts in fewer]
        small = len(whole.text.encode()) <= WHOLE_NOTE_BYTES and request.query_mode is not QueryMode.GREP_ONLY
        return ((whole,), *excerpts) if hit.evidence.selected or small else tuple(excerpts)
    return ((whole,), *((with_head(document, file, parts),) for parts in [*fewer, []]))


def in_line_order(found: Sequence[Window]) -> list[Window]:
    """Windows as they follow each other in the document."""
    return sorted(found, key=lambda window: window.first)


def excerpt_windows(hit: Hit, file: RedactedFile, context: int) -> list[Window]:
    """The best windows around the matches, the best first; the beginning of a document that has none."""
    document = hit.document
    lines = ((file.line_at(match.offset), match.term) for match in hit.matches)
    found = best_windows(windows(lines, document.line_start, document.line_end, context), EXCERPT_LIMIT)
    if found:
        return found
    last = min(document.line_end, document.line_start + UNMATCHED_NOTE_LINES - 1)
    return [Window(document.line_start, last, frozenset())]


def with_head(document: Document, file: RedactedFile, found: Sequence[Window]) -> Passage:
    """A record's head and its best windows in one passage, with a line that counts what each gap leaves out."""
    head_end = min(document.line_end, document.line_start + HEAD_LINES - 1)
    if document.form is Form.MARKDOWN and document.body_line > document.line_start:
        head_end = document.body_line - 1
    text, counts, shown = "", Counter[str](), document.line_start - 1
    for window in [Window(document.line_start, head_end, frozenset()), *in_line_order(found)]:
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


def redact_document(document: Document, redactor: BlobRedactor, secrets: Sequence[tuple[str, str]] = ()) -> Document:
    """A document whose every text that can be shown has passed the redactor.

    `secrets` of its file are hidden in its title and names, too: an alias can carry one to where nothing tells of it.
    """

    texts = names_of(document)
    for secret, kind in secrets:
        texts = [text.replace(secret, marker(kind)) for text in texts]
    path, title, record_id, kind, status, *owners = redactor.names(texts)
    return replace(
        document,
        path=path,
        title=shortened(title),
        id=record_id if document.id is not None else None,
        kind=kind if document.kind is not None else None,
        status=status if document.status is not None else None,
        owners=tuple(owners),
        summary="",
        aliases=(),
        tags=(),
        repo_refs=(),
        source_refs=(),
        edges=(),
    )


def names_of(document: Document) -> list[str]:
    """The short texts of a document that can be shown."""
    described = (document.path, document.title, document.id or "", document.kind or "", document.status or "")
    return [*described, *document.owners]


def shortened(title: str) -> str:
    """A title within its limit, cut after redaction: the head of a secret would pass it."""
    return title if len(title) <= TITLE_LIMIT else title[: TITLE_LIMIT - 1] + "…"


def redact_evidence(evidence: Evidence, redactor: BlobRedactor) -> Evidence:
    """Evidence whose every text has passed the redactor; terms come from the query, which has already."""
    association, allow, superseded_by, *breadcrumb = redactor.names(names_in(evidence))
    return replace(
        evidence,
        association=association if evidence.association is not None else None,
        breadcrumb=tuple(breadcrumb),
        allow=allow,
        superseded_by=superseded_by if evidence.superseded_by is not None else None,
    )


def names_in(evidence: Evidence) -> list[str]:
    """The short texts of evidence, but for its terms."""
    return [evidence.association or "", evidence.allow, evidence.superseded_by or "", *evidence.breadcrumb]
