"""The granted view: what of an index one reader may see."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.request import Request
from kradle_ctx.model.search import Found, Pattern
from kradle_ctx.view import PATH_LINE, Statistics, View
from tests.fakes import InMemoryRepository, InMemorySearcher
from tests.pipeline import (
    EVERYTHING,
    SECOND_DAY,
    brain,
    document_of,
    explicit,
    granting,
    graph_record,
    markdown,
    view_of,
)

MERGING = Request(layout_profile="atlas-md-yaml-v1")


def paths_of(view: View, numbers: Iterable[int]) -> list[str]:
    """The paths of some documents."""
    return [view.document(number).path for number in numbers]


def later(then: dict[str, str], now: dict[str, str], access: Access = EVERYTHING) -> View:
    """The view of an older commit, after another one was added."""
    repository = brain(then)
    pin = repository.refs["refs/heads/main"]
    repository.add_commit(now, SECOND_DAY)
    return view_of(repository, access, Request(ref=explicit(pin)))


# Names and paths


def test_a_document_is_known_by_its_id_its_aliases_and_its_path() -> None:
    files = {"a.yaml": graph_record("term:a", "Term", aliases=["term:old", "the a"]), "notes/n.md": "text\n"}
    view = view_of(brain(files))
    for name in ("term:a", "term:old", "the a"):
        assert paths_of(view, view.named(name)) == ["a.yaml"]
    assert paths_of(view, view.at_path("a.yaml")) == ["a.yaml"]
    assert paths_of(view, view.at_path("notes/n.md")) == ["notes/n.md"]
    assert view.records("term:old") == view.named("absent") == view.at_path("absent") == []
    assert paths_of(view, view.records("term:a")) == ["a.yaml"]


def test_what_is_denied_shows_in_no_lookup() -> None:
    files = {
        "a.yaml": graph_record("term:a", "Term", edges={"documents": ["term:b"]}, repoRefs=["repository:kradle"]),
        "b.yaml": graph_record("term:b", "Term", aliases=["bee"], edges={"mentions": ["term:a"]}, tags=["ci"]),
    }
    view = view_of(brain(files), granting("**", exclude_paths=("b.yaml",)))
    assert view.named("term:b") == view.named("bee") == view.records("term:b") == view.at_path("b.yaml") == []
    assert view.referring("ci") == []
    assert [edge.source for edge in view.incoming("term:a")] == []
    assert list(view.outgoing("term:b")) == []
    assert [edge.target for edge in view.outgoing("term:a")] == ["term:b"]
    assert paths_of(view, view.referring("repository:kradle")) == ["a.yaml"]


def test_access_is_per_document_also_in_a_file_of_many() -> None:
    text = "---\n" + graph_record("term:a", "Term") + "---\n" + graph_record("term:b", "Term", sensitivity="restricted")
    view = view_of(brain({"a.yaml": text}))
    assert [view.document(number).id for number in view.at_path("a.yaml")] == ["term:a"]
    assert view.named("term:b") == []


def test_edges_that_several_documents_state_come_once() -> None:
    extending = '{"extendsNode": {"id": "term:a"}, "edges": {"mentions": ["term:b", "term:c"]}}\n'
    files = {"a.yaml": graph_record("term:a", "Term", edges={"mentions": ["term:b"]}), "b.yaml": extending}
    view = view_of(brain(files))
    assert [edge.target for edge in view.outgoing("term:a")] == ["term:b", "term:c"]
    assert [edge.source for edge in view.incoming("term:b")] == ["term:a"]
    assert paths_of(view, view.named("term:a")) == ["a.yaml"]
    assert view.at_path("b.yaml") == []


def test_the_edges_of_a_restricted_extension_do_not_show() -> None:
    extending = '{"extendsNode": {"id": "term:a"}, "sensitivity": "restricted", "edges": {"mentions": ["term:b"]}}\n'
    view = view_of(brain({"a.yaml": graph_record("term:a", "Term"), "b.yaml": extending}))
    assert list(view.outgoing("term:a")) == list(view.incoming("term:b")) == []


def test_references_of_records_and_notes_are_named_with_their_field() -> None:
    files = {
        "a.yaml": graph_record("term:a", "Term", repoRefs=["repository:kradle"], sourceRefs=["issue:7"]),
        "notes/n.md": markdown("", repoRefs=["repository:web"]),
    }
    view = view_of(brain(files))
    assert list(view.references("term:a")) == [("repoRefs", "repository:kradle"), ("sourceRefs", "issue:7")]
    assert list(view.references("notes/n.md")) == [("repoRefs", "repository:web")]


def test_the_pattern_that_let_a_document_pass_is_the_most_specific() -> None:
    view = view_of(brain({"runbooks/a.md": "x\n"}), granting("**", "runbooks/**", "runbooks/a.md"))
    assert view.allowed(view.at_path("runbooks/a.md")[0]) == "runbooks/a.md"


# Duplicates


def twice(second: str, **fields: object) -> InMemoryRepository:
    """A brain that declares one id in two files."""
    first = graph_record("term:x", "Term", title="carriage", tier=1, tags=["a"], edges={"mentions": ["term:y"]})
    return brain({"a.yaml": first, "b.yaml": second, "y.yaml": graph_record("term:y", "Term")})


def test_the_default_profile_withholds_an_id_that_is_declared_twice() -> None:
    view = view_of(twice(graph_record("term:x", "Term", title="carriage")))
    assert view.duplicates == ("term:x",)
    assert view.records("term:x") == view.named("term:x") == view.at_path("a.yaml") == []
    assert list(view.outgoing("term:x")) == list(view.incoming("term:y")) == []
    assert view.statistics.documents == 1


def test_the_merging_profile_joins_lists_and_edges_of_declarations_that_agree() -> None:
    second = graph_record("term:x", "Term", title="carriage", tags=["b"], edges={"mentions": ["term:z"]})
    view = view_of(twice(second), request=MERGING)
    assert view.duplicates == ()
    assert paths_of(view, view.records("term:x")) == ["a.yaml", "b.yaml"]
    assert [edge.target for edge in view.outgoing("term:x")] == ["term:y", "term:z"]


def test_the_outline_of_a_record_has_the_status_and_the_date_that_any_declaration_states() -> None:
    second = graph_record("term:x", "Term", status="approved", updatedAt="2026-04-01", summary="wheels")
    view = view_of(twice(second), request=MERGING)
    first, other = view.records("term:x")
    for number in (first, other):
        told = view.outline(number)
        assert (told.number, told.status, told.updated_at) == (number, "approved", "2026-04-01")
        document = view.document(number)
        assert (document.status, document.updated_at, document.summary) == ("approved", "2026-04-01", "wheels")
    assert (view.stated(first).status, view.stated(first).summary) == (None, "")
    assert (view.stated(other).status, view.stated(other).summary) == ("approved", "wheels")
    denied = view_of(twice(second), granting("a.yaml"), MERGING)
    assert denied.outline(first).status is None


@pytest.mark.parametrize(
    "second",
    [graph_record("term:x", "Term", tier=2, tags=["a"]), graph_record("term:x", "Runbook", title="carriage")],
)
def test_the_merging_profile_withholds_declarations_whose_scalars_disagree(second: str) -> None:
    view = view_of(twice(second), request=MERGING)
    assert view.duplicates == ("term:x",)
    assert view.records("term:x") == []


@pytest.mark.parametrize("merged", ["title", "displayName", "summary", "description"])
def test_of_texts_that_describe_a_record_the_first_that_is_not_empty_counts(merged: str) -> None:
    files = {
        "a.yaml": graph_record("term:x", "Term", **{merged: ""}),
        "b.yaml": graph_record("term:x", "Term", **{merged: "carriage"}),
        "c.yaml": graph_record("term:x", "Term", **{merged: "coach"}),
    }
    view = view_of(brain(files), request=MERGING)
    documents = [view.document(number) for number in view.records("term:x")]

    assert view.duplicates == ()
    shown = [document.title if merged in ("title", "displayName") else document.summary for document in documents]
    assert shown == ["carriage"] * 3


def test_a_field_without_a_value_is_no_disagreement() -> None:
    view = view_of(twice(graph_record("term:x", "Term", tier=None)), request=MERGING)
    assert view.duplicates == ()


def test_a_scalar_that_only_one_declaration_states_is_no_disagreement() -> None:
    view = view_of(twice(graph_record("term:x", "Term", summary="wheels")), request=MERGING)
    assert view.duplicates == ()


def test_a_declaration_that_is_denied_withholds_nothing_and_is_not_named() -> None:
    view = view_of(twice(graph_record("term:x", "Term", sensitivity="restricted")))
    assert view.duplicates == ()
    assert paths_of(view, view.records("term:x")) == ["a.yaml"]


def test_an_alias_and_an_extension_are_no_declarations() -> None:
    files = {
        "a.yaml": graph_record("term:x", "Term"),
        "b.yaml": graph_record("term:other", "Term", aliases=["term:x"]),
        "c.yaml": '{"extendsNode": {"id": "term:x"}, "edges": {}}\n',
    }
    view = view_of(brain(files))
    assert view.duplicates == ()
    assert paths_of(view, view.records("term:x")) == ["a.yaml"]
    assert paths_of(view, view.named("term:x")) == ["a.yaml", "b.yaml"]


# Statistics


def test_statistics_count_granted_documents_and_their_bodies_alone() -> None:
    files = {
        "a.md": markdown("12345\n", id="term:a", kind="Term"),
        "b.md": "1234567890123\n",
        "closed/c.md": "x" * 5_000,
        "d.md": markdown("y" * 5_000, sensitivity="restricted"),
    }
    access = granting("**", exclude_paths=("closed/**",))
    assert view_of(brain(files), access).statistics == Statistics(2, 10.0)
    kept = {name: text for name, text in files.items() if name in ("a.md", "b.md")}
    assert view_of(brain(kept), access).statistics == Statistics(2, 10.0)


def test_a_view_of_nothing_has_no_mean() -> None:
    assert view_of(brain({"a.md": "x\n"}), granting("none/**")).statistics == Statistics(0, 0.0)


# What was skipped


def test_what_could_not_be_read_is_known_within_the_granted_paths() -> None:
    files = {"a.yaml": "nodeKind: a: b\n", "closed/b.yaml": "nodeKind: a: b\n"}
    assert [entry.path for entry in view_of(brain(files)).skipped] == ["a.yaml", "closed/b.yaml"]
    narrow = granting("**", exclude_paths=("closed/**",))
    assert [entry.path for entry in view_of(brain(files), narrow).skipped] == ["a.yaml"]
    by_kind = Access((Grant("kinds", kinds=("Term",)),))
    assert view_of(brain(files), by_kind).skipped == ()


def test_a_fault_of_a_document_that_was_read_is_known_to_those_who_may_see_it() -> None:
    wrong = {"updatedAt": "2026-02-30"}
    text = "---\n" + graph_record("term:a", "Term") + "---\n" + graph_record("term:b", "Runbook", **wrong)
    files = {"a.yaml": text, "b.md": markdown(sensitivity="restricted", updatedAt="2026-02-30")}
    assert [entry.place for entry in view_of(brain(files)).skipped] == ["a.yaml:4"]
    assert view_of(brain(files), Access((Grant("s", paths=("**",), kinds=("Term",)),))).skipped == ()
    wide = granting("**", sensitivities=("internal", "restricted"))
    assert [entry.path for entry in view_of(brain(files), wide).skipped] == ["a.yaml", "b.md"]


# Old pins


@pytest.mark.parametrize(
    ("then", "now", "visible"),
    [
        ("internal", "restricted", False),
        ("restricted", "public", False),
        ("restricted", "restricted", False),
        ("public", "internal", True),
        ("public", "nonsense", False),
    ],
)
@pytest.mark.parametrize("form", ["note", "record", "moved record"])
def test_the_stricter_of_the_pinned_and_the_current_sensitivity_holds(
    form: str, then: str, now: str, visible: bool
) -> None:
    stated = {} if form == "note" else {"id": "term:a", "kind": "Term"}
    path = "elsewhere/b.md" if form == "moved record" else "a.md"
    view = later({"a.md": markdown(sensitivity=then, **stated)}, {path: markdown(sensitivity=now, **stated)})
    assert bool(view.at_path("a.md")) is visible


def test_a_public_dispatch_sees_only_what_is_public_then_and_now() -> None:
    public = Access(EVERYTHING.grants, public_dispatch=True)
    then = {"a.md": markdown(sensitivity="public"), "b.md": markdown(sensitivity="public")}
    now = {"a.md": markdown(sensitivity="internal"), "b.md": markdown(sensitivity="public")}
    view = later(then, now, public)
    assert (view.at_path("a.md"), len(view.at_path("b.md"))) == ([], 1)


def test_a_public_graph_record_may_be_seen_wherever_it_says_so() -> None:
    public = Access(EVERYTHING.grants, public_dispatch=True)
    among = '{"nodeKind": "Term", "id": "term:b", "attributes": {"sensitivity": "public"}}\n'
    view = view_of(brain({"a.yaml": graph_record("term:a", "Term", sensitivity="public"), "b.yaml": among}), public)
    assert [len(view.records(name)) for name in ("term:a", "term:b")] == [1, 1]


def test_what_is_gone_today_keeps_its_pinned_sensitivity_and_is_known_to_be_gone() -> None:
    then = {"a.md": markdown(id="term:a", kind="Term"), "b.md": "x\n", "c.md": markdown(sensitivity="restricted")}
    view = later(then, {"b.md": "y\n"})
    assert [bool(view.at_path(path)) for path in ("a.md", "b.md", "c.md")] == [True, True, False]
    assert view.gone_today(document_of(view, "term:a"))
    assert not view.gone_today(document_of(view, "b.md"))


def test_at_the_tip_nothing_is_gone() -> None:
    view = view_of(brain({"a.md": "x\n"}))
    assert not view.gone_today(document_of(view, "a.md"))


def test_the_strictest_of_several_declarations_today_holds() -> None:
    then = {"a.md": markdown(id="term:a", kind="Term")}
    closed = markdown(id="term:a", kind="Term", sensitivity="restricted")
    assert later(then, then | {"b.md": closed}).at_path("a.md") == []


# The corpus


class Reading(InMemorySearcher):
    """Remembers the text that was searched last."""

    text = b""

    def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
        self.text = corpus.read_bytes()
        return super().search(corpus, patterns)


def test_the_corpus_holds_nothing_of_what_is_denied() -> None:
    files = {"a.md": "alpha\n", "closed/b.md": "beta\n", "c.md": markdown("gamma\n", sensitivity="restricted")}
    view = view_of(brain(files), granting("**", exclude_paths=("closed/**",)))
    searcher = Reading()
    (match,) = view.search(searcher, [Pattern("alpha")]).found
    assert (view.document(match.number).path, match.start, match.end) == ("a.md", 0, 5)
    for word in (b"beta", b"gamma", b"closed/b.md", b"c.md"):
        assert word not in searcher.text


def test_a_path_line_belongs_to_the_first_visible_document_of_the_file() -> None:
    text = "---\n" + graph_record("term:a", "Term", sensitivity="restricted") + "---\n" + graph_record("term:b", "Term")
    view = view_of(brain({"letters.yaml": text}))
    (match,) = view.search(Reading(), [Pattern("letters")]).found
    assert (view.document(match.number).id, match.start) == ("term:b", PATH_LINE)


# Words


def test_words_stand_in_visible_documents_alone() -> None:
    files = {
        "a.md": "brake wheel\n",
        "closed/brake.md": "brakes\n",
        "c.md": markdown("brake\n", sensitivity="restricted"),
        "twice.yaml": "---\n" + 2 * (graph_record("term:brake", "Term") + "---\n"),
        "ontology/kinds.yaml": "nodeKinds: [brake]\n",
    }
    view = view_of(brain(files), granting("**", exclude_paths=("closed/**",)))
    standing = [(view.document(number).path, part) for number, part, _ in view.standing("brake")]
    assert standing == [("a.md", "body")]
    everything = Access((Grant("all", paths=("**",), sensitivities=("public", "internal", "restricted")),))
    open_view = view_of(brain(files), everything)
    standing = [(open_view.document(number).path, part) for number, part, _ in open_view.standing("brake")]
    assert sorted(standing) == [
        ("a.md", "body"),
        ("c.md", "body"),
        ("closed/brake.md", "body"),
        ("closed/brake.md", "path"),
        ("closed/brake.md", "title"),
    ]
