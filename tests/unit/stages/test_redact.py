"""Stage 5: passages of redacted text, and nothing raw beside them."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Any, Literal

import pytest

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.hits import Passage, RedactedHits
from kradle_ctx.model.request import QueryMode, Request
from kradle_ctx.stages.rank import rank
from kradle_ctx.stages.redact import EXCERPT_LIMIT, UNMATCHED_NOTE_LINES, redact, redact_document, shortened
from kradle_ctx.stages.retrieve import retrieve
from tests.fakes import InMemorySearcher
from tests.pipeline import blob_redactor, brain, document_of, granting, graph_record, markdown, view_of

PINNED_AT = datetime(2026, 5, 1, tzinfo=UTC)

PASSWORD = "Xk9" + "vQ2mT7pL4wZ8s"
URL = f"postgres://depot:{PASSWORD}@db.internal:5432/depot"


def redacted(files: dict[str, str], **request: Any) -> RedactedHits:
    asked = Request(**({"query": "brake"} | request))
    view, blobs = view_of(brain(files), request=asked), blob_redactor()
    hits = retrieve(view, asked, (), searcher=InMemorySearcher(), redactor=blobs)
    return redact(rank(hits, asked, PINNED_AT), view, asked, blobs)


def only(files: dict[str, str], **request: Any) -> RedactedHits:
    found = redacted(files, **request)
    assert found.count == 1
    return found


def forms(found: RedactedHits, position: int = 0) -> list[tuple[Passage, ...]]:
    """The forms in which a hit can be shown, the largest first."""
    shapes = found.shapes(position)
    assert shapes is not None
    smaller = list(shapes.smaller()) if shapes.smaller is not None else []
    assert shapes.smaller is None or smaller
    assert all(len("".join(passage.text for passage in shape).encode()) >= shapes.least for shape in smaller)
    return [shapes.largest, *smaller]


def lines(count: int, **at: str) -> str:
    """Numbered lines, some of which are replaced: `lines(9, l4="brake")`."""
    return "".join(at.get(f"l{number}", f"line {number}") + "\n" for number in range(1, count + 1))


def places(shape: tuple[Passage, ...]) -> list[tuple[int, int]]:
    """The first and last line of each passage of a shape."""
    return [(passage.line_start, passage.line_end) for passage in shape]


LARGE = "filler\n" * 1_000
"""What makes a note too large to be shown whole."""


def test_a_small_note_is_shown_whole_before_it_shrinks() -> None:
    found = only({"n.md": lines(40, l20="brake")}, context_lines=1)
    assert [places(shape) for shape in forms(found)] == [[(1, 40)], [(19, 21)]]


def test_a_note_is_shown_by_ever_fewer_windows_of_which_the_best_is_kept_longest() -> None:
    text = lines(40, l5="brake", l20="brake wheel", l36="wheel") + LARGE
    found = only({"n.md": text}, query="brake wheel", context_lines=1)
    assert [places(shape) for shape in forms(found)] == [
        [(4, 6), (19, 21), (35, 37)],
        [(4, 6), (19, 21)],
        [(19, 21)],
    ]
    assert forms(found)[-1][0].text == "line 19\nbrake wheel\nline 21\n"


def test_a_document_has_few_windows() -> None:
    text = lines(200, **{f"l{number}": "brake" for number in range(1, 200, 20)}) + LARGE
    assert len(forms(only({"n.md": text}, context_lines=0))[0]) == EXCERPT_LIMIT


def test_a_note_without_a_match_is_shown_by_its_beginning_and_a_selected_one_whole_if_it_fits() -> None:
    found = only({"n.md": lines(90)}, query="", select=("n.md",))
    assert [places(shape) for shape in forms(found)] == [[(1, 90)], [(1, UNMATCHED_NOTE_LINES)]]


def test_a_record_is_whole_or_its_head_with_ever_fewer_excerpts() -> None:
    body = lines(60, l30="brake")
    text = markdown(body, id="term:a", kind="Term")
    whole, excerpt, head = (shape[0] for shape in forms(only({"a.md": text}, context_lines=1)))
    assert whole.text == text
    assert (excerpt.line_start, excerpt.line_end) == (1, text.count("\n"))
    frontmatter = '---\nid: "term:a"\nkind: "Term"\n---\n'
    assert excerpt.text == (
        f"{frontmatter}[... 28 lines left out ...]\nline 29\nbrake\nline 31\n[... 29 lines left out ...]\n"
    )
    assert head.text == f"{frontmatter}[... 60 lines left out ...]\n"


@pytest.mark.parametrize("body", ["brake\n", "brake\n" * 2, "x\n" * 9 + "brake\n", "brake\n" + "x\n" * 9])
def test_no_form_of_a_short_record_is_smaller_than_the_least_that_is_told(body: str) -> None:
    found = only({"a.md": markdown(body, id="term:a", kind="Term")}, context_lines=1)
    assert len(forms(found)) == 3


def test_a_document_read_is_whole_or_nothing() -> None:
    files = {"a.md": markdown(lines(60), id="term:a", kind="Term")}
    found = only(files, query="", select=("a.md",), query_mode=QueryMode.DOCUMENT_READ)
    assert [[passage.text for passage in shape] for shape in forms(found)] == [[files["a.md"]]]


def test_graph_only_shows_a_markdown_records_frontmatter() -> None:
    files = {"a.md": markdown("body\n", id="term:a", kind="Term", title="brake")}
    found = only(files, query_mode=QueryMode.GRAPH_ONLY)
    assert [[passage.text for passage in shape] for shape in forms(found)] == [
        ['---\nid: "term:a"\nkind: "Term"\ntitle: "brake"\n---\n']
    ]


def test_an_excerpt_stays_within_its_document() -> None:
    many = "".join(graph_record(f"term:{name}", "Term", note=name) + "---\n" for name in ("one", "brake", "three"))
    shown = forms(only({"m.yaml": many}, context_lines=9))
    assert "brake" in shown[0][0].text
    for passage in (passage for shape in shown for passage in shape):
        assert "term:one" not in passage.text
        assert "term:three" not in passage.text


def test_every_text_of_the_document_and_the_evidence_has_passed() -> None:
    files = {
        "a.yaml": graph_record(
            "term:a", "Term", title=f"brake {URL}", summary=URL, tags=[URL], owners=[URL], status="approved"
        )
    }
    found = only(files)
    hit = found.hit(0)
    assert PASSWORD not in f"{hit} {forms(found)}"
    assert "[REDACTED:" in hit.document.title
    assert "[REDACTED:" in hit.document.owners[0]
    assert (hit.document.summary, hit.document.tags, hit.document.edges) == ("", (), ())


def test_a_path_that_holds_a_secret_is_redacted_wherever_it_shows() -> None:
    token = "gl" + "pat-" + "aB3dE6gH9jK2mN5pQ8sT"
    files = {f"notes/{token}.md": "brake\n"}
    found = redacted(files)
    assert token not in f"{found.hit(0)} {forms(found)}"
    assert token not in str(found.omit(0, "over-budget"))
    assert found.omit(0, "over-budget").bytes == len("brake\n")


def test_a_document_of_which_little_is_left_is_unsafe() -> None:
    key = "\n".join(
        ["-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5, *["Ab3" * 20] * 12, "-" * 5 + "END PRIVATE KEY" + "-" * 5]
    )
    files = {"n.md": f"brake\n{key}\n"}
    assert only(files).shapes(0) is None
    with pytest.raises(KradleError) as caught:
        only(files, select=("n.md",)).shapes(0)
    assert caught.value.code is ErrorCode.REDACTION_TOO_BROAD
    assert "n.md" in caught.value.message


def test_the_passage_counts_what_it_hides() -> None:
    found = only({"n.md": f"brake {URL}\n\n\n\n\n\n\n\n\nbrake again\n{LARGE}"}, context_lines=0)
    counted = {passage.line_start: dict(passage.redactions) for passage in forms(found)[0]}
    assert counted == {1: {"url-password": 1}, 10: {}}


def test_a_hit_is_redacted_only_when_it_is_asked_for() -> None:
    files = {"a.md": "brake\n", "b.md": "brake\n"}
    asked = Request(query="brake")
    view, blobs = view_of(brain(files), request=asked), blob_redactor()
    hits = retrieve(view, asked, (), searcher=InMemorySearcher(), redactor=blobs)
    found = redact(rank(hits, asked, PINNED_AT), view, asked, blobs)
    assert found.count == 2
    assert {found.evidence(position).allow for position in range(2)} == {"**"}
    assert found.hit(1).document.path == "b.md"


def test_a_title_that_is_too_long_is_cut_after_it_was_redacted() -> None:
    assert shortened("é" * 2_000) == "é" * 2_000
    assert shortened("é" * 2_001) == "é" * 1_999 + "…"
    secret = "Zq7" + "x4Kp" * 5
    title = "a" * 1_975 + f" password={secret}"
    document = document_of(view_of(brain({"a.yaml": graph_record("term:a", "Term", title=title)})), "term:a")
    shown = redact_document(document, blob_redactor()).title
    assert len(shown) == 2_000
    assert secret[:8] not in shown


def test_a_secret_of_the_file_is_hidden_in_the_title_that_repeats_it() -> None:
    said = f"---\nid: term:a\nkind: Term\npassword: &p {PASSWORD}\ntitle: *p\nowners: [*p]\n---\nbrake\n"
    hit = only({"a.md": said}).hit(0)
    assert PASSWORD not in repr(hit)
    assert hit.document.title.startswith("[REDACTED:")


def test_a_secret_of_one_declaration_is_hidden_in_what_others_are_told_by() -> None:
    files = {
        "a.md": f"---\nid: term:a\nkind: Term\npassword: &p {PASSWORD}\ntitle: *p\nowners: [*p]\n---\nwheel\n",
        "b.md": "---\nid: term:a\nkind: Term\n---\nbrake\n",
    }
    hits = redacted(files, layout_profile="atlas-md-yaml-v1")
    shown = [hits.hit(number).document for number in range(hits.count)]
    assert PASSWORD not in repr(shown)
    assert [document.title.startswith("[REDACTED:") for document in shown] == [True] * len(shown)
    assert "b.md" in [document.path for document in shown]


# The lines that are shown


APART = "\n" + ".\n" * 8


def shown_of(*said: str, query: str) -> list[str]:
    """Those of some lines, far from each other in a large note, that a query shows."""
    text = "".join(line + APART for line in said) + LARGE
    passages = forms(only({"n.md": text}, query=query, context_lines=0))[0]
    return [said[(passage.line_start - 1) // APART.count("\n")] for passage in passages]


@pytest.mark.parametrize("query", ["deploys wheel", '"we deployed" wheel', "deploy-x/1 wheel"])
def test_a_line_is_shown_for_every_word_of_the_family_of_a_word(query: str) -> None:
    assert shown_of("we Deployed it", "undeployed", "runDEPLOYS()", query=query) == ["we Deployed it", "runDEPLOYS()"]


def test_a_line_is_shown_for_a_literal_and_for_each_of_its_words() -> None:
    said = ("see runner:ci/2 now", "the ci job", "rerunner:cinema", "2 days")
    assert shown_of(*said, query="runner:ci/2") == ["see runner:ci/2 now", "the ci job"]


@pytest.mark.parametrize("written", ["NFC", "NFD"])
def test_a_line_is_shown_however_its_letters_are_composed(written: Literal["NFC", "NFD"]) -> None:
    said = unicodedata.normalize(written, "GRÖSSE und Café")
    for query in ("größe", "cafe\u0301"):
        assert shown_of("Grosse cafe", said, query=query) == [said]


@pytest.mark.parametrize("before", ["", "Größe ", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_is_not_shown_for_a_word_that_redaction_removes(before: str, end: str) -> None:
    said = f"{before}the password is Tr0ub4dor&3horse"
    text = (said + APART + "\n" + "a horse" + APART + "\n" + f"horse, {said}\n").replace("\n", end) + LARGE
    passages = forms(only({"n.md": text}, query="horse", context_lines=0))[0]
    assert places(passages) == [(11, 11), (21, 21)]
    assert passages[1].text == f"horse, {before}the password is [REDACTED:password]\n"


def test_an_expression_shows_the_lines_where_it_matches() -> None:
    text = f"{lines(40, l7='E-41', l30='E-4')}{LARGE}"
    assert places(forms(only({"n.md": text}, query=r"e-\d\d", regex=True, context_lines=0))[0]) == [(7, 7)]


def test_a_window_is_best_by_words_and_literals_together() -> None:
    text = lines(60, l5="brakes", l20="wheel braking E-41", l40="E-41 wheel") + LARGE
    found = forms(only({"n.md": text}, query="brake wheels E-41", context_lines=0))
    assert [places(shape) for shape in found] == [[(5, 5), (20, 20), (40, 40)], [(20, 20), (40, 40)], [(20, 20)]]


def test_what_is_shown_of_the_ontology_does_not_depend_on_what_a_reader_may_not_see() -> None:
    kinds = "nodeKinds: [Term]\n" + "# filler\n" * 600 + "# brake\n" + "# filler\n" * 100
    files = {"ontology/kinds.yaml": kinds, "a.md": "wheel\n"}
    asked = Request(query="brake", select=("ontology/kinds.yaml",))
    shown = []
    for beside in ({}, {"closed/b.md": "brake\n"}):
        view = view_of(brain(files | beside), granting("**", exclude_paths=("closed/**",)), asked)
        hits = retrieve(view, asked, (), searcher=InMemorySearcher(), redactor=blob_redactor())
        found = redact(rank(hits, asked, PINNED_AT), view, asked, blob_redactor())
        shown.append([places(shape) for shape in forms(found)])
    assert shown[0] == shown[1]
