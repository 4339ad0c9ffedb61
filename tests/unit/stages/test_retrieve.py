"""Stage 3: everything that a request could mean, with the evidence for it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.hits import Hit, Hits
from kradle_ctx.model.request import QueryMode, Request
from kradle_ctx.model.resources import Association
from kradle_ctx.model.search import Found, Pattern, Span
from kradle_ctx.stages import retrieve as stage
from kradle_ctx.stages.retrieve import retrieve
from tests.fakes import InMemorySearcher
from tests.pipeline import EVERYTHING, blob_redactor, brain, granting, graph_record, markdown, view_of

KRADLE = {"repository": ("kradle",)}


def hits(files: dict[str, str], request: Request, *associations: Association, **options: Any) -> Hits:
    view = view_of(brain(files), options.get("access", EVERYTHING), request)
    searcher = options.get("searcher") or InMemorySearcher()
    return retrieve(view, request, associations, searcher=searcher, redactor=blob_redactor())


def found(files: dict[str, str], request: Request, *associations: Association, **options: Any) -> dict[str, Hit]:
    return {hit.document.key: hit for hit in hits(files, request, *associations, **options).hits}


def test_a_request_that_asks_nothing_is_a_usage_error() -> None:
    for request in (Request(), Request(source_refs={"issue": ()})):
        with pytest.raises(KradleError) as caught:
            hits({"a.md": "x\n"}, request)
        assert caught.value.code is ErrorCode.USAGE


def test_matches_are_counted() -> None:
    hit = found({"a.md": "wheel\nbrake\nbrake wheel\n"}, Request(query="brake wheel"))["a.md"]
    assert hit.matches == ()
    assert (hit.evidence.terms, hit.evidence.match_count) == (("brake", "wheel"), 4)
    assert hit.evidence.text_score > 0
    assert hit.evidence.distance is None


@pytest.mark.parametrize("regex", [True, False])
def test_matches_of_literals_and_expressions_come_with_their_places(regex: bool) -> None:
    hit = found({"a.md": "E-1\nwheel\nE-1 e-1\n"}, Request(query="E-1", regex=regex))["a.md"]
    assert [(match.offset, match.term) for match in hit.matches] == [(0, "E-1"), (10, "E-1"), (14, "E-1")]
    assert hit.evidence.terms == ("E-1",)


def test_the_stems_that_were_asked_for_come_with_their_terms() -> None:
    files = {"a.md": "Brakes wheel\n", "b.md": "braking E-41\n"}
    assert hits(files, Request(query="braking tunnels")).stems == {"brake": "braking", "tunnel": "tunnels"}
    assert hits(files, Request(query="brak.", regex=True)).stems == {}
    assert hits(files, Request(query="", select=("a.md",))).stems == {}


def test_a_hit_tells_of_its_document_what_ranking_needs() -> None:
    said = markdown("brake\n", id="term:a", kind="Term", status="approved", updatedAt="2026-04-01")
    document = found({"a.md": said, "0.md": "x\n"}, Request(query="brake"))["term:a"].document
    assert (document.number, document.path, document.kind, document.status) == (1, "a.md", "Term", "approved")
    assert (document.size, document.length, document.updated_at) == (len(said), len("brake\n"), "2026-04-01")


def test_the_evidence_of_a_document_that_nothing_but_an_edge_reached() -> None:
    files = {"a.yaml": graph_record("service:a", "Service", edges={"implements": ["repository:kradle"]})}
    evidence = found(files, Request(source_refs=KRADLE))["service:a"].evidence
    assert (evidence.association, evidence.association_rank, evidence.distance) == ("implements", 1, 1)
    assert (evidence.terms, evidence.text_score, evidence.approved) == ((), 0.0, False)
    assert evidence.allow == "**"


def test_the_closest_tie_counts() -> None:
    files = {
        "a.yaml": graph_record(
            "runbook:a", edges={"applies_to_repo": ["repository:kradle"]}, repoRefs=["repository:kradle"]
        )
    }
    tie = Association("a5c", "t", "Repository", "kradle", "owns", memory_id="runbook:a")
    evidence = found(files, Request(source_refs=KRADLE), tie)["runbook:a"].evidence
    assert (evidence.association, evidence.association_rank, evidence.distance) == ("owns", 0, 0)
    evidence = found(files, Request(source_refs=KRADLE))["runbook:a"].evidence
    assert (evidence.association, evidence.association_rank) == ("applies_to_repo", 1)


def test_words_that_name_a_record_make_it_a_seed() -> None:
    files = {
        "a.yaml": graph_record("term:a", "Term", title="Brake", edges={"uses": ["term:b"]}),
        "b.yaml": graph_record("term:b", "Term"),
    }
    alone = found(files, Request(query="brake"))
    assert (alone["term:a"].evidence.distance, alone["term:b"].evidence.distance) == (0, 1)
    beside = found(files, Request(query="brake", source_refs=KRADLE))
    assert (beside["term:a"].evidence.distance, beside["term:b"].evidence.distance) == (1, 2)


def test_a_note_that_mentions_a_reached_record_is_one_step_farther() -> None:
    files = {
        "a.yaml": graph_record("service:a", "Service", edges={"implements": ["repository:kradle"]}),
        "n.md": "we restarted service:a twice\n",
        "m.md": "we restarted service:a-b twice\n",
    }
    reached = found(files, Request(source_refs=KRADLE))
    assert set(reached) == {"service:a", "n.md"}
    assert reached["n.md"].evidence.breadcrumb[-2:] == ("<-mentions-", "n.md")
    assert reached["n.md"].evidence.distance == 2
    assert set(found(files, Request(source_refs=KRADLE, query_mode=QueryMode.GRAPH_ONLY))) == {"service:a"}


def test_a_selection_by_id_alias_or_path_is_found_without_any_match() -> None:
    files = {"a.yaml": graph_record("term:a", "Term", aliases=["alpha"]), "many.yaml": graph_record("term:b", "Term")}
    for name, expected in (("term:a", "term:a"), ("alpha", "term:a"), ("many.yaml", "term:b")):
        hit = found(files, Request(select=(name,)))[expected]
        assert hit.evidence.selected


def test_a_selected_path_selects_every_document_of_the_file() -> None:
    many = graph_record("term:a", "Term") + "---\n" + graph_record("term:b", "Term")
    assert set(found({"m.yaml": many}, Request(select=("m.yaml",)))) == {"term:a", "term:b"}


def test_an_alias_of_a_note_selects_it() -> None:
    assert set(found({"n.md": markdown("x\n", aliases=["runbook:old"])}, Request(select=("runbook:old",)))) == {"n.md"}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\ufeffterm:a", "\\u{feff}term:a"),
        ("notes/\u202egnp.md\u2066", "notes/\\u{202e}gnp.md\\u{2066}"),
        ("\x1b[31mred\x07", "\\u{1b}[31mred\\u{7}"),
        ("a\nb\t.md", "a\\nb\\t.md"),
    ],
    ids=["byte order mark", "bidi", "escape", "line breaks"],
)
def test_the_name_of_an_item_that_is_not_available_is_printable_in_the_message(name: str, shown: str) -> None:
    with pytest.raises(KradleError) as caught:
        hits({"a.md": "x\n"}, Request(select=(name,)))
    assert caught.value.code is ErrorCode.MEMORY_ITEM_UNAVAILABLE
    assert caught.value.message == f"{shown} is not available at this commit"
    assert caught.value.message.isprintable()


def test_grep_alone_sees_markdown_and_follows_no_edge() -> None:
    files = {
        "a.yaml": graph_record("term:a", "Term", title="brake"),
        "b.md": markdown("brake\n", id="term:b", kind="Term", related={"uses": ["term:c"]}),
        "c.md": markdown("x\n", id="term:c", kind="Term"),
    }
    reached = found(files, Request(query="brake", source_refs=KRADLE, query_mode=QueryMode.GREP_ONLY))
    assert set(reached) == {"term:b"}


def test_a_reached_record_beyond_the_limit_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "FEWEST_UNMATCHED", 2)
    monkeypatch.setattr(stage, "UNMATCHED_LIMIT", 2)
    files = {
        f"{name}.yaml": graph_record(f"term:{name}", "Term", edges={"uses": [f"term:{target}"]})
        for name, target in zip("abcd", "bcde", strict=True)
    }
    answer = hits(files, Request(source_refs={"term": ("a",)}, edge_depth=9))
    kept = [hit.document.id for hit in answer.hits]
    assert "term:a" in kept
    assert answer.omitted
    assert {entry.item for entry in answer.omitted}.isdisjoint(kept)
    assert all(entry.reason == "too-far" and entry.bytes > 0 for entry in answer.omitted)


def test_what_supersedes_a_found_record_is_found_with_it() -> None:
    files = {
        "old.md": markdown("brake\n", id="d:old", kind="Decision"),
        "new.md": markdown("x\n", id="d:new", kind="Decision", status="approved", related={"supersedes": "d:old"}),
    }
    reached = found(files, Request(query="brake", edge_depth=0))
    assert set(reached) == {"d:old", "d:new"}
    assert reached["d:old"].evidence.superseded_by == "d:new"
    assert reached["d:new"].evidence.terms == ()


class Overflowing(InMemorySearcher):
    """A searcher that found more than can be read."""

    def search(self, corpus: Any, patterns: Any) -> Found:
        return Found(super().search(corpus, patterns).spans, truncated=True)


def test_matches_that_could_not_be_read_are_said() -> None:
    answer = hits({"a.md": "brake/1\n"}, Request(query="brake/1"), searcher=Overflowing())
    assert [hit.document.path for hit in answer.hits] == ["a.md"]
    assert len(answer.warnings) == 1
    assert "match" in answer.warnings[0]


class Astray(InMemorySearcher):
    """A searcher that reports a place in every document, denied ones too."""

    def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
        data = corpus.read_bytes()
        return Found(tuple(Span(at, at + 7) for at in range(len(data)) if data[at : at + 7] == b"brake-1"))


def test_a_match_in_a_denied_document_is_dropped() -> None:
    files = {"open/a.md": "brake-1\n", "shut/b.md": "brake-1\n"}
    for asked in (Request(query="brake-1"), Request(query="brake.1", regex=True)):
        reached = found(files, asked, searcher=Astray(), access=granting("open/**"))
        assert [len(hit.matches) for hit in reached.values()] == [1]
        assert set(reached) == {"open/a.md"}


def test_a_word_in_a_denied_document_is_no_match() -> None:
    files = {"open/a.md": "brake\n", "shut/b.md": "brake\n", "shut/brake.md": "x\n"}
    assert set(found(files, Request(query="brake"), access=granting("open/**"))) == {"open/a.md"}


@pytest.mark.parametrize(
    ("request_", "kept"),
    [
        (Request(query="brake", kinds=("Term",)), {"term:a", "n.md"}),
        (Request(query="brake", include_paths=("*.md",)), {"n.md"}),
        (Request(query="brake", query_mode=QueryMode.GRAPH_ONLY), {"term:a", "tool:b"}),
    ],
)
def test_a_request_narrows_what_was_found(request_: Request, kept: set[str]) -> None:
    files = {
        "a.yaml": graph_record("term:a", "Term", title="brake"),
        "b.yaml": graph_record("tool:b", "Tool", title="brake"),
        "n.md": "---\ntitle: brake\n---\n",
    }
    assert set(found(files, request_)) == kept
