"""From where a check found something to lines and columns: each place is marked in its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.checks.check import Where, at_edge, at_field, at_file
from kradle_ctx.documents import read_declarations
from kradle_ctx.model.findings import Span
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.validation.places import Places
from kradle_ctx.yamldoc import read_documents, split_frontmatter
from tests.fakes import Content
from tests.properties.examples import examples
from tests.properties.validated_brains import graph_files, pages

Find = Callable[[Document], Where]

LINE_ENDS, MARK = ("\n", "\r\n"), "\ufeff"


def marked(text: str) -> tuple[str, Span]:
    """A text without its marks, and the place between them."""
    before, _, rest = text.partition("«")
    inside, _, behind = rest.partition("»")
    start, end = before.split("\n"), (before + inside).split("\n")
    span = Span(len(start), len(start[-1]) + 1, len(end), len(end[-1]) + 1)
    return before + inside + behind, span


def found_in(text: str, path: str, find: Find, number: int = 0) -> Span:
    """Where something in a document of a file is found."""
    documents = read_declarations(path, "0" * 40, text.encode()).declarations
    return Places(lambda asked: {path: text}[asked]).span(find(documents[number].document))


def field(*pointer: str | int, key: bool = False) -> Find:
    """A field."""
    return lambda document: at_field(document, *pointer, key=key)


def edge(number: int) -> Find:
    """An edge by its place among those of its document."""
    return lambda document: at_edge(document, document.edges[number])


RECORD = "nodeKind: Runbook\nid: runbook:gate\n"
PAGE = "---\nid: runbook:gate\nkind: Runbook\n"

GRAPH_FIELDS = {
    "the id": ("nodeKind: Runbook\nid: «runbook:gate»\n", field("id")),
    "the id in quotes": ('nodeKind: Runbook\nid: «"runbook:gate"»  # so\n', field("id")),
    "the id last": ("nodeKind: Runbook\nattributes:\n  id: other:one\nid: «runbook:gate»\n", field("id")),
    "the id in a flow mapping": ("{nodeKind: Runbook, id: «'runbook:gate'»}\n", field("id")),
    "the key of the id": ("nodeKind: Runbook\n«id»: runbook:gate\n", field("id", key=True)),
    "the kind": ("nodeKind: «Runbook»\nid: runbook:gate\n", field("nodeKind")),
    "an attribute": (RECORD + "attributes:\n  title: «Depot gate»\n", field("title")),
    "an attribute beside an attribute of its name below": (
        RECORD + "attributes:\n  more: {title: no}\n  title: «yes»\n",
        field("title"),
    ),
    "a field at the top": (RECORD + "title: «Depot gate» # comment\n", field("title")),
    "a field at the top beside attributes": (RECORD + "attributes: {summary: a}\ntitle: «b»\n", field("title")),
    "the attribute where it stands at the top, too": (
        RECORD + "title: no\nattributes:\n  title: «yes»\n",
        field("title"),
    ),
    "a kind that is an attribute, too": ("attributes: {nodeKind: no}\nnodeKind: «R»\nid: a:b\n", field("nodeKind")),
    "the key of an attribute": (RECORD + "attributes:\n  «title»: Depot gate\n", field("title", key=True)),
    "a list by its key": (RECORD + "attributes:\n  «owners»: [team:a, team:b]\n", field("owners")),
    "an item of a list": (RECORD + "attributes:\n  owners: [team:a, «team:b»]\n", field("owners", 1)),
    "an item of a block": (RECORD + "attributes:\n  owners:\n    - team:a\n    - «team:b»\n", field("owners", 1)),
    "an item that is not there": (RECORD + "attributes:\n  «owners»: [team:a]\n", field("owners", 7)),
    "an item of what is no list": (RECORD + "attributes:\n  owners: «team:a»\n", field("owners", 0)),
    "a value deep inside": (RECORD + "attributes:\n  a:\n    - b: {c: [1, «2»]}\n", field("a", 0, "b", "c", 1)),
    "a mapping deep inside": (RECORD + "attributes:\n  a:\n    - «b»: {c: [1, 2]}\n", field("a", 0, "b")),
    "an empty value": (RECORD + "attributes:\n  title:«»\n  x: 1\n", field("title")),
    "a field that is not there": ("nodeKind: Runbook\nid: «runbook:gate»\nattributes: {}\n", field("title")),
    "a field below one that is not there": ("nodeKind: Runbook\nid: «runbook:gate»\n", field("a", "b", 0)),
    "a field where there is no id": ("«nodeKind: Runbook»\nattributes: {}\n", field("title")),
    "a text of several lines by its key": (RECORD + "attributes:\n  «text»: |\n    one\n    two\n", field("text")),
    "a text in quotes over lines by its key": (RECORD + 'attributes:\n  «text»: "one\n    two"\n', field("text")),
    "a plain text over lines by its key": (RECORD + "attributes:\n  «text»: one\n    two\n", field("text")),
    "a block of one line by its key": (RECORD + "attributes:\n  «text»: >-\n    one\n", field("text")),
    "an item of several lines by its first": (
        RECORD + "attributes:\n  texts:\n    - «|»\n      one\n      two\n    - b\n",
        field("texts", 0),
    ),
    "a mapping in a list by its first line": (
        RECORD + "attributes:\n  steps:\n    - «run: a»\n      then: b\n",
        field("steps", 0),
    ),
    "behind a wide character": (RECORD + "attributes: {summary: 日本語😀, title: «x»}\n", field("title")),
    "behind what looks like it": (RECORD + "attributes:\n  text: 'title: no'\n  title: «yes»\n", field("title")),
    "behind an anchor": (RECORD + "attributes:\n  title: «&here Depot»\n", field("title")),
    "a tagged value": (RECORD + "attributes:\n  title: «!!str Depot»\n", field("title")),
    "what is added to": ("extendsNode: {id: «runbook:gate»}\nedges: {}\n", field("extendsNode", "id")),
}

PAGE_FIELDS = {
    "the id": ("---\nid: «runbook:gate»\nkind: Runbook\n---\nid: no\n", field("id")),
    "the kind": ("---\nid: runbook:gate\nkind: «Runbook»\n---\nkind: no\n", field("kind")),
    "a field": (PAGE + "title: «Depot gate»\n---\ntitle: no\n", field("title")),
    "an item": (PAGE + "owners:\n- team:a\n- «team:b»\n---\n", field("owners", 1)),
    "a field named attributes": (PAGE + "attributes:\n  title: no\ntitle: «yes»\n---\n", field("title")),
    "below a field named attributes": (PAGE + "attributes:\n  title: «x»\n---\n", field("attributes", "title")),
    "a field that is not there": ("---\nid: «runbook:gate»\nkind: Runbook\n---\n", field("title")),
    "a page without an id": ("---\n«kind: Runbook»\ntitle: x\n---\n", field("id")),
}

GRAPH_EDGES = {
    "a bare target": (RECORD + "edges:\n  documents: «service:a»\n", edge(0)),
    "a target in a list": (RECORD + "edges:\n  documents: [service:a, «service:b»]\n", edge(1)),
    "a target in a block": (RECORD + "edges:\n  documents:\n    - service:a\n    - «service:b»\n", edge(1)),
    "a target of a mapping": (RECORD + "edges:\n  documents:\n    - target: «service:a»\n", edge(0)),
    "an id of a mapping": (RECORD + "edges:\n  documents:\n    - {id: «service:a», since: x}\n", edge(0)),
    "a mapping instead of a list": (RECORD + "edges:\n  documents: {target: «service:a»}\n", edge(0)),
    "a list of kinds and targets": (
        RECORD + "edges:\n- {kind: depends_on, target: service:a}\n- kind: documents\n  target: «service:a»\n",
        edge(1),
    ),
    "a list of targets and kinds": (RECORD + "edges:\n- target: «service:a»\n  kind: documents\n", edge(0)),
    "a target of two kinds": (
        RECORD + "edges:\n  documents: [service:a]\n  depends_on:\n    - «service:a»\n",
        edge(1),
    ),
    "a target of two kinds in flow": (
        RECORD + "edges: {documents: [service:a], depends_on: [«service:a»]}\n",
        edge(1),
    ),
    "a target that stands elsewhere, too": (
        "nodeKind: R\nid: a:b\nattributes:\n  title: see service:a\nedges: {documents: [«service:a»]}\n",
        edge(0),
    ),
    "a target that is the beginning of another": (
        RECORD + "edges:\n  documents: [service:ab, service:a-b, service:a.b, service:a/b, «service:a»]\n",
        edge(4),
    ),
    "a target that is the record itself": (RECORD + "edges:\n  documents: [«runbook:gate»]\n", edge(0)),
    "a target in quotes": (RECORD + "edges:\n  documents: [«'service:a'»]\n", edge(0)),
    "a target with an escape": (RECORD + 'edges:\n  documents: [«"service\\x3aa"»]\n', edge(0)),
    "a target that only a comment spells out": (
        RECORD + '# service:a\nedges:\n  documents: [«"service\\x3aa"»]\n',
        edge(0),
    ),
    "a target in a comment before it": (RECORD + "# was service:a\nedges:\n  documents: [«service:a»]\n", edge(0)),
    "a target that is an alias": (
        "nodeKind: R\nid: &own runbook:gate\nedges:\n  documents: [«*own»]\n",
        edge(0),
    ),
    "a kind in quotes": (
        RECORD + 'attributes: {x: service:a}\nedges:\n  "documents": [service:b]\n  "depends_on": [«service:a»]\n',
        edge(1),
    ),
    "a kind like the end of another": (
        RECORD + "attributes: {x: service:a}\nedges:\n  also_documents: [service:b]\n  documents: [«service:a»]\n",
        edge(1),
    ),
    "a kind that is an attribute, too": (
        RECORD + "attributes:\n  documents: [service:a]\nedges:\n  documents: [«service:a»]\n",
        edge(0),
    ),
    "edges with attributes": (
        RECORD + "edges:\n  documents:\n    - target: service:b\n      note: service:a\n    - target: «service:a»\n",
        edge(1),
    ),
    "an edge that is added": ("extendsNode: {id: runbook:gate}\nedges:\n  documents: [«service:a»]\n", edge(0)),
    "a number": (RECORD + "edges:\n  documents: [«12»]\n", edge(0)),
    "a target in blanks": (RECORD + "edges:\n  documents: [' «service:a» ']\n", edge(0)),
    "a target over two lines": (RECORD + 'edges:\n  documents:\n    - «"service:\\»\n      a"\n', edge(0)),
}

PAGE_EDGES = {
    "related": (PAGE + "related:\n  documents: [«service:a»]\n---\nservice:a\n", edge(0)),
    "edges": (PAGE + "edges:\n  documents: [«service:a»]\n---\n", edge(0)),
    "edges beside related": (
        PAGE + "related:\n  documents: [service:a]\nedges:\n  depends_on: [«service:a»]\n---\n",
        edge(1),
    ),
    "related beside edges": (
        PAGE + "edges:\n  depends_on: [service:a]\nrelated:\n  documents: [«service:a»]\n---\n",
        edge(0),
    ),
    "a list of related": (PAGE + "related:\n- {kind: documents, target: «service:a»}\n---\n", edge(0)),
    "of a note": ("---\nid: gate\nkind: 1\nrelated:\n  documents: [«service:a»]\n---\n", edge(0)),
}

CASES = [
    pytest.param(path, text, find, id=f"{path} {name}")
    for path, cases in (
        ("graph/a.yaml", GRAPH_FIELDS),
        ("pages/a.md", PAGE_FIELDS),
        ("graph/a.yml", GRAPH_EDGES),
        ("pages/b.md", PAGE_EDGES),
    )
    for name, (text, find) in cases.items()
]


@pytest.mark.parametrize("ends", LINE_ENDS, ids=["LF", "CRLF"])
@pytest.mark.parametrize("begin", ["", MARK], ids=["", "BOM"])
@pytest.mark.parametrize(("path", "text", "find"), CASES)
def test_what_is_marked_is_where_it_is_found(path: str, text: str, find: Find, begin: str, ends: str) -> None:
    whole, span = marked(begin + text.replace("\n", ends))

    assert found_in(whole, path, find) == span


@pytest.mark.parametrize(
    "before", ["---\n", "# a comment\n\n", "nodeKind: Team\nid: team:é\n---\n", "a: 😀\n--- # b\n"]
)
@pytest.mark.parametrize(
    ("text", "find"),
    [GRAPH_FIELDS["the id"], GRAPH_FIELDS["an attribute"], GRAPH_EDGES["a target of two kinds"]],
)
def test_a_document_is_found_behind_others(before: str, text: str, find: Find) -> None:
    whole, span = marked(before + text + "---\nnodeKind: Service\nid: service:a\nattributes: {title: no}\n")
    number = before.count("team:é")

    assert found_in(whole, "graph/a.yaml", find, number) == span


def test_a_document_ends_where_the_next_begins() -> None:
    text, span = marked("nodeKind: R\nid: «a:b»\n---\nnodeKind: R\nid: c:d\ntitle: no\n")

    assert found_in(text, "a.yaml", field("title")) == span


def test_a_place_without_a_document_is_what_was_said() -> None:
    assert Places(lambda path: "").span(at_file("a.yaml", 7, 3)) == Span(7, 3, 7, 3)


def test_a_file_that_is_gone_has_a_first_line() -> None:
    text = "nodeKind: R\nid: a:b\ntitle: x\n"
    document = read_declarations("a.yaml", "0" * 40, text.encode()).declarations[0].document

    assert Places(lambda path: "").span(at_field(document, "title")) == Span()


def test_every_file_is_read_once_though_places_lead_back_and_forth() -> None:
    asked: list[str] = []
    text = "nodeKind: R\nid: a:b\ntitle: x\n"

    def read(path: str) -> str:
        asked.append(path)
        return text

    places = Places(read)
    documents = [
        read_declarations(path, "0" * 40, text.encode()).declarations[0].document for path in ("a.yaml", "b.yaml")
    ]
    for _ in range(5):
        for document in documents:
            places.span(at_field(document, "title"))

    assert asked == ["a.yaml", "b.yaml"]


def scalars_below(node: yaml.Node | None, edge_kind: str | None = None) -> Iterator[tuple[str | None, str, int, int]]:
    """Every scalar below what states edges, as PyYAML has it: the kind of its edge, its text, and where it stands."""
    if isinstance(node, yaml.ScalarNode):
        yield edge_kind, node.value, node.start_mark.index, node.end_mark.index
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            stated = {key.value: value.value for key, value in item.value} if isinstance(item, yaml.MappingNode) else {}
            yield from scalars_below(item, edge_kind or stated.get("kind"))
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from scalars_below(value, edge_kind or key.value)


def stated_edges(text: str) -> set[tuple[str | None, str, int, int]]:
    """The scalars in what states the edges of one document."""
    node = yaml.compose(text, Loader=yaml.CSafeLoader)
    parts = {key.value: value for key, value in node.value} if isinstance(node, yaml.MappingNode) else {}
    return {found for name in ("edges", "related") for found in scalars_below(parts.get(name))}


def yaml_texts(content: Content, path: str) -> Iterator[tuple[int, str]]:
    """The YAML of each document of a file, and the line before it."""
    text = content if isinstance(content, str) else content.decode()
    if path.endswith(".md"):
        frontmatter = split_frontmatter(text)
        assert frontmatter is not None
        yield frontmatter.first_line - 1, frontmatter.yaml
        return
    for document in read_documents(text):
        yield text.count("\n", 0, document.start), text[document.start : document.end]


@settings(max_examples=examples(60), deadline=None)
@given(st.one_of(st.tuples(st.just("a.yaml"), graph_files()), st.tuples(st.just("a.md"), pages())))
def test_an_edge_stands_where_another_reader_finds_its_target(file: tuple[str, str]) -> None:
    path, text = file
    known: set[tuple[str | None, str, Span]] = set()
    for before, part in yaml_texts(text, path) if path != "a.md" or text.startswith("---") else ():
        for kind, value, start, end in stated_edges(part):
            lines = [part[:place].split("\n") for place in (start, end)]
            places = [number for line in lines for number in (before + len(line), len(line[-1]) + 1)]
            known.add((kind, value, Span(*places)))
    places = Places(lambda asked: text)

    for declaration in read_declarations(path, "0" * 40, text.encode()).declarations:
        document = declaration.document
        for stated in document.edges:
            assert (stated.kind, stated.target, places.span(at_edge(document, stated))) in known


def test_a_note_has_no_edge_but_related() -> None:
    text = "---\nrelated:\n  documents: [service:a]\nedges:\n  depends_on: [service:b]\n---\n"
    (document,) = read_declarations("a.md", "0" * 40, text.encode()).documents.documents

    assert document.form is Form.NOTE
    assert [stated.target for stated in document.edges] == ["service:a"]
    assert Places(lambda path: text).span(at_edge(document, document.edges[0])) == Span(3, 15, 3, 24)
