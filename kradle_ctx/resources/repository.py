"""Which organisation and which brain a request is about, as far as the resources say."""

from __future__ import annotations

from msgspec.structs import replace

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import LOCAL_REPOSITORY, Request
from kradle_ctx.model.resources import AgentStack, MemoryRepository, OntologyResource, Resources

DEFAULT_LAYOUT = "company-brain-v1"


def complete_request(resources: Resources, request: Request) -> Request:
    """Fill in what a request leaves open and the resources leave no choice about; what it says itself stands.

    The organisation, when every resource is of one; of several, `USAGE`. The brain, when the stack reads one
    alone, else when the organisation has one AgentMemoryRepository, else when all its sources name the same; then
    its own name, root, layout profile and ontology path. The stack's pinned snapshot, when no ref was asked for.
    Completing twice changes nothing more.
    """
    organization = request.organization or sole_organization(resources)
    request = replace(request, organization=organization)
    stack = stack_of(resources, request)
    if request.brain == LOCAL_REPOSITORY:
        request = replace(request, brain=sole_brain(resources, organization, stack) or LOCAL_REPOSITORY)
    if request.ref.mode is RefMode.CURRENT and stack is not None and stack.memory_snapshot_ref:
        request = replace(request, ref=MemoryRef(RefMode.SNAPSHOT_TAG, stack.memory_snapshot_ref))
    brain = described_brain(resources, request)
    if brain is not None:
        request = replace(
            request,
            brain=brain.name,
            root=brain.root if request.root is None else request.root,
            layout_profile=brain.layout_profile if request.layout_profile == DEFAULT_LAYOUT else request.layout_profile,
        )
    return replace(request, ontology_path=request.ontology_path or ontology_path(resources, request))


def memory_repository_for(resources: Resources, request: Request) -> MemoryRepository | None:
    """The AgentMemoryRepository of the request's organisation that it names; None when no resource describes it.

    A brain is named by the resource's name, by `organisation/name`, or by the Git repository behind it. A name that
    only another organisation's brain has raises `CROSS_ORG_REF_DENIED`, which says nothing of that brain.
    """
    return described_brain(resources, complete_request(resources, request))


def described_brain(resources: Resources, request: Request) -> MemoryRepository | None:
    """The AgentMemoryRepository that a request names, its organisation and brain filled in."""
    fitting = [brain for brain in resources.memory_repositories if request.brain in brain.known_as]
    own = [brain for brain in fitting if brain.organization == request.organization]
    if own:
        return min(own, key=lambda brain: (brain.name != request.brain, brain.name))
    if fitting:
        raise KradleError(
            ErrorCode.CROSS_ORG_REF_DENIED,
            "the memory repository that was asked for belongs to another organisation",
            "name a memory repository of the request's own organisation",
        )
    return None


def brain_names(resources: Resources, request: Request) -> frozenset[str]:
    """Every name of a completed request's brain."""
    brain = described_brain(resources, request)
    return (brain.known_as if brain else frozenset()) | {request.brain}


def stack_of(resources: Resources, request: Request) -> AgentStack | None:
    """The AgentStack that runs, of the request's organisation."""
    for stack in resources.stacks:
        if (stack.organization, stack.name) == (request.organization, request.stack):
            return stack
    return None


def sole_organization(resources: Resources) -> str | None:
    """The organisation of all resources; None without resources."""
    if len(resources.organizations) > 1:
        raise KradleError(
            ErrorCode.USAGE,
            "the resources belong to several organisations, and the request names none",
            "say which with --org, or with spec.organizationRef of the dispatch run",
        )
    return next(iter(resources.organizations), None)


def sole_brain(resources: Resources, organization: str | None, stack: AgentStack | None) -> str | None:
    """The only brain that can be meant, None when there is none or a choice."""
    brains = [brain.name for brain in resources.memory_repositories if brain.organization == organization]
    sources = [source for source in resources.memory_sources if source.organization == organization]
    granted = {source.repository_ref for source in sources if source.repository_ref}
    for names in (stack.memory_repository_refs if stack else (), brains, granted):
        if names:
            return next(iter(names)) if len(names) == 1 else None
    return None


def applicable_ontologies(resources: Resources, request: Request) -> tuple[OntologyResource, ...]:
    """The AgentMemoryOntology resources of a completed request's brain."""
    brains = brain_names(resources, request)
    return tuple(
        ontology
        for ontology in resources.ontologies
        if ontology.organization == request.organization
        if ontology.repository_ref is None or ontology.repository_ref in brains
    )


def ontology_path(resources: Resources, request: Request) -> str | None:
    """The ontology path that the AgentMemoryOntology of a completed request's brain names."""
    applicable = applicable_ontologies(resources, request)
    paths = {ontology.ontology_path for ontology in applicable if ontology.ontology_path is not None}
    if len(paths) > 1:
        raise KradleError(
            ErrorCode.RESOURCE_INVALID,
            "several AgentMemoryOntology resources name different ontology paths for the same memory repository",
            "keep one of them, or say which with --ontology",
        )
    return next(iter(paths), None)
