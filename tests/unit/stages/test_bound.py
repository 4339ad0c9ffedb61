"""Stage 6: what fits, in order; the general law stands in tests/properties/test_budget.py."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import pytest

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.budget import SECTION_BYTES, Budget, tokens_of
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.model.hits import Evidence, Item, Omitted, Passage, RedactedHit, RedactedHits, Selection, Shapes
from kradle_ctx.model.request import Limits, QueryMode, Request
from kradle_ctx.render.prompt import prompt_section
from kradle_ctx.sources import source_entry
from kradle_ctx.stages.bound import BANNER_ROOM, TRIES, bound, item_kind

AMPLE = Budget(100_000, 100_000, 40, 25)
BY_TEXT = Evidence(terms=("brake",), text_score=1.0)


class Shown(NamedTuple):
    """A redacted hit with the forms in which it can be shown, the largest first; none of what is unsafe."""

    hit: RedactedHit
    forms: list[tuple[Passage, ...]]


class Hits:
    """Redacted hits of given texts, and a record of which were asked for, and of which the smaller forms were."""

    def __init__(self, *hits: Shown) -> None:
        self.hits = hits
        self.asked: list[int] = []
        self.shrunk: list[int] = []

    def values(self, *omitted: Omitted) -> RedactedHits:
        return RedactedHits(
            len(self.hits),
            lambda at: self.hits[at].hit.evidence,
            self.shapes,
            lambda at: self.hits[at].hit,
            self.omit,
            omitted,
            ("a warning",),
        )

    def shapes(self, position: int) -> Shapes | None:
        self.asked.append(position)
        forms = self.hits[position].forms
        if not forms:
            return None
        largest, *smaller = forms
        least = sum(len(passage.text.encode()) for passage in forms[-1])

        def shrink() -> list[tuple[Passage, ...]]:
            self.shrunk.append(position)
            return smaller

        return Shapes(largest, shrink if smaller else None, least)

    def omit(self, position: int, reason: str) -> Omitted:
        return Omitted(self.hits[position].hit.document.path, reason, 7)


def hit(name: str, *shapes: str | tuple[str, ...], evidence: Evidence = BY_TEXT, form: Form = Form.MARKDOWN) -> Shown:
    """A hit that can be shown in the given forms, each of one passage or of several, the largest first."""
    record = form is not Form.NOTE
    document = Document(
        path=name,
        blob="0" * 40,
        form=form,
        start=0,
        end=9,
        line_start=1,
        line_end=99,
        title=name,
        id=f"term:{name}" if record else None,
        kind="Term" if record else None,
    )
    texts = [(shape,) if isinstance(shape, str) else shape for shape in shapes]
    passages = [tuple(Passage(place, place, text) for place, text in enumerate(shape, 1)) for shape in texts]
    return Shown(RedactedHit(document, evidence, 1.0), passages)


def chosen(selection: Selection) -> list[tuple[str, str]]:
    return [(item.document.path, item.passage.text) for item in selection.items]


def reasons(selection: Selection) -> list[tuple[str, str]]:
    return [(entry.item, entry.reason) for entry in selection.omitted]


def request(**fields: Any) -> Request:
    return Request(query="brake", **fields)


def test_everything_that_fits_is_taken_in_order() -> None:
    selection = bound(Hits(hit("a", "one\n"), hit("b", "two\n")).values(), AMPLE, request())
    assert chosen(selection) == [("a", "one\n"), ("b", "two\n")]
    assert (selection.omitted, selection.truncated, selection.warnings) == ((), False, ("a warning",))


def test_the_passages_of_a_shape_are_items_in_their_order() -> None:
    note = hit("n", ("first\n", "second\n", "third\n"), ("second\n",), form=Form.NOTE)
    texts = [text for _, text in chosen(bound(Hits(note).values(), AMPLE, request()))]
    assert texts == ["first\n", "second\n", "third\n"]


def test_an_item_shrinks_before_it_is_dropped() -> None:
    note = hit("n", ("x" * 5_000 + "\n", "best\n"), ("x" * 3_000 + "\n",), ("best\n",), form=Form.NOTE)
    assert chosen(bound(Hits(note).values(), Budget(2_000, 9_999, 40, 25), request())) == [("n", "best\n")]


def test_a_large_item_is_shown_smaller_unless_it_was_selected() -> None:
    record, small = hit("r", "x" * 2_000 + "\n", "head\n"), hit("r", "x" * 900 + "\n", "head\n")
    selected = hit("r", "x" * 2_000 + "\n", "head\n", evidence=Evidence(selected=True))
    shown = [
        chosen(bound(Hits(entry).values(), Budget(4_000, 9_999, 40, 25), request()))[0][1][:4]
        for entry in (record, small, selected)
    ]
    assert shown == ["head", "xxxx", "xxxx"]


def test_smaller_forms_are_made_only_where_the_largest_is_too_large_and_the_least_is_not() -> None:
    found = Hits(
        hit("whole", "x" * 600 + "\n", "head\n"),
        hit("shrinks", "x" * 2_000 + "\n", "head\n"),
        hit("never fits", "x" * 9_000 + "\n", "x" * 8_000 + "\n"),
    )
    assert [name for name, _ in chosen(bound(found.values(), Budget(4_000, 9_999, 40, 25), request()))] == [
        "whole",
        "shrinks",
    ]
    assert found.shrunk == [1]


def test_what_does_not_fit_is_passed_over_for_what_does() -> None:
    selection = bound(
        Hits(hit("big", "x" * 9_000), hit("small", "y\n")).values(Omitted("term:x", "too-far")),
        Budget(2_000, 9_999, 40, 25),
        request(),
    )
    assert chosen(selection) == [("small", "y\n")]
    assert reasons(selection) == [("big", "over-budget"), ("term:x", "too-far")]
    assert selection.truncated


def test_the_search_for_smaller_items_ends() -> None:
    found = Hits(*(hit(f"{number}", "x" * 9_000) for number in range(TRIES + 20)), hit("small", "y\n"))
    selection = bound(found.values(), Budget(2_000, 9_999, 400, 999), request())
    assert chosen(selection) == []
    assert len(found.asked) == TRIES
    assert Counter(reason for _, reason in reasons(selection)) == {"over-budget": TRIES + 21}


def test_documents_beyond_the_most_records_are_left_out() -> None:
    found = Hits(*(hit(f"{number}", "x\n") for number in range(5)))
    selection = bound(found.values(), Budget(9_999, 9_999, 2, 25), request())
    assert [name for name, _ in chosen(selection)] == ["0", "1"]
    assert reasons(selection) == [(name, "over-max-records") for name in "234"]
    assert found.asked == [0, 1]


def test_only_so_many_items_may_come_by_text_alone() -> None:
    selected = Evidence(selected=True, terms=("brake",))
    tied = Evidence(association="x", association_rank=0, breadcrumb=("repository:k", "<-x-", "d"), terms=("brake",))
    reached = Evidence(distance=1, breadcrumb=("a", "-x->", "e"))
    found = Hits(
        hit("a", "x\n"),
        hit("b", "x\n"),
        hit("c", "x\n", evidence=selected),
        hit("d", "x\n", evidence=tied),
        hit("e", "x\n", evidence=reached),
    )
    selection = bound(found.values(), Budget(9_999, 9_999, 40, 1), request())
    assert [name for name, _ in chosen(selection)] == ["a", "c", "d", "e"]
    assert reasons(selection) == [("b", "over-max-matches")]


def test_an_unsafe_item_is_left_out_and_listed() -> None:
    selection = bound(Hits(hit("a"), hit("b", "x\n")).values(), AMPLE, request())
    assert chosen(selection) == [("b", "x\n")]
    assert reasons(selection) == [("a", "redaction-too-broad")]
    assert not selection.truncated


def test_room_for_a_banner_is_kept() -> None:
    found = hit("a", "x" * 500 + "\n")
    sizes = range(500, 9_000)
    least = next(size for size in sizes if chosen(bound(Hits(found).values(), Budget(size, 9_999, 40, 25), request())))
    item = Item("memory-markdown-record", found.hit.document, found.hit.evidence, 1.0, found.forms[0][0])
    shown = {
        "repositoryRef": "local",
        "resolvedCommit": "0" * 40,
        "queryManifestDigest": "sha256:" + "0" * 64,
        "sources": [source_entry(item)],
    }
    assert least >= len(prompt_section(shown).encode()) + BANNER_ROOM


def test_a_budget_below_the_sections_head_is_refused() -> None:
    with pytest.raises(KradleError) as caught:
        bound(Hits(hit("a", "x\n")).values(), Budget(10, 10, 40, 25), request())
    assert caught.value.code is ErrorCode.LIMIT_EXCEEDED


@pytest.mark.parametrize(
    ("granted", "asked", "most"),
    [((), 5_000, 5_000), ((900,), 5_000, 900), ((9_000, 800), 5_000, 800), ((), 10**9, SECTION_BYTES)],
)
def test_the_smallest_limit_of_request_and_grants_holds(granted: tuple[int, ...], asked: int, most: int) -> None:
    access = Access(tuple(Grant(f"{size}", paths=("**",), max_context_bytes=size) for size in granted))
    budget = Budget.of(request(limits=Limits(max_bytes=asked)), access)
    assert budget.max_bytes == most


@pytest.mark.parametrize(("size", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2)])
def test_a_token_is_four_bytes_begun(size: int, tokens: int) -> None:
    assert tokens_of(size) == tokens


@pytest.mark.parametrize(
    ("mode", "form", "kind", "expected"),
    [
        (QueryMode.GRAPH_AND_GREP, Form.GRAPH, "Term", "memory-graph-record"),
        (QueryMode.GRAPH_AND_GREP, Form.MARKDOWN, "Term", "memory-markdown-record"),
        (QueryMode.GRAPH_AND_GREP, Form.NOTE, None, "memory-grep-excerpt"),
        (QueryMode.GRAPH_AND_GREP, Form.MARKDOWN, "RunRetrospective", "memory-run-record"),
        (QueryMode.GRAPH_AND_GREP, Form.GRAPH, "RunJournalEvent", "memory-run-record"),
        (QueryMode.GREP_ONLY, Form.MARKDOWN, "Term", "memory-grep-excerpt"),
        (QueryMode.DOCUMENT_READ, Form.NOTE, None, "memory-document"),
    ],
)
def test_an_item_is_named_by_its_family(mode: QueryMode, form: Form, kind: str | None, expected: str) -> None:
    document = Document("a", "0" * 40, form, 0, 1, 1, 1, title="a", id="x:a" if kind else None, kind=kind)
    assert item_kind(RedactedHit(document, BY_TEXT, 1.0), mode) == expected
