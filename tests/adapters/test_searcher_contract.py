"""What every `Searcher` does: one suite for the fake and for ripgrep, and what ripgrep alone could do wrong."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kradle_ctx.adapters import ripgrep
from kradle_ctx.adapters.ripgrep import RipgrepSearcher
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.search import Found, Pattern, Span
from kradle_ctx.ports import Searcher
from kradle_ctx.retrieval.search import search_text
from kradle_ctx.tokens import query_terms
from tests.fakes import InMemorySearcher
from tests.pipeline import blob_redactor, brain, view_of

SEARCHERS: dict[str, Callable[[], Searcher]] = {"memory": InMemorySearcher, "ripgrep": RipgrepSearcher}

Search = Callable[..., Found]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Where the searched file is."""
    return tmp_path / "corpus"


def searching(searcher: Searcher, corpus: Path) -> Search:
    """Search bytes for expressions."""

    def search(data: bytes, *expressions: str) -> Found:
        corpus.write_bytes(data)
        return searcher.search(corpus, [Pattern(expression) for expression in expressions])

    return search


@pytest.fixture(params=list(SEARCHERS))
def search(request: pytest.FixtureRequest, corpus: Path) -> Search:
    """Search with each of the searchers."""
    return searching(SEARCHERS[request.param](), corpus)


def matches(search: Search, data: bytes, *expressions: str) -> list[tuple[int, bytes]]:
    """The offset and the bytes of every match."""
    found = search(data, *expressions)
    assert not found.truncated
    return [(span.start, data[span.start : span.end]) for span in found.spans]


def test_matches_come_in_the_order_of_the_file_with_their_byte_offsets(search: Search) -> None:
    assert matches(search, b"wheel brake\nbrake\n", "brake", "wheel") == [(0, b"wheel"), (6, b"brake"), (12, b"brake")]


def test_nothing_found_is_an_answer(search: Search) -> None:
    assert search(b"wheel\n", "brake") == Found()
    assert search(b"", "brake") == Found()


def test_no_pattern_finds_nothing(search: Search) -> None:
    assert search(b"wheel\n") == Found()


@pytest.mark.parametrize("expression", ["", "x*", "^", "$", r"\b", "(?:)"])
def test_empty_matches_are_none(search: Search, expression: str) -> None:
    assert matches(search, b"wheel\n\nbrake\n", expression) == []


def test_a_pattern_that_may_be_empty_still_finds_what_is_not(search: Search) -> None:
    assert matches(search, b"aa xx x\n", "x*") == [(3, b"xx"), (6, b"x")]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_match_at_a_line_end_leaves_the_line_end_out(search: Search, end: bytes) -> None:
    data = b"one brake" + end
    assert matches(search, data, "brake") == [(4, b"brake")]
    assert matches(search, data, "brake$") == [(4, b"brake")]
    assert matches(search, data, r"brake\W*") == [(4, b"brake")]


def test_offsets_after_crlf_lines_are_exact(search: Search) -> None:
    data = b"a\r\n\r\nbrake\r\nbrake brake\r\n"
    assert matches(search, data, "brake") == [(5, b"brake"), (12, b"brake"), (18, b"brake")]


def test_no_match_spans_lines(search: Search) -> None:
    assert matches(search, b"brake\nwheel\n", r"brake\swheel", "brake.*") == [(0, b"brake")]


@pytest.mark.parametrize("before", ["Größe ", "日本 ", "😀 ", "e\u0301 ", "\ufeff"])
def test_offsets_count_bytes_and_not_characters(search: Search, before: str) -> None:
    data = f"{before}brake\n{before}BRAKE".encode()
    first = len(before.encode())
    assert matches(search, data, "brake") == [(first, b"brake"), (2 * first + 6, b"BRAKE")]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_lines_end_at_lf_alone(search: Search, separator: str) -> None:
    data = f"one{separator}brake\nmore\n".encode()
    assert matches(search, data, "^brake") == []
    assert matches(search, data, "brake") == [(len(f"one{separator}".encode()), b"brake")]


@pytest.mark.parametrize("junk", [b"\xff\xfe", b"caf\xe9 ", b"\xe2\x82 ", b"\x80"])
def test_bytes_that_are_not_utf_8_move_no_offset(search: Search, junk: bytes) -> None:
    data = junk + b"brake " + junk + b"\n" + junk + b"wheel\n"
    assert matches(search, data, "brake", "wheel") == [(len(junk), b"brake"), (data.index(b"wheel"), b"wheel")]


def test_a_nul_byte_ends_nothing(search: Search) -> None:
    data = b"brake\x00brake\n\x00\nbrake\n"
    assert matches(search, data, "brake") == [(0, b"brake"), (6, b"brake"), (14, b"brake")]


