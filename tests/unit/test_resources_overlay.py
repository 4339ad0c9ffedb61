"""Flags laid over a dispatch run."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import fields

from kradle_ctx.config import RequestFlags
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.resources.overlay import overlay
from kradle_ctx.resources.schema import schema_faults

FLAGS = RequestFlags(
    org="a5c",
    name="adr-1",
    namespace="kradle-org-a5c",
    repo="kradle",
    visibility="private",
    stack="ci-repair",
    task_kind="repair",
    prompt="Find out why.",
    user="user:alice",
    team=("team:web", "team:edge"),
    process="docs",
    trigger="manual",
    issue=("kradle/91", "92"),
    pr=("kradle/42",),
    service=("kradle-web",),
    skill=("triage",),
    job=("job-1",),
    path=("docs/a b.md",),
    memory_repository="a5c/brain",
    at="2026-05-08T09:30:00Z",
    mode="graph-only",
    query="flaky",
    regex=True,
    select=("runbook:a",),
    owner=("team:web",),
    status=("approved",),
    tag=("ci",),
    edge=("mentions",),
    exclude=("scratch/**",),
    exclude_kind=("Term",),
    kind=("Runbook",),
    depth=0,
    include=("runbooks/**",),
    max_matches=0,
    context=0,
    max_bytes=1000,
    max_tokens=200,
    max_records=7,
    redaction_pattern=("ticket=T-[0-9]+",),
    required=False,
)

RUN: dict[str, Any] = {
    "apiVersion": "kradle.a5c.ai/v1alpha1",
    "kind": "AgentDispatchRun",
    "metadata": {"name": "adr-1", "namespace": "kradle-org-a5c"},
    "spec": {
        "organizationRef": "a5c",
        "repository": {"name": "kradle", "visibility": "private"},
        "agentStack": "ci-repair",
        "taskKind": "repair",
        "task": {"prompt": "Find out why."},
        "requester": {
            "user": "user:alice",
            "teams": ["team:web", "team:edge"],
            "process": "docs",
            "trigger": "manual",
        },
        "sourceRefs": {
            "issue": ["kradle/91", "92"],
            "pullRequest": ["kradle/42"],
            "service": ["kradle-web"],
            "skill": ["triage"],
            "job": ["job-1"],
            "path": ["docs/a b.md"],
        },
        "memory": {
            "repositoryRef": "a5c/brain",
            "refAt": "2026-05-08T09:30:00Z",
            "queryMode": "graph-only",
            "queryText": "flaky",
            "regex": True,
            "select": ["runbook:a"],
            "filter": {"owners": ["team:web"], "statuses": ["approved"], "tags": ["ci"], "edges": ["mentions"]},
            "exclude": {"paths": ["scratch/**"], "kinds": ["Term"]},
            "graph": {"kinds": ["Runbook"], "edgeDepth": 0},
            "grep": {"paths": ["runbooks/**"], "maxMatches": 0, "contextLines": 0},
            "limits": {"maxMemoryBytes": 1000, "maxTokens": 200, "maxRecords": 7},
            "redactionPatterns": [{"kind": "ticket", "pattern": "T-[0-9]+"}],
            "required": False,
        },
    },
}
"""The run that says what `FLAGS` say."""

ELSEWHERE = {
    "no_index",
    "memory_mode",
    "brain",
    "resources",
    "local_grant",
    "root",
    "ontology",
    "layout_profile",
    "rank",
    "ref",
    "snapshot",
}
"""Flags that are no field of a dispatch run, and the two refs that stand in the place of `--at`."""


def refusal(flags: RequestFlags, run: dict[str, Any] | None = None) -> str:
    with pytest.raises(KradleError) as caught:
        overlay(run, flags)
    assert caught.value.code is ErrorCode.USAGE
    assert caught.value.hint
    return caught.value.message


def test_every_flag_of_a_request_has_its_field() -> None:
    assert overlay(None, FLAGS) == RUN
    silent = {each.name for each in fields(FLAGS) if getattr(FLAGS, each.name) == each.default}
    assert silent == ELSEWHERE
    assert schema_faults("AgentDispatchRun", RUN) == ()


def test_flags_win_over_the_run_and_leave_the_rest_of_it() -> None:
    flags = RequestFlags(query="other", max_records=3, include=("notes/**",), repo="depot", required=True)
    expected = deepcopy(RUN)
    expected["spec"]["repository"]["name"] = "depot"
    memory = expected["spec"]["memory"]
    memory |= {"queryText": "other", "required": True}
    memory["limits"]["maxRecords"] = 3
    memory["grep"]["paths"] = ["notes/**"]
    assert overlay(RUN, flags) == expected


def test_the_run_itself_is_not_changed() -> None:
    before = deepcopy(RUN)
    overlay(RUN, RequestFlags(query="other", snapshot="2026-05-08T000000Z", name="adr-2", tag=("x",)))
    assert before == RUN


def test_no_flags_change_nothing() -> None:
    assert overlay(RUN, RequestFlags()) == RUN


@pytest.mark.parametrize(
    ("flags", "field", "value"),
    [
        (RequestFlags(ref="main"), "requestedRef", "main"),
        (RequestFlags(at="2026-05-01T00:00:00Z"), "refAt", "2026-05-01T00:00:00Z"),
        (RequestFlags(snapshot="s1"), "snapshotTag", "s1"),
    ],
)
@pytest.mark.parametrize("stated", ["requestedRef", "refAt", "snapshotTag"])
def test_one_ref_flag_replaces_whichever_ref_the_run_has(
    flags: RequestFlags, field: str, value: str, stated: str
) -> None:
    run = deepcopy(RUN)
    del run["spec"]["memory"]["refAt"]
    run["spec"]["memory"][stated] = "old"
    memory = overlay(run, flags)["spec"]["memory"]
    found = {name: memory[name] for name in ("requestedRef", "refAt", "snapshotTag") if name in memory}
    assert found == {field: value}


def test_two_ref_flags_are_refused_whatever_the_run_says() -> None:
    for flags in (
        RequestFlags(ref="main", at="2026-05-01T00:00:00Z"),
        RequestFlags(ref="main", snapshot="s1"),
        RequestFlags(at="2026-05-01T00:00:00Z", snapshot="s1"),
    ):
        assert "two different commits" in refusal(flags)
        assert "two different commits" in refusal(flags, RUN)


def test_a_repository_that_is_a_name_alone_keeps_it_beside_a_visibility() -> None:
    run = deepcopy(RUN)
    run["spec"]["repository"] = "kradle"
    laid = overlay(run, RequestFlags(visibility="public"))
    assert laid["spec"]["repository"] == {"name": "kradle", "visibility": "public"}


@pytest.mark.parametrize(
    ("flags", "option"),
    [
        (RequestFlags(org="a b"), "--org"),
        (RequestFlags(name="../x"), "--name"),
        (RequestFlags(namespace="Ünï"), "--namespace"),
        (RequestFlags(stack="*"), "--stack"),
        (RequestFlags(repo="*"), "--repo"),
        (RequestFlags(repo=""), "--repo"),
        (RequestFlags(memory_repository="[org]"), "--memory-repository"),
        (RequestFlags(user="a\nb"), "--user"),
        (RequestFlags(team=("web", "")), "--team"),
        (RequestFlags(task_kind="x" * 254), "--task-kind"),
        (RequestFlags(issue=("1\n2",)), "--issue"),
        (RequestFlags(select=("",)), "--select"),
        (RequestFlags(include=("../x/**",)), "--include"),
        (RequestFlags(exclude=("a/..",)), "--exclude"),
        (RequestFlags(exclude_kind=("a\x07",)), "--exclude-kind"),
    ],
)
def test_a_text_that_the_schema_of_a_run_refuses_is_refused_as_a_flag_too(flags: RequestFlags, option: str) -> None:
    message = refusal(flags)
    assert message.startswith(f"{option} is not ")
    assert "\n" not in message


def test_the_question_is_free_text() -> None:
    text = "Traceback:\n\tx.ts:1\n../a"
    spec = overlay(None, RequestFlags(query=text, prompt=text))["spec"]
    assert spec["memory"]["queryText"] == spec["task"]["prompt"] == text


def test_a_flag_that_is_not_utf_8_is_refused() -> None:
    for flags in (RequestFlags(query="a\udcff"), RequestFlags(ref="\udcff"), RequestFlags(tag=("a", "b\udc80"))):
        assert refusal(flags).endswith(" is not UTF-8")


def test_a_flag_has_a_length() -> None:
    for flags in (
        RequestFlags(query="x" * 1_000_001),
        RequestFlags(tag=("x" * 4_097,)),
        RequestFlags(tag=("x",) * 1_001),
    ):
        assert refusal(flags).endswith("is too long")
    assert overlay(None, RequestFlags(query="x" * 1_000_000, tag=("x",) * 1_000))["spec"]["memory"]["filter"]
