"""Which grants apply to a request. Without one, nothing may be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access, Grant, fill_placeholders
from kradle_ctx.model.request import QueryMode, Request, Visibility
from kradle_ctx.model.resources import Association, MemorySource, Resources
from kradle_ctx.resources.repository import brain_names, complete_request, stack_of

LOCAL_GRANT = "local-grant"
"""Source name of the grant that the caller gives on their own word."""


def access_for(resources: Resources, request: Request) -> Access:
    """The access that the resources give to a request, in normal form: grants and their lists are sorted.

    A source applies when it is of the request's organisation, when its `repositoryRef` (if it has one) names the
    request's brain, and when every list of its `appliesTo` that is present names something of the request: an
    absent list means anybody, an empty list nobody. The exclude patterns of a source that grants nothing hold
    all the same.
    """
    request = complete_request(resources, request)
    values = placeholder_values(request)
    grants = (grant_of(source, values) for source in applicable_sources(resources, request))
    return Access(
        grants=tuple(sorted(grants, key=lambda grant: grant.source)),
        public_dispatch=request.visibility is Visibility.PUBLIC,
    )


def local_access(public_dispatch: bool = False) -> Access:
    """The whole brain at `public` and `internal`, on the caller's word."""
    return Access((Grant(source=LOCAL_GRANT, paths=("**",)),), public_dispatch)


def default_query_mode(resources: Resources, request: Request) -> QueryMode | None:
    """The query mode that the applicable sources agree on; None when they name none or several."""
    request = complete_request(resources, request)
    sources = applicable_sources(resources, request)
    modes = {source.default_query_mode for source in sources if source.default_query_mode is not None}
    return QueryMode(modes.pop()) if len(modes) == 1 else None


def applicable_sources(resources: Resources, request: Request) -> tuple[MemorySource, ...]:
    """The sources that apply to a completed request, in the order read."""
    brains = brain_names(resources, request)
    asked = names_of(resources, request)
    return tuple(
        source
        for source in resources.memory_sources
        if source.organization == request.organization
        if source.repository_ref is None or source.repository_ref in brains
        if applies(source, asked)
    )


def applicable_associations(resources: Resources, request: Request) -> tuple[Association, ...]:
    """The associations of the request's organisation and brain, in the order read."""
    request = complete_request(resources, request)
    brains = brain_names(resources, request)
    return tuple(
        association
        for association in resources.associations
        if association.organization == request.organization
        if association.repository_ref is None or association.repository_ref in brains
    )


def names_of(resources: Resources, request: Request) -> Mapping[str, frozenset[str]]:
    """What the lists of an `appliesTo` can name of a request.

    Repositories, teams and users are known with and without the prefix of their id; a stack by its name and its
    labels.
    """
    requester = request.requester
    stack = stack_of(resources, request)
    return {
        "repositories": with_prefix("repository", [request.repository]),
        "teams": with_prefix("team", requester.teams),
        "users": with_prefix("user", [requester.user]),
        "stacks": with_prefix("stack", [request.stack]) | frozenset(stack.labels if stack else ()),
        "triggers": with_prefix("trigger", [requester.trigger]),
    }


def with_prefix(prefix: str, names: Iterable[str | None]) -> frozenset[str]:
    """Every name, once bare and once as `prefix:name`."""
    bare = {name.removeprefix(f"{prefix}:") for name in names if name}
    return frozenset(bare | {f"{prefix}:{name}" for name in bare})


def applies(source: MemorySource, asked: Mapping[str, frozenset[str]]) -> bool:
    """Whether every list that is present names something of the request."""
    lists: dict[str, tuple[str, ...] | None] = {field: getattr(source.applies_to, field) for field in asked}
    return all(names is None or not asked[field].isdisjoint(names) for field, names in lists.items())


def placeholder_values(request: Request) -> Mapping[str, str]:
    """What the request fills `[org]`, `[repo]` and `[stack]` with.

    A value with a wildcard or a bracket is refused: it would widen the pattern that it is put into.
    """
    candidates = {"org": request.organization, "repo": request.repository, "stack": request.stack}
    values = {name: value for name, value in candidates.items() if value}
    for name, value in values.items():
        if any(character in "*?[]" or character.isspace() or not character.isprintable() for character in value):
            raise KradleError(
                ErrorCode.USAGE,
                f"the request's value of [{name}] holds a wildcard, a bracket, a space or a control character",
                "give the plain name",
            )
    return values


def grant_of(source: MemorySource, values: Mapping[str, str]) -> Grant:
    """The grant of a source that applies, placeholders filled.

    A placeholder without a value stays literal where it allows, and stands for every value where it denies.
    """
    every = {"org": "*", "repo": "*", "stack": "*", **values}
    return Grant(
        source=source.name,
        paths=filled(source.include_paths, values),
        kinds=None if source.include_kinds is None else tuple(sorted(source.include_kinds)),
        exclude_paths=filled(source.exclude_paths, every) or (),
        exclude_kinds=tuple(sorted(source.exclude_kinds)),
        sensitivities=tuple(sorted(set(source.sensitivities))),
        allow_on_public=source.allow_on_public,
        require_approved_commit=source.require_approved_commit,
        require_valid_ontology=source.require_valid_ontology,
        allow_invalid_ontology=source.allow_invalid_ontology,
        max_context_bytes=source.max_context_bytes,
    )


def filled(patterns: Iterable[str] | None, values: Mapping[str, str]) -> tuple[str, ...] | None:
    """Patterns with their placeholders filled, sorted and without repetitions; None stays None."""
    return None if patterns is None else tuple(sorted({fill_placeholders(pattern, values) for pattern in patterns}))
