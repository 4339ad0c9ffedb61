"""The whole pipeline on ports in memory."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.assemble import assemble
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.memory_mode import MemoryMode
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import Filter, QueryMode, RankOrder, Request
from kradle_ctx.model.resources import Association
from kradle_ctx.ports import Repository
from kradle_ctx.redaction import Redactor
from kradle_ctx.render.prompt import prompt_section, rendered_digest
from tests.emitted import assert_bundle_fits
from tests.fakes import FixedClock, InMemoryRepository, InMemorySearcher
from tests.pipeline import (
    EVERYTHING,
    FIRST_DAY,
    REDACTOR,
    SECOND_DAY,
    assembled,
    brain,
    explicit,
    granting,
    graph_record,
    markdown,
    names_of,
    source_of,
)

KRADLE = {"repository": ("kradle",)}


def crew() -> dict[str, str]:
    """A repository with a service, its runbook, a runbook of nobody, and a note."""
    return {
        "graph/kradle.yaml": graph_record("repository:kradle", "Repository", title="Kradle"),
        "graph/web.yaml": graph_record(
            "service:web", "Service", title="Web front", edges={"implements": ["repository:kradle"]}
        ),
        "runbooks/deploy.md": markdown(
            "# Deploy\n\nRoll the carriage forward.\n",
            id="runbook:deploy",
            kind="Runbook",
            title="Deploy the web front",
            status="approved",
            owners=["team:web"],
            tags=["ship"],
            related={"documents": ["service:web"]},
        ),
        "runbooks/greenhouse.md": markdown(
            "# Greenhouse\n\nOpen the vents at noon.\n", id="runbook:vents", kind="Runbook", status="draft"
        ),
        "notes/monday.md": "# Monday\n\nThe carriage got stuck again.\n",
    }


def refusal(repository: InMemoryRepository, request: Request, access: Access = EVERYTHING) -> KradleError:
    with pytest.raises(KradleError) as caught:
        assembled(repository, request, access)
    return caught.value


def unopenable() -> Repository:
    raise KradleError(ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE, "the brain cannot be opened", "mount it")


def test_graph_and_text_results_meet_in_one_bundle() -> None:
    bundle = assembled(brain(crew()), Request(query="carriage", source_refs=KRADLE))
    assert set(names_of(bundle)) == {"repository:kradle", "service:web", "runbook:deploy", "notes/monday.md"}
    deploy = source_of(bundle, "runbook:deploy")["why"]
    assert deploy["distance"] == 2
    assert deploy["breadcrumb"] == [
        "repository:kradle",
        "<-implements-",
        "service:web",
        "<-documents-",
        "runbook:deploy",
    ]
    assert deploy["grep"]["terms"] == ["carriage"]
    assert deploy["allow"] == "**"
    assert "distance" not in source_of(bundle, "notes/monday.md")["why"]


def test_a_reached_record_without_a_text_match_is_kept_and_ranks_lower() -> None:
    bundle = assembled(brain(crew()), Request(query="carriage", source_refs=KRADLE))
    matched = [source for source in bundle.memory["sources"] if "grep" in source["why"]]
    assert bundle.memory["sources"][: len(matched)] == matched
    assert {source["id"] for source in bundle.memory["sources"][len(matched) :]} == {"repository:kradle", "service:web"}


def test_the_bundle_names_repository_ref_and_commit() -> None:
    repository = brain(crew())
    request = Request(query="carriage", organization="a5c", name="adr-1", namespace="ns", brain="the-brain")
    bundle = assembled(repository, request)
    memory = bundle.memory
    assert memory["repositoryRef"] == "the-brain"
    assert memory["requestedRef"] == "main"
    assert memory["resolvedCommit"] == repository.refs["refs/heads/main"]
    assert memory["refResolution"] == {
        "mode": "current",
        "requested": "main",
        "resolvedCommit": memory["resolvedCommit"],
        "committedAt": FIRST_DAY,
        "resolvedAt": "2026-05-15T12:00:00Z",
    }
    assert bundle.document["metadata"]["namespace"] == "ns"
    assert bundle.document["metadata"]["labels"] == {"kradle.a5c.ai/org": "a5c"}
    assert bundle.document["metadata"]["name"] == "acb-" + bundle.digest.removeprefix("sha256:")[:12]
    assert bundle.document["spec"]["dispatchRun"] == "adr-1"
    assert bundle.document["status"]["phase"] == "Ready"


def test_the_records_beside_the_bundle_repeat_its_pins() -> None:
    bundle = assembled(brain(crew()), Request(query="carriage"))
    memory = bundle.memory
    assert bundle.snapshot["metadata"]["name"] == memory["snapshotRef"] == bundle.query["spec"]["snapshotRef"]
    for name in ("resolvedCommit", "queryManifestDigest", "policyDigest", "selectedRecordsDigest"):
        assert bundle.snapshot["spec"][name] == memory[name]
    assert bundle.snapshot["spec"]["renderedMemoryDigest"] == bundle.document["spec"]["prompt"]["renderedMemoryDigest"]
    assert bundle.query["spec"]["counts"]["selected"] == len(memory["sources"])


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        (QueryMode.GRAPH_ONLY, {"repository:kradle", "service:web", "runbook:deploy"}),
        (QueryMode.GREP_ONLY, {"runbook:deploy", "notes/monday.md"}),
        (QueryMode.GRAPH_AND_GREP, {"repository:kradle", "service:web", "runbook:deploy", "notes/monday.md"}),
    ],
)
def test_a_mode_decides_which_evidence_counts(mode: QueryMode, found: set[str]) -> None:
    bundle = assembled(brain(crew()), Request(query="carriage front", source_refs=KRADLE, query_mode=mode))
    assert set(names_of(bundle)) == found
    assert bundle.memory["queryMode"] == mode.value


def test_graph_only_shows_frontmatter_and_no_body() -> None:
    request = Request(query="carriage", source_refs=KRADLE, query_mode=QueryMode.GRAPH_ONLY)
    content = source_of(assembled(brain(crew()), request), "runbook:deploy")["content"]
    assert 'id: "runbook:deploy"' in content
    assert "carriage" not in content


def test_grep_only_gives_excerpts_of_markdown() -> None:
    request = Request(query="carriage", source_refs=KRADLE, query_mode=QueryMode.GREP_ONLY, context_lines=0)
    bundle = assembled(brain(crew()), request)
    assert {source["kind"] for source in bundle.memory["sources"]} == {"memory-grep-excerpt"}
    assert source_of(bundle, "notes/monday.md")["content"] == "The carriage got stuck again.\n"
    assert "distance" not in source_of(bundle, "runbook:deploy")["why"]


def test_document_read_gives_the_selected_documents_whole_and_nothing_else() -> None:
    files = crew()
    request = Request(query="carriage", select=("notes/monday.md", "runbook:vents"), query_mode=QueryMode.DOCUMENT_READ)
    bundle = assembled(brain(files), request)
    assert set(names_of(bundle)) == {"notes/monday.md", "runbook:vents"}
    assert source_of(bundle, "notes/monday.md")["content"] == files["notes/monday.md"]
    assert source_of(bundle, "runbook:vents")["content"] == files["runbooks/greenhouse.md"]
    assert {source["kind"] for source in bundle.memory["sources"]} == {"memory-document"}


def test_what_was_selected_stands_first_and_passes_every_narrowing() -> None:
    request = Request(
        query="carriage",
        source_refs=KRADLE,
        select=("runbook:vents",),
        kinds=("Service",),
        include_paths=("graph/**",),
        filter=Filter(owners=("team:web",)),
    )
    bundle = assembled(brain(crew()), request)
    assert names_of(bundle) == ["runbook:vents"]
    assert source_of(bundle, "runbook:vents")["why"]["selected"] is True


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filter(owners=("team:web",)), ["runbook:deploy"]),
        (Filter(statuses=("approved",)), ["runbook:deploy"]),
        (Filter(tags=("ship", "other")), ["runbook:deploy"]),
        (Filter(edges=("implements",)), ["service:web"]),
        (Filter(edges=("implements",), owners=("team:web",)), []),
    ],
)
def test_a_filter_keeps_what_names_one_of_its_values_in_every_list(filters: Filter, found: list[str]) -> None:
    bundle = assembled(brain(crew()), Request(query="carriage", source_refs=KRADLE, filter=filters))
    assert names_of(bundle) == found


def test_kinds_and_paths_narrow_but_notes_have_no_kind() -> None:
    repository, request = brain(crew()), Request(query="carriage", source_refs=KRADLE)
    kinds = assembled(repository, replace(request, kinds=("Service",)))
    assert set(names_of(kinds)) == {"service:web", "notes/monday.md"}
    paths = assembled(repository, replace(request, include_paths=("runbooks/*",)))
    assert names_of(paths) == ["runbook:deploy"]


def test_an_association_stands_above_all_that_was_not_selected() -> None:
    tie = Association(
        organization="a5c",
        name="vents",
        target_kind="Repository",
        target_name="kradle",
        relationship="applies_to_repo",
        memory_id="runbook:vents",
    )
    bundle = assembled(brain(crew()), Request(query="carriage", source_refs=KRADLE), associations=(tie,))
    assert names_of(bundle)[0] == "runbook:vents"
    why = source_of(bundle, "runbook:vents")["why"]
    assert (why["association"], why["distance"]) == ("applies_to_repo", 0)
    assert why["breadcrumb"] == ["repository:kradle", "<-applies_to_repo-", "runbook:vents"]


def test_an_association_of_something_else_ties_nothing() -> None:
    tie = Association("a5c", "vents", "Repository", "other", "applies_to_repo", memory_id="runbook:vents")
    bundle = assembled(brain(crew()), Request(query="carriage", source_refs=KRADLE), associations=(tie,))
    assert "runbook:vents" not in names_of(bundle)


def decisions(new: str, old: str = "approved") -> InMemoryRepository:
    """A decision that another one, of the given status, would supersede; the old one matches better."""
    files = {
        "decisions/old.md": markdown(
            "carriage carriage carriage\n", id="decision:old", kind="Decision", title="Carriage", status=old
        ),
        "decisions/new.md": markdown(
            "# Wheels\n\nWheels instead of runners, for the whole fleet, one carriage after the other.\n",
            id="decision:new",
            kind="Decision",
            status=new,
            related={"supersedes": ["decision:old"]},
        ),
    }
    return brain(files)


@pytest.mark.parametrize("order", list(RankOrder))
def test_a_superseded_record_never_outranks_its_approved_replacement(order: RankOrder) -> None:
    bundle = assembled(decisions("approved"), Request(query="carriage", rank=order))
    assert names_of(bundle) == ["decision:new", "decision:old"]
    assert source_of(bundle, "decision:old")["why"]["supersededBy"] == "decision:new"


def test_a_draft_retires_nothing() -> None:
    bundle = assembled(decisions("draft"), Request(query="carriage"))
    assert names_of(bundle) == ["decision:old", "decision:new"]
    assert "supersededBy" not in source_of(bundle, "decision:old")["why"]


def test_a_replacement_that_no_query_word_matches_comes_with_the_record_it_replaces() -> None:
    files = {
        "old.md": markdown("carriage\n", id="decision:old", kind="Decision", status="approved"),
        "new.md": markdown(
            "wheels\n", id="decision:new", kind="Decision", status="approved", related={"supersedes": "decision:old"}
        ),
    }
    assert names_of(assembled(brain(files), Request(query="carriage"))) == ["decision:new", "decision:old"]


def test_a_denied_replacement_retires_nothing() -> None:
    repository = decisions("approved")
    bundle = assembled(repository, Request(query="carriage"), granting("**", exclude_paths=("decisions/new.md",)))
    assert names_of(bundle) == ["decision:old"]
    assert "decision:new" not in str(bundle.document)


def test_a_question_that_nothing_answers_gives_an_empty_bundle_and_not_a_refusal() -> None:
    bundle = assembled(brain(crew()), Request(query="zeppelin"))
    assert bundle.memory["sources"] == []
    assert bundle.memory["enabled"] is True
    assert bundle.memory["omitted"]["count"] == 0


def test_an_exclude_cuts_before_traversal() -> None:
    request = Request(query="carriage", source_refs=KRADLE, exclude_paths=("graph/web.yaml",))
    bundle = assembled(brain(crew()), request)
    assert set(names_of(bundle)) == {"repository:kradle", "runbook:deploy", "notes/monday.md"}
    assert "distance" not in source_of(bundle, "runbook:deploy")["why"]
    assert "service:web" not in str([source["why"] for source in bundle.memory["sources"]])
    assert {"pattern": "graph/web.yaml", "reason": "excluded-path"} not in bundle.memory["denied"]


def test_an_excluded_kind_cuts_before_traversal_too() -> None:
    request = Request(query="", source_refs=KRADLE, exclude_kinds=("Service",))
    assert names_of(assembled(brain(crew()), request)) == ["repository:kradle"]


def test_what_a_grant_excludes_is_named_as_a_pattern_whether_or_not_anything_is_there() -> None:
    access = granting("**", exclude_paths=("vault/**",), exclude_kinds=("Customer",))
    bundle = assembled(brain(crew()), Request(query="carriage"), access)
    assert bundle.memory["denied"] == [
        {"pattern": "Customer", "reason": "excluded-kind"},
        {"pattern": "vault/**", "reason": "excluded-path"},
    ]


def test_only_granted_sensitivities_show() -> None:
    files = {
        "open.md": markdown("carriage\n", sensitivity="public"),
        "own.md": markdown("carriage\n"),
        "closed.md": markdown("carriage\n", sensitivity="restricted"),
        "odd.md": markdown("carriage\n", sensitivity="no such word"),
    }
    request = Request(query="carriage")
    assert set(names_of(assembled(brain(files), request))) == {"open.md", "own.md"}
    wide = granting("**", sensitivities=("public", "internal", "restricted"))
    assert set(names_of(assembled(brain(files), request, wide))) == {"open.md", "own.md", "closed.md"}
    public = Access(EVERYTHING.grants, public_dispatch=True)
    assert names_of(assembled(brain(files), request, public)) == ["open.md"]


@pytest.mark.parametrize("name", ["runbook:absent", "vault/secret.md", "runbook:vault"])
def test_a_named_item_that_is_absent_and_one_that_is_denied_give_the_same_error(name: str) -> None:
    files = crew() | {"vault/secret.md": markdown("carriage\n", id="runbook:vault", kind="Runbook")}
    error = refusal(brain(files), Request(select=(name,)), granting("**", exclude_paths=("vault/**",)))
    assert error.code is ErrorCode.MEMORY_ITEM_UNAVAILABLE
    assert error.message == f"{name} is not available at this commit"
    assert dict(error.details) == {"item": name}


def test_an_id_declared_twice_is_withheld_with_a_warning() -> None:
    files = {"a.yaml": graph_record("term:x", "Term", title="carriage"), "b.yaml": graph_record("term:x", "Term")}
    bundle = assembled(brain(files), Request(query="carriage"))
    assert names_of(bundle) == []
    messages = [warning["message"] for warning in bundle.memory["warnings"] if warning["code"] == "retrieval"]
    assert messages == ["withheld, because declared more than once: term:x (1 in all)"]


def test_a_denied_declaration_of_an_id_withholds_nothing() -> None:
    files = {"a.yaml": graph_record("term:x", "Term", title="carriage"), "b.yaml": graph_record("term:x", "Term")}
    bundle = assembled(brain(files), Request(query="carriage"), granting("a.yaml"))
    assert names_of(bundle) == ["term:x"]
    assert [warning for warning in bundle.memory["warnings"] if warning["code"] == "retrieval"] == []


@pytest.mark.parametrize("suffix", ["yaml", "md"])
def test_the_merging_profile_joins_declarations_that_agree(suffix: str) -> None:
    if suffix == "yaml":
        files = {
            "a.yaml": graph_record("term:x", "Term", title="carriage", tags=["a"]),
            "b.yaml": graph_record("term:x", "Term", title="carriage", tags=["b"]),
        }
    else:
        files = {
            "a.md": markdown("one carriage\n", id="term:x", kind="Term", title="carriage"),
            "b.md": markdown("other: carriage\n", id="term:x", kind="Term", title="carriage"),
        }
    request = Request(query="carriage", layout_profile="atlas-md-yaml-v1")
    assert names_of(assembled(brain(files), request)) == ["term:x", "term:x"]


def test_declarations_with_other_titles_are_items_with_the_first_one() -> None:
    files = {
        "a.md": markdown("one\n", id="term:x", kind="Term", title="carriage"),
        "b.md": markdown("a carriage, too\n", id="term:x", kind="Term", title="coach"),
    }
    bundle = assembled(brain(files), Request(query="carriage", layout_profile="atlas-md-yaml-v1"))
    assert [(source["path"], source["title"]) for source in bundle.memory["sources"]] == [
        ("a.md", "carriage"),
        ("b.md", "carriage"),
    ]


@pytest.mark.parametrize("suffix", ["yaml", "md"])
def test_the_merging_profile_withholds_declarations_that_disagree(suffix: str) -> None:
    if suffix == "yaml":
        files = {
            "a.yaml": graph_record("term:x", "Term", title="carriage", status="draft"),
            "b.yaml": graph_record("term:x", "Term", title="carriage", status="approved"),
        }
    else:
        files = {
            "a.md": markdown("one\n", id="term:x", kind="Term", title="carriage", status="draft"),
            "b.md": markdown("two\n", id="term:x", kind="Term", title="carriage", status="approved"),
        }
    bundle = assembled(brain(files), Request(query="carriage", layout_profile="atlas-md-yaml-v1"))
    assert names_of(bundle) == []
    assert "retrieval" in [warning["code"] for warning in bundle.memory["warnings"]]


def test_a_document_that_extends_a_record_adds_edges_and_is_no_item_of_its_own() -> None:
    files = {
        "a.yaml": graph_record("service:web", "Service", title="front"),
        "b.yaml": '{"extendsNode": {"id": "service:web", "nodeKind": "Service"}, '
        '"edges": {"implements": ["repository:kradle"]}, "note": "carriage"}\n',
    }
    reached = assembled(brain(files), Request(source_refs=KRADLE))
    assert [(source["id"], source["path"]) for source in reached.memory["sources"]] == [("service:web", "a.yaml")]
    matched = assembled(brain(files), Request(query="carriage"))
    assert [source["path"] for source in matched.memory["sources"]] in ([], ["a.yaml"])


# Failures


def test_no_grant_is_a_refusal() -> None:
    error = refusal(brain(crew()), Request(query="carriage"), Access(()))
    assert error.code is ErrorCode.MEMORY_PERMISSION_DENIED
    assert refusal(brain(crew()), Request(query="x"), Access((Grant("none"),))).code is error.code


def test_no_grant_gives_an_optional_run_a_bundle_that_says_so() -> None:
    bundle = assembled(brain(crew()), Request(query="carriage", required=False), Access(()))
    memory = bundle.memory
    assert (memory["sources"], memory["enabled"]) == ([], True)
    assert [warning["code"] for warning in memory["warnings"]] == ["memory-unavailable"]
    assert memory["warnings"][0]["message"].startswith("MEMORY_PERMISSION_DENIED")
    assert bundle.query["status"]["reason"] == "MEMORY_PERMISSION_DENIED"
    assert bundle.query["status"]["phase"] == "Ready"
    assert bundle.snapshot == {}


def unavailable(required: bool, mode: MemoryMode = MemoryMode.FULL) -> Request:
    return Request(query="carriage", required=required, memory_mode=mode)


def test_a_brain_that_cannot_be_opened_blocks_a_run_that_needs_it() -> None:
    with pytest.raises(KradleError) as caught:
        assemble(
            unavailable(True),
            EVERYTHING,
            open_repository=unopenable,
            index_store=NoIndexStore(),
            searcher=InMemorySearcher(),
            redactor=REDACTOR,
            clock=FixedClock(),
        )
    assert caught.value.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE


@pytest.mark.parametrize("mode", list(MemoryMode))
def test_an_optional_run_goes_on_without_the_brain(mode: MemoryMode) -> None:
    bundle = assemble(
        unavailable(False, mode),
        EVERYTHING,
        open_repository=unopenable,
        index_store=NoIndexStore(),
        searcher=InMemorySearcher(),
        redactor=REDACTOR,
        clock=FixedClock(),
    )
    assert_bundle_fits(bundle)
    disabled = mode is MemoryMode.DISABLED
    assert bundle.memory["enabled"] is not disabled
    code = "MEMORY_MODE_FORBIDDEN" if disabled else "MEMORY_REPOSITORY_UNAVAILABLE"
    assert bundle.memory["warnings"][0]["message"].startswith(code)
    assert prompt_section(bundle.memory) == ""
    assert bundle.document["spec"]["prompt"]["renderedMemoryDigest"] == rendered_digest(bundle.memory)


def test_a_disabled_memory_refuses_a_run_that_needs_it() -> None:
    request = Request(query="carriage", memory_mode=MemoryMode.DISABLED)
    assert refusal(brain(crew()), request).code is ErrorCode.MEMORY_MODE_FORBIDDEN


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Request(query="x", ref=MemoryRef(RefMode.EXPLICIT, "nope")), ErrorCode.MEMORY_REF_UNRESOLVED),
        (Request(query="(", regex=True), ErrorCode.USAGE),
        (Request(select=("nope",)), ErrorCode.MEMORY_ITEM_UNAVAILABLE),
        (Request(), ErrorCode.USAGE),
    ],
)
def test_an_unusable_question_blocks_even_an_optional_run(request_: Request, code: ErrorCode, required: bool) -> None:
    assert refusal(brain(crew()), replace(request_, required=required)).code is code


def test_an_ontology_that_does_not_parse_blocks_unless_every_grant_lives_with_it() -> None:
    repository = brain(crew() | {"ontology/kinds.yaml": "nodeKinds: [\n"})
    error = refusal(repository, Request(query="carriage"))
    assert error.code is ErrorCode.ONTOLOGY_INVALID
    assert "ontology/kinds.yaml:" in error.message
    bundle = assembled(repository, Request(query="carriage"), granting("**", allow_invalid_ontology=True))
    assert "ontology-fault" in [warning["code"] for warning in bundle.memory["warnings"]]
    valid = next(entry for entry in bundle.document["status"]["conditions"] if entry["type"] == "OntologyValid")
    assert valid["status"] == "False"


def test_a_source_that_asks_for_approved_commits_refuses_a_side_branch() -> None:
    repository = brain(crew())
    repository.add_commit(crew(), SECOND_DAY, branch="side", parents=[repository.refs["refs/heads/main"]])
    access = granting("**", require_approved_commit=True)
    error = refusal(repository, Request(query="carriage", ref=explicit("side")), access)
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert names_of(assembled(repository, Request(query="carriage", ref=explicit("main")), access))


# Historical pins


def moved_on(today: dict[str, str]) -> tuple[InMemoryRepository, str]:
    """The crew's brain, and what became of it two days later; the id of the first commit."""
    repository = brain(crew())
    first = repository.refs["refs/heads/main"]
    repository.add_commit(today, SECOND_DAY)
    return repository, first


