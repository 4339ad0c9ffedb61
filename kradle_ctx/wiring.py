"""The one place where settings become adapters, a request and its access."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.adapters.clock import SystemClock
from kradle_ctx.adapters.resource_files import discovered, read_resource_texts
from kradle_ctx.adapters.ripgrep import RipgrepSearcher
from kradle_ctx.config import RequestFlags, Settings
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access
from kradle_ctx.model.memory_mode import narrowest
from kradle_ctx.model.request import LOCAL_REPOSITORY, RankOrder, Request, Visibility
from kradle_ctx.model.resources import Association, MemoryRepository, OntologyResource, Resources
from kradle_ctx.passages import BlobRedactor, failing_closed
from kradle_ctx.ports import IndexStore, Progress, Repository
from kradle_ctx.redaction import Redactor
from kradle_ctx.resources import (
    access_for,
    applicable_associations,
    applicable_ontologies,
    applicable_patterns,
    complete_request,
    default_query_mode,
    local_access,
    memory_repository_for,
    normal_folder,
    read_resources,
    request_from,
)
from kradle_ctx.resources.overlay import LOCAL_ORGANIZATION, UNNAMED_RUN, overlay

if TYPE_CHECKING:
    from kradle_ctx.validation.survey import Surveyor

NO_GRANT = Access(())

ASSUMED_GRANT = "grant: the whole brain at public and internal, as with --local-grant"


class Run(Struct, frozen=True):
    """One command's request with its access and its adapters; `assumed` is what was taken for granted, for a person.

    `open_repository` opens the brain in `folder`, which happens only when memory mode and organisation allow it.
    """

    request: Request
    access: Access
    associations: tuple[Association, ...]
    default_branch: str | None
    signers: tuple[str, ...]
    folder: Path
    open_repository: Callable[[], Repository]
    index_store: IndexStore
    searcher: RipgrepSearcher
    redactor: Redactor
    open_surveyor: Callable[[], Surveyor]
    clock: SystemClock
    assumed: tuple[str, ...]


class RefusedRun(KradleError):
    """A run that its resources refuse before the brain is opened; it keeps the request, for the record of it."""

    def __init__(self, error: KradleError, request: Request) -> None:
        super().__init__(error.code, error.message, error.hint, **error.details)
        self.request = request


def prepare(settings: Settings, *, discover: bool, progress: Progress | None = None) -> Run:
    """Read the resources, lay the flags over the request, and choose the adapters; nothing of the brain is opened.

    With `discover`, a command without explicit grants takes those of `.kradle/` in the starting folder, else the local
    grant, and says so; without it such a command has no grant at all. Raises `RefusedRun` once there is a request.
    """
    paths, assumed = resource_paths(settings, discover)
    resources = read_resources(read_resource_texts(paths, settings.folder)) if paths else Resources()
    asked = build_request(settings, resources)
    redactor = redactor_for(asked)
    try:
        request, brain = placed(asked, settings, resources)
        access, granted = granted_access(request, settings, resources, discover)
        store, searcher = index_store(settings, progress), RipgrepSearcher()
        return Run(
            request=request,
            access=access,
            associations=applicable_associations(resources, request),
            default_branch=brain.default_branch if brain is not None else None,
            signers=brain.signers if brain is not None else (),
            folder=settings.folder / Path(location(settings, brain)).expanduser(),
            open_repository=opener(settings, brain),
            index_store=store,
            searcher=searcher,
            redactor=redactor,
            open_surveyor=partial(
                surveyor, store, searcher, redactor, applicable_ontologies(resources, request), progress
            ),
            clock=SystemClock(settings.environment),
            assumed=(*assumed, *granted),
        )
    except KradleError as error:
        raise RefusedRun(redacted_error(error, redactor), asked) from error


def index_store(settings: Settings, progress: Progress | None) -> IndexStore:
    """The store in the cache folder, or none where there is no such folder or no store is wanted."""
    if settings.cache is None:
        from kradle_ctx.adapters.no_index import NoIndexStore

        return NoIndexStore(progress)
    from kradle_ctx.adapters.index.store import StoredIndexStore

    return StoredIndexStore(settings.cache, progress)


def surveyor(
    store: IndexStore,
    searcher: RipgrepSearcher,
    redactor: Redactor,
    demands: tuple[OntologyResource, ...],
    progress: Progress | None,
) -> Surveyor:
    """What reads a brain for validation; it is loaded only for that."""
    from kradle_ctx.adapters.surveyor import BrainSurveyor

    return BrainSurveyor(store, searcher, BlobRedactor(redactor, store.kept), demands, progress)


def redactor_from(settings: Settings) -> Redactor:
    """The rules that hold for a text outside any brain: those of the resources and flags that are given."""
    texts = read_resource_texts(settings.resource_paths, settings.folder) if settings.resource_paths else []
    return redactor_for(build_request(settings, read_resources(texts)))


def redactor_for(request: Request) -> Redactor:
    """The built-in rules and every pattern that the organisation or the request adds."""
    return Redactor(request.redaction_patterns)


def redacted_error(error: KradleError, redactor: Redactor) -> KradleError:
    """The same error, whose texts have passed the run's own redactor: an id in it may be what a pattern hides."""
    shown = BlobRedactor(redactor).shown
    return KradleError(error.code, shown(error.message), shown(error.hint), **shown(error.details))


