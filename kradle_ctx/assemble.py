"""The product: from a memory ref to a digest-pinned bundle."""

from __future__ import annotations

from collections.abc import Iterable

from kradle_ctx.model.access import Access
from kradle_ctx.model.budget import Budget
from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.request import Request
from kradle_ctx.model.resources import Association
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Clock, IndexStore, Repository, Searcher
from kradle_ctx.redaction import Redactor
from kradle_ctx.stages.bound import bound
from kradle_ctx.stages.emit import emit
from kradle_ctx.stages.load import load
from kradle_ctx.stages.rank import rank
from kradle_ctx.stages.redact import redact
from kradle_ctx.stages.resolve import resolve
from kradle_ctx.stages.retrieve import retrieve


def assemble(
    request: Request,
    access: Access,
    associations: Iterable[Association] = (),
    *,
    default_branch: str | None = None,
    repository: Repository,
    index_store: IndexStore,
    searcher: Searcher,
    redactor: Redactor,
    clock: Clock,
) -> Bundle:
    """Resolve, load, retrieve, rank, redact, bound, emit.

    Raises a `KradleError` where the run is blocked, denied or unsafe; then nothing has been written.
    """
    blobs = BlobRedactor(redactor)
    pin = resolve(repository, request.ref, configured_branch=default_branch)
    view = load(pin, request, access, repository=repository, index_store=index_store)
    hits = retrieve(view, request, associations, searcher=searcher, redactor=blobs)
    ranked = rank(hits, request, pin.commit.committed_at)
    redacted = redact(ranked, view, request, blobs)
    selection = bound(redacted, Budget.of(request, access), request)
    return emit(selection, pin, view, request, access, repository=repository, clock=clock, redactor=blobs)
