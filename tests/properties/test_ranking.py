"""Ranking: a total order that does not depend on the order found, and monotone in every criterion."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.model.graph import Document, Form, outline_of
from kradle_ctx.model.hits import Evidence, Hit, Hits
from kradle_ctx.model.request import RankOrder, Request
from kradle_ctx.stages.rank import measured, rank
from tests.properties.examples import examples

PINNED_AT = datetime(2026, 5, 1, tzinfo=UTC)
REQUEST = Request(query="carriage")


@st.composite
def hits(draw: st.DrawFn, number: int = 0) -> Hit:
    """A hit with any evidence; a superseded one names one of the ids that others may have."""
    text_score = draw(st.sampled_from([0.0, 0.4, 1.0, 3.7]))
    document = Document(
        path=f"notes/{draw(st.integers(0, 2))}.md",
        blob="0" * 40,
        form=Form.MARKDOWN,
        start=0,
        end=draw(st.integers(0, 9_000)),
        line_start=1 + number,
        line_end=2 + number,
        body_line=1 + number,
        title="",
        id=f"term:{number}",
        kind=draw(st.sampled_from(["Term", "RunJournalEvent"])),
        status=draw(st.sampled_from([None, "approved", "draft", "deprecated"])),
        updated_at=draw(st.sampled_from([None, "2026-04-30", "2020-01-01", "2031-01-01", "never"])),
    )
    evidence = Evidence(
        selected=draw(st.booleans()),
        association_rank=draw(st.integers(0, 3)),
        distance=draw(st.sampled_from([None, 0, 1, 2, 3, 7])),
        allow=draw(st.sampled_from(["notes/1.md", "a/b/**", "**", "kind:Term"])),
        terms=("carriage",) if text_score else (),
        match_count=1,
        text_score=text_score,
        approved=document.status == "approved",
        superseded_by=draw(st.sampled_from([None, None, *(f"term:{other}" for other in range(5) if other != number)])),
    )
    return Hit(outline_of(number, document), evidence)


def numbered(found: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Hits with the numbers of their documents in the order of paths; of those in one file, the first come first."""
    places = sorted(range(len(found)), key=lambda place: found[place].document.path.encode())
    ranks = {place: number for number, place in enumerate(places)}
    return tuple(replace(hit, document=hit.document._replace(number=ranks[place])) for place, hit in enumerate(found))


found_hits = (
    st.integers(1, 6).flatmap(lambda count: st.tuples(*(hits(number) for number in range(count)))).map(numbered)
)


def ordered(found: tuple[Hit, ...], request: Request = REQUEST) -> list[str | None]:
    """The ids in their order."""
    return [ranked.hit.document.id for ranked in rank(Hits(found), request, PINNED_AT).hits]


@settings(max_examples=examples(75), deadline=None)
@given(found_hits, st.randoms(use_true_random=False), st.sampled_from(RankOrder))
def test_the_order_is_total_and_does_not_depend_on_the_order_found(
    found: tuple[Hit, ...], random: object, order: RankOrder
) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    request = replace(REQUEST, rank=order)
    names = ordered(found, request)
    assert ordered(tuple(shuffled), request) == names
    assert sorted(names, key=str) == sorted((hit.document.id for hit in found), key=str)


@settings(max_examples=examples(75), deadline=None)
@given(found_hits, st.sampled_from(RankOrder))
def test_a_replacement_that_is_found_stands_before_what_it_supersedes(found: tuple[Hit, ...], order: RankOrder) -> None:
    """Selection stands above everything; a cycle, which the view never gives, has no first."""
    chain = {hit.document.id: hit.evidence.superseded_by for hit in found}
    names = ordered(found, replace(REQUEST, rank=order))
    for hit in found:
        replacement = hit.evidence.superseded_by
        at = replacement
        for _ in found:
            at = chain.get(at)
        leads_into_a_cycle = at is not None and at in chain
        if replacement in names and not hit.evidence.selected and not leads_into_a_cycle:
            assert names.index(replacement) < names.index(hit.document.id)


@settings(max_examples=examples(60), deadline=None)
@given(found_hits)
def test_selection_stands_first_then_associations_then_matches(found: tuple[Hit, ...]) -> None:
    plain = tuple(replace(hit, evidence=replace(hit.evidence, superseded_by=None)) for hit in found)
    by_id = {hit.document.id: hit.evidence for hit in plain}
    tiers = [
        (not by_id[name].selected, by_id[name].association_rank != 0, not by_id[name].terms) for name in ordered(plain)
    ]
    assert tiers == sorted(tiers)


def better(hit: Hit, criterion: str) -> Hit:
    """The same hit, better by one criterion alone."""
    evidence, document = hit.evidence, hit.document
    if criterion == "selected":
        return replace(hit, evidence=replace(evidence, selected=True))
    if criterion == "association":
        return replace(hit, evidence=replace(evidence, association_rank=max(0, evidence.association_rank - 1)))
    if criterion == "distance":
        nearer = 7 if evidence.distance is None else max(0, evidence.distance - 1)
        return replace(hit, evidence=replace(evidence, distance=nearer))
    if criterion == "allow":
        narrower = {"**": "a/b/**", "kind:Term": "a/b/**", "a/b/**": "notes/1.md"}
        return replace(hit, evidence=replace(evidence, allow=narrower.get(evidence.allow, evidence.allow)))
    if criterion == "text":
        more = evidence.text_score + 0.3
        return replace(hit, evidence=replace(evidence, text_score=more, terms=("carriage",)))
    if criterion == "recency":
        return replace(hit, document=document._replace(updated_at="2026-05-01T00:00:00Z"))
    if criterion == "approved":
        return replace(hit, evidence=replace(evidence, approved=True), document=document._replace(status="approved"))
    return replace(hit, document=document._replace(end=document.end // 2))


CRITERIA = ("selected", "association", "distance", "allow", "text", "recency", "approved", "size")


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=examples(20), deadline=None)
@given(found_hits, st.integers(0, 5))
def test_an_item_that_gets_better_by_one_criterion_never_falls(
    criterion: str, found: tuple[Hit, ...], place: int
) -> None:
    free = tuple(replace(hit, evidence=replace(hit.evidence, superseded_by=None)) for hit in found)
    at = place % len(free)
    improved = (*free[:at], better(free[at], criterion), *free[at + 1 :])
    name = free[at].document.id
    for order in RankOrder:
        request = replace(REQUEST, rank=order)
        assert ordered(improved, request).index(name) <= ordered(free, request).index(name)


@pytest.mark.parametrize("criterion", [name for name in CRITERIA if name != "selected"])
@settings(max_examples=examples(20), deadline=None)
@given(hits())
def test_the_score_is_monotone_in_every_criterion(criterion: str, hit: Hit) -> None:
    after, before = (measured(either, 5.0, PINNED_AT).score for either in (better(hit, criterion), hit))
    assert after >= before