def test_a_pin_behind_the_branch_says_how_stale_it_is() -> None:
    repository, first = moved_on(crew() | {"notes/new.md": "carriage\n"})
    bundle = assembled(repository, Request(query="carriage", ref=explicit(first)))
    memory = bundle.memory
    assert "notes/new.md" not in names_of(bundle)
    assert memory["currentCommitAtDispatch"] == memory["accessCommit"] == repository.refs["refs/heads/main"]
    assert memory["staleBy"] == "2d3h"
    banner = f"Memory is pinned to {first} from 2026-05-01 (2d3h behind main)."
    assert banner in prompt_section(memory).splitlines()
    assert banner not in prompt_section(memory, branch_facts=False)
    assert rendered_digest(memory) == bundle.document["spec"]["prompt"]["renderedMemoryDigest"]


def test_a_retry_after_the_branch_moved_on_has_the_same_digest_and_section() -> None:
    repository = brain(crew())
    first = repository.refs["refs/heads/main"]
    request = Request(query="carriage", source_refs=KRADLE, ref=explicit(first))
    before = assembled(repository, request)
    repository.add_commit({"notes/other.md": "carriage\n"}, SECOND_DAY)
    after = assembled(repository, request)
    assert after.digest == before.digest
    assert after.document["metadata"]["name"] == before.document["metadata"]["name"]
    assert prompt_section(after.memory, branch_facts=False) == prompt_section(before.memory, branch_facts=False)
    codes = [warning["code"] for warning in after.memory["warnings"]]
    assert {"stale", "gone-today"} <= set(codes)
    assert "stale" not in [warning["code"] for warning in before.memory["warnings"]]


