"""Search of the text itself, for literals and expressions: what stands at each match."""

from __future__ import annotations

import unicodedata

import pytest

from kradle_ctx.model.search import Pattern
from kradle_ctx.retrieval import matches
from kradle_ctx.retrieval.grep import BlobReader, collect, free_standing, literal_at, normal_forms, patterns
from kradle_ctx.retrieval.matches import TextMatch
from kradle_ctx.tokens import Term
from tests.fakes import InMemorySearcher
from tests.pipeline import blob_redactor, brain, document_of, view_of
from tests.unit.retrieval.searching import express, search

# What matches


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("see src/app.py here", True),
        ("SRC/APP.PY", True),
        ("(src/app.py)", True),
        ("src/app.py", True),
        ("lib/src/app.pyc", False),
        ("xsrc/app.py", False),
        ("src/app.py2", False),
        ("src/appxpy", False),
    ],
)
def test_a_literal_matches_its_exact_characters_standing_free(text: str, stands: bool) -> None:
    match = search({"a.md": text + "\n"}, "src/app.py").get("a.md", TextMatch())
    assert ("src/app.py" in match.found_terms) is stands
    assert [each.term for each in match.matches] == ["src/app.py"] * stands
    assert match.counts.get("src/app.py", 0) == stands


def test_a_quoted_phrase_is_matched_whole() -> None:
    files = {"a.md": "a Connection Reset by peer\n", "b.md": "reset the connection\n"}
    found = search(files, '"connection reset"')
    assert "connection reset" in found["a.md"].found_terms
    assert "connection reset" not in found["b.md"].found_terms
    assert found["a.md"].score > found["b.md"].score


@pytest.mark.parametrize("query", ["--pre=touch", "a.*b", "[x]", "f(x)", "$HOME", "a|b", "c++", "\\d+", "^start", "--"])
def test_a_query_is_text_and_never_an_expression_or_an_option(query: str) -> None:
    found = search({"a.md": f"say {query} here\n", "b.md": "aXXb x fx 1 start HOME\n"}, f'"{query}"')
    assert query in found["a.md"].found_terms
    assert query not in found.get("b.md", TextMatch()).found_terms


@pytest.mark.parametrize("asked", ["NFC", "NFD"])
@pytest.mark.parametrize("written", ["NFC", "NFD"])
def test_composed_and_decomposed_spellings_of_a_literal_find_each_other(asked: str, written: str) -> None:
    text = unicodedata.normalize(written, "das café/menü hier\n")  # type: ignore[arg-type]
    found = search({"a.md": text, "b.md": "cafe/menu\n"}, unicodedata.normalize(asked, "Café/Menü"))  # type: ignore[arg-type]
    assert [match.matches[0].offset for match in found.values()] == [4]


# Where it matches


def test_a_match_stands_at_its_byte_in_the_blob() -> None:
    text = "---\ntags: [x]\n---\nGrößer als die brake/1\r\nbrake/1\r\n"
    (match,) = search({"é.md": text}, "brake/1").values()
    data = text.encode()
    assert [place.offset for place in match.matches] == [data.index(b"brake"), data.rindex(b"brake")]
    assert match.counts["brake/1"] == 2


def test_bytes_that_are_not_utf_8_move_no_match() -> None:
    data = b"caf\xe9 \xff\xfe brake/1\n"
    assert [place.offset for place in search({"a.md": data}, "brake/1")["a.md"].matches] == [data.index(b"brake")]


def test_only_so_many_matches_of_a_term_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "MATCHES_READ", 3)
    monkeypatch.setattr("kradle_ctx.retrieval.grep.MATCHES_READ", 3)
    files = {"a.md": "x/1 " * 9 + "\n" + "y/2\n" * 2, "b.md": "x/1\n"}
    found = search(files, "x/1 y/2")
    assert {path: (match.counts["x/1"], match.counts.get("y/2", 0)) for path, match in found.items()} == {
        "a.md": (3, 2),
        "b.md": (1, 0),
    }
    assert [match.offset for match in found["a.md"].matches] == [0, 4, 8, 37, 41]


# Redaction


