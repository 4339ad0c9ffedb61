"""Search by words: which words satisfy a term, how often a term stands, and what redaction takes of it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kradle_ctx.passages import BlobRedactor, RedactedFile
from kradle_ctx.redaction import Redactor, Span
from kradle_ctx.retrieval.search import search_text
from kradle_ctx.tokens import composed, query_terms, readings, stem
from tests.fakes import InMemorySearcher
from tests.pipeline import blob_redactor, brain, graph_record, markdown, view_of
from tests.unit.retrieval.searching import counts, search

# Families of words


@pytest.mark.parametrize(
    "words",
    [
        ("reliability", "reliable", "reliably"),
        ("capabilities", "capability", "capable"),
        ("sky", "skies"),
        ("dying", "die", "dies"),
        ("tying", "tie"),
        ("vying", "vie"),
        ("happy", "happiness"),
        ("deployed", "deploys", "deploying"),
    ],
)
def test_every_word_with_the_stem_of_a_word_is_found_in_text_and_title(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1
    files = {f"{word}.md": f"On {word} systems\n" for word in words}
    files |= {f"{word}.yaml": graph_record(f"term:{place}", "Term", title=word) for place, word in enumerate(words)}
    for asked in words:
        found = search(files, asked)
        assert set(found) == set(files)
        assert all(match.found_terms == (asked,) for match in found.values())
        assert all(found[f"{word}.yaml"].fields == {asked: 3.0 + 1.0} for word in words)


ENDS = (
    "e|s|es|ed|ing|ly|y|ies|ied|ie|er|est|able|ibly|ability|ible|ibility|ity|ness|ful|less|ous|ive|al|ally|ation|ational|"
    "izer|ization|ence|ency|ance|ancy|ent|ant|ement|ion|ic|ical|logy|ogist|ism|ate|ative|iveness|fulness|ousness|eed|sses|ying"
).split("|")


@settings(max_examples=60, deadline=None)
@given(st.text("abcdefghiklmnorstuvwy", min_size=1, max_size=5))
@example("v")
@example("sk")
def test_every_word_with_the_stem_of_a_term_stands_for_it_and_no_other_does(beginning: str) -> None:
    words = {beginning + end for end in ENDS} | {beginning}
    view = view_of(brain({"1.md": " ".join(sorted(words)) + "\n"}))
    for asked in words:
        family = [word for word in words if stem(word) == stem(asked)]
        assert sum(count for _, part, count in view.standing(stem(asked)) if part == "body") == len(family)


# How often a term stands

QUERY = "brake wheels été 東京駅"


def readable(text: str) -> dict[str, int]:
    """How often a text can be read as the terms of the query."""
    stems = Counter(stem(word) for word, _ in readings(composed(text)))
    return {term.text: stems[str(term.stem)] for term in query_terms(QUERY) if term.stem in stems}


WRITTEN = (
    "brake Brakes brakeWheel BRAKEWheel wheel_brake brake9 brak\u0301e été E\u0301te\u0301 東京駅 新東京 é".split()
)
TEXTS = st.lists(
    st.sampled_from(WRITTEN) | st.sampled_from([" ", "-", "\n", "\r\n", "\ufeff", "\u2028"]), max_size=12
).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_a_term_stands_as_often_as_a_reading_of_the_text_has_its_stem(texts: list[str]) -> None:
    found = counts(search({f"{number}.md": text for number, text in enumerate(texts)}, QUERY))
    for number, text in enumerate(texts):
        assert found.get(f"{number}.md", {}) == readable(text)


PARTS = ["---\n", "--- # brake\n", "...\n", "nodeKind: Term\n", "id: term:a\n", "id: term:b\n", "title: brake one\n"]
PARTS += ["# wheel\n", "\r\n", "note: é\u0301brake\n", "\n", "--- {nodeKind: Term, id: x, note: brake}\n"]
PARTS += ["note: |\n  brake\n", "title: x\n---\n", "\ufeff", "---", "\x85", "\u2028brake\n", "brakeWheel ", "\r"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join), st.sampled_from(["a.md", "a.yaml"]))
def test_what_is_counted_where_redaction_leaves_something_is_what_is_looked_up_where_it_leaves_all(
    text: str, path: str
) -> None:
    view = view_of(brain({path: text}))
    asked = {stem(word): stem(word) for word, _ in readings(composed(text))}
    places = [(stemmed, *place) for stemmed in asked for place in view.standing(stemmed)]
    looked_up: Counter[tuple[int, str, str]] = Counter()
    for stemmed, number, part, count in places:
        looked_up[number, part, stemmed] += count if part in ("head", "body") else 0
    looked_up = +looked_up
    read: Counter[tuple[int, str, str]] = Counter()
    for number in view.at_path(path):
        document = view.document(number)
        file = RedactedFile(view.text(document), ())
        for line, stemmed in file.places_of(asked, document.line_start, document.line_end):
            read[number, "head" if line < document.body_line else "body", stemmed] += 1
    assert looked_up == read


# Redaction

SAID = "the password is Tr0ub4dor&3horse"


@pytest.mark.parametrize("before", ["", "Größe ", "\ufeff", "e\u0301\r\n", "日本\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_a_word_inside_text_that_redaction_removes_is_none_and_one_beside_it_is(before: str, end: str) -> None:
    files = {"a.md": f"{before}{SAID}{end}", "b.md": "horse\n"}
    assert set(search(files, "Tr0ub4dor")) == set()
    assert counts(search(files, "horse")) == {"b.md": {"horse": 1}}
    assert counts(search(files, "password")) == {"a.md": {"password": 1}}
    files["a.md"] = f"{before}horse{end or ' '}{SAID}{end or ' '}Horses horse{end}"
    assert counts(search(files, "horse")) == {"a.md": {"horse": 3}, "b.md": {"horse": 1}}


def test_what_redaction_removes_of_one_document_hides_nothing_of_another_of_the_file() -> None:
    first, second = graph_record("term:a", "Term", note=SAID), graph_record("term:b", "Term", note="été horse")
    view = view_of(brain({"m.yaml": f"---\n{first}---\n{second}", "z.yaml": second.replace("term:b", "term:z")}))
    found = search_text(view, query_terms("horse été password"), InMemorySearcher(), blob_redactor()).documents
    assert {view.document(number).id: dict(match.counts) for number, match in found.items()} == {
        "term:a": {"password": 1},
        "term:b": {"horse": 1, "été": 1},
        "term:z": {"horse": 1, "été": 1},
    }


def test_what_redaction_removes_of_a_body_hides_nothing_of_the_frontmatter() -> None:
    files = {"a.md": markdown(f"{SAID}\nhorse\n", id="term:a", kind="Term", note="a horse")}
    assert counts(search(files, "horse", structured=True)) == {"a.md": {"horse": 1}}
    assert counts(search(files, "horse")) == {"a.md": {"horse": 2}}
    assert search({"a.md": markdown("horse\n", note=SAID)}, "horse", structured=True) == {}
    assert search({"a.md": f"horse\n{SAID}\n"}, "horse", structured=True) == {}


def test_files_with_one_content_are_counted_alike() -> None:
    text = f"horse\n{SAID}\n"
    files = {"a.md": text, "b/c.md": text, "horse.md": text}
    found = search(files, "horse")
    assert counts(found) == {path: {"horse": 1} for path in files}
    assert [found[path].fields for path in files] == [{}, {}, {"horse": 3 + 1}]


@pytest.mark.parametrize("query", ["Tr0ub4dor", '"Tr0ub4dor&3horse"', "horse"])
@pytest.mark.parametrize("field", ["title", "summary", "aliases", "tags"])
def test_a_secret_in_a_field_is_no_match_either(field: str, query: str) -> None:
    value = [SAID] if field in ("aliases", "tags") else SAID
    assert search({"a.md": markdown("x\n", id="term:a", kind="Term", **{field: value})}, query) == {}


@pytest.mark.parametrize("field", ["title", "summary", "aliases", "tags"])
def test_a_word_beside_a_secret_in_a_field_counts(field: str) -> None:
    value = [SAID, "horse"] if field in ("aliases", "tags") else f"horse {SAID}"
    (match,) = search({"a.md": markdown("x\n", id="term:a", kind="Term", **{field: value})}, "horse password").values()
    worth = {"title": 3, "summary": 1}.get(field, 2)
    assert match.fields == {"horse": worth, "password": worth}
    assert match.counts == {"horse": 1, "password": 1}


def test_a_secret_in_a_path_is_no_match() -> None:
    token = "gl" + "pat-" + "aB3dE6gH9jK2mN5pQ8sT"
    files = {f"notes/{token}/wheel.md": "x\n"}
    assert search(files, "glpat") == search(files, token) == {}
    assert len(search(files, "wheel")) == 1


class Marked(Redactor):
    """Hides everything from `<` to `>`."""

    def spans(self, text: str) -> tuple[Span, ...]:
        return tuple(Span(found.start(), found.end(), "password") for found in re.finditer("<[^>]*>", text))


HIDDEN = st.lists(
    st.sampled_from(
        ["brake", "Brakes", "brakeWheel", "é", "été", "東京駅", " ", "\n", "\r\n", "<", ">", "\xff", "\u0301"]
    ),
    max_size=14,
).map("".join)


@settings(max_examples=150, deadline=None)
@given(HIDDEN, st.booleans())
def test_a_term_stands_as_often_as_the_text_that_is_left_can_be_read_so(text: str, latin: bool) -> None:
    data = text.encode("latin-1", "ignore") if latin else text.encode()
    expected = readable(re.sub("<[^>]*>", " ", data.decode(errors="replace")))
    found = search_text(view_of(brain({"a.md": data})), query_terms(QUERY), InMemorySearcher(), BlobRedactor(Marked()))
    assert [dict(match.counts) for match in found.documents.values() if match.counts] == [expected] * bool(expected)
