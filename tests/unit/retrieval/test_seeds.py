"""Seeds: what a request's source refs, associations and words name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kradle_ctx.model.request import Request
from kradle_ctx.model.resources import Association
from kradle_ctx.retrieval.matches import TextMatch
from kradle_ctx.retrieval.search import search_text
from kradle_ctx.retrieval.seeds import WORD_SEEDS, Tie, seeds_from_refs, seeds_from_words, source_keys, ties
from kradle_ctx.tokens import query_terms
from kradle_ctx.view import View
from tests.fakes import InMemorySearcher
from tests.pipeline import blob_redactor, brain, granting, graph_record, markdown, view_of

KRADLE = {"repository": ("kradle",)}


def seeds_of(files: dict[str, str], refs: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Distance and breadcrumb of each seed that source refs give, by key."""
    view = view_of(brain(files))
    found = seeds_from_refs(view, source_keys(Request(source_refs=refs)))
    return {seed.key: (seed.distance, seed.breadcrumb) for seed in found}


def ties_of(view: View, request: Request, *associations: Association) -> list[tuple[str, Tie]]:
    """All ties, each with the key of its document."""
    found = ties(view, request, source_keys(request), associations)
    return [(view.document(tie.number).key, tie) for tie in found]


def association(kind: str = "Repository", name: str = "kradle", **memory: str) -> Association:
    """A tie to a record."""
    return Association("a5c", "tie", kind, name, "applies_to_repo", **memory)


# Source refs


@pytest.mark.parametrize(
    ("kind", "value", "record_id"),
    [
        ("repository", "kradle", "repository:kradle"),
        ("repository", "kradle", "repo:kradle"),
        ("repository", "repository:kradle", "repository:kradle"),
        ("repository", "kradle", "kradle"),
        ("pullRequest", "kradle/42", "pull-request:kradle/42"),
        ("pullRequest", "kradle/42", "pr:kradle/42"),
        ("issue", "kradle/91", "issue:kradle/91"),
        ("service", "web", "service:web"),
        ("stack", "ci", "stack:ci"),
        ("trigger", "manual", "trigger:manual"),
        ("skill", "triage", "skill:triage"),
        ("job", "job-1", "job:job-1"),
    ],
)
def test_a_source_ref_names_the_record_with_its_id(kind: str, value: str, record_id: str) -> None:
    found = seeds_of({"a.yaml": graph_record(record_id, "Term")}, {kind: (value,)})
    assert found[record_id][0] == 0
    assert found[record_id][1][-1] == record_id


def test_a_path_is_matched_as_it_is() -> None:
    assert source_keys(Request(source_refs={"path": ("docs/agents",)})) == {"docs/agents": ("docs/agents",)}


def test_an_alias_leads_to_its_record_and_the_breadcrumb_says_so() -> None:
    files = {"a.yaml": graph_record("repository:core", "Repository", aliases=["repository:kradle"])}
    found = seeds_of(files, KRADLE)
    assert found["repository:core"] == (0, ("repository:kradle", "=", "repository:core"))


def test_a_ref_without_a_record_is_a_seed_too_for_edges_may_name_it() -> None:
    assert seeds_of({"a.md": "x\n"}, KRADLE)["repository:kradle"] == (0, ("repository:kradle",))


def test_no_source_refs_give_no_seeds() -> None:
    assert seeds_of({"a.yaml": graph_record("repository:kradle", "Repository")}, {}) == {}


# Ties


def test_an_association_ties_by_id_or_by_path_in_the_first_bucket() -> None:
    view = view_of(brain({"a.yaml": graph_record("runbook:a"), "notes/n.md": "x\n"}))
    request = Request(source_refs=KRADLE)
    by_id, by_path = association(memory_id="runbook:a"), association(memory_path="notes/n.md")
    found = ties_of(view, request, by_id, by_path)
    assert [(key, tie.rank, tie.relationship) for key, tie in found] == [
        ("runbook:a", 0, "applies_to_repo"),
        ("notes/n.md", 0, "applies_to_repo"),
    ]
    assert found[0][1].breadcrumb == ("repository:kradle", "<-applies_to_repo-", "runbook:a")