@pytest.mark.parametrize("before", ["", "Größe ", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_match_inside_text_that_redaction_removes_is_no_match(before: str, end: str) -> None:
    files = {"a.md": f"{before}the password is Tr0ub4dor&3horse{end}x&3horse x{end}", "b.md": "x&3horse\n"}
    found = search(files, '"Tr0ub4dor&3horse" "x&3horse"')
    data = files["a.md"].encode()
    assert {path: [match.offset for match in each.matches] for path, each in found.items()} == {
        "a.md": [data.index(b"x&3horse")],
        "b.md": [0],
    }
    assert all("Tr0ub4dor&3horse" not in match.found_terms for match in found.values())


def test_where_bytes_are_not_utf_8_a_line_with_a_secret_has_no_match() -> None:
    data = b"x/1 \xff\nx/1 the password is Tr0ub4dor&3horse\nx/1\n"
    found = search({"a.md": data}, "x/1")["a.md"]
    assert [match.offset for match in found.matches] == [0, data.rindex(b"x/1")]


def test_the_reader_tells_which_bytes_of_the_blob_read_last_are_hidden() -> None:
    said = "Größe: the password is Tr0ub4dor&3horse ok\n"
    view = view_of(brain({"a.md": said, "b.md": "plain\n"}))
    reader = BlobReader(view, blob_redactor())
    data = reader.read(document_of(view, "a.md"))
    assert data == said.encode()
    first, last = data.index(b"Tr0"), data.index(b" ok")
    assert all(reader.hides(*place) for place in ((first, last), (first - 1, first + 1), (last - 1, last + 3)))
    assert not any(reader.hides(*place) for place in ((0, first), (last, last + 3)))
    assert reader.read(document_of(view, "b.md")) == b"plain\n"
    assert not reader.hides(0, 5)


# Patterns


def test_longer_literals_come_before_shorter_ones_in_the_patterns() -> None:
    literals = [Term(text, None, 1.0) for text in ("a/b", "a/b/c", "x")]
    assert [pattern.expression for pattern in patterns(literals)] == ["a/b/c", "a/b", "x"]


def test_a_pattern_is_a_literal_in_each_of_its_spellings_once() -> None:
    expressions = [pattern.expression for pattern in patterns([Term("é.a", None, 1.0), Term("e\u0301.a", None, 1.0)])]
    assert sorted(expressions) == sorted(["é\\.a", "e\u0301\\.a"])
    assert normal_forms("abc") == ["abc"]


@pytest.mark.parametrize(
    ("text", "free"), [("a/b", True), ("xa/b", False), ("a/b1", False), ("-a/b.", True), ("_a/b_", True)]
)
def test_a_literal_stands_free_where_no_letter_or_digit_continues_it(text: str, free: bool) -> None:
    data = text.encode()
    start = data.index(b"a/b")
    assert free_standing(data, start, start + 3) is free
    assert literal_at([Term("A/B", None, 1.0)])(data, start, start + 3) == ("A/B" if free else None)


def test_a_literal_that_begins_or_ends_in_a_mark_may_touch_letters() -> None:
    assert free_standing(b"x--y", 1, 3)
    assert literal_at([Term("--", None, 1.0)])(b"x--y", 1, 3) == "--"
    assert literal_at([Term("--", None, 1.0)])(b"x-+y", 1, 3) is None


def test_a_match_is_told_by_whoever_asks() -> None:
    view = view_of(brain({"a.md": "one two\n", "two.md": "x\n"}))
    found = collect(
        view,
        [Pattern("one|two")],
        InMemorySearcher(),
        blob_redactor(),
        lambda data, start, end: data[start:end].decode() if data[start:end] == b"one" else None,
        1,
    )
    told = {view.document(number).path: dict(match.counts) for number, match in found.documents.items()}
    assert told["a.md"] == {"one": 1}
    assert not told["two.md"]


def test_an_expression_may_match_words_and_what_is_none() -> None:
    found = express({"a.md": "E-1 e+2\n", "b.md": "E\n"}, r"e[-+]\d")
    assert {path: [match.offset for match in each.matches] for path, each in found.items()} == {"a.md": [0, 4]}
