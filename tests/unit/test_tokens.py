"""From a query to its terms."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.tokens import STOP_WORDS, TERM_LIMIT, fold, placed_words, query_terms, stem, stems, words


def texts(query: str) -> list[str]:
    return [term.text for term in query_terms(query)]


def literals(query: str) -> list[str]:
    return [term.text for term in query_terms(query) if term.stem is None]


def test_stop_words_go_and_words_are_stemmed() -> None:
    terms = query_terms("How do the flaky tests of checkouts keep failing?")
    assert [term.text for term in terms] == ["flaky", "tests", "checkouts", "keep", "failing"]
    assert [term.stem for term in terms] == ["flaki", "test", "checkout", "keep", "fail"]


def test_a_query_of_nothing_but_stop_words_keeps_them() -> None:
    assert texts("what is it") == ["what", "is", "it"]


def test_an_empty_query_has_no_terms() -> None:
    assert query_terms("") == query_terms(" \n\t ") == ()


def test_words_of_one_stem_are_one_term() -> None:
    assert texts("retry retries retrying") == ["retry"]


@pytest.mark.parametrize("quotes", ['"label queue"', "“label queue”"])
def test_a_quoted_phrase_stays_whole_and_gives_its_words_besides(quotes: str) -> None:
    terms = query_terms(f"the {quotes} stalls")
    assert [(term.text, term.stem is None) for term in terms] == [
        ("label queue", True),
        ("label", False),
        ("queue", False),
        ("stalls", False),
    ]
    assert terms[0].weight > terms[1].weight


@pytest.mark.parametrize(
    "identifier",
    [
        "runbook:ci-playwright-flake",
        "src/app/main.py",
        "ECONNREFUSED_42",
        "E1234",
        "browserType.launch",
        "kradle/91",
        "a_b",
        "user@host",
        "--no-cache",
        "v1.2.3",
    ],
)
def test_an_identifier_is_literal_and_counts_for_more(identifier: str) -> None:
    first = query_terms(f"why {identifier}?")[0]
    assert (first.text, first.stem) == (identifier, None)
    assert first.weight > max((term.weight for term in query_terms("why brakes")), default=0)


def test_the_parts_of_an_identifier_count_for_less_than_words() -> None:
    by_text = {term.text: term.weight for term in query_terms("runbook:ci-playwright-flake signal")}
    assert by_text["playwright"] < by_text["signal"] < by_text["runbook:ci-playwright-flake"]


def test_short_numbers_of_an_identifier_are_no_terms_of_their_own() -> None:
    assert texts("2026-05-07") == ["2026-05-07", "2026"]
    assert texts("node 20") == ["node", "20"]


def test_a_stack_trace_line_gives_its_places() -> None:
    found = literals('  File "/srv/app/worker.py", line 88, in handle_batch')
    assert "/srv/app/worker.py" in found
    assert "handle_batch" in found


def test_punctuation_around_a_word_goes() -> None:
    assert texts("(brakes), signals… «tunnels»!") == ["brakes", "signals", "tunnels"]


def test_punctuation_alone_is_looked_for_as_it_is() -> None:
    (term,) = query_terms("???")
    assert (term.text, term.stem) == ("???", None)


@pytest.mark.parametrize("word", ["doesn't", "can't", "it's", "they're", "doesn’t"])
def test_a_contraction_leaves_no_bits_beside_a_topic(word: str) -> None:
    assert texts(f"{word} brake") == ["brake"]


def test_scripts_without_spaces_give_pairs_of_characters() -> None:
    assert texts("配送管理") == ["配送", "送管", "管理"]
    assert texts("配") == ["配"]


@pytest.mark.parametrize(("one", "other"), [("STRASSE", "straße"), ("Ü", "u\u0308"), ("İstanbul", "i̇stanbul")])
def test_spellings_of_one_text_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_words_are_split_at_punctuation_and_case_borders() -> None:
    assert list(words("HTTPServer parse_json kebab-case camelCase42 ÄrgerÜber")) == [
        "HTTP", "Server", "parse", "json", "kebab", "case", "camel", "Case42", "ÄrgerÜber",
    ]  # fmt: skip


def test_terms_beyond_the_limit_are_left_out_from_the_end() -> None:
    found = texts(" ".join(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(TERM_LIMIT + 50)))
    assert len(found) == TERM_LIMIT
    assert found[0] == "wordaa"


def test_stop_words_are_lower_case_words() -> None:
    assert all(word == fold(word) and word.isalpha() for word in STOP_WORDS)


@given(st.text(max_size=200))
def test_terms_are_in_the_order_of_the_query_and_without_repetition(query: str) -> None:
    terms = query_terms(query)
    keys = [term.key for term in terms]
    assert len(set(keys)) == len(keys)
    assert all(term.text and term.weight > 0 for term in terms)
    assert terms or not list(words(query))


@given(st.text(max_size=200))
def test_a_word_ends_where_it_is_said_to_end(text: str) -> None:
    for word, end in placed_words(text):
        assert text[:end].endswith(word)


@given(st.text(max_size=50))
def test_stemming_does_not_depend_on_case_or_composition(word: str) -> None:
    assert stem(word) == stem(unicodedata.normalize("NFC", word)) == stem(fold(word))


@given(st.text(alphabet=st.characters(categories=["Ll", "Lu", "Nd", "Zs"]), max_size=60))
def test_a_query_word_stands_in_its_own_text(text: str) -> None:
    present = set(stems(text))
    for term in query_terms(text):
        assert term.stem in present if term.stem is not None else fold(term.text) in fold(text)


@pytest.mark.parametrize("query", ["🚀", "→", "_", "???"])
def test_what_holds_no_word_is_a_literal_rather_than_nothing(query: str) -> None:
    assert [(term.text, term.stem) for term in query_terms(query)] == [(query, None)]


@pytest.mark.parametrize("query", ['"a\0b"', "a\0b/c", '"\udcff\ud800 x"', "a\x1b/b"])
def test_control_characters_part_words_and_stand_in_no_term(query: str) -> None:
    terms = query_terms(query)
    assert terms
    assert all(term.text.isprintable() and term.text.encode() for term in terms)


@pytest.mark.parametrize("query", ["x" * 201, "a/" * 101, "é" * 10_000])
def test_a_term_that_no_one_types_is_left_out(query: str) -> None:
    assert all(len(term.text) <= 200 for term in query_terms(f"{query} brake"))
    assert [term.text for term in query_terms(f"{query} brake")][-1] == "brake"


def test_the_words_of_a_phrase_count_for_less_than_words_of_their_own() -> None:
    weights = {term.text: term.weight for term in query_terms('"connection reset" wheel reset')}
    assert weights["connection"] < weights["reset"] == weights["wheel"] < weights["connection reset"]


def test_a_name_with_capitals_inside_is_found_whole_and_in_parts() -> None:
    assert {"github", "git", "hub", "opentelemetri"} <= set(stems("GitHub OpenTelemetry"))
