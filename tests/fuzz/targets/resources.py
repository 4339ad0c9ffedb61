"""Resources: read whole or refused with a line, and what is made of them for a request."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from hypothesis import strategies as st

from kradle_ctx.digest import digest_value
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access
from kradle_ctx.model.request import Request
from kradle_ctx.model.resources import Resources
from kradle_ctx.resources import (
    access_for,
    applicable_associations,
    complete_request,
    default_query_mode,
    denied_scopes,
    memory_repository_for,
    read_resources,
)
from tests.fuzz.target import Target, bytes_of, refusal, require
from tests.fuzz.targets import yaml_documents

FIXTURES = Path(__file__).parents[3] / "fixtures"

NAME = "given.yaml"
CODES = (ErrorCode.USAGE, ErrorCode.RESOURCE_INVALID, ErrorCode.CROSS_ORG_REF_DENIED)
PATHS = ("graph/a.yaml", "runbooks/ci/b.md", "incidents/security/c.md", "[repo].md", "a")
REQUESTS = (
    Request(),
    Request(organization="a5c", repository="kradle", stack="claude-code-ci-repair", include_paths=("graph/**",)),
    Request(organization="globex", repository="storefront", brain="org-company-brain", kinds=("Page",)),
)

HEAD = "apiVersion: kradle.a5c.ai/v1alpha1\nkind: {}\nmetadata: {{name: {}}}\nspec:\n  organizationRef: a5c\n"
KINDS = st.sampled_from(
    ["AgentMemoryRepository", "AgentMemorySource", "AgentMemoryOntology", "AgentStack", "AgentToolGrant", "Pod"]
)
VALUES = st.sampled_from(
    [
        *["a", "[a, b]", "{a: b}", "'[org]'", "true", "1", "-1", "2.0", "99999999999", "null", "''", "'../x'"],
        *["[[a]]", "'*'", "{paths: ['**', /x/, ./y//z], graphKinds: [Term]}", "['a/[repo].md']"],
        *["{users: [], teams: [t]}", '"\\u202e"', "{kind: Repository, name: kradle}", "{owner: a, name: b}"],
        *["[memory.graph.search]", "['(', 'a{9999}']", "&a b", "*a"],
    ]
)
FIELDS = st.sampled_from(
    [
        *["repositoryRef", "include", "exclude", "sensitivities", "appliesTo", "root", "signers", "redactionPatterns"],
        *["ontologyPath", "tools", "labels", "memoryRepositoryRefs", "memorySnapshotRef", "maxContextBytes"],
        *["unknown", "allowOnPublic", "requireApprovedCommit", "defaultQueryMode", "updates", "defaultBranch"],
        *["location"],
    ]
)
DOCUMENTS = st.builds(
    lambda kind, name, fields: HEAD.format(kind, name) + "".join(f"  {key}: {value}\n" for key, value in fields),
    KINDS,
    st.sampled_from(["a", "b", "org-company-brain", "'x y'", "1", "''"]),
    st.lists(st.tuples(FIELDS, VALUES), max_size=4, unique_by=lambda pair: pair[0]),
)
SCRAPS = (
    *yaml_documents.SCRAPS,
    *(b"metadata:\n  name: ", b"spec:\n", b"  organizationRef: b\n", b"kind: AgentStack\n", b"\n---\n", b"[org]"),
    *(b"[repo]", b"- '**'\n", b"- ../x\n", b"/", b"*", b"paths: [", b"graphKinds: [", b"appliesTo: {}", b"9" * 30),
    *(b"\xe2\x80\xae",),
)


def check(data: bytes) -> str:
    """Read a file of resources, and complete each of some requests with them."""
    text = data.decode(errors="replace")
    try:
        resources = read_resources([(NAME, text)])
    except KradleError as error:
        line = int(error.message.removeprefix(f"{NAME}:").partition(":")[0])
        require(1 <= line <= 1 + text.count("\n"), "a fault lies within its text")
        return refusal(error, ErrorCode.RESOURCE_INVALID)
    require(read_resources([(NAME, text)]) == resources, "reading twice gives the same")
    return " ".join(answer(partial(granted, resources, request)) for request in REQUESTS)


def answer(call: Callable[[], str]) -> str:
    """The word for what was made, or for its refusal."""
    try:
        return call()
    except KradleError as error:
        return refusal(error, *CODES).partition(" ")[0]


def granted(resources: Resources, request: Request) -> str:
    """Complete a request, and decide on some paths."""
    completed = complete_request(resources, request)
    require(complete_request(resources, completed) == completed, "completing twice changes nothing more")
    access = access_for(resources, completed)
    require(access_for(resources, request) == access, "a request and its completed form have the same access")
    brain = memory_repository_for(resources, completed)
    require(brain is None or brain.organization == completed.organization, "a brain belongs to the organisation")
    own = [source.name for source in resources.memory_sources if source.organization == completed.organization]
    require({grant.source for grant in access.grants} <= set(own), "only sources of the organisation grant")
    associations = applicable_associations(resources, completed)
    require(all(each.organization == completed.organization for each in associations), "and only its associations tie")
    default_query_mode(resources, completed)
    digest_value([grant.to_json() for grant in access.grants])
    require_decisions(access, completed)
    return f"{min(len(access.grants), 3)}-grants"


def require_decisions(access: Access, request: Request) -> None:
    """Check that excludes hold over all grants, and that what is denied is named in order."""
    denied = denied_scopes(access, request)
    require(denied == tuple(sorted(set(denied))), "denied scopes are sorted, each once")
    for path in PATHS:
        by = access.allows(path, "Term", "internal")
        require(
            by is None or any(by in (grant.paths or (by,)) for grant in access.grants), "a grant names what it allows"
        )
        require(access.allows(path, "Term", "internal") == by, "the same question has the same answer")
        if not any(grant.paths or grant.kinds for grant in access.grants):
            require(by is None, "without a grant nothing may be read")


TARGET = Target(
    name="resources",
    promise="resources are read whole or refused with a line, and only those of the organisation count",
    check=check,
    inputs=st.lists(DOCUMENTS, min_size=1, max_size=4).map("---\n".join).map(bytes_of),
    seeds=lambda: [path.read_bytes() for path in sorted(FIXTURES.glob("brain-repo/.kradle/*/*.yaml"))],
    scraps=SCRAPS,
)