def test_an_old_pin_revives_nothing_that_was_restricted_since() -> None:
    closed = {name: text for name, text in crew().items() if name != "runbooks/deploy.md"}
    closed["runbooks/elsewhere.md"] = markdown("moved\n", id="runbook:deploy", kind="Runbook", sensitivity="restricted")
    closed["notes/monday.md"] = markdown("Stuck.\n", sensitivity="restricted")
    repository, first = moved_on(closed)
    bundle = assembled(repository, Request(query="carriage", ref=explicit(first)))
    assert names_of(bundle) == []


def test_an_old_pin_stays_closed_when_it_was_opened_since() -> None:
    repository = brain({"a.md": markdown("carriage\n", id="term:a", kind="Term", sensitivity="restricted")})
    first = repository.refs["refs/heads/main"]
    repository.add_commit({"a.md": markdown("carriage\n", id="term:a", kind="Term", sensitivity="public")}, SECOND_DAY)
    assert names_of(assembled(repository, Request(query="carriage", ref=explicit(first)))) == []
    assert names_of(assembled(repository, Request(query="carriage"))) == ["term:a"]


def test_what_is_gone_today_keeps_its_pinned_sensitivity_with_a_warning() -> None:
    repository, first = moved_on({"README.md": "empty\n"})
    bundle = assembled(repository, Request(query="carriage", ref=explicit(first)))
    assert set(names_of(bundle)) == {"runbook:deploy", "notes/monday.md"}
    message = next(entry["message"] for entry in bundle.memory["warnings"] if entry["code"] == "gone-today")
    assert message == "no longer in the brain today: 2 of the items"


