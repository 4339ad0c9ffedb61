"""The schemas themselves: valid, strict, described, and of one mind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kradle_ctx.digest import digest_text
from kradle_ctx.model.access import SENSITIVITIES, Grant
from kradle_ctx.model.request import QueryMode, Request, Visibility
from kradle_ctx.resources import read_resources, request_from
from kradle_ctx.resources.build import BUILDERS, TOOL_WORDS
from kradle_ctx.resources.schema import schema_folder

SCHEMAS: dict[str, Any] = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(schema_folder().glob("*.schema.json"))
}
EMITTED = {
    "AgentContextBundle",
    "AgentMemoryGraphIndex",
    "AgentMemoryOntologyReport",
    "AgentMemoryQuery",
    "AgentMemorySearchManifest",
    "AgentMemorySnapshot",
    "AgentMemoryValidationReport",
}
OPEN = {"metadata", "labels", "annotations", "status", "indexPolicy", "task"}
"""Fields whose mapping is not ours alone, so that other keys may stand in it; a read status is the cluster's."""

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
DIGEST, COMMIT, INSTANT = str(digest_text("x")), "0123456789abcdef" * 2 + "01234567", "2026-05-10T12:00:00Z"


def subschemas(schema: Any, name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema within a schema, with the name of the field that it is for."""
    if not isinstance(schema, dict):
        return
    yield name, schema
    for field in ("properties", "$defs"):
        for key, value in schema.get(field, {}).items():
            yield from subschemas(value, key)
    for field in ("items", "additionalProperties"):
        yield from subschemas(schema.get(field), f"{name}[]")


def faults(kind: str, document: Any) -> list[str]:
    """What the schema of a kind finds wrong."""
    return [error.json_path for error in Draft202012Validator(SCHEMAS[kind]).iter_errors(document)]


def test_there_is_a_schema_of_every_kind_that_is_read_or_emitted() -> None:
    assert set(SCHEMAS) == set(BUILDERS) | EMITTED


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_schema_is_valid_2020_12_and_names_its_kind(kind: str) -> None:
    schema = SCHEMAS[kind]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"].endswith(f"/{kind}.schema.json")
    assert schema["properties"]["kind"]["const"] == kind


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_field_has_a_description(kind: str) -> None:
    for _, schema in subschemas(SCHEMAS[kind]):
        for field, value in schema.get("properties", {}).items():
            assert value.get("description", "").endswith("."), field


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_mapping_of_ours_is_closed(kind: str) -> None:
    for name, schema in subschemas(SCHEMAS[kind]):
        if "object" in schema.get("type", ()) and name not in OPEN and (kind, name) != ("AgentStack", "spec"):
            assert "additionalProperties" in schema, name


@pytest.mark.parametrize("kind", BUILDERS)
def test_everything_that_is_read_has_a_longest_length(kind: str) -> None:
    for name, schema in subschemas(SCHEMAS[kind]):
        types = schema.get("type", ())
        if "array" in types:
            assert "maxItems" in schema, name
        if "string" in types:
            assert "maxLength" in schema, name


@pytest.mark.parametrize("kind", SCHEMAS)
def test_no_pattern_lets_a_line_break_pass_at_its_end(kind: str) -> None:
    for name, schema in subschemas(SCHEMAS[kind]):
        if "pattern" in schema:
            assert not re.search(schema["pattern"], "a\n"), name
            assert "title" in schema, name


def test_definitions_of_one_name_are_the_same_in_every_schema() -> None:
    seen: dict[str, Any] = {}
    for schema in SCHEMAS.values():
        for name, definition in schema["$defs"].items():
            assert seen.setdefault(name, definition) == definition, name


def test_the_words_of_the_schemas_are_those_of_the_model() -> None:
    source, run = SCHEMAS["AgentMemorySource"], SCHEMAS["AgentDispatchRun"]
    assert source["$defs"]["sensitivity"]["enum"] == list(SENSITIVITIES)
    assert source["$defs"]["queryMode"]["enum"] == [mode.value for mode in QueryMode]
    repository = run["properties"]["spec"]["properties"]["repository"]
    assert set(repository["properties"]["visibility"]["enum"]) == {word.value for word in Visibility}
    tools = SCHEMAS["AgentToolGrant"]["properties"]["spec"]["properties"]["tools"]["items"]["enum"]
    assert {TOOL_WORDS.get(tool.replace("_", "."), tool) for tool in tools} == set(TOOL_WORDS.values())


def test_the_resources_and_requests_of_the_example_brain_are_read() -> None:
    files = [*(FIXTURES / "brain-repo" / ".kradle").rglob("*.yaml"), *(FIXTURES / "requests").glob("*.yaml")]
    resources = read_resources((path.name, path.read_text(encoding="utf-8")) for path in files)
    assert resources.organizations == {"a5c", "globex"}
    requests = [request_from(run.document) for run in resources.runs]
    assert {request.name for request in requests} == {"adr-01hx", "adr-01hy", "adr-01hz"}
    assert all(request.query and request.brain == "org-company-brain" for request in requests)


def bundle() -> dict[str, Any]:
    """A bundle with every field of the contract."""
    digests = ["queryManifest", "policy", "ontology", "index", "selectedRecords", "selectedExcerpts"]
    return {
        "apiVersion": "kradle.a5c.ai/v1alpha1",
        "kind": "AgentContextBundle",
        "metadata": {
            "name": "acb-3f9c2a7d41e0",
            "namespace": "kradle-org-a5c",
            "labels": {"kradle.a5c.ai/org": "a5c", "kradle.a5c.ai/repository": "kradle"},
        },
        "spec": {
            "organizationRef": "a5c",
            "dispatchRun": "adr-01hx",
            "sourceRefs": {"repository": "kradle", "issue": ["kradle/91", "kradle/92"]},
            "prompt": {"renderedMemoryDigest": DIGEST},
            "memory": {
                "enabled": True,
                "repositoryRef": "org-company-brain",
                "requestedRef": "main",
                "resolvedCommit": COMMIT,
                "refResolution": {
                    "mode": "current",
                    "requested": "main",
                    "resolvedCommit": COMMIT,
                    "committedAt": INSTANT,
                    "resolvedAt": INSTANT,
                },
                "currentCommitAtDispatch": COMMIT,
                "staleBy": "2d3h",
                "accessCommit": COMMIT,
                "versions": {
                    "schema": "v1alpha1",
                    "ranker": "1",
                    "rules": "1",
                    "prompt": "1",
                    "tokenizer": "estimate-v1",
                    "indexer": "1",
                },
                "query": Request(query="flaky", kinds=("Runbook",), source_refs={"issue": ("91",)}).to_json(),
                "grants": [Grant("g", ("notes/**",), ("Runbook",), ("hr/**",), allow_on_public=True).to_json()],
                "snapshotRef": "ams-0123456789ab",
                "queryMode": "graph-and-grep",
                **{f"{name}Digest": DIGEST for name in digests},
                "sources": [source()],
                "omitted": {
                    "count": 12,
                    "bytes": 40213,
                    "reasons": {"over-budget": 9, "superseded": 3},
                    "items": [{"id": "runbook:other", "reason": "over-budget"}],
                },
                "denied": [{"pattern": "incidents/security/**", "reason": "excluded-path"}],
                "skipped": {"count": 1, "items": [{"path": "notes/a.md:3", "reason": "not UTF-8"}]},
                "limits": {
                    "maxMemoryBytes": 128000,
                    "maxTokens": 24000,
                    "usedBytes": 51200,
                    "usedTokens": 12880,
                    "tokenizer": "estimate-v1",
                    "truncated": True,
                },
                "warnings": [{"code": "skipped", "message": "1 file could not be read; see skipped"}],
            },
            "redactions": [{"kind": "provider-token", "count": 1, "replacement": "[REDACTED:provider-token]"}],
            "limits": {"maxBytes": 750000, "truncated": True},
        },
        "status": {
            "phase": "Ready",
            "digest": DIGEST,
            "conditions": [{"type": "RefResolved", "status": "True", "reason": "CommitFound"}],
        },
    }


def source() -> dict[str, Any]:
    """An item with every field of the contract."""
    return {
        "kind": "memory-graph-record",
        "id": "runbook:ci-playwright-flake",
        "nodeKind": "Runbook",
        "title": "Playwright flake triage",
        "path": "runbooks/ci/playwright-flake.md",
        "lineStart": 1,
        "lineEnd": 40,
        "blob": COMMIT,
        "lastChanged": {"commit": COMMIT, "at": INSTANT},
        "owners": ["team:platform"],
        "status": "approved",
        "digest": DIGEST,
        "bytes": 812,
        "tokens": 203,
        "redactions": {"provider-token": 1},
        "why": {
            "summary": "direct association of repository:kradle, 1 edge away, 3 terms matched",
            "selected": False,
            "association": "applies_to_repo",
            "distance": 1,
            "breadcrumb": ["repository:kradle", "<-applies_to_repo-", "runbook:ci-playwright-flake"],
            "allow": "runbooks/ci/**",
            "grep": {"terms": ["flaky", "playwright"], "matches": 7, "score": 3.42},
            "approved": True,
            "supersededBy": "runbook:new",
            "score": 4.1,
        },
        "content": "...",
    }


def test_a_bundle_as_in_the_contract_fits() -> None:
    assert faults("AgentContextBundle", bundle()) == []


def test_a_bundle_without_memory_fits_and_one_that_hides_its_pins_does_not() -> None:
    disabled = bundle()
    disabled["spec"]["memory"] = {"enabled": False, "repositoryRef": "local"}
    assert faults("AgentContextBundle", disabled) == []
    disabled["spec"]["memory"] |= {"sources": []}
    assert faults("AgentContextBundle", disabled) == []
    disabled["spec"]["memory"] |= {"sources": [source()]}
    assert faults("AgentContextBundle", disabled) == ["$.spec.memory"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("metadata", "name"), "bundle"),
        (("status", "digest"), DIGEST.upper()),
        (("status", "digest"), DIGEST + "\n"),
        (("status", "phase"), "Done"),
        (("spec", "memory", "resolvedCommit"), "main"),
        (("spec", "memory", "snapshotRef"), "ams-x"),
        (("spec", "memory", "refResolution", "resolvedAt"), "2026-05-10"),
        (("spec", "memory", "omitted", "count"), -1),
        (("spec", "memory", "sources", 0, "lineStart"), 0),
        (("spec", "memory", "sources", 0, "secret"), "x"),
        (("spec", "memory", "sources", 0, "kind"), "memory-other"),
        (("spec", "surprise"), 1),
    ],
)
def test_a_bundle_that_breaks_the_contract_does_not_fit(path: tuple[str | int, ...], value: object) -> None:
    broken: Any = deepcopy(bundle())
    place = broken
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert faults("AgentContextBundle", broken) != []


def test_a_snapshot_fits() -> None:
    memory = bundle()["spec"]["memory"]
    pins = ["refResolution", "repositoryRef", "resolvedCommit", "versions"]
    pins += [name for name in memory if name.endswith("Digest")]
    document: dict[str, Any] = {
        "apiVersion": "kradle.a5c.ai/v1alpha1",
        "kind": "AgentMemorySnapshot",
        "metadata": {"name": memory["snapshotRef"]},
        "spec": {"organizationRef": "a5c", "renderedMemoryDigest": DIGEST, **{name: memory[name] for name in pins}},
    }
    assert faults("AgentMemorySnapshot", document) == []
    del document["spec"]["policyDigest"]
    assert faults("AgentMemorySnapshot", document) == ["$.spec"]


def test_a_query_fits_and_a_blocked_one_says_why() -> None:
    document: dict[str, Any] = {
        "apiVersion": "kradle.a5c.ai/v1alpha1",
        "kind": "AgentMemoryQuery",
        "metadata": {"name": "amq-0123456789ab"},
        "spec": {
            "organizationRef": "a5c",
            "repositoryRef": "org-company-brain",
            "requester": {"user": "user:alice", "teams": ["team:platform"]},
            "request": Request(query="flaky").to_json(),
            "counts": {"selected": 1, "omitted": 12, "denied": 1},
            "deniedScopes": [{"pattern": "incidents/security/**", "reason": "excluded-path"}],
        },
        "status": {"phase": "Ready"},
    }
    assert faults("AgentMemoryQuery", document) == []
    document["status"] = {"phase": "Blocked"}
    assert faults("AgentMemoryQuery", document) == ["$.status", "$.status"]
    document["status"] |= {"reason": "MEMORY_REF_UNRESOLVED", "message": "no such branch"}
    assert faults("AgentMemoryQuery", document) == []