def test_a_byte_order_mark_of_utf_16_changes_no_reading(search: Search) -> None:
    data = b"\xff\xfebrake\n"
    assert matches(search, data, "brake") == [(2, b"brake")]


@pytest.mark.parametrize(
    ("text", "expression"),
    [("BRAKE", "brake"), ("brake", "BRAKE"), ("ÉCLAIR", "éclair"), ("Σ", "σ"), ("ЖУК", "жук"), ("Brake", "[a-z]+")],
)
def test_case_never_matters(search: Search, text: str, expression: str) -> None:
    assert matches(search, f"{text}\n".encode(), expression) == [(0, text.encode())]


def test_case_does_not_matter_for_a_pattern_with_capitals_either(search: Search) -> None:
    assert matches(search, b"BRAKE brake Brake\n", "Brake") == [(0, b"BRAKE"), (6, b"brake"), (12, b"Brake")]


@pytest.mark.parametrize("text", ["--pre=touch x", "-e", "--", "-rf", "--help", "-fpattern", "--file=/etc/passwd"])
def test_a_pattern_that_begins_with_a_dash_is_text(search: Search, text: str) -> None:
    assert matches(search, f"say {text} now\n".encode(), text) == [(4, text.encode())]
    assert matches(search, b"say nothing\n", text) == []


@pytest.mark.parametrize("expression", ["(", "[", "a{2,1}", "*a", "(?P<n>", "\\", "brake("])
def test_a_malformed_expression_is_a_usage_error(search: Search, expression: str) -> None:
    with pytest.raises(KradleError) as caught:
        search(b"brake\n", expression)
    assert caught.value.code is ErrorCode.USAGE
    assert caught.value.hint
    assert "\n" not in caught.value.message


def test_one_malformed_expression_among_others_is_an_error_too(search: Search) -> None:
    with pytest.raises(KradleError) as caught:
        search(b"brake\n", "brake", "(")
    assert caught.value.code is ErrorCode.USAGE


def test_of_patterns_that_fit_at_one_place_the_first_wins(search: Search) -> None:
    assert matches(search, b"brakes\n", "brakes", "brake") == [(0, b"brakes")]
    assert matches(search, b"brakes\n", "brake", "brakes") == [(0, b"brake")]


def test_matches_do_not_overlap(search: Search) -> None:
    assert matches(search, b"aaaaa\n", "aa") == [(0, b"aa"), (2, b"aa")]


def test_a_match_may_look_like_an_offset(search: Search) -> None:
    assert matches(search, b"12:34:brake\r\n5:6\n", "12:34:brake", "5:6") == [(0, b"12:34:brake"), (13, b"5:6")]


@pytest.mark.parametrize(
    "text", ["a b", "a\tb", "#&~-%@,;:'`<>=!", "(a)[b]{c}", "^$.*+?|\\", "é ü", '"a"', "/a/", "\x1b[0m"]
)
def test_any_escaped_text_is_matched_literally(search: Search, text: str) -> None:
    assert matches(search, f"x {text} y\n".encode(), re.escape(text)) == [(2, text.encode())]


def test_a_long_line_and_many_matches_are_read_to_the_end(search: Search) -> None:
    data = b"brake " * 20_000 + b"\nwheel"
    found = search(data, "brake", "wheel")
    assert (len(found.spans), found.truncated) == (20_001, False)
    assert data[found.spans[-1].start : found.spans[-1].end] == b"wheel"


@pytest.mark.parametrize("name", sorted(SEARCHERS))
def test_a_corpus_may_have_any_path(name: str, tmp_path: Path) -> None:
    folder = tmp_path / ".hidden" / "-x ü"
    folder.mkdir(parents=True)
    (folder / ".gitignore").write_text("*\n")
    assert len(searching(SEARCHERS[name](), folder / "--pre=x")(b"brake\n", "brake").spans) == 1


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="this system has no nameless files")
@pytest.mark.parametrize("name", sorted(SEARCHERS))
def test_a_file_without_a_name_can_be_searched(name: str) -> None:
    descriptor = os.memfd_create("corpus")
    try:
        os.write(descriptor, b"a brake\n")
        corpus = Path(f"/proc/{os.getpid()}/fd/{descriptor}")
        assert SEARCHERS[name]().search(corpus, [Pattern("brake")]).spans == (Span(2, 7),)
    finally:
        os.close(descriptor)


PIECES = [b"brake", b"Wheel", b" ", b"\n", b"\r\n", "é".encode(), b"\xff", b"\x00", "\u2028".encode(), b":", b"-", b"1"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join),
    st.lists(
        st.sampled_from(["brake", "wheel", "é", "el", "-", ":", r"[0-9]", r"\bbr", "ke$"]), min_size=1, max_size=3
    ),
)
def test_the_fake_and_ripgrep_find_the_same(corpus: Path, data: bytes, expressions: list[str]) -> None:
    fake, real = (searching(make(), corpus)(data, *expressions) for make in SEARCHERS.values())
    assert fake == real


