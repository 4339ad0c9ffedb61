"""Stage 7: the documents and what they say; digests stand in tests/properties/test_digests.py."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.budget import Budget
from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.hits import Evidence, Item, Omitted, Passage, Selection
from kradle_ctx.model.request import Request, Requester, Visibility
from kradle_ctx.stages.emit import LISTED, emit, omitted_entry, without_memory
from kradle_ctx.stages.load import load
from kradle_ctx.stages.resolve import resolve
from tests.emitted import assert_bundle_fits
from tests.fakes import FixedClock, InMemoryRepository
from tests.pipeline import (
    EVERYTHING,
    FIRST_DAY,
    SECOND_DAY,
    assembled,
    blob_redactor,
    brain,
    explicit,
    granting,
    markdown,
)

NOTHING = Selection((), (), truncated=False)
CARRIAGE = {"notes/a.md": "carriage\n", "notes/b.md": "carriage\n"}


def emitted(
    selection: Selection = NOTHING,
    request: Request | None = None,
    access: Access = EVERYTHING,
    repository: InMemoryRepository | None = None,
) -> Bundle:
    """The documents around a selection."""
    request, repository = request or Request(query="carriage"), repository or brain(CARRIAGE)
    pin = resolve(repository, request.ref)
    view = load(pin, request, access, repository=repository, index_store=NoIndexStore())
    bundle = emit(
        selection,
        pin,
        view,
        request,
        access,
        Budget.of(request, access),
        repository=repository,
        clock=FixedClock(),
        redactor=blob_redactor(),
    )
    assert_bundle_fits(bundle)
    return bundle


def selected(*paths: str) -> Selection:
    """A selection of the notes at these paths, whole."""
    repository = brain(CARRIAGE)
    request = Request()
    pin = resolve(repository, request.ref)
    view = load(pin, request, EVERYTHING, repository=repository, index_store=NoIndexStore())
    documents = [view.document(view.at_path(path)[0]) for path in paths]
    items = [
        Item("memory-grep-excerpt", document, Evidence(allow="**"), 1.0, Passage(1, 1, "carriage\n", {"api-key": 1}))
        for document in documents
    ]
    return Selection(tuple(items), (), truncated=False)


def conditions(bundle: Bundle) -> dict[str, tuple[str, str]]:
    return {entry["type"]: (entry["status"], entry["reason"]) for entry in bundle.document["status"]["conditions"]}


def test_redactions_are_counted_over_all_items() -> None:
    bundle = emitted(selected("notes/a.md", "notes/b.md"))
    assert bundle.document["spec"]["redactions"] == [
        {"kind": "api-key", "count": 2, "replacement": "[REDACTED:api-key]"}
    ]


def test_when_a_file_last_changed_is_told_where_history_tells() -> None:
    repository = brain(CARRIAGE)
    first = repository.refs["refs/heads/main"]
    second = repository.add_commit(CARRIAGE | {"notes/b.md": "carriage!\n"}, SECOND_DAY)
    changed = {
        source["path"]: source["lastChanged"]
        for source in assembled(repository, Request(query="carriage")).memory["sources"]
    }
    assert changed["notes/a.md"] == {"commit": first, "at": FIRST_DAY}
    assert changed["notes/b.md"] == {"commit": second, "at": SECOND_DAY}
    repository.cut_history(second)
    bundle = assembled(repository, Request(query="carriage"))
    assert [source["path"] for source in bundle.memory["sources"] if "lastChanged" in source] == []
    assert bundle.notes


def test_source_refs_are_one_text_or_a_sorted_list() -> None:
    request = Request(query="x", source_refs={"issue": ("b", "a"), "repository": ("kradle",), "skill": ()})
    assert emitted(request=request).document["spec"]["sourceRefs"] == {"issue": ["a", "b"], "repository": "kradle"}


def test_names_follow_the_request() -> None:
    plain = emitted().document
    assert plain["metadata"]["namespace"] == "kradle-org-local"
    assert "dispatchRun" not in plain["spec"]
    request = Request(query="x", organization="a5c", repository="kradle", name="adr-1")
    named = emitted(request=request).document
    assert named["metadata"]["namespace"] == "kradle-org-a5c"
    assert named["metadata"]["labels"] == {"kradle.a5c.ai/org": "a5c", "kradle.a5c.ai/repository": "kradle"}
    assert (named["spec"]["organizationRef"], named["spec"]["dispatchRun"]) == ("a5c", "adr-1")


def test_the_query_record_names_who_asked() -> None:
    asked = Requester("user:alice", ("team:a",), None, "manual")
    spec = emitted(request=Request(query="x", requester=asked)).query["spec"]
    assert spec["requester"] == {"user": "user:alice", "teams": ["team:a"], "trigger": "manual"}
    assert spec["counts"] == {"selected": 0, "omitted": 0, "denied": 0}


def test_what_was_left_out_is_counted_and_the_first_are_named() -> None:
    omitted = [Omitted(f"term:{number}", "over-budget", 10) for number in range(LISTED + 5)]
    entry = omitted_entry([*omitted, Omitted("term:x", "too-far", 1)])
    assert (entry["count"], entry["bytes"]) == (LISTED + 6, 10 * (LISTED + 5) + 1)
    assert entry["reasons"] == {"over-budget": LISTED + 5, "too-far": 1}
    assert entry["items"][0] == {"id": "term:0", "reason": "over-budget"}
    assert len(entry["items"]) == LISTED


def test_conditions_say_how_it_went() -> None:
    bundle = emitted()
    assert list(conditions(bundle)) == [
        "RefResolved",
        "AccessReviewed",
        "OntologyValid",
        "SecretsRedacted",
        "WithinLimits",
        "Ready",
    ]
    assert conditions(bundle)["OntologyValid"] == ("True", "StarterOntology")
    assert conditions(bundle)["WithinLimits"] == ("True", "AllFit")
    cut = emitted(replace(NOTHING, truncated=True))
    assert conditions(cut)["WithinLimits"] == ("True", "Truncated")
    assert cut.document["spec"]["limits"]["truncated"] is cut.memory["limits"]["truncated"] is True
    own = emitted(repository=brain(CARRIAGE | {"ontology/a.yaml": "nodeKinds: []\n"}))
    assert conditions(own)["OntologyValid"] == ("True", "Parsed")


def test_warnings_have_stable_codes() -> None:
    files = CARRIAGE | {"notes/bad.md": "---\nid: [\n---\n", "ontology/a.yaml": "x: [\n"}
    access = granting("**", allow_invalid_ontology=True)
    bundle = emitted(replace(NOTHING, warnings=("said",)), access=access, repository=brain(files))
    codes = [warning["code"] for warning in bundle.memory["warnings"]]
    assert codes == ["ontology-fault", "retrieval", "skipped"]
    assert bundle.memory["skipped"]["count"] == 1
    assert bundle.memory["skipped"]["items"][0]["path"].startswith("notes/bad.md")
    assert [warning["code"] for warning in emitted().memory["warnings"]] == ["starter-ontology"]


def test_a_secret_in_what_could_not_be_read_does_not_show() -> None:
    key = "gl" + "pat-" + "aB3dE6gH9jK2mN5pQ8sT"
    bad = f"---\n{key}: 1\n{key}: 2\n---\n"
    bundle = emitted(repository=brain(CARRIAGE | {"notes/bad.md": bad, f"notes/{key}.yaml": "x: [\n"}))
    assert bundle.memory["skipped"]["count"] == 2
    assert key not in str(bundle.document)


def test_a_secret_in_an_ontology_fault_does_not_show() -> None:
    key = "gl" + "pat-" + "aB3dE6gH9jK2mN5pQ8sT"
    repository = brain(CARRIAGE | {"ontology/a.yaml": f"{key}: 1\n{key}: 2\n"})
    bundle = emitted(access=granting("**", allow_invalid_ontology=True), repository=repository)
    assert "ontology-fault" in [warning["code"] for warning in bundle.memory["warnings"]]
    assert key not in str(bundle.document)


def test_a_secret_in_the_request_or_a_grant_does_not_show() -> None:
    key = "gl" + "pat-" + "aB3dE6gH9jK2mN5pQ8sT"
    request = Request(query="x", source_refs={"issue": (key,)}, include_paths=(f"notes/{key}/**",), kinds=(key,))
    bundle = emitted(request=request, access=granting("**", exclude_paths=(f"{key}/**",)))
    for document in (bundle.document, bundle.snapshot, bundle.query):
        assert key not in str(document)


@pytest.mark.parametrize(
    ("code", "enabled"),
    [
        (ErrorCode.MEMORY_PERMISSION_DENIED, True),
        (ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE, True),
        (ErrorCode.MEMORY_MODE_FORBIDDEN, False),
    ],
)
def test_a_run_without_memory_says_why(code: ErrorCode, enabled: bool) -> None:
    error = KradleError(code, "/home/somebody/brain cannot be opened", "mend it")
    access = Access((Grant("a", exclude_paths=("x/**",)),), public_dispatch=True)
    request = Request(query="carriage", required=False, visibility=Visibility.PUBLIC)
    bundle = without_memory(request, access, error, redactor=blob_redactor())
    assert_bundle_fits(bundle)
    assert bundle.memory["enabled"] is enabled
    assert bundle.memory["warnings"][0]["message"].startswith(code)
    assert bundle.memory["denied"] == [{"pattern": "x/**", "reason": "excluded-path"}]
    assert bundle.document["status"]["phase"] == "Ready"
    assert bundle.query["status"] == {"phase": "Ready", "reason": code, "message": bundle.query["status"]["message"]}
    assert "resolvedCommit" not in bundle.memory


def test_the_time_of_a_machine_stands_in_one_place() -> None:
    def memory(clock: FixedClock) -> dict[str, Any]:
        repository, request = brain(CARRIAGE), Request(query="carriage", ref=explicit("main"))
        pin = resolve(repository, request.ref)
        view = load(pin, request, EVERYTHING, repository=repository, index_store=NoIndexStore())
        bundle = emit(
            NOTHING,
            pin,
            view,
            request,
            EVERYTHING,
            Budget.of(request, EVERYTHING),
            repository=repository,
            clock=clock,
            redactor=blob_redactor(),
        )
        return dict(bundle.memory)

    early, late = memory(FixedClock("2026-05-15T12:00:00Z")), memory(FixedClock("2030-01-01T00:00:00+02:00"))
    assert late["refResolution"].pop("resolvedAt") == "2029-12-31T22:00:00Z"
    assert early["refResolution"].pop("resolvedAt") == "2026-05-15T12:00:00Z"
    assert late == early


def test_a_record_is_named_gone_today_once() -> None:
    repository = brain({"a.md": markdown("carriage\n", id="term:a", kind="Term")})
    first = repository.refs["refs/heads/main"]
    repository.add_commit({"b.md": "x\n"}, SECOND_DAY)
    bundle = assembled(repository, Request(query="carriage", ref=explicit(first)))
    assert [warning["code"] for warning in bundle.memory["warnings"]][-2:] == ["stale", "gone-today"]
