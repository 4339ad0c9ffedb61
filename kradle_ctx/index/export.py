"""The derived files of a commit, as far as the grants show it; every text in them has passed the redactor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from kradle_ctx.index.graph_index import Entry, graph_index
from kradle_ctx.index.ontology_report import ontology_report
from kradle_ctx.index.search_manifest import search_manifest
from kradle_ctx.model.access import Access
from kradle_ctx.model.graph import Document
from kradle_ctx.model.request import Request
from kradle_ctx.model.timestamps import format_instant
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.place import find_brain
from kradle_ctx.ports import Index, IndexStore, Repository
from kradle_ctx.redaction import Redactor, marker
from kradle_ctx.render.derived_json import derived_json
from kradle_ctx.source_commit import DERIVED, source_commit
from kradle_ctx.stages.load import load
from kradle_ctx.stages.redact import secrets_of, shortened
from kradle_ctx.validate import validate_granted
from kradle_ctx.validation.survey import Surveyor
from kradle_ctx.view import View

API_VERSION = "kradle.a5c.ai/v1alpha1"

GRAPH_INDEX, ONTOLOGY_REPORT, SEARCH_MANIFEST = "graph-index.json", "ontology-report.json", "search-manifest.json"


class Export(Struct, frozen=True):
    """The derived files by name, the commit that was asked for, and the one that they are made from."""

    commit: str
    source_commit: str
    files: Mapping[str, bytes]


def export(
    request: Request,
    access: Access,
    *,
    default_branch: str | None,
    repository: Repository,
    index_store: IndexStore,
    surveyor: Surveyor,
    redactor: Redactor,
) -> Export:
    """Make the derived files of the request's commit; they follow from commit, grants and versions alone.

    Raises what resolving and loading raise, and `IndexDamaged` where a stored index turns out to be unsound.
    """
    place = find_brain(request, repository, default_branch)
    view = load(place.pin, request, access, repository=repository, index_store=index_store)
    index = index_store.open(place.snapshot, place.root, request.ontology_path)
    source = source_commit(repository, place.pin.commit.id, place.root)
    head = {
        "apiVersion": API_VERSION,
        "generatedAt": format_instant(source.committed_at),
        "sourceCommit": source.id,
        "ontologyDigest": view.ontology.digest,
    }
    blobs = BlobRedactor(redactor, index_store.kept)
    entries = list(granted(view, index, blobs))
    skipped = sum(not entry.path.startswith(f"{DERIVED}/") for entry in view.skipped)
    graph = derived_json(graph_index(head, entries, skipped))
    manifest = derived_json(search_manifest(head, entries, graph))
    found = validate_granted(
        place,
        request,
        access,
        moment=source.committed_at,
        repository=repository,
        index_store=index_store,
        surveyor=surveyor,
        redactor=blobs,
    )
    ontology = derived_json(ontology_report(head, found))
    files = {GRAPH_INDEX: graph, ONTOLOGY_REPORT: ontology, SEARCH_MANIFEST: manifest}
    return Export(place.pin.commit.id, source.id, files)


def granted(view: View, index: Index, redactor: BlobRedactor) -> Iterator[Entry]:
    """The documents of a view in path and line order, redacted."""
    for number in range(index.size):
        if view.allowed(number) is not None:
            document = view.document(number)
            yield redacted(document, redactor, secrets_of(document, view, redactor))


LISTS = ("owners", "aliases", "tags", "repo_refs", "source_refs")


def redacted(document: Document, redactor: BlobRedactor, secrets: tuple[tuple[str, str], ...]) -> Entry:
    """What is told of a document; `secrets` of its files are hidden wherever they stand in it."""
    single = (document.path, document.title, document.id, document.kind, document.status, document.updated_at)
    lists = [getattr(document, name) for name in LISTS]
    edges = [text for edge in document.edges for text in (edge.source, edge.kind, edge.target)]
    texts = [text or "" for text in single] + [text for texts in lists for text in texts] + edges
    shown = iter([redactor.name(without(text, secrets)) for text in texts])
    path, title, record_id, kind, status, updated_at = (next(shown) for _ in single)
    stated = {name: tuple(next(shown) for _ in texts) for name, texts in zip(LISTS, lists, strict=True)}
    return Entry(
        form=document.form,
        extends=document.extends,
        blob=document.blob,
        size=document.end - document.start,
        line_start=document.line_start,
        line_end=document.line_end,
        sensitivity=document.sensitivity,
        path=path,
        title=shortened(title),
        id=record_id,
        kind=kind,
        status=status,
        updated_at=updated_at,
        edges=tuple((next(shown), next(shown), next(shown)) for _ in document.edges),
        **stated,
    )


def without(text: str, secrets: tuple[tuple[str, str], ...]) -> str:
    """A text in which no secret of its file stands: an alias can carry one to where nothing tells of it."""
    for secret, kind in secrets:
        text = text.replace(secret, marker(kind))
    return text
