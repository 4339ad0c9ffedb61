"""Text search over the granted view."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.model.access import Access
from kradle_ctx.model.search import Found, Pattern
from kradle_ctx.retrieval.grep import TextMatch, matching_terms, patterns, search_expression, search_text
from kradle_ctx.tokens import Term, query_terms, stem
from tests.fakes import Content, InMemorySearcher
from tests.pipeline import EVERYTHING, blob_redactor, brain, granting, graph_record, markdown, view_of

ByPath = dict[str, TextMatch]


def search(files: dict[str, Content], query: str, access: Access = EVERYTHING, structured: bool = False) -> ByPath:
    """What a query finds, by path and line."""
    view = view_of(brain(files), access)
    found = search_text(view, query_terms(query), InMemorySearcher(), blob_redactor(), structured)
    return {view.document(number).path: match for number, match in found.documents.items()}


def express(files: dict[str, Content], expression: str) -> ByPath:
    """What a regular expression finds, by path."""
    view = view_of(brain(files))
    found = search_expression(view, expression, InMemorySearcher(), blob_redactor())
    return {view.document(number).path: match for number, match in found.documents.items()}


# What matches


@pytest.mark.parametrize("query", ["deploy", "deploying", "DEPLOYS", "Deployed?"])
def test_a_word_finds_every_word_of_its_family_without_regard_to_case(query: str) -> None:
    found = search({"a.md": "we Deployed it\n", "b.md": "DEPLOYS fail\n", "c.md": "undeployed depot\n"}, query)
    assert set(found) == {"a.md", "b.md"}


def test_terms_are_joined_by_or() -> None:
    found = search({"a.md": "brake\n", "b.md": "wheel\n", "c.md": "tunnel\n"}, "brake wheel")
    assert {path: match.found_terms for path, match in found.items()} == {"a.md": ("brake",), "b.md": ("wheel",)}


def test_a_match_stands_at_its_byte_in_the_blob() -> None:
    text = "---\ntags: [x]\n---\nGrößer als die brake\r\nbrake\r\n"
    (match,) = search({"é.md": text}, "brake").values()
    data = text.encode()
    assert [place.offset for place in match.matches] == [data.index(b"brake"), data.rindex(b"brake")]
    assert match.terms == {"brake": 2}


def test_a_word_may_end_in_what_stemming_changed() -> None:
    files: dict[str, Content] = {
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


@pytest.mark.parametrize("query", ["ci", "io", "db"])
def test_a_short_word_is_found_at_word_borders_only(query: str) -> None:
    files: dict[str, Content] = {
        "a.md": f"the {query} job\n",
        "b.md": f"my_{query}\n",
        "c.md": f"x{query}x ex{query}ting\n",
        "d.md": f"({query})\n",
    }
    assert set(search(files, query)) == {"a.md", "b.md", "d.md"}


def test_the_parts_of_an_identifier_in_the_text_are_words() -> None:
    files: dict[str, Content] = {"a.md": "call retryBudget now\n", "b.md": "retry_budget\n", "c.md": "HTTPRetry\n"}
    assert set(search(files, "retry")) == {"a.md", "b.md", "c.md"}


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("see src/app.py here", True),
        ("SRC/APP.PY", True),
        ("(src/app.py)", True),
        ("lib/src/app.pyc", False),
        ("xsrc/app.py", False),
        ("src/appxpy", False),
    ],
)
def test_a_literal_matches_its_exact_characters_standing_free(text: str, stands: bool) -> None:
    match = search({"a.md": text + "\n"}, "src/app.py").get("a.md")
    assert ("src/app.py" in match.found_terms if match else False) is stands


def test_a_quoted_phrase_is_matched_whole() -> None:
    files: dict[str, Content] = {"a.md": "a Connection Reset by peer\n", "b.md": "reset the connection\n"}
    found = search(files, '"connection reset"')
    assert "connection reset" in found["a.md"].found_terms
    assert "connection reset" not in found["b.md"].found_terms
    assert found["a.md"].score > found["b.md"].score


@pytest.mark.parametrize("query", ["--pre=touch", "a.*b", "[x]", "f(x)", "$HOME", "a|b", "c++", "\\d+", "^start"])
def test_a_query_is_text_and_never_an_expression_or_an_option(query: str) -> None:
    found = search({"a.md": f"say {query} here\n", "b.md": "aXXb x fx 1 start HOME\n"}, f'"{query}"')
    assert query in found["a.md"].found_terms
    assert query not in found.get("b.md", TextMatch()).found_terms


@pytest.mark.parametrize("word", ["café", "Größe", "naïve", "デプロイ", "バグ"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
@pytest.mark.parametrize("written", ["NFC", "NFD"])
def test_composed_and_decomposed_spellings_find_each_other(word: str, asked: str, written: str) -> None:
    text = unicodedata.normalize(written, f"die {word} hier\n")  # type: ignore[arg-type]
    query = unicodedata.normalize(asked, word)  # type: ignore[arg-type]
    assert set(search({"a.md": text, "b.md": "cafe Grosse\n"}, query)) == {"a.md"}


def test_scripts_without_spaces_are_found_inside_a_run() -> None:
    assert set(search({"a.md": "新東京駅へ行く\n", "b.md": "京東\n"}, "東京駅")) == {"a.md"}


def test_bytes_that_are_not_utf_8_hide_nothing_beside_them() -> None:
    data = b"caf\xe9 \xff\xfe brake\n"
    assert [place.offset for place in search({"a.md": data}, "brake")["a.md"].matches] == [data.index(b"brake")]


@pytest.mark.parametrize("cut", [True, False])
def test_what_the_searcher_cut_is_said(cut: bool) -> None:
    class Cutting(InMemorySearcher):
        def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
            return replace(super().search(corpus, patterns), truncated=cut)

    view = view_of(brain({"a.md": "brake\n"}))
    assert search_text(view, query_terms("brake"), Cutting(), blob_redactor()).truncated is cut


# Where it matches


def test_every_document_of_a_file_is_found_by_its_own_text() -> None:
    text = (
        "---\n" + graph_record("term:a", "Term", note="brake") + "---\n" + graph_record("term:b", "Term", note="wheel")
    )
    view = view_of(brain({"a.yaml": text}))
    found = search_text(view, query_terms("wheel"), InMemorySearcher(), blob_redactor())
    assert [view.document(number).id for number in found.documents] == ["term:b"]


def test_a_term_in_the_path_counts_for_all_documents_of_the_file() -> None:
    text = "---\n" + graph_record("term:a", "Term") + "---\n" + graph_record("term:b", "Term")
    view = view_of(brain({"wheels/letters.yaml": text}))
    found = search_text(view, query_terms("wheel"), InMemorySearcher(), blob_redactor())
    assert sorted(view.document(number).id or "" for number in found.documents) == ["term:a", "term:b"]
    assert all(match.matches == [] and match.found_terms == ("wheel",) for match in found.documents.values())


@pytest.mark.parametrize("field", ["title", "summary", "tags", "aliases"])
def test_a_term_in_a_field_counts_more_than_one_in_the_body(field: str) -> None:
    value: object = ["wheel"] if field in ("tags", "aliases") else "the wheel"
    files: dict[str, Content] = {
        "a.md": markdown("text of the same size\n", id="term:a", kind="Term", **{field: value}),
        "b.md": markdown("a wheel of same size\n", id="term:b", kind="Term", **{field: []}),
    }
    found = search(files, "wheel")
    assert found["a.md"].score > found["b.md"].score
    assert found["a.md"].field_score > 0 == found["b.md"].field_score


def test_with_structure_alone_the_body_of_a_record_does_not_count() -> None:
    files: dict[str, Content] = {
        "a.md": markdown("wheel\n", id="term:a", kind="Term"),
        "b.md": markdown("text\n", id="term:b", kind="Term", note="wheel"),
        "c.yaml": graph_record("term:c", "Term", note="wheel"),
        "d.md": "wheel\n",
    }
    assert set(search(files, "wheel", structured=True)) == {"b.md", "c.yaml"}
    assert set(search(files, "wheel")) == {"a.md", "b.md", "c.yaml", "d.md"}


def test_derived_files_and_the_ontology_are_no_targets() -> None:
    files: dict[str, Content] = {
        "indexes/a.md": "wheel\n",
        "ontology/kinds.yaml": "nodeKinds: [wheel]\n",
        "b.md": "wheel\n",
    }
    assert set(search(files, "wheel")) == {"b.md"}


def test_what_is_denied_is_not_found_and_changes_no_score() -> None:
    shown: dict[str, Content] = {"a.md": "brake wheel\n", "b.md": "brake\n"}
    closed: dict[str, Content] = {f"closed/{number}.md": "brake " * 40 + "\n" for number in range(5)}
    restricted: dict[str, Content] = {"r.md": markdown("wheel\n", sensitivity="restricted")}
    access = granting("**", exclude_paths=("closed/**",))
    alone, beside = search(shown, "brake wheel", access), search(shown | closed | restricted, "brake wheel", access)
    assert {path: match.score for path, match in alone.items()} == {path: match.score for path, match in beside.items()}


# Redaction


@pytest.mark.parametrize("before", ["", "Größe ", "\ufeff"])
def test_a_match_inside_text_that_redaction_removes_is_no_match(before: str) -> None:
    files: dict[str, Content] = {"a.md": f"{before}the password is Tr0ub4dor&3horse\n", "b.md": "horse\n"}
    assert set(search(files, "Tr0ub4dor")) == set()
    assert set(search(files, "horse")) == {"b.md"}
    assert set(search(files, "password")) == {"a.md"}


def test_an_expression_finds_nothing_inside_what_redaction_removes() -> None:
    files: dict[str, Content] = {"a.md": "the password is Tr0ub4dor&3horse\n", "b.md": "horses\n"}
    assert set(express(files, "h.rse")) == {"b.md"}
    assert set(express(files, "Tr0u")) == set()


def test_a_secret_in_a_field_is_no_match_either() -> None:
    said = "the password is Tr0ub4dor&3horse"
    files: dict[str, Content] = {"a.md": markdown("x\n", id="term:a", kind="Term", title=said)}
    assert set(search(files, "Tr0ub4dor")) == set()


# Expressions


def test_an_expression_is_matched_as_one_without_regard_to_case() -> None:
    found = express({"a.md": "E4031 and e4032\n", "b.md": "E40\n"}, r"e40\d{2}")
    assert {path: len(match.matches) for path, match in found.items()} == {"a.md": 2}


# Scores


def test_more_different_terms_and_more_matches_score_higher() -> None:
    found = search({"a.md": "brake wheel ok\n", "b.md": "brake brake ok\n", "c.md": "brake other ok\n"}, "brake wheel")
    assert found["a.md"].score > found["b.md"].score > found["c.md"].score > 0


def test_a_rare_term_is_worth_more_than_a_common_one() -> None:
    files: dict[str, Content] = {f"{number}.md": "brake other\n" for number in range(6)}
    found = search(files | {"x.md": "wheel other\n"}, "brake wheel")
    assert found["x.md"].score > found["0.md"].score


def test_a_short_document_scores_higher_than_a_long_one() -> None:
    found = search({"a.md": "brake\n", "b.md": "brake " + "filler " * 50 + "\n"}, "brake")
    assert found["a.md"].score > found["b.md"].score


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(["brake", "wheel", "tunnel"]), max_size=4), min_size=1, max_size=5))
def test_a_document_is_found_exactly_when_one_of_the_words_stands_in_it(texts: list[list[str]]) -> None:
    bodies = {f"n{number}.md": " ".join(words) + "\n" for number, words in enumerate(texts)}
    found = search({**bodies}, "brake wheel")
    expected = {f"n{number}.md" for number, words in enumerate(texts) if {"brake", "wheel"} & set(words)}
    assert set(found) == expected
    for path, match in found.items():
        words = bodies[path].split()
        assert match.terms == {word: words.count(word) for word in ("brake", "wheel") if word in words}
        assert match.score > 0


def test_longer_literals_come_before_shorter_ones_in_the_patterns() -> None:
    expressions = [pattern.expression for pattern in patterns(query_terms("a/b a/b/c deploy"))]
    assert expressions.index("a/b/c") < expressions.index("a/b") < expressions.index("deploy")


@pytest.mark.parametrize(
    "words",
    [
        ("reliability", "reliable", "reliably"),
        ("capabilities", "capability", "capable"),
        ("sky", "skies"),
        ("dying", "die", "dies"),
        ("tying", "tie"),
        ("happy", "happiness"),
        ("deployed", "deploys", "deploying"),
    ],
)
def test_every_word_with_the_stem_of_a_word_is_found_in_text_and_title(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1
    for asked in words:
        for written in words:
            term = Term(asked, stem(asked), 1.0)
            assert any(
                re.search(pattern.expression.replace("(?-u:\\b)", r"\b"), written) for pattern in patterns([term])
            )
            assert matching_terms(f"On {written} systems", [term]) == [asked]
