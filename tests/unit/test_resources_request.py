"""From an AgentDispatchRun to a request."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.memory_mode import MemoryMode
from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import LOCAL_REPOSITORY, Filter, Limits, QueryMode, Request, Requester, Visibility
from kradle_ctx.resources import read_resources, request_from

FULL = """\
apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentDispatchRun
metadata: {name: adr-01hx, namespace: kradle-org-a5c}
spec:
  organizationRef: a5c
  repository: {name: kradle, visibility: private}
  agentStack: claude-code-ci-repair
  taskKind: ci-repair
  requester: {user: "user:alice", teams: ["team:platform"], process: docs-memory, trigger: manual}
  sourceRefs: {pullRequest: kradle/42, issue: [kradle/91, 92], path: docs/agents}
  task: {prompt: "The Playwright checks are flaky, find out why."}
  memory:
    repositoryRef: org-company-brain
    refAt: 2026-05-08T09:30:00Z
    queryMode: grep-only
    queryText: flaky playwright failures
    select: ["runbook:ci-playwright-flake"]
    filter: {owners: ["team:platform"], statuses: [approved], tags: [ci], edges: [mentions]}
    exclude: {paths: [scratch/], kinds: [Term]}
    regex: true
    recall: {enabled: false}
    graph: {kinds: [Runbook, Decision, Runbook], edgeDepth: 3}
    grep: {paths: ["runbooks/**", "notes/**"], maxMatches: 5, contextLines: 0}
    limits: {maxMemoryBytes: 1000, maxTokens: 200, maxRecords: 7}
    required: false
    mode: read-only
