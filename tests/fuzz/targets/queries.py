"""Queries through the real ripgrep: no option, no program, no match outside the text, no word missed."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

from hypothesis import strategies as st

from kradle_ctx.adapters.ripgrep import RipgrepSearcher
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.graph import Document
from kradle_ctx.retrieval.matches import MATCHES_READ, TextMatches
from kradle_ctx.retrieval.search import search_expression, search_text
from kradle_ctx.tokens import Term, composed, query_terms, readings, stem
from kradle_ctx.view import View
from tests.fuzz.target import RECORD_MARK, Target, bytes_of, records_of, refusal, require, text_of
from tests.fuzz.targets import tokens
from tests.pipeline import blob_redactor, brain, view_of

CODES = (ErrorCode.USAGE, ErrorCode.LIMIT_EXCEEDED)
LONGEST_QUERY = 20_000
PATHS, OWN = ("open/a.md", "open/b.yaml", "open/c.md"), "open/d.md"
"""Where the texts of an input stand, and where the query itself does."""

EXPRESSIONS = [
    *["r(", "r[a", "ra{9999}", "r(?i)a", "r\\bwheel", "r^", "r$", "r.*", "r\\p{L}+", "r(?-u:\\xff)", "ra|", "r(a*)*b"],
    *["r\\n", "r\x00", "r--pre=touch PWNED", "r-f/etc/passwd", "r--", "r\\R", "r(?s).", "r[^a]", "r\\w{1,500}"],
    *["r(?x) a # b", "r\\u{e9}", "r\ud800"],
]
WORDS = [
    "flaky",
    "wheels",
    "GitHub",
    "runbook:ci-red",
    "--pre=touch PWNED",
    "-f/etc/passwd",
    '"exit code"',
    "ß",
    "İstanbul",
    "-",
]
TEXTS = [
    "flaky checks\n",
    "Wheels of GitHub\r\n",
    "exit code 137",
    "nodeKind: Term\nid: term:a\n",
    "\r",
    "\xff",
    "日本語\n",
    "\x00",
]
QUERIES = st.sampled_from(EXPRESSIONS) | st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=5).map(
    " ".join
)
BODIES = st.lists(st.sampled_from(TEXTS) | st.sampled_from(WORDS) | st.text(max_size=4), max_size=8).map("".join)
SCRAPS = (RECORD_MARK, *map(bytes_of, [*EXPRESSIONS, *WORDS, *TEXTS]), *tokens.SCRAPS)


def check(data: bytes) -> str:
    """Search a brain of a few files for a query, or for a regular expression where it begins with `r`."""
    query, *texts = records_of(data, 2)
    asked = text_of(query[:LONGEST_QUERY])
    view = view_of(brain(dict(zip(PATHS, texts, strict=False)) | {OWN: query}))
    try:
        if asked.startswith("r"):
            found = search_expression(view, asked[1:], RipgrepSearcher(), blob_redactor())
            require_matches(view, found, {asked[1:]})
        else:
            terms = query_terms(asked)
            found = search_text(view, terms, RipgrepSearcher(), blob_redactor())
            require_matches(view, found, {term.text for term in terms})
            require_found(view, found, terms)
    except KradleError as error:
        return refusal(error, *CODES)
    require(not Path("PWNED").exists(), "no program is run")
    return f"{'expression' if asked.startswith('r') else 'words'} in {len(found.documents)}"


def require_matches(view: View, found: TextMatches, terms: set[str]) -> None:
    """Check that every match lies in its document and is of a term of the query."""
    for number, match in found.documents.items():
        document = view.document(number)
        require(match.counts or match.field_score > 0, "a document that is found has a match")
        require(set(match.found_terms) <= terms, "only what was asked for is found")
        for each in match.matches:
            require(document.start <= each.offset < document.end, "a match lies in its document")
            require(each.term in terms, "a match is of a term of the query")


def require_found(view: View, found: TextMatches, terms: tuple[Term, ...]) -> None:
    """Check that every word of the query is counted wherever it can be read, where redaction hides nothing."""
    literals = {term.text for term in terms if term.stem is None}
    words = {term.stem: term.text for term in terms if term.stem is not None and term.text not in literals}
    for number in [number for path in (*PATHS, OWN) for number in view.at_path(path)]:
        document = view.document(number)
        if blob_redactor().spans_of(document.blob, partial(view.text, document)):
            continue
        readable = Counter(words[each] for each in stems_of(document, view.text(document)) if each in words)
        expected = {text: min(count, MATCHES_READ) for text, count in readable.items()}
        match = found.documents.get(number)
        counted = match.counts if match is not None else {}
        told = {text: counted[text] for text in words.values() if text in counted}
        require(told == expected, "a word is counted as often as it can be read")
        require(match is None or set(expected) <= set(match.found_terms), "and is told as found")


def stems_of(document: Document, data: bytes) -> list[str]:
    """The stems of all that can be read in a document."""
    parts = (data[document.start : document.body], data[document.body : document.end])
    texts = (composed(part.decode(errors="replace")) for part in parts)
    return [stem(word) for text in texts for word, _ in readings(text)]


TARGET = Target(
    name="queries",
    promise="a query runs nothing and finds its words where they stand; a faulty expression is refused in one line",
    check=check,
    inputs=st.tuples(QUERIES, BODIES, BODIES).map(lambda texts: RECORD_MARK.join(map(bytes_of, texts))),
    seeds=lambda: [
        b"flaky playwright failures\x1e# Flaky\n\nThe playwright check failed.\n\x1enodeKind: Term\nid: term:flaky\n",
        b'"exit code 137" runner:ci/2\x1eexit code 137 on runner:ci/2\r\nEXIT CODE 137\n',
        b"r(flaky|red).+check\x1eflaky check\nred  check\n",
    ],
    scraps=SCRAPS,
)