@pytest.mark.parametrize(("then", "now"), [("", ".company-brain/"), (".company-brain/", "")])
def test_an_old_pin_revives_nothing_when_the_brain_moved_between_folders(then: str, now: str) -> None:
    repository = brain({f"{then}a.md": markdown("carriage\n", id="term:a", kind="Term")})
    first = repository.refs["refs/heads/main"]
    closed = markdown("carriage\n", id="term:a", kind="Term", sensitivity="restricted")
    repository.add_commit({f"{now}a.md": closed}, SECOND_DAY)
    assert names_of(assembled(repository, Request(query="carriage", ref=explicit(first)))) == []


def test_the_hidden_folder_is_the_brain_when_there_is_one() -> None:
    files = {".company-brain/notes/a.md": "carriage\n", "docs/b.md": "carriage\n"}
    bundle = assembled(brain(files), Request(query="carriage"))
    assert names_of(bundle) == ["notes/a.md"]
    assert source_of(bundle, "notes/a.md")["lastChanged"]["commit"] == bundle.memory["resolvedCommit"]
    whole = assembled(brain(files), Request(query="carriage", root=""))
    assert set(names_of(whole)) == {".company-brain/notes/a.md", "docs/b.md"}


def test_an_instant_and_a_snapshot_tag_are_recorded_under_their_own_names() -> None:
    repository, first = moved_on(crew())
    repository.set_tag("memory/snapshots/q1", first, annotated=True)
    at = MemoryRef(RefMode.AT_TIME, at=repository.commit(first).committed_at, at_text=FIRST_DAY)
    by_time = assembled(repository, Request(query="carriage", ref=at)).memory
    assert (by_time["requestedRefAt"], by_time["resolvedCommit"]) == (FIRST_DAY, first)
    by_tag = assembled(repository, Request(query="carriage", ref=MemoryRef(RefMode.SNAPSHOT_TAG, "q1"))).memory
    assert (by_tag["requestedSnapshotTag"], by_tag["resolvedCommit"]) == ("q1", first)


