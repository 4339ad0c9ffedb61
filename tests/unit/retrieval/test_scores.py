"""BM25 over the granted view."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.retrieval import words
from kradle_ctx.retrieval.scores import LENGTH_SHARE, SATURATION, inverse_frequency, saturate
from tests.unit.retrieval.searching import search


def test_more_different_terms_and_more_matches_score_higher() -> None:
    found = search({"a.md": "brake wheel ok\n", "b.md": "brake brake ok\n", "c.md": "brake other ok\n"}, "brake wheel")
    assert found["a.md"].score > found["b.md"].score > found["c.md"].score > 0


def test_a_rare_term_is_worth_more_than_a_common_one() -> None:
    files = {f"{number}.md": "brake other\n" for number in range(6)}
    found = search(files | {"x.md": "wheel other\n"}, "brake wheel")
    assert found["x.md"].score > found["0.md"].score


def test_a_short_document_scores_higher_than_a_long_one() -> None:
    found = search({"a.md": "brake\n", "b.md": "brake " + "filler " * 50 + "\n"}, "brake")
    assert found["a.md"].score > found["b.md"].score


def test_a_score_is_that_of_the_published_formula() -> None:
    files = {"a.md": "brake brake wheel\n", "b.md": "brake\n", "c.md": "tunnel " * 6 + "\n"}
    mean = sum(len(text) for text in files.values()) / 3
    norm = 1.2 * (1 - 0.6 + 0.6 * len(files["a.md"]) / mean)
    often, once = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    expected = often * 2 * 2.2 / (2 + norm) + once * 1 * 2.2 / (1 + norm)
    assert search(files, "brake wheel")["a.md"].score == pytest.approx(expected)


def test_a_literal_counts_twice_as_much_as_a_word_and_its_parts_half() -> None:
    files = {"a.md": "see x/brake\n", "b.md": "brake wheel\n", "c.md": "wheel tunnel\n"}
    found = search(files, "x/brake wheel")
    assert found["a.md"].found_terms == ("x/brake", "x", "brake")
    rare, common = math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)
    assert found["a.md"].score == pytest.approx(2 * rare + 0.5 * rare + 0.5 * common, rel=0.02)
    assert found["c.md"].score == pytest.approx(common, rel=0.1)


def test_beyond_its_limit_a_term_that_stands_more_often_scores_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MATCHES_READ", 3)
    found = search({"a.md": "brake " * 3 + "wheel wheel\n", "b.md": "brake " * 5 + "\n", "c.md": "brake\n"}, "brake")
    lengths = {"a.md": 30, "b.md": 31, "c.md": 6}
    assert {path: match.counts["brake"] for path, match in found.items()} == {"a.md": 3, "b.md": 3, "c.md": 1}
    mean = sum(lengths.values()) / 3
    idf = math.log(1 + 0.5 / 3.5)
    for path, size in lengths.items():
        norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * size / mean)
        counted = found[path].counts["brake"]
        assert found[path].score == pytest.approx(idf * counted * 2.2 / (counted + norm))


@given(st.floats(0.5, 2_000), st.floats(0.5, 2_000), st.floats(0.1, 50))
def test_more_matches_never_score_less_and_never_pass_the_bound(fewer: float, more: float, norm: float) -> None:
    low, high = sorted((fewer, more))
    assert 0 < saturate(low, norm) <= saturate(high, norm) < SATURATION + 1


@given(st.integers(0, 5_000), st.integers(0, 5_000))
def test_a_term_in_more_documents_says_less_and_never_speaks_against_one(one: int, other: int) -> None:
    few, many = sorted((one, other))
    assert inverse_frequency(few, 5_000) >= inverse_frequency(many, 5_000) > 0
