"""From settings to a run: grants, defaults, and where the brain is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from kradle_ctx.config import RequestFlags, settings_from
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.memory_mode import MemoryMode
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import QueryMode, RankOrder
from kradle_ctx.resources import local_access
from kradle_ctx.wiring import Run, prepare
from tests.example import planted_secrets

Prepare = Callable[..., Run]


@pytest.fixture
def prepared(tmp_path: Path) -> Prepare:
    """Prepares a run from flags in an empty folder."""

    def make(*, discover: bool = False, environment: Mapping[str, str] | None = None, **flags: Any) -> Run:
        return prepare(settings_from(RequestFlags(**flags), environment or {}, tmp_path), discover=discover)

    return make


def resource(kind: str, spec: Mapping[str, Any], name: str = "brain", organization: str = "a5c") -> dict[str, Any]:
    """A resource of an organisation."""
    return {
        "apiVersion": "kradle.a5c.ai/v1alpha1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": {"organizationRef": organization, **spec},
    }


def source(name: str = "notes", **spec: Any) -> dict[str, Any]:
    """A source that grants the notes to anybody."""
    return resource("AgentMemorySource", {"include": {"paths": ["notes/**"]}, **spec}, name)


def write(file: Path, *documents: Mapping[str, Any]) -> str:
    """Write resources into a file; its path as a flag."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(yaml.safe_dump_all(documents), encoding="utf-8")
    return str(file)


def refusal(call: Callable[[], object]) -> KradleError:
    with pytest.raises(KradleError) as caught:
        call()
    return caught.value


def test_without_grants_nothing_may_be_read(prepared: Prepare) -> None:
    run = prepared(query="x")
    assert run.access.grants == ()
    assert run.assumed == ()


def test_a_local_grant_is_the_callers_own_word(prepared: Prepare) -> None:
    run = prepared(query="x", local_grant=True)
    assert run.access == local_access()
    assert run.assumed == ()
    assert prepared(query="x", local_grant=True, visibility="public").access == local_access(public_dispatch=True)


def test_a_local_grant_is_assumed_only_where_grants_may_be_discovered(prepared: Prepare) -> None:
    run = prepared(query="x", discover=True)
    assert run.access == local_access()
    assert run.assumed == ("grant: the whole brain at public and internal, as with --local-grant",)


def test_resources_of_the_starting_folder_are_found_only_where_they_may_be(prepared: Prepare, tmp_path: Path) -> None:
    write(tmp_path / ".kradle" / "source.yaml", source())
    found = prepared(query="x", discover=True)
    assert [grant.paths for grant in found.access.grants] == [("notes/**",)]
    assert found.assumed == ("resources: .kradle/ of this folder",)
    assert prepared(query="x").access.grants == ()


def test_what_is_given_stands_before_what_would_be_found(prepared: Prepare, tmp_path: Path) -> None:
    write(tmp_path / ".kradle" / "source.yaml", source("found"))
    given = write(tmp_path / "given.yaml", source("given"))
    for run in (
        prepared(query="x", discover=True, resources=(given,)),
        prepared(query="x", discover=True, environment={"KRADLE_RESOURCES": given}),
    ):
        assert [grant.source for grant in run.access.grants] == ["given"]
        assert run.assumed == ()
    assert prepared(query="x", discover=True, local_grant=True).access == local_access()


def test_sources_that_do_not_apply_leave_no_grant_even_where_one_could_be_assumed(
    prepared: Prepare, tmp_path: Path
) -> None:
    given = write(tmp_path / "given.yaml", source(appliesTo={"repositories": ["kradle"]}))
    assert prepared(query="x", discover=True, resources=(given,), repo="depot").access.grants == ()
    assert len(prepared(query="x", discover=True, resources=(given,), repo="kradle").access.grants) == 1


def test_several_runs_are_refused(prepared: Prepare, tmp_path: Path) -> None:
    runs = [resource("AgentDispatchRun", {}, name) for name in ("adr-1", "adr-2")]
    error = refusal(lambda: prepared(resources=(write(tmp_path / "runs.yaml", *runs),)))
    assert error.code is ErrorCode.USAGE
    assert "adr-1, adr-2" in error.message


def test_a_run_of_flags_alone_has_no_name_and_no_organization(prepared: Prepare) -> None:
    request = prepared(query="x").request
    assert (request.name, request.organization) == (None, None)
    named = prepared(query="x", name="adr-1", org="a5c").request
    assert (named.name, named.organization) == ("adr-1", "a5c")


def test_the_organization_of_the_resources_is_that_of_a_run_of_flags(prepared: Prepare, tmp_path: Path) -> None:
    given = write(tmp_path / "given.yaml", source())
    assert prepared(query="x", resources=(given,)).request.organization == "a5c"
    assert prepared(query="x", resources=(given,), org="globex").access.grants == ()