def placed(request: Request, settings: Settings, resources: Resources) -> tuple[Request, MemoryRepository | None]:
    """The request with what its organisation, its brain and its sources fill in, and the brain's own resource."""
    request = complete_request(resources, request)
    brain = memory_repository_for(resources, request) if resources.memory_repositories else None
    require_described(request, brain, resources)
    return with_defaults(request, resources, brain, settings.flags), brain


def require_described(request: Request, brain: MemoryRepository | None, resources: Resources) -> None:
    """Raise where memory repositories of the organisation are given and the one asked for is none of them.

    Its signers, branch and root would be missed in silence, and what another organisation owns may be theirs.
    """
    own = [known for known in resources.memory_repositories if known.organization == request.organization]
    if brain is not None or request.brain == LOCAL_REPOSITORY or not own:
        return
    owner, slash, _ = request.brain.partition("/")
    if slash and owner != request.organization:
        raise KradleError(
            ErrorCode.CROSS_ORG_REF_DENIED,
            "the memory repository that was asked for is none of this organisation",
            "name a memory repository of the request's own organisation",
        )
    raise KradleError(
        ErrorCode.USAGE,
        f"no AgentMemoryRepository is called {request.brain}",
        f"name one that is given: {', '.join(sorted(known.name for known in own)[:5])}",
    )


def granted_access(
    request: Request, settings: Settings, resources: Resources, discover: bool
) -> tuple[Access, tuple[str, ...]]:
    """What the request may read, and what was assumed in its favour."""
    if settings.flags.local_grant and resources.memory_sources:
        raise KradleError(
            ErrorCode.USAGE,
            "--local-grant and an AgentMemorySource are both given, and the grant would undo what the source denies",
            "leave out one of them",
        )
    local = settings.flags.local_grant or (discover and not resources.memory_sources)
    if not local:
        return (access_for(resources, request) if resources.memory_sources else NO_GRANT), ()
    access = local_access(request.visibility is Visibility.PUBLIC)
    return access, () if settings.flags.local_grant else (ASSUMED_GRANT,)


def resource_paths(settings: Settings, discover: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The resource paths given, or those discovered with a word on it."""
    if settings.resource_paths or not discover or settings.flags.local_grant:
        return settings.resource_paths, ()
    found = discovered(settings.folder)
    return ((found,), ("resources: .kradle/ of this folder",)) if found is not None else ((), ())


def build_request(settings: Settings, resources: Resources) -> Request:
    """The one dispatch run of the resources, if there is one, with the flags laid over it, the query redacted."""
    if len(resources.runs) > 1:
        names = ", ".join(run.name for run in resources.runs[:5])
        raise KradleError(ErrorCode.USAGE, f"several dispatch runs are given: {names}", "give one AgentDispatchRun")
    document = resources.runs[0].document if resources.runs else None

    request = request_from(overlay(document, settings.flags))
    if request.organization == LOCAL_ORGANIZATION and document is None:
        request = replace(request, organization=None)
    request = replace(request, redaction_patterns=applicable_patterns(resources, request))
    with failing_closed():
        query = redactor_for(request).redact(request.query)
    request = replace(request, query=query.text, query_redactions=query.counts)
    if request.name == UNNAMED_RUN and document is None:
        request = replace(request, name=None)
    return replace(request, memory_mode=narrowest(settings.memory_mode, request.memory_mode))


def with_defaults(
    request: Request, resources: Resources, brain: MemoryRepository | None, flags: RequestFlags
) -> Request:
    """What flags say of the layout, and what the brain and its sources default to where the request is silent."""
    stated = [run.document["spec"].get("memory", {}) for run in resources.runs]
    silent = flags.required is None and not any("required" in memory for memory in stated)
    if silent and brain is not None and brain.required is not None:
        request = replace(request, required=brain.required)
    if flags.mode is None and not any("queryMode" in memory for memory in stated):
        request = replace(request, query_mode=default_query_mode(resources, request) or request.query_mode)
    return replace(
        request,
        root=normal_folder(flags.root) if flags.root is not None else request.root,
        ontology_path=flags.ontology or request.ontology_path,
        layout_profile=flags.layout_profile or request.layout_profile,
        rank=RankOrder(flags.rank) if flags.rank is not None else request.rank,
    )


def location(settings: Settings, brain: MemoryRepository | None) -> str:
    """Where the brain is: at `--brain`, else at its resource's location, else in the starting folder."""
    return settings.flags.brain or (brain.location if brain is not None else None) or "."


def opener(settings: Settings, brain: MemoryRepository | None) -> Callable[[], Repository]:
    """What opens the brain."""
    named = location(settings, brain)

    def opened() -> Repository:
        if "://" in named:
            raise KradleError(
                ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE,
                "the brain is named by URL, and only local repositories are read",
                "clone it, and name the clone with --brain",
            )
        # What reads a repository is loaded only now, when the run is known to go on.
        from kradle_ctx.adapters.git_repository import open_repository

        return open_repository(settings.folder / Path(named).expanduser())

    return opened
