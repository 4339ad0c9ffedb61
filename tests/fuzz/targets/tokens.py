"""The tokeniser: terms of a query, words of a text."""

from __future__ import annotations

from hypothesis import strategies as st

from kradle_ctx.tokens import TERM_LENGTH, TERM_LIMIT, composed, placed_words, query_terms, readings, stems
from tests.fuzz.target import Target, bytes_of, require, text_of

TOKENS = [
    *["GitHub", "don't", "the", "flaky", "failures", "runbook:ci-red", "src/app.py:12", "--pre=x", "E_CONN"],
    *["HTTPServer2"],
    *[
        '"',
        "“",
        "”",
        "«",
        "...",
        "日本語",
        "한국",
        "e\u0301",
        "ß",
        "İ",
        "ǅ",
        "ﬁ",
        "\u0130\u0307",
        "\u1fb3",
        "\u200b",
        "-",
    ],
    *["_", "\x00", "\ud800", "\n", " ", "\t", "a" * 201, "12", "1", "v1.2.3", "@x", "#1"],
]
SCRAPS = (*map(bytes_of, TOKENS), "\u0345".encode(), "ﷺ".encode(), b"\xf0\x9f\x98\x80")
WORDS = st.sampled_from(TOKENS) | st.text(max_size=4)


def check(data: bytes) -> str:
    """Take a query apart, and its text word by word."""
    query = text_of(data)
    terms = query_terms(query)
    require(len(terms) <= TERM_LIMIT, "terms are counted")
    require(len({term.key for term in terms}) == len(terms), "no term comes twice")
    for term in terms:
        require(0 < len(term.text) <= TERM_LENGTH, "a term has a proper length")
        require(term.text == term.text.strip() and "\n" not in term.text, "a term is one line without blanks around it")
        require(term.weight > 0 and term.stem != "", "a term weighs something")
        require(not any("\ud800" <= character <= "\udfff" or character == "\0" for character in term.text), "is text")
    require(query_terms(query) == terms, "the same query has the same terms")
    require_words(composed(query.encode("utf-8", "replace").decode()))
    return f"{min(len(terms), 9)} terms, {sum(term.stem is None for term in terms[:9])} literal"


def require_words(text: str) -> None:
    """Check that each word of a composed text stands where it says, and that its stem is among those of the text."""
    reached = 0
    for word, end in placed_words(text):
        require(text[end - len(word) : end] == word != "", "a word stands where it ends")
        require(end > reached, "words follow each other")
        reached = end
    require(len(stems(text)) == sum(1 for _ in readings(text)), "every reading has a stem")


TARGET = Target(
    name="tokens",
    promise="a query has few and proper terms, each once, and words stand where they say",
    check=check,
    inputs=st.lists(WORDS, max_size=16).map(" ".join).map(bytes_of),
    seeds=lambda: [b"flaky playwright failures in kradle-web", b'"exit code 137" on runner:ci/2 src/app.py'],
    scraps=SCRAPS,
)