@pytest.mark.parametrize(
    ("brain", "run", "flag", "expected"),
    [
        (False, None, None, False),
        (False, True, None, True),
        (False, None, True, True),
        (True, None, None, True),
        (True, False, None, False),
        (True, None, False, False),
        (None, None, None, True),
        (None, False, True, True),
    ],
)
def test_flag_then_run_then_brain_say_whether_memory_is_required(
    prepared: Prepare, tmp_path: Path, brain: bool | None, run: bool | None, flag: bool | None, expected: bool
) -> None:
    memory = {"repositoryRef": "brain"} | ({} if run is None else {"required": run})
    described = {} if brain is None else {"required": brain}
    given = write(
        tmp_path / "given.yaml",
        resource("AgentMemoryRepository", described),
        resource("AgentDispatchRun", {"memory": memory}, "adr-1"),
    )
    assert prepared(resources=(given,), required=flag).request.required is expected


def test_flag_then_run_then_source_say_the_query_mode(prepared: Prepare, tmp_path: Path) -> None:
    granted = source(defaultQueryMode="graph-only")
    alone = write(tmp_path / "source.yaml", granted)
    run = resource("AgentDispatchRun", {"memory": {"queryMode": "grep-only"}}, "adr-1")
    both = write(tmp_path / "both.yaml", granted, run)
    assert prepared(resources=(alone,)).request.query_mode is QueryMode.GRAPH_ONLY
    assert prepared(resources=(both,)).request.query_mode is QueryMode.GREP_ONLY
    assert prepared(resources=(both,), mode="document-read").request.query_mode is QueryMode.DOCUMENT_READ
    assert prepared().request.query_mode is QueryMode.GRAPH_AND_GREP


def test_the_narrowest_memory_mode_of_run_flag_and_environment_holds(prepared: Prepare, tmp_path: Path) -> None:
    run = resource("AgentDispatchRun", {"memory": {"mode": "read-only"}}, "adr-1")
    given = write(tmp_path / "run.yaml", run)
    assert prepared(resources=(given,)).request.memory_mode is MemoryMode.READ_ONLY
    disabled = {"KRADLE_MEMORY_MODE": "disabled"}
    assert prepared(resources=(given,), environment=disabled).request.memory_mode is MemoryMode.DISABLED
    full = {"KRADLE_MEMORY_MODE": "full"}
    assert prepared(resources=(given,), environment=full).request.memory_mode is MemoryMode.READ_ONLY
    assert prepared(environment=disabled).request.memory_mode is MemoryMode.DISABLED


def test_the_layout_is_that_of_the_flags_else_of_the_brain(prepared: Prepare, tmp_path: Path) -> None:
    described = {"root": "docs/brain/", "layoutProfile": "atlas-md-yaml-v1", "defaultBranch": "trunk"}
    given = write(tmp_path / "brain.yaml", resource("AgentMemoryRepository", described))
    run = prepared(resources=(given,))
    assert (run.request.root, run.request.layout_profile, run.default_branch) == (
        "docs/brain",
        "atlas-md-yaml-v1",
        "trunk",
    )
    flags = {"root": "./other/", "ontology": "onto", "layout_profile": "company-brain-v1", "rank": "literal"}
    request = prepared(resources=(given,), **flags).request
    assert (request.root, request.ontology_path, request.layout_profile) == ("other", "onto", "company-brain-v1")
    assert request.rank is RankOrder.LITERAL


def test_a_stacks_snapshot_is_pinned_when_no_ref_was_asked_for(prepared: Prepare, tmp_path: Path) -> None:
    given = write(tmp_path / "stack.yaml", resource("AgentStack", {"memorySnapshotRef": "s1"}, "repair"))
    asked = prepared(resources=(given,), stack="repair").request.ref
    assert asked == MemoryRef(RefMode.SNAPSHOT_TAG, "s1")
    assert prepared(resources=(given,), stack="repair", ref="main").request.ref == MemoryRef(RefMode.EXPLICIT, "main")


def test_the_query_is_held_only_as_redacted(prepared: Prepare) -> None:
    secret = planted_secrets()["url-password"]
    request = prepared(query=f"why postgres://web:{secret}@db.example/x").request
    assert request.query.startswith("why ")
    assert secret not in request.query
    assert sum(request.query_redactions.values()) == 1


def test_another_organizations_brain_is_refused(prepared: Prepare, tmp_path: Path) -> None:
    given = write(tmp_path / "brain.yaml", resource("AgentMemoryRepository", {}))
    error = refusal(lambda: prepared(resources=(given,), org="globex", memory_repository="brain"))
    assert error.code is ErrorCode.CROSS_ORG_REF_DENIED


def test_a_brain_named_by_url_is_not_read(prepared: Prepare) -> None:
    error = refusal(prepared(query="x", local_grant=True, brain="https://git.example/brain").open_repository)
    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE


def test_nothing_is_opened_before_it_is_asked_for(prepared: Prepare, tmp_path: Path) -> None:
    run = prepared(query="x", local_grant=True, brain="absent")
    error = refusal(run.open_repository)
    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
    assert str(tmp_path / "absent") in error.message


