"""Which grants apply to a request, and which brain it is about."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import QueryMode, Request, Requester, Visibility
from kradle_ctx.model.resources import (
    AgentStack,
    AppliesTo,
    MemoryRepository,
    MemorySource,
    OntologyResource,
    Resources,
)
from kradle_ctx.resources import (
    access_for,
    complete_request,
    default_query_mode,
    local_access,
    memory_repository_for,
)

REQUEST = Request(
    organization="a5c",
    repository="kradle",
    stack="ci-repair",
    requester=Requester(user="user:alice", teams=("team:platform", "docs"), trigger="manual"),
    brain="brain",
)


def source(name: str = "grant", **fields: Any) -> MemorySource:
    """A source of the request's organisation that grants the runbooks."""
    return MemorySource(**{"organization": "a5c", "name": name, "include_paths": ("runbooks/**",), **fields})


def granted(*sources: MemorySource, request: Request = REQUEST, **others: Any) -> list[str]:
    """The names of the sources that apply."""
    return [grant.source for grant in access_for(Resources(memory_sources=sources, **others), request).grants]


def refusal(resources: Resources, request: Request) -> KradleError:
    """The error with which a request is refused."""
    with pytest.raises(KradleError) as caught:
        access_for(resources, request)
    return caught.value


def test_without_a_source_nothing_is_granted() -> None:
    assert access_for(Resources(), REQUEST) == Access(())


def test_a_source_of_another_organisation_grants_nothing() -> None:
    assert granted(source(organization="globex")) == []


def test_a_source_for_another_brain_grants_nothing() -> None:
    assert granted(source(repository_ref="other"), source("any"), source("this", repository_ref="brain")) == [
        "any",
        "this",
    ]


def test_a_source_may_name_the_brain_by_the_git_repository_behind_it() -> None:
    brain = MemoryRepository("a5c", "brain", repository_ref="a5c-ai/company-brain")
    assert granted(source(repository_ref="a5c-ai/company-brain"), memory_repositories=(brain,)) == ["grant"]


@pytest.mark.parametrize(
    ("applies_to", "fits"),
    [
        (AppliesTo(), True),
        (AppliesTo(repositories=("kradle", "other")), True),
        (AppliesTo(repositories=("repository:kradle",)), True),
        (AppliesTo(repositories=("Kradle",)), False),
        (AppliesTo(repositories=("*",)), False),
        (AppliesTo(repositories=()), False),
        (AppliesTo(teams=("platform",)), True),
        (AppliesTo(teams=("team:docs",)), True),
        (AppliesTo(teams=("security",)), False),
        (AppliesTo(users=("alice",)), True),
        (AppliesTo(users=("team:alice",)), False),
        (AppliesTo(triggers=("manual",)), True),
        (AppliesTo(triggers=("cron",)), False),
        (AppliesTo(stacks=("ci-repair",)), True),
        (AppliesTo(stacks=("purpose=ci",)), True),
        (AppliesTo(stacks=("purpose=docs",)), False),
        (AppliesTo(repositories=("kradle",), teams=("security",)), False),
        (AppliesTo(repositories=("kradle",), users=("user:alice",)), True),
    ],
)
def test_every_list_that_is_present_must_fit(applies_to: AppliesTo, fits: bool) -> None:
    stacks = (
        AgentStack("a5c", "ci-repair", labels=("purpose=ci",)),
        AgentStack("globex", "ci-repair", labels=("purpose=docs",)),
    )
    assert granted(source(applies_to=applies_to), stacks=stacks) == (["grant"] if fits else [])


def test_a_request_that_names_nothing_fits_only_sources_that_ask_for_nothing() -> None:
    sources = [
        source(field, applies_to=AppliesTo(**{field: ("x",)}))
        for field in ("repositories", "teams", "stacks", "triggers", "users")
    ]
    assert granted(*sources, source("any"), request=Request(organization="a5c")) == ["any"]


def test_placeholders_are_filled_and_other_brackets_stay() -> None:
    written = ("[repo]/[stack]/*", "orgs/[org]/**", "notes/[draft].md")
    (grant,) = access_for(Resources(memory_sources=(source(include_paths=written),)), REQUEST).grants
    assert grant.paths == ("kradle/ci-repair/*", "notes/[draft].md", "orgs/a5c/**")


