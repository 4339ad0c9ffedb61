"""What a reader may not see changes nothing of what the reader gets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.errors import KradleError
from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.request import Request
from tests.fakes import Content, InMemoryRepository
from tests.pipeline import FIRST_DAY, SECOND_DAY, assembled, explicit
from tests.properties.brains import IDS, KINDS, fields, files, granted_files, graph_text, requests

ACCESS = Access((Grant("source", paths=("open/**",), kinds=KINDS, exclude_paths=("open/closed/**",)),))

SHARED = "open/many-freight.yaml"
"""A file whose first and last documents the reader may not see, and whose middle one the reader may."""

MASKED = frozenset(
    {
        "resolvedCommit",
        "currentCommitAtDispatch",
        "accessCommit",
        "lastChanged",
        "queryManifestDigest",
        "indexDigest",
        "snapshotRef",
        "renderedMemoryDigest",
    }
)
"""Commit ids, and what is made from them or from the tree."""

Denied = dict[str, Content]


@st.composite
def denied_files(draw: st.DrawFn, ids: st.SearchStrategy[str]) -> Denied:
    """Files that the grant denies: by path, by exclude, by kind or by sensitivity; in denied folders anything goes."""
    found: Denied = {}
    for number in range(draw(st.integers(0, 4))):
        where = draw(st.sampled_from(("elsewhere/", "open/closed/", "open/hidden-", "kind", "garbage")))
        if where == "garbage":
            found[f"open/closed/{number}.md"] = draw(
                st.sampled_from([b"\x00", b"---\nid: [\n---\n", b"\xff\xfecarriage"])
            )
        elif where == "kind":
            found[f"open/kind-{number}.yaml"] = graph_text(draw(fields(ids, ("Customer",))))
        else:
            closed = st.sampled_from(["restricted", "secret-metadata", "nobody knows"])
            suffix, text = draw(files(ids, draw(closed) if where == "open/hidden-" else None))
            found[f"{where}{number}{suffix}"] = text
    return found


@st.composite
def shared_files(draw: st.DrawFn, visible: str) -> str:
    """The shared file: a denied record of one line, the visible one, and another denied record."""
    denied = st.one_of(
        st.just("null\n"),
        fields(st.sampled_from(IDS)).map(lambda said: graph_text(said, "restricted")),
        fields(st.sampled_from(IDS), ("Customer",)).map(graph_text),
    )
    return f"{draw(denied)}---\n{visible}---\n{draw(denied)}"


def masked(value: Any) -> Any:
    """The same value with everything hidden that a commit id decides."""
    if isinstance(value, dict):
        return {name: "masked" if name in MASKED else masked(entry) for name, entry in value.items()}
    return [masked(entry) for entry in value] if isinstance(value, list) else value


def answer(repository: InMemoryRepository, request: Request) -> Any:
    """All that a reader gets, masked: the bundle and its query record, or the error."""
    try:
        bundle = assembled(repository, request, ACCESS)
    except KradleError as error:
        return error.code, error.message, error.hint, dict(error.details)
    document, query = masked(dict(bundle.document)), masked(dict(bundle.query))
    document["metadata"]["name"] = query["metadata"]["name"] = document["status"]["digest"] = "masked"
    for source in document["spec"]["memory"]["sources"]:
        if source["path"] == SHARED:
            source["blob"] = "masked"
            document["spec"]["memory"]["selectedRecordsDigest"] = "masked"
            document["spec"]["memory"]["selectedExcerptsDigest"] = "masked"
    return document, query


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_denied_document_changes_nothing_of_the_answer(data: st.DataObject) -> None:
    granted, request = data.draw(granted_files()), data.draw(requests())
    visible = graph_text(data.draw(fields(st.sampled_from(IDS))))
    answers = []
    for _ in range(2):
        repository = InMemoryRepository()
        shared = data.draw(shared_files(visible))
        repository.add_commit(granted | {SHARED: shared} | data.draw(denied_files(st.sampled_from(IDS))), FIRST_DAY)
        answers.append(answer(repository, request))
    assert answers[0] == answers[1]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_denied_document_changes_nothing_of_an_old_pin(data: st.DataObject) -> None:
    """Today's sensitivity is looked up by id, so here no denied record has the id of a granted one."""
    granted, today, request = data.draw(granted_files()), data.draw(granted_files()), data.draw(requests())
    others = st.sampled_from(["vault:a", "vault:b"])
    answers = []
    for _ in range(2):
        repository = InMemoryRepository()
        first = repository.add_commit(granted | data.draw(denied_files(others)), FIRST_DAY)
        repository.add_commit(today | data.draw(denied_files(others)), SECOND_DAY)
        value = answer(repository, replace(request, ref=explicit(first)))
        answers.append(repr(value).replace(first, "first"))
    assert answers[0] == answers[1]


def test_denied_edges_make_no_hub() -> None:
    def hub(denied: Denied) -> Any:
        granted = {
            "open/a.yaml": '{"nodeKind": "Term", "id": "term:a", "edges": {"documents": ["term:b"]}}\n',
            "open/b.yaml": '{"nodeKind": "Term", "id": "term:b"}\n',
            "open/c.yaml": '{"nodeKind": "Term", "id": "term:c", "edges": {"documents": ["term:b"]}}\n',
        }
        repository = InMemoryRepository()
        repository.add_commit(granted | denied, FIRST_DAY)
        return answer(repository, Request(source_refs={"term": ("a",)}))

    pulling = {
        f"elsewhere/{n}.yaml": f'{{"nodeKind": "Term", "id": "x:{n}", "edges": {{"documents": ["term:b"]}}}}\n'
        for n in range(80)
    }
    quiet = hub({})
    assert [source["id"] for source in quiet[0]["spec"]["memory"]["sources"]] == ["term:a", "term:b", "term:c"]
    assert hub(pulling) == quiet
