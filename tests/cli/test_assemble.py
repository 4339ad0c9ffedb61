"""`assemble`: what its flags say, where its grants come from, and what it leaves behind."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kradle_ctx.yamldoc import parse
from tests.cases.command_line import COMMAND, Answer, environment
from tests.example import RESOURCES, TIME_LIMIT, asking, bundle_of, documents_of, invoke, items_of

Here = Callable[..., Answer]

GLOBEX = RESOURCES.parent / "globex"

FLAGS: dict[str, tuple[str, ...]] = {
    "--org": ("a5c",),
    "--name": ("adr-flags",),
    "--namespace": ("kradle-org-a5c",),
    "--repo": ("kradle",),
    "--visibility": ("private",),
    "--stack": ("docs-writer",),
    "--task-kind": ("replay",),
    "--prompt": ("Write it up.",),
    "--user": ("user:alice",),
    "--team": ("team:platform", "team:web"),
    "--process": ("docs-memory",),
    "--trigger": ("manual",),
    "--issue": ("kradle/91", "kradle/92"),
    "--pr": ("kradle/42",),
    "--service": ("kradle-web",),
    "--skill": ("triage-flaky-check",),
    "--job": ("job-01hx",),
    "--path": ("docs/agents",),
    "--memory-repository": ("org-company-brain",),
    "--ref": ("main",),
    "--mode": ("graph-and-grep",),
    "--query": ("flaky|playwright",),
    "--regex": (),
    "--select": ("runbook:ci-red-main",),
    "--owner": ("team:web", "team:platform"),
    "--status": ("approved",),
    "--tag": ("ci", "browser-checks"),
    "--edge": ("owned_by",),
    "--exclude": ("meetings/**", "notes/oncall/"),
    "--exclude-kind": ("Term",),
    "--kind": ("Runbook", "Decision"),
    "--depth": ("1",),
    "--include": ("runbooks/**", "decisions/**"),
    "--max-matches": ("5",),
    "--context": ("1",),
    "--max-bytes": ("20000",),
    "--max-tokens": ("4000",),
    "--max-records": ("9",),
    "--memory-mode": ("read-only",),
    "--redaction-pattern": ("depot=Rot[a-z]+dam",),
    "--required": (),
}

RUN = """\
apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentDispatchRun
metadata: {name: adr-flags, namespace: kradle-org-a5c}
spec:
  organizationRef: a5c
  repository: {name: kradle, visibility: private}
  agentStack: docs-writer
  taskKind: replay
  task: {prompt: Write it up.}
  requester: {user: "user:alice", teams: ["team:platform", "team:web"], process: docs-memory, trigger: manual}
  sourceRefs:
    issue: [kradle/91, kradle/92]
    pullRequest: kradle/42
    service: kradle-web
    skill: triage-flaky-check
    job: job-01hx
    path: docs/agents
  memory:
    repositoryRef: org-company-brain
    requestedRef: main
    queryMode: graph-and-grep
    queryText: flaky|playwright
    regex: true
    select: ["runbook:ci-red-main"]
    filter: {owners: ["team:web", "team:platform"], statuses: [approved], tags: [ci, browser-checks], edges: [owned_by]}
    exclude: {paths: ["meetings/**", "notes/oncall/"], kinds: [Term]}
    graph: {kinds: [Runbook, Decision], edgeDepth: 1}
    grep: {paths: ["runbooks/**", "decisions/**"], maxMatches: 5, contextLines: 1}
    limits: {maxMemoryBytes: 20000, maxTokens: 4000, maxRecords: 9}
    required: true
    mode: read-only
    redactionPatterns: [{kind: depot, pattern: "Rot[a-z]+dam"}]