def test_a_placeholder_without_a_value_allows_nothing_and_denies_everything() -> None:
    only = source(include_paths=("[repo]/**", "notes/**"), exclude_paths=("notes/[repo]/**",))
    access = access_for(Resources(memory_sources=(only,)), Request(organization="a5c"))
    assert access.allows("kradle/a.md", None, "public") is None
    assert access.allows("notes/kradle/a.md", None, "public") is None
    assert access.allows("notes/a.md", None, "public") == "notes/**"


@pytest.mark.parametrize("name", ["*", "a?", "[org]", "a b", "a\n", "a\u200bb"])
def test_a_value_that_would_widen_a_pattern_is_refused(name: str) -> None:
    error = refusal(
        Resources(memory_sources=(source(include_paths=("[repo]/**",)),)), replace(REQUEST, repository=name)
    )
    assert error.code is ErrorCode.USAGE
    assert error.message.isprintable()


def test_grants_are_in_normal_form_whatever_the_order_given() -> None:
    sources = (
        source("b", include_paths=("z/**", "a/**", "z/**"), sensitivities=("restricted", "public")),
        source("a", include_kinds=("Runbook", "Decision"), exclude_kinds=("Term", "Page"), max_context_bytes=9),
        source("c"),
    )
    expected = (
        Grant("a", ("runbooks/**",), ("Decision", "Runbook"), exclude_kinds=("Page", "Term"), max_context_bytes=9),
        Grant("b", ("a/**", "z/**"), sensitivities=("public", "restricted")),
        Grant("c", ("runbooks/**",)),
    )
    for order in permutations(sources):
        assert access_for(Resources(memory_sources=order), REQUEST) == Access(expected)


def test_the_policy_flags_of_a_source_reach_its_grant() -> None:
    flags: dict[str, Any] = {
        "require_approved_commit": True,
        "require_valid_ontology": True,
        "allow_invalid_ontology": True,
        "allow_on_public": True,
    }
    (grant,) = access_for(Resources(memory_sources=(source(**flags),)), REQUEST).grants
    assert grant == Grant("grant", ("runbooks/**",), **flags)


def test_the_excludes_of_a_source_that_grants_nothing_hold_for_the_others() -> None:
    sources = (source(), source("deny", include_paths=None, exclude_paths=("runbooks/private/**",)))
    access = access_for(Resources(memory_sources=sources), REQUEST)
    assert access.allows("runbooks/a.md", None, "public") == "runbooks/**"
    assert access.allows("runbooks/private/a.md", None, "public") is None


def test_only_a_repository_that_is_said_to_be_public_makes_a_public_dispatch() -> None:
    found = {
        visibility: access_for(Resources(), replace(REQUEST, visibility=visibility)).public_dispatch
        for visibility in Visibility
    }
    assert found == {Visibility.PUBLIC: True, Visibility.PRIVATE: False, Visibility.UNKNOWN: False}


def test_the_local_grant_is_the_whole_brain_at_public_and_internal() -> None:
    access = local_access()
    for sensitivity in ("public", "internal"):
        assert access.allows("any/path.md", None, sensitivity) == "**"
        assert access.allows(".hidden/graph.yaml", "Runbook", sensitivity) == "**"
    for sensitivity in ("restricted", "secret-metadata", "unknown"):
        assert access.allows("any/path.md", None, sensitivity) is None
    assert local_access(public_dispatch=True).allows("any/path.md", None, "internal") is None


def test_the_default_query_mode_is_the_one_that_the_sources_agree_on() -> None:
    grep = source("a", default_query_mode="grep-only")
    graph = source("b", default_query_mode="graph-only")
    other = source("c", default_query_mode="graph-only", organization="globex")
    assert default_query_mode(Resources(memory_sources=(grep, source("d"), other)), REQUEST) is QueryMode.GREP_ONLY
    assert default_query_mode(Resources(memory_sources=(grep, graph)), REQUEST) is None
    assert default_query_mode(Resources(), REQUEST) is None


def test_the_organisation_of_all_resources_is_taken_when_the_request_names_none() -> None:
    request = replace(REQUEST, organization=None)
    assert granted(source(), request=request) == ["grant"]
    assert complete_request(Resources(memory_sources=(source(),)), request).organization == "a5c"
    assert complete_request(Resources(), request).organization is None