# What ripgrep alone could do wrong


def test_f13_a_pattern_runs_no_program(corpus: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat \"$1\"\n")
    program.chmod(0o755)
    search = searching(RipgrepSearcher(), corpus)
    assert search(b"brake\n", f"--pre={program}").spans == ()
    assert search(b"brake\n", f"--pre={program}", "brake").spans != ()
    assert not ran.exists()


def test_f13_the_configuration_file_of_ripgrep_is_ignored(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = tmp_path / "ripgreprc"
    configuration.write_text("--invert-match\n--max-count=1\n--case-sensitive\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(configuration))
    found = searching(RipgrepSearcher(), corpus)(b"Brake\nwheel\nbrake\n", "brake")
    assert [span.start for span in found.spans] == [0, 12]


def test_ignore_files_and_hidden_names_hide_nothing(tmp_path: Path) -> None:
    (tmp_path / ".ignore").write_text("*\n")
    (tmp_path / ".gitignore").write_text("*\n")
    corpus = tmp_path / ".hidden" / "-corpus"
    corpus.parent.mkdir()
    assert len(searching(RipgrepSearcher(), corpus)(b"brake\n", "brake").spans) == 1


def test_the_answer_is_cut_at_the_limit_and_says_so(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ripgrep, "OUTPUT_LIMIT", 1_000)
    data = b"brake\n" * 5_000
    found = searching(RipgrepSearcher(), corpus)(data, "brake")
    assert found.truncated
    assert 0 < len(found.spans) < 5_000
    assert all(data[span.start : span.end] == b"brake" for span in found.spans)


def test_an_answer_below_the_limit_is_not_cut(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ripgrep, "OUTPUT_LIMIT", 1_000)
    assert not searching(RipgrepSearcher(), corpus)(b"brake\n" * 20, "brake").truncated


def test_a_search_that_takes_too_long_is_given_up(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ripgrep, "TIME_LIMIT", 0.05)
    slow = corpus.with_name("slow")
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setattr(ripgrep, "flags", lambda path: [str(slow)])
    with pytest.raises(KradleError) as caught:
        searching(RipgrepSearcher(), corpus)(b"brake\n", "brake")
    assert caught.value.code is ErrorCode.LIMIT_EXCEEDED


def test_the_message_of_a_malformed_expression_holds_none_of_the_searched_text(corpus: Path) -> None:
    with pytest.raises(KradleError) as caught:
        searching(RipgrepSearcher(), corpus)(b"sesame\n", "(sesame")
    assert "sesame" not in caught.value.message


def test_an_expression_that_would_be_huge_is_refused(corpus: Path) -> None:
    with pytest.raises(KradleError) as caught:
        searching(RipgrepSearcher(), corpus)(b"brake\n", r"(\w{1000}){1000}")
    assert caught.value.code is ErrorCode.USAGE


def test_very_many_patterns_fit(corpus: Path) -> None:
    expressions = [f"word{number}x" for number in range(1_000)]
    assert len(searching(RipgrepSearcher(), corpus)(b"word7x word999x\n", *expressions).spans) == 2


@pytest.mark.parametrize(
    "query",
    [
        '"a\0b"',
        '"a\rb"',
        "a\0b/c",
        "\udcff/x",
        '"\udcff\ud800"',
        "a/" * 100_000,
        "x" * 300_000,
        "é" * 100_000,
        "\\",
        "\x1b[0m",
    ],
)
def test_no_query_is_too_odd_to_be_searched_for(query: str) -> None:
    view = view_of(brain({"a.md": "brake\n"}))
    found = search_text(view, query_terms(f"{query} brake"), RipgrepSearcher(), blob_redactor())
    assert [match.found_terms for match in found.documents.values()] == [("brake",)]


def test_an_expression_that_is_too_long_for_a_command_line_is_a_usage_error(corpus: Path) -> None:
    with pytest.raises(KradleError) as caught:
        searching(RipgrepSearcher(), corpus)(b"brake\n", "x" * 300_000)
    assert caught.value.code is ErrorCode.USAGE


def test_an_expression_with_a_nul_is_a_usage_error(corpus: Path) -> None:
    with pytest.raises(KradleError) as caught:
        searching(RipgrepSearcher(), corpus)(b"brake\n", "a\0b")
    assert caught.value.code is ErrorCode.USAGE


def test_a_corpus_that_is_absent_is_no_malformed_expression(tmp_path: Path) -> None:
    with pytest.raises((KradleError, OSError)):
        RipgrepSearcher().search(tmp_path / "absent", [Pattern("brake")])
