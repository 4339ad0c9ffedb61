"""Whole bundles of the example brain, byte for byte; `python tests/golden/renew.py` writes them anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.example import REQUESTS, bundle_of, documents_of, items_of, planted_secrets
from tests.golden.renew import FORMS, golden_file, output

RESTRICTED = ("halyard", "lodestar", "tidegate")
"""Words that stand only in documents that the requests' grants do not cover."""


@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize("request_name", REQUESTS)
def test_the_output_is_as_it_was(example_brain: Path, request_name: str, suffix: str) -> None:
    file = golden_file(request_name, suffix)
    assert output(example_brain, request_name, suffix).decode() == file.read_text(encoding="utf-8")


def golden(request_name: str) -> list[dict[str, Any]]:
    """The golden bundle, snapshot and query record."""
    return documents_of(golden_file(request_name, "yaml").read_text(encoding="utf-8"))


def test_there_is_no_golden_file_of_anything_else() -> None:
    here = Path(__file__).parent
    expected = {golden_file(name, suffix) for name in REQUESTS for suffix in FORMS}
    assert {path for path in here.iterdir() if path.suffix in (".yaml", ".md")} == expected


@pytest.mark.parametrize("request_name", REQUESTS)
def test_the_three_documents_belong_together(request_name: str) -> None:
    bundle, snapshot, query = golden(request_name)
    assert [document["kind"] for document in (bundle, snapshot, query)] == [
        "AgentContextBundle",
        "AgentMemorySnapshot",
        "AgentMemoryQuery",
    ]
    memory = bundle["spec"]["memory"]
    assert snapshot["metadata"]["name"] == memory["snapshotRef"] == query["spec"]["snapshotRef"]
    assert snapshot["spec"]["resolvedCommit"] == memory["resolvedCommit"] == query["spec"]["resolvedCommit"]


@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize("request_name", REQUESTS)
def test_nothing_restricted_and_no_secret_shows(example_brain: Path, request_name: str, suffix: str) -> None:
    """Those words and secrets do stand in the brain."""
    text = output(example_brain, request_name, suffix).decode()
    for word in RESTRICTED:
        assert word not in text.lower()
    for secret in planted_secrets().values():
        assert not any(secret[at : at + 6] in text for at in range(len(secret) - 5))


def test_the_words_and_secrets_that_must_not_show_are_in_the_brain(example_brain: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for path in example_brain.rglob("*.md")]
    for word in (*RESTRICTED, *planted_secrets().values()):
        assert any(word in text.lower() or word in text for text in texts), word


def test_the_repair_run_gets_the_runbook_the_decision_and_the_investigation() -> None:
    (bundle, *_) = golden("ci-repair")
    items = items_of(bundle)
    assert items[0] == "runbook:ci-playwright-flake"
    assert "decision:quarantine-flaky-checks" in items
    assert "notes/investigations/2026-05-playwright.md" in items
    assert "incident:2026-04-20-laptop-loss" not in items
    assert not any(item.startswith("incidents/security/") for item in items)


def test_superseded_decisions_stand_behind_the_one_that_holds_and_a_draft_retires_nothing() -> None:
    for request_name in REQUESTS:
        (bundle, *_) = golden(request_name)
        items = items_of(bundle)
        at = items.index("decision:quarantine-flaky-checks")
        for old in ("decision:retry-browser-checks", "decision:browser-checks-block-every-push"):
            assert items.index(old) > at
        why = bundle["spec"]["memory"]["sources"][at]["why"]
        assert "supersededBy" not in why


def test_the_time_travelled_run_sees_the_memory_of_that_day() -> None:
    (bundle, *_) = golden("time-travel")
    memory = bundle["spec"]["memory"]
    assert memory["refResolution"]["committedAt"] == "2026-05-06T14:00:00Z"
    assert memory["staleBy"] == "6d2h"
    items = items_of(bundle)
    assert "run-retrospective:2026-05-07-kradle-91" not in items
    assert "decision:nightly-browser-checks" not in items
    assert "runbook:depot-gateway-access" not in items, "restricted since 2026-05-10, also for an old pin"


def test_a_snapshot_tag_and_an_instant_of_that_day_are_the_same_commit() -> None:
    commits = {golden(name)[0]["spec"]["memory"]["resolvedCommit"] for name in ("time-travel", "snapshot")}
    assert len(commits) == 1


def test_every_limit_of_a_request_is_kept() -> None:
    for request_name in REQUESTS:
        (bundle, *_) = golden(request_name)
        limits = bundle["spec"]["memory"]["limits"]
        section = golden_file(request_name, "prompt.md").read_bytes()
        assert len(section) <= limits["maxMemoryBytes"]
        assert len(section) / 4 <= limits["maxTokens"]
        facts = [
            line
            for line in section.decode().splitlines(keepends=True)
            if line.startswith(("Memory is pinned to ", "  trust: "))
        ]
        assert limits["usedBytes"] == len(section) - sum(len(line.encode()) for line in facts)


def test_the_output_of_a_fresh_run_is_a_bundle(example_brain: Path) -> None:
    from tests.example import asking, invoke

    bundle = bundle_of(invoke(example_brain.parent, "assemble", *asking(example_brain, "ci-repair")))
    assert bundle["status"]["phase"] == "Ready"
