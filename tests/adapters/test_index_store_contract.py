"""What every index store does; a second store joins by one line in `STORES`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.model.graph import Edge, Form
from kradle_ctx.ports import Index, IndexStore
from tests.fakes import Content, InMemoryRepository
from tests.pipeline import FIRST_DAY, SECOND_DAY, graph_record, markdown

STORES: dict[str, Callable[[], IndexStore]] = {"no index": NoIndexStore}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> IndexStore:
    """Each store, with nothing in it."""
    return STORES[request.param]()


FILES: dict[str, Content] = {
    "graph/many.yaml": graph_record("term:a", "Term", title="Brake", aliases=["alpha"], tags=["ci"])
    + "---\n"
    + graph_record("term:b", "Term", edges={"uses": ["term:a", "term:a"]}),
    "notes/ü.md": "# Zwölf\n\nbrake\r\nend\n",
    "runbooks/x.md": markdown(
        "Pull the brake.\n",
        id="runbook:x",
        kind="Runbook",
        aliases=["alpha"],
        repoRefs=["repository:kradle"],
        sourceRefs=["repository:kradle", "issue:7"],
        related={"documents": ["term:a"]},
    ),
    "indexes/derived.yaml": graph_record("term:derived", "Term"),
    "ontology/kinds.yaml": "nodeKinds: [Term]\n",
    "bad.md": "---\nid: [\n---\nbrake\n",
    "binary.md": b"\0",
    "other.txt": "brake\n",
}


def opened(store: IndexStore, files: dict[str, Content] | None = None, root: str = "") -> Index:
    """The index of a commit of these files."""
    repository = InMemoryRepository()
    commit = repository.add_commit(FILES if files is None else files, FIRST_DAY)
    return store.open(repository.snapshot(commit), root, None)


def keys(index: Index, numbers: Sequence[int]) -> list[str]:
    return [index.document(number).key for number in numbers]


def test_documents_are_numbered_in_path_and_line_order(store: IndexStore) -> None:
    index = opened(store)
    assert keys(index, range(index.size)) == ["bad.md", "term:a", "term:b", "notes/ü.md", "runbook:x"]
    orders = [index.document(number).order for number in range(index.size)]
    assert orders == sorted(orders)


def test_ontology_and_derived_files_are_no_documents(store: IndexStore) -> None:
    index = opened(store)
    assert index.named("term:derived") == () or list(index.named("term:derived")) == []
    assert list(index.at_path("ontology/kinds.yaml")) == []
    assert index.ontology.origin == "ontology/"
    assert list(index.ontology.node_kinds) == ["Term"]


def test_documents_are_found_by_id_and_alias(store: IndexStore) -> None:
    index = opened(store)
    assert keys(index, index.named("term:a")) == ["term:a"]
    assert keys(index, index.named("alpha")) == ["term:a", "runbook:x"]
    assert list(index.named("nobody")) == []


def test_documents_are_found_by_path(store: IndexStore) -> None:
    index = opened(store)
    assert keys(index, index.at_path("graph/many.yaml")) == ["term:a", "term:b"]
    assert list(index.at_path("other.txt")) == list(index.at_path("absent")) == []


def test_documents_are_found_by_what_they_refer_to(store: IndexStore) -> None:
    index = opened(store)
    assert keys(index, index.referring("repository:kradle")) == ["runbook:x"]
    assert keys(index, index.referring("issue:7")) == ["runbook:x"]
    assert keys(index, index.referring("ci")) == ["term:a"]
    assert list(index.referring("term:a")) == []


def test_incoming_edges_name_the_document_that_states_them_once(store: IndexStore) -> None:
    index = opened(store)
    found = [(index.document(number).key, edge) for number, edge in index.incoming("term:a")]
    assert found == [("term:b", Edge("term:b", "uses", "term:a")), ("runbook:x", Edge("runbook:x", "documents", "term:a"))]


def test_ids_declared_more_than_once_are_listed(store: IndexStore) -> None:
    assert list(opened(store).duplicates) == []
    again = {"z.yaml": graph_record("term:b", "Term") + "---\n" + graph_record("term:a", "Term")}
    assert list(opened(store, {**FILES, **again}).duplicates) == ["term:a", "term:b"]
    adding = {"z.yaml": '{"extendsNode": {"id": "term:a", "nodeKind": "Term"}, "edges": {}}\n'}
    assert list(opened(store, {**FILES, **adding}).duplicates) == []


def test_what_could_not_be_read_is_listed_with_its_reason(store: IndexStore) -> None:
    skipped = {entry.path: entry.reason for entry in opened(store).skipped}
    assert set(skipped) == {"bad.md", "binary.md"}
    assert skipped["binary.md"] == "binary"


def test_the_text_of_a_document_is_its_whole_blob(store: IndexStore) -> None:
    index = opened(store)
    for number in range(index.size):
        document = index.document(number)
        content = FILES[document.path]
        assert index.text(document) == (content.encode() if isinstance(content, str) else content)


def test_every_byte_of_the_corpus_has_its_document(store: IndexStore) -> None:
    index = opened(store)
    data = index.corpus().read_bytes()
    seen: dict[int, bytearray] = {}
    for offset in range(len(data)):
        place = index.locate(offset)
        if place is not None and place[1] >= 0:
            number, start = place
            text = index.text(index.document(number))
            assert text[start : start + 1] == data[offset : offset + 1]
            seen.setdefault(number, bytearray()).extend(text[start : start + 1])
    for number in range(index.size):
        document = index.document(number)
        assert bytes(seen[number]) == index.text(document)[document.start : document.end]


def test_a_byte_of_a_path_belongs_to_the_first_document_of_the_file(store: IndexStore) -> None:
    index = opened(store)
    at = index.corpus().read_bytes().index(b"many.yaml")
    place = index.locate(at)
    assert place is not None
    assert index.document(place[0]).id == "term:a"
    assert place[1] < 0


def test_the_corpus_holds_what_is_searchable_and_nothing_else(store: IndexStore) -> None:
    index = opened(store)
    data = index.corpus().read_bytes()
    assert b"Pull the brake." in data
    for absent in (b"term:derived", b"nodeKinds", b"other.txt"):
        assert absent not in data


def test_a_root_cuts_the_paths(store: IndexStore) -> None:
    files: dict[str, Content] = {f"brain/{path}": content for path, content in FILES.items()}
    below, whole = opened(store, files, "brain"), opened(store)
    assert keys(below, range(below.size)) == keys(whole, range(whole.size))
    assert below.tree == whole.tree
    assert opened(store, files, "absent").size == 0


def test_an_index_of_another_commit_of_the_same_store_is_its_own(store: IndexStore) -> None:
    repository = InMemoryRepository()
    first = repository.add_commit({"a.md": "one\n", "b.md": "two\n"}, FIRST_DAY)
    second = repository.add_commit({"a.md": "one\n", "c.md": "three\n"}, SECOND_DAY)
    before, after = (store.open(repository.snapshot(commit), "", None) for commit in (first, second))
    assert keys(before, range(before.size)) == ["a.md", "b.md"]
    assert keys(after, range(after.size)) == ["a.md", "c.md"]
    assert before.tree != after.tree
    assert b"three" not in before.corpus().read_bytes()
    assert b"three" in after.corpus().read_bytes()


def test_an_empty_brain_has_an_empty_index(store: IndexStore) -> None:
    index = opened(store, {})
    assert (index.size, list(index.skipped), list(index.duplicates)) == (0, [], [])
    assert index.corpus().read_bytes() == b""
    assert index.locate(0) is None


def test_a_note_and_a_record_have_their_forms(store: IndexStore) -> None:
    index = opened(store)
    forms = {index.document(number).key: index.document(number).form for number in range(index.size)}
    assert (forms["term:a"], forms["runbook:x"], forms["notes/ü.md"]) == (Form.GRAPH, Form.MARKDOWN, Form.NOTE)