def test_the_brain_is_where_the_flag_says_else_its_resource_else_here(prepared: Prepare, tmp_path: Path) -> None:
    given = write(tmp_path / "brain.yaml", resource("AgentMemoryRepository", {"location": "located"}))
    flagged = prepared(resources=(given,), brain="flagged")
    for run, place in (
        (flagged, tmp_path / "flagged"),
        (prepared(resources=(given,)), tmp_path / "located"),
        (prepared(), tmp_path),
    ):
        assert repr(str(place)) in refusal(run.open_repository).message


def test_a_local_grant_cannot_undo_what_a_source_denies(prepared: Prepare, tmp_path: Path) -> None:
    given = write(tmp_path / "r.yaml", source(exclude={"paths": ["notes/closed/**"]}))
    error = refusal(lambda: prepared(query="x", local_grant=True, resources=(given,)))
    assert error.code is ErrorCode.USAGE


def test_a_flag_cannot_widen_what_the_request_disables(prepared: Prepare, tmp_path: Path) -> None:
    run = resource("AgentDispatchRun", {"memory": {"queryText": "x", "mode": "disabled"}}, "run")
    given = write(tmp_path / "r.yaml", run)
    assert prepared(resources=(given,), memory_mode="full").request.memory_mode is MemoryMode.DISABLED
    run["spec"]["memory"]["mode"] = "Disabled"
    given = write(tmp_path / "s.yaml", run)
    error = refusal(lambda: prepared(resources=(given,), memory_mode="full"))
    assert error.code is ErrorCode.MEMORY_MODE_INVALID


# Redaction patterns

TICKET = {"redactionPatterns": [{"kind": "ticket", "pattern": "T-[0-9]+"}]}


def hidden(run: Run, text: str) -> str:
    """A text as the run's redactor shows it."""
    return run.redactor.redact(text).text


def test_patterns_of_the_organisation_hold_for_every_run_that_is_given_them(prepared: Prepare, tmp_path: Path) -> None:
    not_for_us = source("secretive", appliesTo={"repositories": ["nobody"]}, **TICKET)
    brain_resource = resource(
        "AgentMemoryRepository", {"redactionPatterns": [{"kind": "plate", "pattern": "HH-[A-Z]+"}]}
    )
    file = write(tmp_path / "all.yaml", source(), not_for_us, brain_resource)
    run = prepared(resources=(file,), query="T-7 with HH-AB", repo="kradle", redaction_pattern=("code=falcon",))
    assert run.request.query == "[REDACTED:ticket] with [REDACTED:plate]"
    assert dict(run.request.query_redactions) == {"ticket": 1, "plate": 1}
    assert hidden(run, "falcon T-1 HH-X") == "[REDACTED:code] [REDACTED:ticket] [REDACTED:plate]"


def test_patterns_hold_whoever_gave_them_so_that_a_misspelt_organisation_shows_nothing(
    prepared: Prepare, tmp_path: Path
) -> None:
    other = resource("AgentMemorySource", {"include": ["x/**"], **TICKET}, "theirs", organization="globex")
    file = write(tmp_path / "all.yaml", source(), other)
    assert prepared(resources=(file,), query="T-7", org="a5c").request.query == "[REDACTED:ticket]"


def test_a_flag_adds_to_the_patterns_of_the_request_and_takes_none_away(prepared: Prepare, tmp_path: Path) -> None:
    run = resource("AgentDispatchRun", {"memory": {"queryText": "T-7 of falcon", **TICKET}}, "adr-1")
    file = write(tmp_path / "run.yaml", source(), run)
    flagged = prepared(resources=(file,), redaction_pattern=("code=falcon",))
    assert flagged.request.query == "[REDACTED:ticket] of [REDACTED:code]"


def test_an_error_names_nothing_that_a_pattern_hides(prepared: Prepare, tmp_path: Path) -> None:
    other = resource("AgentMemorySource", {"include": ["x/**"]}, "theirs", organization="globex")
    file = write(tmp_path / "all.yaml", source(), other)
    error = refusal(lambda: prepared(resources=(file,), redaction_pattern=("org=organisations",), query="x"))
    assert "organisations" not in error.message
    assert "[REDACTED:org]" in error.message


# An unknown memory repository


@pytest.mark.parametrize(
    ("named", "code"), [("globex/brain", ErrorCode.CROSS_ORG_REF_DENIED), ("nosuch", ErrorCode.USAGE)]
)
def test_a_memory_repository_that_no_resource_describes_is_refused_where_others_are_given(
    prepared: Prepare, tmp_path: Path, named: str, code: ErrorCode
) -> None:
    file = write(tmp_path / "all.yaml", source(), resource("AgentMemoryRepository", {}))
    assert prepared(resources=(file,), query="x", memory_repository="brain").request.brain == "brain"
    assert refusal(lambda: prepared(resources=(file,), query="x", memory_repository=named)).code is code