@pytest.mark.parametrize(
    ("target", "refs"),
    [
        (("Repository", "kradle"), {"repository": ("kradle",)}),
        (("AgentStack", "ci"), {"stack": ("ci",)}),
        (("PullRequest", "kradle/42"), {"pullRequest": ("kradle/42",)}),
        (("Service", "web"), {"service": ("api", "web")}),
        (("Skill", "triage"), {"skill": ("triage",)}),
    ],
)
def test_an_association_holds_for_the_source_ref_that_its_target_names(
    target: tuple[str, str], refs: dict[str, tuple[str, ...]]
) -> None:
    view = view_of(brain({"a.yaml": graph_record("runbook:a")}))
    tied = association(*target, memory_id="runbook:a")
    assert [key for key, _ in ties_of(view, Request(source_refs=refs), tied)] == ["runbook:a"]
    other = association(target[0], "other", memory_id="runbook:a")
    assert ties_of(view, Request(source_refs=refs), other) == []
    wrong_kind = association("Team", target[1], memory_id="runbook:a")
    assert ties_of(view, Request(source_refs=refs), wrong_kind) == []


def test_an_association_with_what_is_absent_or_denied_ties_nothing() -> None:
    view = view_of(brain({"closed/a.yaml": graph_record("runbook:a")}), granting("**", exclude_paths=("closed/**",)))
    for tied in (
        association(memory_id="runbook:a"),
        association(memory_path="closed/a.yaml"),
        association(memory_id="x"),
    ):
        assert ties_of(view, Request(source_refs=KRADLE), tied) == []


def test_a_typed_edge_ties_in_the_second_bucket_and_the_record_itself_without_a_relationship() -> None:
    files = {
        "a.yaml": graph_record("repository:kradle", "Repository"),
        "b.yaml": graph_record("runbook:b", edges={"documents": ["repository:kradle"]}),
        "notes/n.md": markdown("", related={"mentions": ["repository:kradle"]}),
    }
    found = {
        key: (tie.rank, tie.relationship) for key, tie in ties_of(view_of(brain(files)), Request(source_refs=KRADLE))
    }
    assert found == {"repository:kradle": (1, None), "runbook:b": (1, "documents"), "notes/n.md": (1, "mentions")}


def test_a_depth_of_nothing_leaves_typed_edges_out() -> None:
    files = {"b.yaml": graph_record("runbook:b", edges={"documents": ["repository:kradle"]})}
    assert ties_of(view_of(brain(files)), Request(source_refs=KRADLE, edge_depth=0)) == []


@pytest.mark.parametrize("field", ["repoRefs", "sourceRefs", "tags"])
@pytest.mark.parametrize("value", ["repository:kradle", "kradle", "repo:kradle"])
def test_a_reference_ties_in_the_third_bucket(field: str, value: str) -> None:
    stated: dict[str, Any] = {field: [value]}
    files = {"b.yaml": graph_record("runbook:b", **stated), "n.md": markdown("", **stated)}
    found = ties_of(view_of(brain(files)), Request(source_refs=KRADLE))
    assert {(key, tie.rank) for key, tie in found} == {("runbook:b", 2), ("n.md", 2)}


# Words


def matched(view: View, query: str) -> dict[int, TextMatch]:
    """What a query finds."""
    return search_text(view, query_terms(query), InMemorySearcher(), blob_redactor()).documents


@pytest.mark.parametrize(
    "fields",
    [{"title": "The brake"}, {"aliases": ["brake"]}, {"tags": ["brake"]}, {"summary": "brakes"}, {"title": "x"}],
)
def test_words_name_records_by_title_names_tags_and_summary(fields: dict[str, object]) -> None:
    files = {"a.yaml": graph_record("term:a", "Term", **fields), "n.md": "# The brake\n"}
    view = view_of(brain(files))
    expected = [] if fields == {"title": "x"} else [("term:a", 1, ("term:a",))]
    found = seeds_from_words(view, matched(view, "brake"), 1)
    assert [(seed.key, seed.distance, seed.breadcrumb) for seed in found] == expected


def test_words_name_a_record_by_its_id() -> None:
    view = view_of(brain({"a.yaml": graph_record("runbook:brake-test")}))
    assert [seed.key for seed in seeds_from_words(view, matched(view, "brake"), 0)] == ["runbook:brake-test"]


def test_a_word_in_the_body_alone_names_no_record() -> None:
    view = view_of(brain({"a.md": markdown("brake\n", id="term:a", kind="Term")}))
    assert seeds_from_words(view, matched(view, "brake"), 0) == []


def test_only_the_best_records_become_seeds() -> None:
    files = {f"{number:02}.yaml": graph_record(f"term:{number:02}", "Term", summary="brake") for number in range(30)}
    files["best.yaml"] = graph_record("term:best", "Term", title="brake", summary="brake")
    view = view_of(brain(files))
    found = [seed.key for seed in seeds_from_words(view, matched(view, "brake"), 0)]
    assert found[0] == "term:best"
    assert found[1:] == [f"term:{number:02}" for number in range(WORD_SEEDS - 1)]
