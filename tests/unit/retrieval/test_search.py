"""Text search over the granted view: which documents a query finds, and which of its terms stand in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.model.search import Found, Pattern
from kradle_ctx.retrieval.matches import TextMatch
from kradle_ctx.retrieval.search import search_text
from kradle_ctx.tokens import query_terms
from tests.fakes import Content, InMemorySearcher
from tests.pipeline import EVERYTHING, blob_redactor, brain, granting, graph_record, markdown, view_of
from tests.unit.retrieval.searching import counts, express, search

# What matches


@pytest.mark.parametrize("query", ["deploy", "deploying", "DEPLOYS", "Deployed?"])
def test_a_word_finds_every_word_of_its_family_without_regard_to_case(query: str) -> None:
    found = search({"a.md": "we Deployed it\n", "b.md": "DEPLOYS fail\n", "c.md": "undeployed depot\n"}, query)
    assert set(found) == {"a.md", "b.md"}


def test_terms_are_joined_by_or() -> None:
    found = search({"a.md": "brake\n", "b.md": "wheel\n", "c.md": "tunnel\n"}, "brake wheel")
    assert {path: match.found_terms for path, match in found.items()} == {"a.md": ("brake",), "b.md": ("wheel",)}


def test_found_terms_come_in_the_order_of_the_query_and_documents_in_that_of_their_numbers() -> None:
    files = {"b.md": "tunnel brake\n", "a.md": "wheel\n", "c.md": "brake tunnel wheel\n"}
    found = search(files, "wheel tunnel brake")
    assert list(found) == ["a.md", "b.md", "c.md"]
    assert [match.found_terms for match in found.values()] == [
        ("wheel",),
        ("tunnel", "brake"),
        ("wheel", "tunnel", "brake"),
    ]


def test_a_word_may_end_in_what_stemming_changed() -> None:
    files = {
        "a.md": "the policies\n",
        "b.md": "one policy\n",
        "c.md": "caching\n",
        "d.md": "caches\n",
    }
    assert set(search(files, "policy")) == {"a.md", "b.md"}
    assert set(search(files, "cache")) == {"c.md", "d.md"}


def test_a_word_is_found_where_the_literal_that_holds_it_does_not_stand_free() -> None:
    found = search({"a.md": "a rerunner:ci job\n", "b.md": "rerunner:cinema\n"}, "runner:ci")
    assert {path: match.found_terms for path, match in found.items()} == {"a.md": ("ci",)}


def test_the_words_of_a_literal_stand_where_it_stands() -> None:
    found = search({"a.md": "see runner:ci\n", "b.md": "ci runner\n"}, "runner:ci")
    assert counts(found) == {
        "a.md": {"runner:ci": 1, "runner": 1, "ci": 1},
        "b.md": {"runner": 1, "ci": 1},
    }


def test_a_phrase_of_one_word_is_counted_once_where_it_stands() -> None:
    assert counts(search({"a.md": "brake\n", "b.md": "wheel\n"}, '"brake"')) == {"a.md": {"brake": 1}}


@pytest.mark.parametrize("query", ["ci", "io", "db"])
def test_a_short_word_is_found_at_word_borders_only(query: str) -> None:
    files = {
        "a.md": f"the {query} job\n",
        "b.md": f"my_{query}\n",
        "c.md": f"x{query}x ex{query}ting\n",
        "d.md": f"({query})\n",
    }
    assert set(search(files, query)) == {"a.md", "b.md", "d.md"}


def test_the_parts_of_an_identifier_in_the_text_are_words() -> None:
    files = {"a.md": "call retryBudget now\n", "b.md": "retry_budget\n", "c.md": "HTTPRetry\n"}
    assert set(search(files, "retry")) == {"a.md", "b.md", "c.md"}


def test_an_identifier_in_the_text_is_found_as_a_whole_and_by_its_parts() -> None:
    files = {"a.md": "GitHub\n", "b.md": "github\n", "c.md": "git hub\n"}
    assert counts(search(files, "github")) == {"a.md": {"github": 1}, "b.md": {"github": 1}}
    assert counts(search(files, "hub")) == {"a.md": {"hub": 1}, "c.md": {"hub": 1}}


@pytest.mark.parametrize("word", ["café", "Größe", "naïve", "デプロイ", "バグ"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
@pytest.mark.parametrize("written", ["NFC", "NFD"])
def test_composed_and_decomposed_spellings_find_each_other(word: str, asked: str, written: str) -> None:
    text = unicodedata.normalize(written, f"die {word} hier\n")  # type: ignore[arg-type]
    query = unicodedata.normalize(asked, word)  # type: ignore[arg-type]
    assert set(search({"a.md": text, "b.md": "cafe Grosse\n"}, query)) == {"a.md"}


@pytest.mark.parametrize(
    ("query", "text"),
    [("grösse", "GRÖSSE"), ("Größe", "GRÖSSE"), ("files", "ﬁle"), ("kelvin", "\u212aelvins"), ("İstanbul", "İSTANBUL")],
)
def test_what_differs_in_case_alone_is_one_word_however_it_is_folded(query: str, text: str) -> None:
    assert set(search({"a.md": f"x {text} y\n", "b.md": "brake\n"}, query)) == {"a.md"}


def test_scripts_without_spaces_are_found_inside_a_run() -> None:
    assert set(search({"a.md": "新東京駅へ行く\n", "b.md": "京東\n"}, "東京駅")) == {"a.md"}


def test_bytes_that_are_not_utf_8_hide_nothing_beside_them() -> None:
    assert counts(search({"a.md": b"caf\xe9 \xff\xfe brake\n"}, "brake")) == {"a.md": {"brake": 1}}


@pytest.mark.parametrize("letter", ["é", "漢", "c", "\U00010400"])
def test_a_word_of_any_length_hides_no_other(letter: str) -> None:
    assert set(search({"a.md": f"abc{letter * 20_000}\n", "b.md": "abc\n"}, "abc")) == {"b.md"}


# Where it matches


def two_records(first: str, second: str) -> str:
    """A file of two records with notes in their text."""
    return "---\n" + graph_record("term:a", "Term", note=first) + "---\n" + graph_record("term:b", "Term", note=second)


def test_every_document_of_a_file_is_found_by_its_own_text() -> None:
    view = view_of(brain({"a.yaml": two_records("brake", "wheel wheel")}))
    found = search_text(view, query_terms("wheel"), InMemorySearcher(), blob_redactor())
    assert [(view.document(number).id, dict(match.counts)) for number, match in found.documents.items()] == [
        ("term:b", {"wheel": 2})
    ]


def test_a_term_in_the_path_counts_for_all_documents_of_the_file() -> None:
    view = view_of(brain({"wheels/letters.yaml": two_records("x", "y")}))
    for query in ("wheel", "wheels/letters"):
        found = search_text(view, query_terms(query), InMemorySearcher(), blob_redactor())
        assert [view.document(number).id for number in found.documents] == ["term:a", "term:b"]
        for match in found.documents.values():
            assert (match.matches, match.counts) == ([], {})
            assert match.fields[query] == 1.0


@pytest.mark.parametrize(("field", "worth"), [("title", 3), ("summary", 1), ("tags", 2), ("aliases", 2)])
def test_a_term_in_a_field_counts_more_than_one_in_the_body(field: str, worth: int) -> None:
    value: object = ["wheel"] if field in ("tags", "aliases") else "the wheel"
    files = {
        "a.md": markdown("text of the same size\n", id="term:a", kind="Term", **{field: value}),
        "b.md": markdown("a wheel of same size\n", id="term:b", kind="Term", **{field: []}),
    }
    found = search(files, "wheel")
    assert found["a.md"].score > found["b.md"].score
    assert found["a.md"].field_score > 0 == found["b.md"].field_score
    assert (found["a.md"].fields, found["b.md"].fields) == ({"wheel": worth}, {})


def test_what_a_term_is_worth_in_several_fields_adds_up_once_for_each() -> None:
    said = graph_record("wheel:a", "Wheel", title="wheel wheel", summary="Wheels", tags=["wheel", "wheels"])
    assert search({"wheel/wheel.yaml": said}, "wheel")["wheel/wheel.yaml"].fields == {"wheel": 3 + 2 + 1 + 1}


def test_a_title_that_repeats_the_id_says_nothing_more() -> None:
    (match,) = search({"a.yaml": graph_record("wheel", "Term", title="wheel")}, "wheel").values()
    assert match.fields == {"wheel": 2}


def test_a_literal_in_a_field_counts_as_a_word_does() -> None:
    files = {"x.yaml": graph_record("term:a", "Term", title="On runner:ci", tags=["RUNNER:ci"])}
    assert search(files, "runner:ci")["x.yaml"].fields["runner:ci"] == 3 + 2


def test_with_structure_alone_the_body_of_a_record_does_not_count() -> None:
    files = {
        "a.md": markdown("wheel\n", id="term:a", kind="Term"),
        "b.md": markdown("wheel\n", id="term:b", kind="Term", note="wheel"),
        "c.yaml": graph_record("term:c", "Term", note="wheel wheel"),
        "d.md": "wheel\n",
    }
    once = {"wheel": 1}
    assert counts(search(files, "wheel", structured=True)) == {"b.md": once, "c.yaml": {"wheel": 2}}
    everywhere = {"a.md": once, "b.md": {"wheel": 2}, "c.yaml": {"wheel": 2}, "d.md": once}
    assert counts(search(files, "wheel")) == everywhere
    assert {path: len(match.matches) for path, match in express(files, "wh.el", structured=True).items()} == {
        "b.md": 1,
        "c.yaml": 2,
    }


def test_derived_files_the_ontology_and_bare_edges_are_no_targets() -> None:
    files = {
        "indexes/a.md": "wheel\n",
        "ontology/kinds.yaml": "nodeKinds: [wheel]\n",
        "more.yaml": '{"extendsNode": {"id": "term:wheel"}, "note": "wheel"}\n',
        "b.md": "wheel\n",
    }
    for query in ("wheel", '"wheel"'):
        assert set(search(files, query)) == {"b.md"}


@pytest.mark.parametrize("query", ["brake wheel", '"brake wheel"'])
def test_what_is_denied_is_not_found_and_changes_no_score(query: str) -> None:
    shown: dict[str, Content] = {"a.md": "brake wheel\n", "b.md": "brake\n"}
    closed: dict[str, Content] = {f"closed/{number}.md": "brake " * 40 + "braking wheels\n" for number in range(5)}
    restricted: dict[str, Content] = {"r.md": markdown("wheel\n", sensitivity="restricted")}
    access = granting("**", exclude_paths=("closed/**",))
    assert search(shown, query, access) == search(shown | closed | restricted, query, access) != {}


# Searchers


class Unwanted(InMemorySearcher):
    """A searcher that is not to be asked."""

    def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
        raise AssertionError("words are looked up")


def test_words_alone_ask_no_searcher() -> None:
    assert set(search({"a.md": "brake\n", "wheel.md": "x\n"}, "brake wheels", searcher=Unwanted())) == {
        "a.md",
        "wheel.md",
    }


@pytest.mark.parametrize("cut", [True, False])
def test_what_the_searcher_cut_is_said(cut: bool) -> None:
    class Cutting(InMemorySearcher):
        def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
            return replace(super().search(corpus, patterns), truncated=cut)

    view = view_of(brain({"a.md": "brake/wheel\n"}))
    found = search_text(view, query_terms("brake/wheel"), Cutting(), blob_redactor())
    assert found.truncated is cut
    assert len(found.documents) == 1


# Expressions


def test_an_expression_is_matched_as_one_without_regard_to_case() -> None:
    found = express({"a.md": "E4031 and e4032\n", "b.md": "E40\n"}, r"e40\d{2}")
    assert {path: len(match.matches) for path, match in found.items()} == {"a.md": 2}
    assert counts(found) == {"a.md": {r"e40\d{2}": 2}}


def test_an_expression_finds_nothing_inside_what_redaction_removes() -> None:
    files = {"a.md": "the password is Tr0ub4dor&3horse\n", "b.md": "horses\n"}
    assert set(express(files, "h.rse")) == {"b.md"}
    assert set(express(files, "Tr0u")) == set()


# Both together

LITERALS = ("brake/wheel", "tunnel-7")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(["brake", "wheel", "tunnel", "spoke", *LITERALS]), max_size=4), min_size=1, max_size=4
    )
)
def test_a_document_is_found_exactly_when_one_of_the_terms_stands_in_it(texts: list[list[str]]) -> None:
    bodies = {f"n{number}.md": " ".join(words) + "\n" for number, words in enumerate(texts)}
    found = search(bodies, "brake tunnel-7")
    for path, body in bodies.items():
        split = body.replace("/", " ").replace("-", " ").split()
        stated = {"brake": split.count("brake"), "tunnel": split.count("tunnel"), "tunnel-7": body.count("tunnel-7")}
        expected = {term: count for term, count in stated.items() if count}
        match = found.get(path, TextMatch())
        assert dict(match.counts) == expected
        assert set(match.found_terms) == set(expected)
        assert (match.score > 0) is bool(expected)
        assert [each.term for each in match.matches] == ["tunnel-7"] * stated["tunnel-7"]
    assert set(found) <= set(bodies)


def test_no_term_finds_nothing() -> None:
    view = view_of(brain({"a.md": "brake\n"}), EVERYTHING)
    assert search_text(view, (), Unwanted(), blob_redactor()).documents == {}