"""


def request_of(text: str) -> Request:
    """The request of the one dispatch run in a text."""
    (run,) = read_resources([("run.yaml", text)]).runs
    return request_from(run.document)


def run(memory: str = "{}", more: str = "") -> str:
    """A small dispatch run: `memory` is a flow mapping, `more` further fields of spec."""
    head = "apiVersion: kradle.a5c.ai/v1alpha1\nkind: AgentDispatchRun\nmetadata: {name: adr-1}\nspec:\n"
    return head + f"  organizationRef: a5c\n  memory: {memory}\n{more}"


def test_every_field_of_a_dispatch_run_reaches_the_request() -> None:
    assert request_of(FULL) == Request(
        organization="a5c",
        name="adr-01hx",
        namespace="kradle-org-a5c",
        repository="kradle",
        visibility=Visibility.PRIVATE,
        stack="claude-code-ci-repair",
        task_kind="ci-repair",
        requester=Requester("user:alice", ("team:platform",), "docs-memory", "manual"),
        source_refs={
            "repository": ("kradle",),
            "stack": ("claude-code-ci-repair",),
            "trigger": ("manual",),
            "pullRequest": ("kradle/42",),
            "issue": ("kradle/91", "92"),
            "path": ("docs/agents",),
        },
        brain="org-company-brain",
        ref=MemoryRef(RefMode.AT_TIME, at=datetime(2026, 5, 8, 9, 30, tzinfo=UTC), at_text="2026-05-08T09:30:00Z"),
        query_mode=QueryMode.GREP_ONLY,
        query="flaky playwright failures",
        regex=True,
        select=("runbook:ci-playwright-flake",),
        filter=Filter(("team:platform",), ("approved",), ("ci",), ("mentions",)),
        kinds=("Runbook", "Decision"),
        include_paths=("runbooks/**", "notes/**"),
        exclude_paths=("scratch/**",),
        exclude_kinds=("Term",),
        edge_depth=3,
        max_matches=5,
        context_lines=0,
        limits=Limits(1000, 200, 7),
        required=False,
        memory_mode=MemoryMode.READ_ONLY,
    )


def test_what_is_absent_has_the_defaults() -> None:
    assert request_of(run()) == Request(organization="a5c", name="adr-1")


def test_the_repository_may_be_a_name_alone() -> None:
    request = request_of(run(more="  repository: kradle\n"))
    assert (request.repository, request.visibility) == ("kradle", Visibility.UNKNOWN)
    assert request.source_refs == {"repository": ("kradle",)}
    assert request.brain == LOCAL_REPOSITORY


def test_a_source_ref_that_is_stated_stands_before_the_one_that_is_derived() -> None:
    request = request_of(run(more="  repository: kradle\n  sourceRefs: {repository: other}\n"))
    assert request.source_refs == {"repository": ("other",)}


def test_the_prompt_is_the_query_when_there_is_no_query_text() -> None:
    task = "  task: {prompt: ' why? '}\n"
    assert request_of(run(more=task)).query == "why?"
    assert request_of(run("{queryText: 404}", task)).query == "404"
    assert request_of(run("{queryText: ''}", task)).query == ""


def test_a_request_can_add_redaction_patterns() -> None:
    request = request_of(run("{redactionPatterns: [{kind: ticket, pattern: 'T-[0-9]+'}]}"))
    assert request.redaction_patterns == (RedactionPattern("ticket", "T-[0-9]+"),)
    assert request_of(run()).redaction_patterns == ()


@pytest.mark.parametrize("pattern", ["(", "a{2000}", "(?=x)", "[[:no:]]"])
def test_a_pattern_that_re2_does_not_take_is_refused_at_its_line(pattern: str) -> None:
    text = run(f"{{queryText: x,\n    redactionPatterns: [\n      {{kind: ticket, pattern: '{pattern}'}}]}}")
    with pytest.raises(KradleError) as raised:
        request_of(text)
    assert raised.value.code is ErrorCode.RESOURCE_INVALID
    assert raised.value.details["line"] == 1 + text[: text.index("pattern: '")].count("\n")
    assert "spec.memory.redactionPatterns[0].pattern: must be an RE2 expression" in raised.value.message


@pytest.mark.parametrize(
    ("memory", "ref"),
    [
        ("{}", MemoryRef()),
        ("{requestedRef: main}", MemoryRef(RefMode.EXPLICIT, "main")),
        ("{requestedRef: 1234567}", MemoryRef(RefMode.EXPLICIT, "1234567")),
        ("{requestedRef: 0012345}", MemoryRef(RefMode.EXPLICIT, "0012345")),
        ("{snapshotTag: 2026-05-08T000000Z}", MemoryRef(RefMode.SNAPSHOT_TAG, "2026-05-08T000000Z")),
    ],
)
def test_a_ref_is_read_by_the_field_that_holds_it(memory: str, ref: MemoryRef) -> None:
    assert request_of(run(memory)).ref == ref


def test_more_than_one_ref_is_refused() -> None:
    with pytest.raises(KradleError) as caught:
        request_of(run("{requestedRef: main, snapshotTag: x}"))
    assert caught.value.code is ErrorCode.RESOURCE_INVALID
    assert caught.value.message == "spec.memory names more than one memory ref: requestedRef, snapshotTag"


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(KradleError) as caught:
        request_of(run("{refAt: 2026-05-08T09:30:00}"))
    assert caught.value.code is ErrorCode.TIMESTAMP_AMBIGUOUS


@pytest.mark.parametrize("mode", ["none", "Full", "''", "null", "true", "1", "[full]", "{a: b}", '"full "', "x" * 5000])
def test_a_mode_that_cannot_be_read_is_an_error_and_never_full(mode: str) -> None:
    with pytest.raises(KradleError) as caught:
        request_of(run(f"{{mode: {mode}}}"))
    assert caught.value.code is ErrorCode.MEMORY_MODE_INVALID
    assert len(caught.value.message) < 100


def test_a_repository_name_with_a_wildcard_is_refused() -> None:
    for repository in ('"*"', "{name: 'a?'}", '"[org]"'):
        with pytest.raises(KradleError) as caught:
            request_of(run(more=f"  repository: {repository}\n"))
        assert caught.value.code is ErrorCode.RESOURCE_INVALID


def test_a_misspelt_memory_field_is_refused() -> None:
    with pytest.raises(KradleError, match="did you mean memory"):
        request_of(run(more="  memmory: {mode: disabled}\n"))


def test_a_number_may_be_written_with_a_point_as_long_as_it_is_whole() -> None:
    depth: Any = request_of(run("{graph: {edgeDepth: 2.0}}")).edge_depth
    assert depth == 2
    assert isinstance(depth, int)
