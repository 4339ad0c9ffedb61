"""The words of a document, and that a table made of them holds just the readings of its texts."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from contextlib import closing
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.adapters.index.word_table import WORD_TABLE, add_words, open_vocabulary, places_of_word, words_with
from kradle_ctx.documents import read_file_documents
from kradle_ctx.model.graph import Document
from kradle_ctx.tokens import composed, fold, readings
from kradle_ctx.words import DocumentWords, fields_of, spelled_out, words_of
from tests.pipeline import graph_record, markdown

# Texts and the table

ODD = "abAB19_ -\0—.éÉ\u0301ſ\u212a漢字日本ガﬁİıßΩ\ud800\n\u2028\ufeff"
"""Letters that fold to others and to several, a combining mark, CJK, a lone surrogate, and what parts words."""

texts = st.text(st.sampled_from(ODD) | st.characters(exclude_categories=[]), max_size=40)


def table_of(documents: list[DocumentWords]) -> Counter[tuple[str, int, str]]:
    """Every word of a table of documents, with the document and the part of it where it stands."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(WORD_TABLE)
        open_vocabulary(connection)
        add_words(connection, enumerate(documents))
        found: Counter[tuple[str, int, str]] = Counter()
        for word in words_with(connection, ""):
            for number, part, count in places_of_word(connection, word):
                found[word, number, part] += count
        return found


def in_parts(parts: dict[str, str]) -> DocumentWords:
    """The words of a document with some texts in its parts."""
    return DocumentWords(**{name: spelled_out(parts.get(name, "")) for name in DocumentWords._fields})


@settings(max_examples=400, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(DocumentWords._fields), texts, max_size=3), max_size=3))
def test_a_table_of_words_holds_the_folded_readings_of_the_texts(documents: list[dict[str, str]]) -> None:
    expected = Counter(
        (fold(word), number, part)
        for number, parts in enumerate(documents)
        for part, text in parts.items()
        for word, _ in readings(composed(text))
    )
    assert table_of([in_parts(parts) for parts in documents]) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A brake's Wheel-9", "a brake s wheel 9"),
        ("retryBudget HTTPRetry", "retry budget retrybudget http retry httpretry"),
        ("my_retry GITHub", "my retry git hub github"),
        ("E\u0301te\u0301 Straße STRASSE", "été strasse strasse"),
        ("\u212aelvin ﬁle ſeven", "kelvin file seven"),
        ("東京駅 駅 v2東", "東京 京駅 駅 v2 2東"),
        ("İ", "i\u0307"),
        ("éA aéB", "éa aéb"),
        ("caf\ufffd \ud800x\0y", "caf x y"),
        ("--- \n\t", ""),
    ],
)
def test_the_words_of_a_text_are_those_it_can_be_found_by(text: str, words: str) -> None:
    found = table_of([in_parts({"body": text})])
    assert found == Counter((word, 0, "body") for word in words.split())


@pytest.mark.parametrize("letter", ["a", "é", "\U00010428"])
def test_a_very_long_word_hides_no_other(letter: str) -> None:
    found = table_of([in_parts({"body": f"brake abc{letter * 40_000} wheel"}), in_parts({"body": "abc"})])
    expected = {("brake", 0), ("wheel", 0), ("abc", 1)}
    assert {(word, number) for word, number, _ in found if len(word) < 200} == expected


@pytest.mark.parametrize("kind", ["brake", "é"])
def test_all_words_with_a_beginning_are_there_however_many_there_are(kind: str) -> None:
    words = [f"{kind}{number:05}" for number in range(2_500)]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(WORD_TABLE)
        open_vocabulary(connection)
        add_words(connection, [(7, in_parts({"body": " ".join([*words, kind, kind[:-1], "zz", "a"])}))])
        assert words_with(connection, kind) == [kind, *words]
        assert words_with(connection, f"{kind}024") == [f"{kind}024{number:02}" for number in range(100)]
        assert words_with(connection, "x") == []
        assert places_of_word(connection, f"{kind}02499") == [(7, "body", 1)]
        assert places_of_word(connection, f"{kind}99") == []


# Time


def seconds(text: str) -> float:
    """The processor's time that a text takes."""
    begun = process_time()
    spelled_out(text)
    return process_time() - begun


