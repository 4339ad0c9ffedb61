"""Stage 4: named criteria and what they decide; the general laws stand in tests/properties/test_ranking.py."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from kradle_ctx.model.graph import Document, Form, outline_of
from kradle_ctx.model.hits import Evidence, Hit, Hits, Omitted
from kradle_ctx.model.request import RankOrder, Request
from kradle_ctx.stages.rank import rank, recency, size_class

PINNED_AT = datetime(2026, 5, 1, tzinfo=UTC)


def hit(
    name: str, *, kind: str = "Term", status: str | None = None, updated_at: str | None = None, **evidence: Any
) -> Hit:
    """A hit that is named by one letter; numbers are in path order, so the letter's is one."""
    document = Document(
        path=f"{name}.md",
        blob="0" * 40,
        form=Form.MARKDOWN,
        start=0,
        end=100,
        line_start=1,
        line_end=3,
        title=name,
        id=f"term:{name}",
        kind=kind,
        status=status,
        updated_at=updated_at,
    )
    stated = {"allow": "**"} | evidence
    if "text_score" in stated:
        stated["terms"] = ("brake",)
    return Hit(outline_of(ord(name), document), Evidence(**stated))


def order(*hits: Hit, **request: Any) -> str:
    """The names in their order, as one word."""
    ranked = rank(Hits(hits), Request(query="brake", **request), PINNED_AT)
    return "".join(entry.hit.document.path.removesuffix(".md") for entry in ranked.hits)


def test_selection_then_association_then_text_then_the_rest() -> None:
    reached = hit("d", distance=0, association_rank=1, association="x")
    matched = hit("c", text_score=0.1)
    tied = hit("b", association_rank=0, association="x", distance=0)
    selected = hit("a", selected=True)
    assert order(reached, matched, tied, selected) == "abcd"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"text_score": 3.0}, {"text_score": 1.0}),
        ({"text_score": 2.0, "association_rank": 1}, {"text_score": 2.0}),
        ({"text_score": 2.0, "distance": 1}, {"text_score": 2.0, "distance": 2}),
        ({"text_score": 2.0, "distance": 9}, {"text_score": 2.0}),
        ({"text_score": 2.0, "allow": "a.md"}, {"text_score": 2.0, "allow": "a/b/**"}),
        ({"text_score": 2.0, "approved": True}, {"text_score": 2.0}),
        ({"text_score": 2.0, "updated_at": "2026-04-30"}, {"text_score": 2.0, "updated_at": "2024-01-01"}),
        ({"text_score": 2.0, "updated_at": "2024-01-01"}, {"text_score": 2.0}),
    ],
)
def test_one_criterion_decides_between_items_that_are_otherwise_equal(
    better: dict[str, Any], worse: dict[str, Any]
) -> None:
    assert order(hit("a", **worse), hit("b", **better)) == "ba"


def test_ties_end_in_path_and_line() -> None:
    assert order(hit("b", text_score=1.0), hit("a", text_score=1.0)) == "ab"


def test_a_retired_record_falls_behind_a_weaker_match() -> None:
    assert order(hit("a", text_score=2.0, status="deprecated"), hit("b", text_score=1.0)) == "ba"


def test_raw_events_stand_behind_summaries_unless_the_task_is_a_replay() -> None:
    event = hit("a", kind="RunJournalEvent", text_score=2.0)
    summary = hit("b", kind="RunRetrospective", text_score=1.5)
    assert order(event, summary) == "ba"
    assert order(event, summary, task_kind="replay") == "ab"
    assert order(event, summary, task_kind="debug") == "ab"


def test_a_chain_of_supersession_stands_in_its_order() -> None:
    old = hit("a", text_score=9.0, superseded_by="term:c")
    older = hit("b", text_score=8.0, superseded_by="term:c")
    new = hit("c", text_score=0.1, approved=True, status="approved")
    assert order(old, older, new) == "cab"
    assert order(old, older, new, rank=RankOrder.LITERAL) == "cab"


def test_what_was_selected_keeps_its_place_though_it_is_superseded() -> None:
    assert order(hit("a", selected=True, superseded_by="term:b"), hit("b", text_score=1.0)) == "ab"


def test_a_replacement_that_was_not_found_holds_nothing_back() -> None:
    assert order(hit("a", text_score=2.0, superseded_by="term:x"), hit("b", text_score=0.1)) == "ab"


def test_records_that_supersede_each_other_are_all_kept() -> None:
    names = order(hit("a", superseded_by="term:b", text_score=2.0), hit("b", superseded_by="term:a", text_score=1.0))
    assert sorted(names) == ["a", "b"]


def test_the_literal_order_sorts_by_one_criterion_after_the_other() -> None:
    near = hit("a", distance=1, text_score=0.1)
    strong = hit("b", distance=2, text_score=9.0)
    tied = hit("c", association_rank=2, association="repoRefs", distance=0)
    assert order(near, strong, tied, rank=RankOrder.LITERAL) == "cab"
    assert order(near, strong, tied) == "bac"


@pytest.mark.parametrize(
    ("updated_at", "value"),
    [
        ("2026-05-01T00:00:00Z", 1.0),
        ("2027-01-01", 1.0),
        ("2025-11-02", 0.5),
        ("2025-05-06", 0.25),
        ("last week", None),
    ],
)
def test_recency_halves_every_180_days_before_the_pinned_commit(updated_at: str, value: float | None) -> None:
    assert recency(updated_at, PINNED_AT) == pytest.approx(value)


def test_ranking_tells_its_criteria_beside_the_score() -> None:
    given = (hit("a", updated_at="2025-11-02"), hit("b", updated_at="soon"), hit("c"))
    ranked = rank(Hits(given), Request(query="brake"), PINNED_AT).hits
    assert [(entry.hit.document.path, entry.recency) for entry in ranked] == [
        ("a.md", pytest.approx(0.5)),
        ("b.md", None),
        ("c.md", None),
    ]
    assert {entry.size_class for entry in ranked} == {0}


@pytest.mark.parametrize(("size", "expected"), [(0, 0), (1_023, 0), (1_024, 1), (2_047, 1), (2_048, 2), (1 << 20, 11)])
def test_a_size_is_classed_by_its_doublings(size: int, expected: int) -> None:
    assert size_class(size) == expected


def test_what_was_left_out_and_said_is_handed_on() -> None:
    given = Hits((hit("a"),), (Omitted("term:x", "too-far", 7),), ("a warning",), {"brake": "brakes"})
    ranked = rank(given, Request(query="brake"), PINNED_AT)
    assert (ranked.omitted, ranked.warnings, ranked.stems) == (given.omitted, given.warnings, given.stems)
    assert rank(replace(given, hits=()), Request(query="brake"), PINNED_AT).hits == ()