def test_resources_of_several_organisations_need_a_request_that_says_which() -> None:
    resources = Resources(memory_sources=(source(), source(organization="globex")))
    error = refusal(resources, replace(REQUEST, organization=None))
    assert error.code is ErrorCode.USAGE
    assert "--org" in error.hint


BRAINS = (
    MemoryRepository("a5c", "brain", root="kb"),
    MemoryRepository("globex", "secret-brain", location="/srv/globex"),
)


@pytest.mark.parametrize("name", ["secret-brain", "globex/secret-brain"])
def test_the_brain_of_another_organisation_is_denied_without_a_word_about_it(name: str) -> None:
    resources = Resources(memory_repositories=BRAINS, memory_sources=(source(),))
    request = replace(REQUEST, brain=name)
    for ask in (access_for, memory_repository_for, complete_request):
        with pytest.raises(KradleError) as caught:
            ask(resources, request)
        assert caught.value.code is ErrorCode.CROSS_ORG_REF_DENIED
        told = caught.value.message + caught.value.hint + str(caught.value.details)
        assert "globex" not in told
        assert "secret" not in told


def test_a_name_that_both_organisations_use_is_the_own_one() -> None:
    brains = (MemoryRepository("globex", "brain"), MemoryRepository("a5c", "brain"))
    assert memory_repository_for(Resources(memory_repositories=brains), REQUEST) == brains[1]


def test_a_brain_that_no_resource_describes_is_none() -> None:
    assert memory_repository_for(Resources(memory_repositories=BRAINS), replace(REQUEST, brain="elsewhere")) is None


def test_the_only_brain_is_taken_when_the_request_names_none() -> None:
    request = replace(REQUEST, brain="local")
    two = (MemoryRepository("a5c", "one"), MemoryRepository("a5c", "two"))
    stack = AgentStack("a5c", "ci-repair", memory_repository_refs=("two",))
    named = source(repository_ref="granted")
    assert complete_request(Resources(memory_repositories=BRAINS), request).brain == "brain"
    assert complete_request(Resources(memory_repositories=two), request).brain == "local"
    assert complete_request(Resources(memory_repositories=two, stacks=(stack,)), request).brain == "two"
    assert complete_request(Resources(memory_sources=(named,)), request).brain == "granted"
    assert complete_request(Resources(), request).brain == "local"


def test_a_request_takes_what_its_brain_says_unless_it_says_so_itself() -> None:
    brain = MemoryRepository("a5c", "brain", repository_ref="git", root="kb", layout_profile="atlas-md-yaml-v1")
    ontology = OntologyResource("a5c", "o", repository_ref="brain", ontology_path="schema")
    other = OntologyResource("a5c", "p", repository_ref="other", ontology_path="elsewhere")
    resources = Resources(memory_repositories=(brain,), ontologies=(ontology, other))
    completed = complete_request(resources, replace(REQUEST, brain="git"))
    assert (completed.brain, completed.root, completed.layout_profile) == ("brain", "kb", "atlas-md-yaml-v1")
    assert completed.ontology_path == "schema"
    assert complete_request(resources, completed) == completed
    stated = complete_request(resources, replace(REQUEST, root="", ontology_path="mine"))
    assert (stated.root, stated.ontology_path) == ("", "mine")


def test_two_ontology_paths_for_one_brain_are_refused() -> None:
    ontologies = tuple(OntologyResource("a5c", path, ontology_path=path) for path in ("one", "two"))
    assert refusal(Resources(ontologies=ontologies), REQUEST).code is ErrorCode.RESOURCE_INVALID


def test_a_stacks_pinned_snapshot_holds_when_no_ref_was_asked_for() -> None:
    resources = Resources(stacks=(AgentStack("a5c", "ci-repair", memory_snapshot_ref="2026-05-08T000000Z"),))
    pinned = MemoryRef(RefMode.SNAPSHOT_TAG, "2026-05-08T000000Z")
    explicit = MemoryRef(RefMode.EXPLICIT, "main")
    assert complete_request(resources, REQUEST).ref == pinned
    assert complete_request(resources, replace(REQUEST, ref=explicit)).ref == explicit
    assert complete_request(resources, replace(REQUEST, stack="other")).ref == MemoryRef()