def test_a_term_inside_a_secret_finds_nothing() -> None:
    files = {"a.md": "the password is Tr0ub4dor&3horse\n", "b.md": "horse\n"}
    bundle = assembled(brain(files), Request(query="Tr0ub4dor horse"))
    assert names_of(bundle) == ["b.md"]


@pytest.mark.parametrize("field", ["title", "summary", "tags", "aliases"])
def test_a_term_inside_a_secret_in_a_field_finds_nothing_either(field: str) -> None:
    said = "the password is Tr0ub4dor&3horse"
    value = [said] if field in ("tags", "aliases") else said
    files = {"a.md": markdown("stable\n", id="term:a", kind="Term", **{field: value})}
    bundle = assembled(brain(files), Request(query="Tr0ub4dor stable"))
    assert source_of(bundle, "term:a")["why"]["grep"]["terms"] == ["stable"]


@pytest.mark.parametrize("access", [Access(()), Access((Grant("a"),)), Access((Grant("a", exclude_paths=("x",)),))])
def test_without_a_grant_nothing_is_opened(access: Access) -> None:
    def opened() -> Repository:
        raise AssertionError("the brain was opened")

    with pytest.raises(KradleError) as caught:
        assemble(
            Request(query="x"),
            access,
            open_repository=opened,
            index_store=NoIndexStore(),
            searcher=InMemorySearcher(),
            redactor=Redactor(),
            clock=FixedClock(),
        )
    assert caught.value.code is ErrorCode.MEMORY_PERMISSION_DENIED


@pytest.mark.parametrize("question", ["github", "GitHub", "GITHUB", "git hub", "github access"])
def test_case_does_not_matter_for_names_with_capitals_inside(question: str) -> None:
    bundle = assembled(brain({"notes/access.md": "GitHub access is by SSO.\n"}), Request(query=question))
    assert names_of(bundle) == ["notes/access.md"]


def test_a_brain_that_moved_into_the_hidden_folder_revives_nothing() -> None:
    closed = markdown("carriage\n", id="term:a", kind="Term", sensitivity="restricted")
    repository = brain({"notes/x.md": markdown("carriage\n", id="term:a", kind="Term")})
    first = repository.refs["refs/heads/main"]
    repository.add_commit({"notes/x.md": closed, ".company-brain/a.md": "empty\n"}, SECOND_DAY)
    assert names_of(assembled(repository, Request(query="carriage", ref=explicit(first)))) == []