"""
"""What `FLAGS` say, as a request."""

QUERY: dict[str, Any] = {
    "mode": "graph-and-grep",
    "text": "flaky|playwright",
    "regex": True,
    "rank": "score",
    "edgeDepth": 1,
    "maxMatches": 5,
    "contextLines": 1,
    "limits": {"maxMemoryBytes": 20000, "maxTokens": 4000, "maxRecords": 9},
    "layoutProfile": "company-brain-v1",
    "ontologyPath": "ontology",
    "taskKind": "replay",
    "sourceRefs": {
        "issue": ["kradle/91", "kradle/92"],
        "job": ["job-01hx"],
        "path": ["docs/agents"],
        "pullRequest": ["kradle/42"],
        "repository": ["kradle"],
        "service": ["kradle-web"],
        "skill": ["triage-flaky-check"],
        "stack": ["docs-writer"],
        "trigger": ["manual"],
    },
    "select": ["runbook:ci-red-main"],
    "kinds": ["Decision", "Runbook"],
    "includePaths": ["decisions/**", "runbooks/**"],
    "excludePaths": ["meetings/**", "notes/oncall/**"],
    "excludeKinds": ["Term"],
    "owners": ["team:platform", "team:web"],
    "statuses": ["approved"],
    "tags": ["browser-checks", "ci"],
    "edges": ["owned_by"],
}
"""What `FLAGS` say, as `memory.query` has it: lists without an order are sorted, patterns are in normal form."""


def spelled(flags: dict[str, tuple[str, ...]]) -> list[str]:
    """Flags as arguments, one of several values once for each."""
    alone = [flag for flag, values in flags.items() if not values]
    return alone + [word for flag, values in flags.items() for value in values for word in (flag, value)]


def memory_of(answer: Answer) -> dict[str, Any]:
    """`spec.memory` of a run that succeeded."""
    memory: dict[str, Any] = bundle_of(answer)["spec"]["memory"]
    return memory


# Flags and requests


def test_flags_say_what_a_request_says(here: Here, example_brain: Path, tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(RUN, encoding="utf-8")
    start = ("assemble", "--brain", example_brain, "-f", RESOURCES, "--all-documents")
    flagged, written = here(*start, *spelled(FLAGS)), here(*start, "-f", tmp_path / "run.yaml")
    assert memory_of(written)["query"] == QUERY
    assert items_of(bundle_of(written))[0] == "runbook:ci-red-main"
    assert flagged.stdout == written.stdout


def test_every_flag_that_asks_something_is_tried_above() -> None:
    from kradle_ctx.cli.options import REQUEST_OPTIONS

    asking_nothing = {"brain", "resources", "local_grant", "root", "ontology", "layout_profile", "rank", "no_index"}
    other_refs = {"at", "snapshot"}
    tried = {flag.removeprefix("--").replace("-", "_") for flag in FLAGS}
    assert tried | asking_nothing | other_refs == set(REQUEST_OPTIONS)


def test_flags_without_a_field_in_a_request_reach_the_query(here: Here, example_brain: Path) -> None:
    asked = ("assemble", "--brain", example_brain, "--local-grant", "--query", "flaky")
    flags = ("--ontology", "ontology", "--layout-profile", "atlas-md-yaml-v1", "--rank", "literal")
    query = memory_of(here(*asked, *flags))["query"]
    assert (query["ontologyPath"], query["layoutProfile"], query["rank"]) == ("ontology", "atlas-md-yaml-v1", "literal")
    below = memory_of(here(*asked, "--root", "./runbooks/"))
    assert below["query"]["root"] == "runbooks"
    assert "ci/playwright-flake.md" in [source["path"] for source in below["sources"]]


@pytest.mark.parametrize("request_name", ["ci-repair", "time-travel", "snapshot"])
@pytest.mark.parametrize(
    ("flags", "mode", "requested"),
    [
        (("--ref", "main"), "explicit-ref", "main"),
        (("--at", "2026-05-10T00:00:00+02:00"), "ref-at-time", "2026-05-10T00:00:00+02:00"),
        (("--snapshot", "2026-05-11T000000Z"), "snapshot-tag", "2026-05-11T000000Z"),
    ],
)
def test_a_ref_flag_replaces_the_ref_of_the_request(
    here: Here, example_brain: Path, request_name: str, flags: tuple[str, str], mode: str, requested: str
) -> None:
    memory = memory_of(here("assemble", *asking(example_brain, request_name), *flags))
    resolution = memory["refResolution"]
    assert (resolution["mode"], resolution["requested"]) == (mode, requested)
    assert len({"requestedRef", "requestedRefAt", "requestedSnapshotTag"} & set(memory)) == 1


# Grants


def test_grants_come_from_the_environment_when_no_flag_names_any(
    here: Here, example_brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--brain", example_brain, "--repo", "kradle", "--stack", "docs-writer", "--query", "flaky")
    given = here("assemble", *asked, "-f", RESOURCES)
    monkeypatch.setenv("KRADLE_RESOURCES", str(RESOURCES))
    assert here("assemble", *asked).stdout == given.stdout
    assert [grant["source"] for grant in memory_of(given)["grants"]] == ["kradle-engineering"]
    assert here("assemble", *asked, "-f", GLOBEX, "--required").code == 4


def test_a_folder_of_resources_where_it_starts_grants_nothing(
    here: Here, example_brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(example_brain)
    asked = ("--repo", "kradle", "--stack", "docs-writer", "--org", "a5c", "--query", "flaky")
    assert (Path.cwd() / ".kradle" / "a5c" / "memory-sources.yaml").is_file()
    refused = here("assemble", *asked, "--error-format", "json")
    assert (refused.code, refused.error["code"]) == (4, "MEMORY_PERMISSION_DENIED")


def test_no_grant_gives_an_optional_run_an_empty_bundle_that_says_so(here: Here, example_brain: Path) -> None:
    memory = memory_of(here("assemble", "--brain", example_brain, "--query", "flaky", "--optional"))
    assert (memory["sources"], memory["grants"]) == ([], [])
    (warning,) = memory["warnings"]
    assert "MEMORY_PERMISSION_DENIED" in warning["message"]


def test_neither_organization_reaches_the_brain_of_the_other(here: Here, example_brain: Path, tmp_path: Path) -> None:
    """Both brains have the same name, and here the same place."""
    globex = ("--org", "globex", "--repo", "storefront", "--memory-repository", "org-company-brain")
    a5c_asks, globex_asks = asking(example_brain, "ci-repair")[4:], (*globex, "--query", "release train")
    place = ("--brain", tmp_path / "absent", "--error-format", "json", "--optional")
    for resources, asked in ((GLOBEX, a5c_asks), (RESOURCES, globex_asks)):
        answer = here("assemble", *place, "-f", resources, *asked, "--records", tmp_path / "records")
        assert (answer.code, answer.error["code"]) == (4, "CROSS_ORG_REF_DENIED")
        assert set(answer.error) == {"code", "message", "hint"}
    blocked = [parse(file.read_text()) for file in sorted((tmp_path / "records").iterdir())]
    assert {document["kind"] for document in blocked} == {"AgentMemoryQuery"}
    assert {document["status"]["reason"] for document in blocked} == {"CROSS_ORG_REF_DENIED"}
    own = here("assemble", "--brain", example_brain, "-f", GLOBEX, *globex_asks)
    both = here("assemble", "--brain", example_brain, "-f", GLOBEX, "-f", RESOURCES, *globex_asks)
    assert items_of(bundle_of(own)) == ["page:release-train"]
    assert both.stdout == own.stdout


def test_what_belongs_to_another_organization_changes_no_byte(here: Here, example_brain: Path) -> None:
    alone = here("assemble", *asking(example_brain, "ci-repair"), "--all-documents")
    beside = here("assemble", *asking(example_brain, "ci-repair"), "-f", GLOBEX, "--all-documents")
    assert alone.code == 0
    assert beside.stdout == alone.stdout


# Files


@pytest.mark.parametrize("mask", [0o000, 0o077])
def test_the_umask_changes_neither_bytes_nor_mode(example_brain: Path, tmp_path: Path, mask: int) -> None:
    subprocess.run(
        [*COMMAND, "assemble", *asking(example_brain, "ci-repair"), "-o", "bundle.yaml", "--records", "records"],
        cwd=tmp_path,
        check=True,
        env=environment(),
        umask=mask,
        timeout=TIME_LIMIT,
    )
    written = sorted(tmp_path.rglob("*.yaml"))
    assert len(written) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in written} == {0o600}
    plain = invoke(tmp_path, "assemble", *asking(example_brain, "ci-repair"))
    assert (tmp_path / "bundle.yaml").read_bytes() == plain.stdout


def test_the_records_are_the_documents_that_stand_in_one_output(
    here: Here, example_brain: Path, tmp_path: Path
) -> None:
    asked = ("assemble", *asking(example_brain, "ci-repair"))
    together = here(*asked, "--all-documents", "--format", "json", "--records", tmp_path / "records")
    bundle, snapshot, query = documents_of(together.text)
    for document in (snapshot, query):
        file = tmp_path / "records" / f"{document['metadata']['name']}.yaml"
        assert yaml.safe_load(file.read_text(encoding="utf-8")) == document
    assert len(list((tmp_path / "records").iterdir())) == 2
    assert bundle == bundle_of(here(*asked))


def test_records_that_cannot_be_written_are_a_refusal(here: Here, example_brain: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    asked = ("assemble", *asking(example_brain, "ci-repair"), "-o", tmp_path / "bundle.yaml", "--error-format", "json")
    answer = here(*asked, "--records", tmp_path / "file" / "records")
    assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (("--ref", "nope"), "MEMORY_REF_UNRESOLVED"),
        (("--memory-mode", "disabled"), "MEMORY_MODE_FORBIDDEN"),
        (("--stack", "other"), "MEMORY_PERMISSION_DENIED"),
        (("--select", "runbook:absent"), "MEMORY_ITEM_UNAVAILABLE"),
    ],
)
def test_a_blocked_run_leaves_its_record_and_the_file_that_was_there(
    here: Here, example_brain: Path, tmp_path: Path, more: tuple[str, str], reason: str
) -> None:
    target = tmp_path / "bundle.yaml"
    target.write_text("before\n")
    answer = here(
        "assemble", *asking(example_brain, "ci-repair"), *more, "-o", target, "--records", tmp_path / "records"
    )
    assert f"[{reason}]" in answer.talk
    assert target.read_text() == "before\n"
    (file,) = (tmp_path / "records").iterdir()
    (record,) = documents_of(file.read_text(encoding="utf-8"))
    assert (record["kind"], record["spec"]["dispatchRun"]) == ("AgentMemoryQuery", "adr-01hx")
    assert (record["status"]["phase"], record["status"]["reason"]) == ("Blocked", reason)


def test_a_write_that_fails_half_way_leaves_nothing_behind(
    here: Here, example_brain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old file stays whole whichever step fails, and no temporary file stays."""
    target = tmp_path / "out" / "bundle.yaml"
    target.parent.mkdir()
    target.write_text("before\n")

    def failing(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    for step in ("tempfile.mkstemp", "os.fsync", "pathlib.Path.chmod", "pathlib.Path.replace"):
        with monkeypatch.context() as patched:
            patched.setattr(step, failing)
            answer = here("assemble", *asking(example_brain, "ci-repair"), "-o", target, "--error-format", "json")
        assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE"), step
        assert [file.name for file in target.parent.iterdir()] == ["bundle.yaml"], step
        assert target.read_text() == "before\n", step
    assert here("assemble", *asking(example_brain, "ci-repair"), "-o", target).code == 0
    assert [file.name for file in target.parent.iterdir()] == ["bundle.yaml"]
