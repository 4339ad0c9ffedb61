"""What every searcher does: one suite for the one in memory and for ripgrep."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kradle_ctx.adapters.ripgrep import RipgrepSearcher
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.search import Found, Pattern, Span
from kradle_ctx.ports import Searcher
from tests.fakes import InMemorySearcher

SEARCHERS = {"memory": InMemorySearcher, "ripgrep": RipgrepSearcher}


@pytest.fixture(params=SEARCHERS)
def searcher(request: pytest.FixtureRequest) -> Searcher:
    """Each searcher."""
    made: Searcher = SEARCHERS[request.param]()
    return made


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A file to search, to be written by the test."""
    return tmp_path / "corpus"


def search(searcher: Searcher, corpus: Path, data: str | bytes, *expressions: str) -> list[bytes]:
    """The matched bytes, in order."""
    raw = data.encode() if isinstance(data, str) else data
    corpus.write_bytes(raw)
    found = searcher.search(corpus, [Pattern(expression) for expression in expressions])
    assert not found.truncated
    return [raw[span.start : span.end] for span in found.spans]


def test_every_match_has_its_byte_offsets(searcher: Searcher, corpus: Path) -> None:
    corpus.write_bytes("über\nbrake brake\n".encode())
    found = searcher.search(corpus, [Pattern("brake")])
    assert found == Found((Span(6, 11), Span(12, 17)))


def test_several_patterns_are_alternatives_in_file_order(searcher: Searcher, corpus: Path) -> None:
    assert search(searcher, corpus, "b a\nc b\n", "a", "b") == [b"b", b"a", b"b"]


def test_the_first_pattern_that_fits_wins_at_one_place(searcher: Searcher, corpus: Path) -> None:
    assert search(searcher, corpus, "carriage\n", "carriage", "carri") == [b"carriage"]
    assert search(searcher, corpus, "carriage\n", "carri", "carriage") == [b"carri"]


def test_case_never_matters_whatever_the_pattern(searcher: Searcher, corpus: Path) -> None:
    assert search(searcher, corpus, "Brake BRAKE Ärger\n", "BRAKE", "ärger") == [b"Brake", b"BRAKE", "Ärger".encode()]


def test_no_pattern_and_no_match_give_nothing(searcher: Searcher, corpus: Path) -> None:
    corpus.write_bytes(b"a\n")
    assert searcher.search(corpus, []) == Found()
    assert searcher.search(corpus, [Pattern("x")]) == Found()
    assert search(searcher, corpus, b"", "x") == []


def test_a_match_stays_in_its_line(searcher: Searcher, corpus: Path) -> None:
    assert search(searcher, corpus, "one two\nthree\n", "o.*", r"^e") == [b"one two"]
    assert search(searcher, corpus, "one\r\ntwo\r\n", "one$", "^two$") == [b"one", b"two"]


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x0c", "\x0b"])
def test_only_a_line_feed_ends_a_line(searcher: Searcher, corpus: Path, mark: str) -> None:
    assert search(searcher, corpus, f"a{mark}b\n", "a.b") == [f"a{mark}b".encode()]


@pytest.mark.parametrize(
    "expression", ["-e", "--pre=/bin/false", "--", "-f/etc/passwd", "--files", "-", "--no-config"]
)
def test_a_pattern_that_looks_like_an_option_is_a_pattern(
    searcher: Searcher, corpus: Path, expression: str
) -> None:
    assert search(searcher, corpus, f"run {expression} now\n", expression) == [expression.encode()]


@pytest.mark.parametrize("expression", ["(", "[", "{2,1}", "\\", "(?P<x"])
def test_a_malformed_pattern_is_a_usage_error_without_the_pattern(
    searcher: Searcher, corpus: Path, expression: str
) -> None:
    corpus.write_bytes(b"a\n")
    with pytest.raises(KradleError) as caught:
        searcher.search(corpus, [Pattern(f"carriage{expression}")])
    assert caught.value.code is ErrorCode.USAGE
    assert "carriage" not in caught.value.message
    assert "\n" not in caught.value.message


def test_bytes_that_are_no_text_are_searched_as_well(searcher: Searcher, corpus: Path) -> None:
    assert search(searcher, corpus, b"\xff\x00 brake \xfe\nbrake\n", "brake") == [b"brake", b"brake"]


def test_the_last_line_needs_no_end(searcher: Searcher, corpus: Path) -> None:
    assert search(searcher, corpus, "a\nbrake", "brake$") == [b"brake"]


def test_a_corpus_may_have_any_path(searcher: Searcher, tmp_path: Path) -> None:
    folder = tmp_path / ".hidden" / "-x ü"
    folder.mkdir(parents=True)
    (folder / ".gitignore").write_text("*\n")
    assert search(searcher, folder / "--pre=x", "brake\n", "brake") == [b"brake"]


def test_a_file_without_a_name_can_be_searched(searcher: Searcher) -> None:
    if not hasattr(os, "memfd_create"):
        pytest.skip("this system has no nameless files")
    descriptor = os.memfd_create("corpus")
    try:
        os.write(descriptor, b"a brake\n")
        found = searcher.search(Path(f"/proc/{os.getpid()}/fd/{descriptor}"), [Pattern("brake")])
        assert found.spans == (Span(2, 7),)
    finally:
        os.close(descriptor)


def test_configuration_of_ripgrep_changes_nothing(
    searcher: Searcher, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "ripgreprc"
    settings.write_text("--case-sensitive\n--max-count=1\n--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(settings))
    assert search(searcher, corpus, "BRAKE\nbrake\nother\n", "brake") == [b"BRAKE", b"brake"]
