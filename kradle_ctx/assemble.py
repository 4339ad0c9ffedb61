"""The product: from a memory ref to a digest-pinned bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access, require_grant
from kradle_ctx.model.budget import Budget
from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.findings import Report
from kradle_ctx.model.memory_mode import require_permitted
from kradle_ctx.model.refs import CommitPin
from kradle_ctx.model.request import Request
from kradle_ctx.model.resources import Association
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Clock, IndexStore, Repository, Searcher
from kradle_ctx.redaction import Redactor
from kradle_ctx.render.validation import size_of, validation_entry
from kradle_ctx.stages.bound import bound
from kradle_ctx.stages.emit import emit, without_memory
from kradle_ctx.stages.load import load
from kradle_ctx.stages.rank import rank
from kradle_ctx.stages.redact import redact
from kradle_ctx.stages.resolve import resolve
from kradle_ctx.stages.retrieve import retrieve
from kradle_ctx.view import View

GOES_ON = ("assemble", "preview")
"""Operations of a run that can go on without memory; a question is answered or refused."""

ReportOf = Callable[[CommitPin, str], Report]
"""What validation says of what the grants show of a commit; the second is the brain's root."""

OPTIONAL = (
    ErrorCode.MEMORY_MODE_FORBIDDEN,
    ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE,
    ErrorCode.MEMORY_PERMISSION_DENIED,
)
"""Failures after which a run whose memory is not required goes on without it."""


def assemble(
    request: Request,
    access: Access,
    associations: Iterable[Association] = (),
    *,
    operation: str = "assemble",
    default_branch: str | None = None,
    signers: Sequence[str] = (),
    open_repository: Callable[[], Repository],
    index_store: IndexStore,
    searcher: Searcher,
    redactor: Redactor,
    clock: Clock,
    report_of: ReportOf | None = None,
) -> Bundle:
    """Resolve, load, retrieve, rank, redact, bound, emit.

    Raises a `KradleError` where the run is blocked, denied or unsafe; then nothing has been written. When memory is
    not required, a brain that is unavailable, denied or switched off gives a bundle without memory that says so.
    """
    blobs = BlobRedactor(redactor, index_store.kept)
    try:
        require_permitted(operation, request.memory_mode)
        require_grant(access)
        repository = open_repository()
        pin = resolve(repository, request.ref, configured_branch=default_branch)
        view = load(pin, request, access, repository=repository, index_store=index_store)
        return answer(
            pin,
            view,
            request,
            access,
            associations,
            validated=report_of(pin, view.root) if report_of is not None else None,
            signers=signers,
            repository=repository,
            searcher=searcher,
            redactor=blobs,
            clock=clock,
        )
    except KradleError as error:
        if request.required or error.code not in OPTIONAL or operation not in GOES_ON:
            raise
        return without_memory(request, access, error, redactor=blobs)


def answer(
    pin: CommitPin,
    view: View,
    request: Request,
    access: Access,
    associations: Iterable[Association] = (),
    *,
    validated: Report | None = None,
    signers: Sequence[str] = (),
    repository: Repository,
    searcher: Searcher,
    redactor: BlobRedactor,
    clock: Clock,
) -> Bundle:
    """Retrieve, rank, redact, bound and emit, from a view that is loaded; a report of validation goes before the items.

    One view answers any number of questions under the grants and the request's own excludes that it was cut to.
    """
    hits = retrieve(view, request, associations, searcher=searcher, redactor=redactor)
    ranked = rank(hits, request, pin.commit.committed_at)
    redacted = redact(ranked, view, request, redactor)
    budget = Budget.of(request, access)
    validation = validation_entry(validated, budget.room // 2) if validated is not None else None
    selection = bound(redacted, budget.without(size_of(validation) if validation else 0), request)
    return emit(
        selection,
        pin,
        view,
        request,
        access,
        budget,
        repository=repository,
        clock=clock,
        redactor=redactor,
        signers=signers,
        validation=validation,
    )
