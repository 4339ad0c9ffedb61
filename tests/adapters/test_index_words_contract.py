"""What every `Index` knows of the words of its documents."""

from __future__ import annotations

from collections import Counter

from kradle_ctx.ports import Index
from kradle_ctx.tokens import composed, fold, readings
from tests.adapters.opened import Open, places, two
from tests.fakes import Content
from tests.pipeline import SECOND_DAY, graph_record, markdown


def standing(index: Index, word: str) -> list[tuple[str, int, str]]:
    """Where a word stands: path, line and part, in order."""
    assert word in index.words(word)
    found = ([(*places(index, [number])[0], part)] * count for number, part, count in index.standing(word))
    return sorted(place for places_there in found for place in places_there)


def test_a_word_stands_in_each_part_of_a_document_as_often_as_it_is_there(index_of: Open) -> None:
    record = graph_record("wheel:a", "Wheel", title="A wheel", summary="wheel Wheels", tags=["wheel"], aliases=["x"])
    index = index_of(
        {
            "a.yaml": record,
            "b.md": markdown("# Wheel\n\nwheel wheels\n", id="term:b", kind="Term", note="WHEEL"),
            "notes/wheel.md": "brake\n",
        }
    )
    assert standing(index, "wheel") == sorted(
        [("a.yaml", 1, "body")] * 5
        + [("a.yaml", 1, "title"), ("a.yaml", 1, "names"), ("a.yaml", 1, "names"), ("a.yaml", 1, "names")]
        + [("a.yaml", 1, "summary")]
        + [("b.md", 1, "head"), ("b.md", 1, "body"), ("b.md", 1, "body"), ("b.md", 1, "title")]
        + [("notes/wheel.md", 1, "path"), ("notes/wheel.md", 1, "title")]
    )
    assert standing(index, "wheels") == [("a.yaml", 1, "body"), ("a.yaml", 1, "summary"), ("b.md", 1, "body")]
    assert set(index.words("whe")) == {"wheel", "wheels"}
    assert list(index.standing("whe")) == list(index.standing("Wheel")) == []
    assert list(index.words("absent")) == []


def test_each_document_of_a_file_has_its_own_words(index_of: Open) -> None:
    text = two(graph_record("term:a", "Term", note="brake été"), graph_record("term:b", "Term", note="wheel été"))
    index = index_of({"x.md": "brake\n", "m.yaml": text, "n.yaml": text.replace("term:", "tool:")})
    assert standing(index, "brake") == [("m.yaml", 2, "body"), ("n.yaml", 2, "body"), ("x.md", 1, "body")]
    assert standing(index, "wheel") == [("m.yaml", 4, "body"), ("n.yaml", 4, "body")]
    assert len(standing(index, "été")) == 4


def test_files_with_one_content_have_its_words_each(index_of: Open) -> None:
    index = index_of({"a.md": "brake\n", "b/brake.md": "brake\n", "c.md": "brake\n"})
    assert [place for place in standing(index, "brake") if place[2] == "body"] == [
        ("a.md", 1, "body"),
        ("b/brake.md", 1, "body"),
        ("c.md", 1, "body"),
    ]


def test_the_ontology_and_bare_edges_have_no_words(index_of: Open) -> None:
    index = index_of(
        {
            "ontology/kinds.yaml": "nodeKinds: [Brake]\n",
            "more.yaml": '{"extendsNode": {"id": "term:brake"}, "edges": {"mentions": ["term:brake"]}}\n',
            "indexes/a.md": "brake\n",
            "a.md": "brake\n",
        }
    )
    assert index.size == 3
    assert standing(index, "brake") == [("a.md", 1, "body")]


def test_the_words_of_any_text_are_its_folded_readings(index_of: Open) -> None:
    lines = [
        "GitHub HTTPRetry retry_budget E-41 x2y3",
        "E\u0301te\u0301 GRÖSSE Straße \u212aelvin ﬁle ſeven İıß ŉ",
        "新東京駅へ行く v2東 ガ\u3099ｶﾞ 한국어",
        "ЖУК Σίσυφος \U00010400\U00010401 a\u2028b\x0cc \ufeffd",
    ]
    files: dict[str, Content] = {f"{place}.md": f"{line}\n" for place, line in enumerate(lines)}
    index = index_of(files | {"9.md": b"caf\xe9 caf\xc3\xa9\r\nlast \xff\xfe"})
    for number in range(index.size):
        text = index.text(index.document(number)).decode(errors="replace")
        expected = Counter(fold(word) for word, _ in readings(composed(text)))
        assert expected
        stated = {
            word: sum(count for at, part, count in index.standing(word) if (at, part) == (number, "body"))
            for word in index.words("")
        }
        assert {word: count for word, count in stated.items() if count} == expected


def test_all_words_with_a_beginning_are_there(index_of: Open) -> None:
    many = [f"brake{number:04}" for number in range(1_200)]
    index = index_of({"a.md": " ".join(many) + "\n", "b.md": "brak braked bralette éa éb\n"})
    assert set(index.words("brake")) == {*many, "braked"}
    assert set(index.words("brake00")) == {word for word in many if word.startswith("brake00")}
    assert set(index.words("é")) == {"éa", "éb"}
    assert len(index.words("brake")) == 1_201


def test_words_follow_every_commit(index_of: Open) -> None:
    first = index_of({"a.md": "brake\n", "b.md": "same\n", "c.md": markdown("x\n", title="old")})
    second = index_of({"0.md": "new\n", "b.md": "same\n", "c.md": markdown("x\n", title="wheel")}, at=SECOND_DAY)
    for _ in range(2):
        assert standing(first, "brake") == [("a.md", 1, "body")]
        assert [place for place in standing(first, "old") if place[2] == "title"] == [("c.md", 1, "title")]
        assert list(first.standing("new")) == list(first.standing("wheel")) == []
        assert standing(second, "new") == [("0.md", 1, "body")]
        assert standing(first, "same") == standing(second, "same") == [("b.md", 1, "body")]
        assert [place for place in standing(second, "wheel") if place[2] == "title"] == [("c.md", 1, "title")]
        assert list(second.standing("brake")) == list(second.standing("old")) == []
    third = index_of({"a.md": "brake\n"}, at="2026-05-05T00:00:00Z")
    assert standing(third, "brake") == [("a.md", 1, "body")]
    assert list(third.standing("same")) == []


def test_an_empty_commit_has_no_words(index_of: Open) -> None:
    index = index_of({"README.txt": "brake\n"})
    assert list(index.standing("brake")) == []
