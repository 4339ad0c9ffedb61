"""What every `IndexStore` does, over snapshots in memory and of real repositories."""

from __future__ import annotations

import gc

import pytest

from kradle_ctx.model.graph import Edge, Form
from kradle_ctx.ports import Index
from tests.adapters.opened import Open, places, two
from tests.fakes import Content
from tests.pipeline import SECOND_DAY, graph_record, markdown


def text_of(index: Index) -> bytes:
    """The text of all documents, as a searcher gets it."""
    corpus = index.corpus(range(index.size))
    return corpus.path.read_bytes()


def test_documents_are_numbered_in_path_byte_and_line_order(index_of: Open) -> None:
    index = index_of(
        {
            "é.md": "x\n",
            "b.md": "x\n",
            "a.yaml": two(graph_record("term:b", "Term"), graph_record("term:a", "Term")),
            "a/z.md": "x\n",
            "a-b.md": "x\n",
            "Z.md": "x\n",
        }
    )
    expected = [("Z.md", 1), ("a-b.md", 1), ("a.yaml", 2), ("a.yaml", 4), ("a/z.md", 1), ("b.md", 1), ("é.md", 1)]
    assert index.size == len(expected)
    assert places(index, range(index.size)) == expected


def test_an_empty_commit_has_an_empty_index(index_of: Open) -> None:
    index = index_of({"README.txt": "x\n"})
    assert (index.size, list(index.skipped), list(index.duplicates)) == (0, [], [])
    assert text_of(index) == b""


def test_a_document_is_found_by_id_alias_and_path(index_of: Open) -> None:
    index = index_of(
        {
            "a.yaml": two(
                graph_record("term:a", "Term", aliases=["old"]), graph_record("term:b", "Term", aliases=["term:a"])
            ),
            "c.yaml": '{"extendsNode": {"id": "term:a"}, "edges": {"mentions": ["term:b"]}}\n',
        }
    )
    assert places(index, index.named("old")) == [("a.yaml", 2)]
    assert places(index, index.named("term:a")) == [("a.yaml", 2), ("a.yaml", 4), ("c.yaml", 1)]
    assert places(index, index.at_path("a.yaml")) == [("a.yaml", 2), ("a.yaml", 4)]
    assert list(index.named("absent")) == list(index.at_path("absent")) == list(index.named("a.yaml")) == []


@pytest.mark.parametrize("field", ["repoRefs", "sourceRefs", "tags"])
def test_a_reference_is_found_by_its_value(index_of: Open, field: str) -> None:
    index = index_of(
        {"a.yaml": graph_record("term:a", "Term", **{field: ["x", "y"]}), "b.md": markdown("", **{field: ["x"]})}
    )
    assert places(index, index.referring("x")) == [("a.yaml", 1), ("b.md", 1)]
    assert places(index, index.referring("y")) == [("a.yaml", 1)]
    assert list(index.referring("term:a")) == []


def test_incoming_edges_name_their_document_and_each_edge_once(index_of: Open) -> None:
    index = index_of(
        {
            "a.yaml": graph_record("term:a", "Term", edges={"mentions": ["term:x", "term:x"], "documents": ["term:x"]}),
            "n.md": markdown("", related={"mentions": ["term:x"]}),
        }
    )
    found = [(index.document(number).path, edge) for number, edge in index.incoming("term:x")]
    assert found == [
        ("a.yaml", Edge("term:a", "mentions", "term:x")),
        ("a.yaml", Edge("term:a", "documents", "term:x")),
        ("n.md", Edge("n.md", "mentions", "term:x")),
    ]
    assert list(index.incoming("term:a")) == []


def test_ids_declared_more_than_once_are_listed_in_text_order(index_of: Open) -> None:
    twice = two(graph_record("term:z", "Term"), graph_record("term:b", "Term"))
    index = index_of(
        {
            "a.yaml": twice,
            "b.yaml": twice,
            "c.yaml": graph_record("term:c", "Term", aliases=["term:d"]),
            "d.yaml": graph_record("term:d", "Term"),
            "e.yaml": '{"extendsNode": {"id": "term:c"}, "edges": {}}\n',
        }
    )
    assert list(index.duplicates) == ["term:b", "term:z"]


def test_the_text_of_a_document_is_its_whole_blob(index_of: Open) -> None:
    files: dict[str, Content] = {
        "a.yaml": two(graph_record("term:a", "Term"), graph_record("term:b", "Term")),
        "b.md": b"caf\xe9\r\n",
    }
    index = index_of(files)
    assert [index.text(index.document(number)) for number in range(3)] == [
        files["a.yaml"].encode(),  # type: ignore[union-attr]
        files["a.yaml"].encode(),  # type: ignore[union-attr]
        b"caf\xe9\r\n",
    ]


def test_every_byte_of_the_corpus_leads_to_its_document(index_of: Open) -> None:
    files: dict[str, Content] = {
        "a.yaml": two(graph_record("term:é", "Term"), "other: 1\n---\n" + graph_record("term:b", "Term")),
        "dir/é.md": b"\xef\xbb\xbf# caf\xe9\r\n\x85last",
        "z.md": "",
    }
    index = index_of(files)
    corpus = index.corpus(range(index.size))
    text = corpus.path.read_bytes()
    found: dict[int, bytearray] = {number: bytearray() for number in range(index.size)}
    paths: dict[str, bytearray] = {}
    for offset in range(len(text)):
        place = corpus.locate(offset)
        assert place is not None
        number, start = place
        document = index.document(number)
        if start < 0:
            assert number == index.at_path(document.path)[0]
            paths.setdefault(document.path, bytearray()).append(text[offset])
        elif start < document.end:
            assert text[offset] == index.text(document)[start]
            found[number].append(text[offset])
    for number in range(index.size):
        document = index.document(number)
        assert bytes(found[number]) == index.text(document)[document.start : document.end]
    assert {path: bytes(line).decode() for path, line in paths.items()} == {path: f"{path}\n" for path in files}