@pytest.mark.parametrize("unit", ["aA", "a", "é"])
def test_the_largest_text_takes_no_longer_than_its_length_asks_for(unit: str) -> None:
    size = (1 << 20) // len(unit.encode())
    short, long = seconds(unit * (size // 4)), seconds(unit * size)
    assert long < 8 * short + 0.1
    assert long < 2


@pytest.mark.parametrize(
    "unit", ["aé", "Aa1", "AAa", "a.", "é.", "é a", "漢", "1", "-é_", "\u0301", "\u0301\u0316", "\u0316\u0301\u0334"]
)
def test_a_text_without_end_takes_no_longer_than_its_length_asks_for(unit: str) -> None:
    size = (1 << 16) // len(unit.encode())
    short, long = seconds("a" + unit * (size // 4)), seconds("a" + unit * size)
    assert long < 8 * short + 0.1


# Documents


def documents(path: str, text: str | bytes) -> list[tuple[Document, bytes]]:
    """The documents of a file, each with the bytes of its blob."""
    data = text.encode() if isinstance(text, str) else text
    found = read_file_documents(path, "b" * 40, data)
    assert found.skipped == ()
    return [(document, data) for document in found.documents]


def words(text: str) -> list[str]:
    """The words of a text that was spelled out, as a table of words takes it apart."""
    return [word.lower() for word in re.findall(r"(?:[0-9A-Za-z]|[^\x00-\x7f])+", text)]


def test_all_of_a_graph_record_is_its_body() -> None:
    said = graph_record("runbook:x", title="A brake", note="wheelSet")
    ((document, data),) = documents("graph/x.yaml", said)
    found = words_of(document, data)
    assert found.head == ""
    assert sorted(words(found.body)) == sorted(
        "nodekind node kind runbook id runbook x attributes title a brake note wheelset wheel set".split()
    )


def test_the_frontmatter_of_a_markdown_record_is_its_head() -> None:
    ((document, data),) = documents("a.md", "---\nid: term:a\nkind: Term\nnote: wheel\n---\n# The Brake\n\ntext\n")
    found = words_of(document, data)
    assert words(found.head) == "id term a kind term note wheel".split()
    assert words(found.body) == "the brake text".split()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_note_has_no_head_and_its_frontmatter_is_one(end: str) -> None:
    ((bare, data),) = documents("notes/a.md", f"\ufeff# Été{end}{end}wheel{end}")
    assert words_of(bare, data)[:2] == ("", words_of(bare, data).body)
    assert words(words_of(bare, data).body) == ["été", "wheel"]
    ((told, data),) = documents("notes/b.md", f"---{end}title: x{end}---{end}wheel{end}")
    found = words_of(told, data)
    assert (words(found.head), words(found.body)) == (["title", "x"], ["wheel"])


def test_each_document_of_a_file_has_its_own_words() -> None:
    one, other = graph_record("term:a", "Term", note="brake"), graph_record("term:b", "Term", note="été")
    found = [words(words_of(*each).body) for each in documents("m.yaml", f"---\n{one}--- # wheel\n{other}")]
    assert [("brake" in words_found, "été" in words_found) for words_found in found] == [(True, False), (False, True)]


def test_bytes_that_are_not_utf_8_part_words() -> None:
    ((document, data),) = documents("a.md", b"caf\xe9brake \xff wheel\n")
    assert words(words_of(document, data).body) == ["caf", "brake", "wheel"]


def test_the_fields_of_a_record_are_its_title_names_summary_and_path() -> None:
    said = graph_record("term:a", "Term", title="The A", summary="Été long", aliases=["old-A"], tags=["x", "y"])
    ((document, data),) = documents("terms/A.yaml", said)
    assert fields_of(document) == ("The A", "term:a Term old-A x y", "Été long", "terms/A.yaml")
    found = words_of(document, data)
    assert [words(text) for text in found[2:]] == [
        ["the", "a"],
        ["term", "a", "term", "old", "a", "x", "y"],
        ["été", "long"],
        ["terms", "a", "yaml"],
    ]


def test_a_title_that_repeats_the_id_gives_no_words() -> None:
    ((document, data),) = documents("a.yaml", graph_record("term:a", "Term", title="term:a"))
    assert (fields_of(document).title, words_of(document, data).title) == ("", "")
    ((document, data),) = documents("a.md", markdown("x\n", id="term:a", kind="Term", title="term:a."))
    assert words(words_of(document, data).title) == ["term", "a"]


def test_a_note_has_the_names_it_states_and_no_others() -> None:
    ((document, _),) = documents("n.md", markdown("# Heading\n", aliases=["runbook:old"], tags=["night"]))
    assert fields_of(document) == ("Heading", "  runbook:old night", "", "n.md")
