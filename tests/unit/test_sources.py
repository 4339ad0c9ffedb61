"""One entry of a bundle's sources."""

from __future__ import annotations

import hashlib

import pytest

from kradle_ctx.model.graph import Document, Form
from kradle_ctx.model.hits import Evidence, Item, Passage
from kradle_ctx.model.request import Request
from kradle_ctx.sources import source_entry, summary
from tests.pipeline import assembled, brain, markdown, source_of

NOTE = Document(path="notes/ü.md", blob="b" * 40, form=Form.NOTE, start=0, end=9, line_start=1, line_end=9, title="T")
RECORD = Document(
    path="a.yaml",
    blob="c" * 40,
    form=Form.GRAPH,
    start=0,
    end=9,
    line_start=3,
    line_end=9,
    title="T",
    id="term:a",
    kind="Term",
    status="approved",
    owners=("team:a", "team:b"),
)


def item(document: Document = NOTE, evidence: Evidence | None = None, text: str = "zwölf\n") -> Item:
    passage = Passage(2, 3, text, {"url-password": 1, "api-key": 2})
    return Item("memory-grep-excerpt", document, evidence or Evidence(allow="notes/**"), 0.123456, passage)


def test_an_entry_names_its_place_and_the_digest_of_its_content() -> None:
    entry = source_entry(item())
    assert (entry["path"], entry["lineStart"], entry["lineEnd"], entry["blob"]) == ("notes/ü.md", 2, 3, "b" * 40)
    assert entry["content"] == "zwölf\n"
    assert entry["digest"] == "sha256:" + hashlib.sha256("zwölf\n".encode()).hexdigest()
    assert (entry["bytes"], entry["tokens"]) == (7, 2)
    assert list(entry["redactions"].items()) == [("api-key", 2), ("url-password", 1)]
    assert "id" not in entry
    assert "owners" not in entry
    assert "status" not in entry


def test_a_record_has_its_id_kind_owners_and_status() -> None:
    entry = source_entry(item(RECORD))
    assert (entry["id"], entry["nodeKind"], entry["status"]) == ("term:a", "Term", "approved")
    assert entry["owners"] == ["team:a", "team:b"]


def test_why_holds_the_value_of_every_criterion() -> None:
    evidence = Evidence(
        selected=True,
        association="applies_to_repo",
        association_rank=0,
        distance=0,
        breadcrumb=("repository:kradle", "<-applies_to_repo-", "term:a"),
        allow="**",
        terms=("flaky", "playwright"),
        match_count=7,
        text_score=3.4159,
        approved=True,
        superseded_by="term:b",
        recency=0.43217,
        size_class=2,
    )
    why = source_entry(item(RECORD, evidence))["why"]
    assert why.pop("summary")
    assert why == {
        "selected": True,
        "association": "applies_to_repo",
        "distance": 0,
        "breadcrumb": ["repository:kradle", "<-applies_to_repo-", "term:a"],
        "allow": "**",
        "grep": {"terms": ["flaky", "playwright"], "matches": 7, "score": 3.42},
        "recency": 0.4322,
        "approved": True,
        "supersededBy": "term:b",
        "sizeClass": 2,
        "score": 0.1235,
    }


def test_why_leaves_out_what_does_not_apply() -> None:
    why = source_entry(item())["why"]
    assert set(why) == {"summary", "selected", "allow", "approved", "sizeClass", "score"}


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        (Evidence(selected=True), ["selected by name"]),
        (Evidence(terms=("a",)), ["1 term matched"]),
        (Evidence(terms=("a", "b")), ["2 terms matched"]),
        (Evidence(distance=1, breadcrumb=("a", "-x->", "b")), ["1 edge away"]),
        (Evidence(distance=2, breadcrumb=("a", "-x->", "b", "-x->", "c")), ["2 edges away"]),
        (
            Evidence(association="x", association_rank=1, distance=1, breadcrumb=("repository:k", "<-x-", "b")),
            ["direct association of repository:k", "1 edge away"],
        ),
        (
            Evidence(association="repoRefs", association_rank=2, distance=0, breadcrumb=("repository:k", "<-", "b")),
            ["refers to repository:k"],
        ),
        (Evidence(selected=True, superseded_by="term:b"), ["selected by name", "superseded by term:b"]),
    ],
)
def test_the_sentence_says_what_brought_the_item(evidence: Evidence, words: list[str]) -> None:
    sentence = summary(evidence)
    at = [sentence.index(word) for word in words]
    assert at == sorted(at)
    assert "\n" not in sentence


def test_a_replacement_that_only_comes_along_says_so() -> None:
    related = {"supersedes": "decision:old"}
    files = {
        "old.md": markdown("brake\n", id="decision:old", kind="Decision", status="approved"),
        "new.md": markdown("wheels\n", id="decision:new", kind="Decision", status="approved", related=related),
    }
    bundle = assembled(brain(files), Request(query="brake"))
    assert source_of(bundle, "decision:new")["why"]["summary"] == "replaces a record that matched"