def test_the_corpus_holds_the_given_documents_and_no_byte_of_others(index_of: Open) -> None:
    files = {"a.md": "alpha\n", "b.yaml": two(graph_record("term:beta", "Term"), graph_record("term:gamma", "Term"))}
    index = index_of(files | {"c.md": "delta\n"})
    corpus = index.corpus([0, 2])
    text = corpus.path.read_bytes()
    assert all(word in text for word in (b"a.md", b"alpha", b"b.yaml", b"term:gamma"))
    assert not any(word in text for word in (b"term:beta", b"c.md", b"delta"))
    assert corpus.locate(text.index(b"b.yaml")) == (2, -1)
    assert corpus.locate(text.index(b"alpha")) == (0, 0)


def test_a_corpus_lives_as_long_as_it_is_held(index_of: Open) -> None:
    index = index_of({"a.md": "brake\n"})
    corpus = index.corpus([0])
    other = index.corpus([])
    gc.collect()
    assert b"brake" in corpus.path.read_bytes()
    assert other.path.read_bytes() == b""


def test_derived_files_and_other_forms_are_not_read(index_of: Open) -> None:
    files = {
        "indexes/a.yaml": graph_record("term:a", "Term"),
        "indexes/b.md": "x\n",
        "c.txt": "x\n",
        "d.json": "{}",
        "my-indexes/e.md": "x\n",
    }
    assert places(index_of(files), range(1)) == [("my-indexes/e.md", 1)]


def test_a_derived_file_that_cannot_be_read_is_not_missed(index_of: Open) -> None:
    index = index_of({"a.md": "x\n", "indexes/large.json": "x" * (1 << 20) + "x"}, symlinks={"indexes/b.md": "a.md"})
    assert list(index.skipped) == []


def test_ontology_files_are_context_and_no_records(index_of: Open) -> None:
    kind = "nodeKinds: [Term]\nnodeKind: Term\nid: term:not-a-record\n"
    index = index_of({"ontology/kinds.yaml": kind, "ontology/README.md": "x\n", "other.yaml": kind})
    assert list(index.ontology.node_kinds) == ["Term"]
    forms = {index.document(number).path: index.document(number).form for number in range(index.size)}
    assert forms == {
        "ontology/README.md": Form.NOTE,
        "ontology/kinds.yaml": Form.ONTOLOGY,
        "other.yaml": Form.GRAPH,
    }
    assert [index.document(number).path for number in index.named("term:not-a-record")] == ["other.yaml"]


def test_the_ontology_path_is_asked_for_by_name(index_of: Open) -> None:
    files = {"ontology/a.yaml": "nodeKinds: [A]\n", "other/b.yaml": "nodeKinds: [B]\n"}
    index = index_of(files, ontology="other/b.yaml")
    assert (index.ontology.origin, list(index.ontology.node_kinds)) == ("other/b.yaml", ["B"])


def test_what_could_not_be_read_is_listed(index_of: Open) -> None:
    index = index_of(
        {
            "bad.yaml": "nodeKind: a: b\n",
            "lfs.md": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "ok.md": "x\n",
            "open.md": "---\ntitle: [\n---\nx\n",
        },
        symlinks={"link.md": "ok.md"},
    )
    assert sorted(entry.path for entry in index.skipped) == ["bad.yaml", "lfs.md", "link.md", "open.md"]
    assert places(index, range(index.size)) == [("ok.md", 1), ("open.md", 1)]
    assert index.document(1).sensitivity == "restricted"


def test_paths_are_relative_to_the_root_and_nothing_outside_is_read(index_of: Open) -> None:
    files = {".company-brain/notes/a.md": "x\n", "notes/b.md": "x\n", ".company-brain-2/c.md": "x\n"}
    index = index_of(files, root=".company-brain")
    assert places(index, range(index.size)) == [("notes/a.md", 1)]
    assert index.document(0).form is Form.NOTE
    assert text_of(index).startswith(b"notes/a.md\n")


def test_the_tree_names_the_root_and_follows_every_change_below_it(index_of: Open) -> None:
    files = {"brain/a.md": "x\n", "other/b.md": "x\n"}
    first = index_of(files, root="brain")
    same = index_of(files | {"other/b.md": "y\n"}, root="brain", at=SECOND_DAY)
    other = index_of(files | {"brain/a.md": "y\n"}, root="brain", at="2026-05-04T00:00:00Z")
    assert first.tree == same.tree != other.tree


def test_one_store_opens_many_commits_and_mixes_none(index_of: Open) -> None:
    first = index_of({"a.md": markdown("one\n", title="One"), "b.md": "same\n"})
    second = index_of({"a.md": markdown("two\n", title="Two"), "b.md": "same\n", "c.md": "same\n"}, at=SECOND_DAY)
    assert [first.document(number).title for number in range(first.size)] == ["One", "b"]
    assert [second.document(number).title for number in range(second.size)] == ["Two", "b", "c"]
    assert b"one" in text_of(first)
    assert b"one" not in text_of(second)
    assert [second.document(number).path for number in second.at_path("c.md")] == ["c.md"]
