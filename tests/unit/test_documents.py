"""From a file's bytes to its documents."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.documents import FileDocuments, heading, is_readable, read_file_documents
from kradle_ctx.model.graph import Document, Edge, Form

BLOB = "b" * 40


def read(path: str, text: str | bytes) -> FileDocuments:
    return read_file_documents(path, BLOB, text.encode() if isinstance(text, str) else text)


def only(path: str, text: str | bytes) -> Document:
    """The one document of a file in which nothing was skipped."""
    found = read(path, text)
    assert found.skipped == ()
    (document,) = found.documents
    return document


@pytest.mark.parametrize(
    ("path", "readable"), [("a.yaml", True), ("a.yml", True), ("a.md", True), ("a.txt", False), ("yaml", False)]
)
def test_yaml_and_markdown_files_are_read(path: str, readable: bool) -> None:
    assert is_readable(path) is readable


def test_a_graph_record_is_read_with_everything_it_says() -> None:
    text = (
        "nodeKind: Runbook\n"
        "id: runbook:x\n"
        "sensitivity: public\n"
        "attributes:\n"
        "  title: |\n    Two\n    lines\n"
        "  status: approved\n"
        "  summary: What to do\n"
        "  owners: [team:a, team:a, team:b]\n"
        "  tags: ci\n"
        "  aliases: [old-name]\n"
        "  repoRefs: [repository:kradle]\n"
        "  sourceRefs: [issue:kradle/91]\n"
        "  updatedAt: 2026-05-10T12:00:00Z\n"
        "edges:\n"
        "  documents: service:web\n"
        "  owned_by: [team:a, {target: team:b, confidence: 1}, {id: team:c}, {nothing: x}, 7]\n"
    )
    document = only("graph/x.yaml", text)
    assert (document.form, document.id, document.kind) == (Form.GRAPH, "runbook:x", "Runbook")
    assert (document.title, document.summary) == ("Two lines", "What to do")
    assert (document.status, document.sensitivity) == ("approved", "public")
    assert (document.owners, document.tags, document.aliases) == (("team:a", "team:b"), ("ci",), ("old-name",))
    assert (document.repo_refs, document.source_refs) == (("repository:kradle",), ("issue:kradle/91",))
    assert document.updated_at == "2026-05-10T12:00:00Z"
    assert document.edges == (
        Edge("runbook:x", "documents", "service:web"),
        Edge("runbook:x", "owned_by", "team:a"),
        Edge("runbook:x", "owned_by", "team:b"),
        Edge("runbook:x", "owned_by", "team:c"),
        Edge("runbook:x", "owned_by", "7"),
    )
    assert (document.line_start, document.line_end) == (1, text.count("\n"))
    assert (document.start, document.end) == (0, len(text.encode()))
    assert (document.key, document.extends) == ("runbook:x", False)


def test_edges_may_be_a_list_of_mappings() -> None:
    text = "nodeKind: A\nid: a:1\nedges: [{kind: uses, target: b:1}, {kind: uses}, {target: b:2}, plain]\n"
    assert only("a.yaml", text).edges == (Edge("a:1", "uses", "b:1"),)


@pytest.mark.parametrize("field", ["title", "displayName", "name", "label"])
def test_a_record_is_titled_by_the_first_field_that_can(field: str) -> None:
    assert only("a.yaml", f"nodeKind: A\nid: a:1\n{field}: The title\n").title == "The title"


def test_a_record_without_a_title_is_titled_by_its_id() -> None:
    assert only("a.yaml", "nodeKind: A\nid: a:1\nattributes: {title: [x]}\n").title == "a:1"


def test_the_stricter_of_two_stated_sensitivities_counts() -> None:
    for outer, inner in (("public", "restricted"), ("restricted", "public")):
        text = f"nodeKind: A\nid: a:1\nsensitivity: {outer}\nattributes: {{sensitivity: {inner}}}\n"
        assert only("a.yaml", text).sensitivity == "restricted"


@pytest.mark.parametrize(
    ("stated", "expected"),
    [("", "internal"), ("sensitivity:\n", "internal"), ("sensitivity: public\n", "public"),
     ("sensitivity: [public]\n", "restricted"), ("sensitivity: true\n", "restricted"),
     ("sensitivity: Public\n", "Public")],
)  # fmt: skip
def test_a_sensitivity_that_is_no_text_is_restricted(stated: str, expected: str) -> None:
    assert only("a.yaml", f"nodeKind: A\nid: a:1\n{stated}").sensitivity == expected
    assert only("a.md", f"---\nid: a:1\nkind: A\n{stated}---\n").sensitivity == expected


def test_every_document_of_a_file_has_its_own_place() -> None:
    texts = ["nodeKind: A\nid: ä:1\n", "null\n", "nodeKind: B\nid: b:1\nattributes: {title: Zürich}\n", "just: data\n"]
    data = "---\n".join(texts).encode()
    first, second = read("many.yaml", data).documents
    assert (first.id, second.id) == ("ä:1", "b:1")
    assert b"nodeKind: A" in data[first.start : first.end]
    assert b"nodeKind: B" not in data[first.start : first.end]
    assert b"id: b:1" in data[second.start : second.end]
    assert b"just: data" not in data[second.start : second.end]
    assert second.line_start <= 6 <= second.line_end


def test_a_document_that_does_not_parse_takes_only_itself() -> None:
    found = read("many.yaml", "nodeKind: A\nid: a:1\n---\nid: [\n---\nnodeKind: B\nid: b:1\n")
    assert [document.id for document in found.documents] == ["a:1", "b:1"]
    (skipped,) = found.skipped
    assert skipped.reason.startswith("invalid YAML: ")
    assert skipped.place.startswith("many.yaml:")


def test_yaml_that_is_no_record_is_passed_over() -> None:
    for text in ("", "null\n", "[a, b]\n", "id: x\n", "nodeKind: A\nid: [x]\n", "nodeKind: A\nid: ''\n", "42\n"):
        assert read("a.yaml", text) == FileDocuments()


def test_a_document_that_extends_a_record_has_its_id_and_edges() -> None:
    text = "extendsNode: {id: service:web, nodeKind: Service}\nedges: {uses: [tool:a]}\n"
    document = only("a.yaml", text)
    assert (document.id, document.kind, document.extends) == ("service:web", "Service", True)
    assert document.edges == (Edge("service:web", "uses", "tool:a"),)


def test_a_markdown_record_has_frontmatter_and_body() -> None:
    text = (
        "---\nid: runbook:x\nkind: Runbook\ntitle: Ünïcode\nowner: team:a\n"
        "related: {documents: [service:web]}\nedges: {uses: tool:a}\n---\n# Other title\n\nBody\n"
    )
    document = only("runbooks/x.md", text)
    assert (document.form, document.id, document.title) == (Form.MARKDOWN, "runbook:x", "Ünïcode")
    assert document.owners == ("team:a",)
    assert [edge.kind for edge in document.edges] == ["documents", "uses"]
    assert document.body_line == 9
    assert text.encode()[document.body :].startswith(b"# Other title")
    assert (document.line_start, document.line_end) == (1, 11)


def test_a_note_is_titled_by_its_frontmatter_its_heading_or_its_file() -> None:
    assert only("notes/a-b.md", "just text\n").title == "a-b"
    assert only("notes/a.md", "text\n# The title ##\n# Second\n").title == "The title"
    assert only("notes/a.md", "---\ntitle: Stated\n---\n# Heading\n").title == "Stated"
    assert only("notes/a.md", "## Not a title\n").title == "a"


def test_a_note_keeps_what_its_frontmatter_says() -> None:
    text = "---\nid: old-id\naliases: [other]\nrepoRefs: [repository:kradle]\nrelated: {mentions: [term:a]}\n---\n"
    note = only("notes/a.md", text)
    assert (note.form, note.id, note.kind, note.key) == (Form.NOTE, None, None, "notes/a.md")
    assert note.aliases == ("other", "old-id")
    assert note.repo_refs == ("repository:kradle",)
    assert note.edges == (Edge("notes/a.md", "mentions", "term:a"),)


def test_an_empty_block_of_frontmatter_says_nothing() -> None:
    note = only("notes/a.md", "---\n---\ntext\n")
    assert (note.form, note.sensitivity, note.body_line) == (Form.NOTE, "internal", 3)


@pytest.mark.parametrize("frontmatter", ["id: [", "- a\n- b", "id: a\nid: b"])
def test_a_note_whose_frontmatter_does_not_parse_is_restricted_and_said(frontmatter: str) -> None:
    found = read("notes/a.md", f"---\n{frontmatter}\n---\ntext\n")
    (note,) = found.documents
    assert (note.form, note.sensitivity) == (Form.NOTE, "restricted")
    (skipped,) = found.skipped
    assert skipped.path == "notes/a.md"
    assert skipped.reason.startswith("invalid frontmatter, so it counts as restricted: ")
    assert skipped.line >= 2


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
        (b"version https://hawser.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
        (b"version http://git-media.io/v/2\noid sha256:0\n", "Git LFS"),
        (b"\xff\xfea\x00", "UTF-16"),
        (b"\xfe\xff\x00a", "UTF-16"),
        ("id: a\n".encode("utf-16-le"), "UTF-16"),
        ("id: a\n".encode("utf-16-be"), "UTF-16"),
        (b"\x00", "binary"),
        (b"\x00\x00a", "binary"),
        (b"text\x00more", "binary"),
    ],
)
def test_what_is_no_text_is_skipped_with_its_reason(data: bytes, reason: str) -> None:
    for path in ("a.md", "a.yaml"):
        found = read(path, data)
        assert found.documents == ()
        assert reason in found.skipped[0].reason


def test_bytes_that_are_not_utf_8_are_skipped_in_yaml_and_searchable_in_markdown() -> None:
    assert read("a.yaml", b"id: \xff\n").skipped[0].reason == "not UTF-8"
    note = only("a.md", b"caf\xe9\n")
    assert (note.form, note.end, note.line_end) == (Form.NOTE, 5, 1)


@pytest.mark.parametrize("value", ["x" * 513, "two\\nlines", "tab\\tbed", "\\u202e", "true", "{a: b}"])
def test_what_is_no_one_line_name_is_no_id(value: str) -> None:
    quoted = value if value in ("true", "{a: b}") else f'"{value}"'
    assert read("a.yaml", f"nodeKind: A\nid: {quoted}\n").documents == ()


def test_a_number_can_be_an_id_and_keeps_its_spelling() -> None:
    assert only("a.yaml", "nodeKind: A\nid: 0123\n").id == "0123"


@pytest.mark.parametrize(("text", "lines"), [("", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\u2028b\x0cc\rd\n", 1)])
def test_lines_are_split_at_line_feeds_alone(text: str, lines: int) -> None:
    assert only("a.md", text).line_end == lines


def test_a_heading_is_a_line_of_its_own() -> None:
    assert heading("no\n") is None
    assert heading("#no\n# yes\r\n") == "yes"
    assert heading("text # no\n") is None


@given(st.text(), st.sampled_from(["a.md", "a.yaml"]))
def test_any_text_is_read_without_an_exception(text: str, path: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    found = read(path, data)
    for document in found.documents:
        assert 0 <= document.start <= document.end <= len(data)
        assert document.start <= document.body <= document.end
        assert 1 <= document.line_start <= document.line_end <= data.count(b"\n") + 1
        assert document.title or document.title == ""


@given(st.binary())
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    for path in ("a.md", "a.yaml"):
        found = read(path, data)
        assert all(entry.path == path and entry.reason for entry in found.skipped)


@pytest.mark.parametrize("stated", ["public", "internal", "restricted", "secret-metadata"])
def test_a_graph_record_may_state_its_sensitivity_beside_or_among_its_attributes(stated: str) -> None:
    for line in (f"sensitivity: {stated}", f"attributes: {{sensitivity: {stated}}}"):
        assert only("a.yaml", f"nodeKind: Term\nid: term:a\n{line}\n").sensitivity == stated
    strict = "sensitivity: restricted\nattributes: {sensitivity: public}\n"
    assert only("a.yaml", f"nodeKind: Term\nid: term:a\n{strict}").sensitivity == "restricted"


def test_a_document_that_extends_a_record_keeps_the_sensitivity_it_states() -> None:
    text = "extendsNode: {id: service:web}\nsensitivity: restricted\nedges: {documents: [term:x]}\n"
    assert only("a.yaml", text).sensitivity == "restricted"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Closed ##\n", "Closed"),
        ("# C#\n", "C#"),
        ("# ##\n# Named\n", "Named"),
        ("#   \n", None),
        ("#\tTab\r\n", "Tab"),
    ],
)
def test_a_heading_is_read_without_the_marks_that_close_it(text: str, title: str | None) -> None:
    assert heading(text) == title


def test_a_heading_of_blanks_costs_no_more_than_its_length() -> None:
    begun = process_time()
    assert (heading("# a" + " " * 20_000 + "b\n") or "").startswith("a ")
    assert heading("# " + " " * 20_000 + "\n") is None
    assert process_time() - begun < 2


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
def test_a_record_that_ends_with_its_frontmatter_has_an_empty_body(ending: bytes) -> None:
    data = b"---\nid: term:a\nkind: Term\n---" + ending
    found = only("a.md", data)
    assert (found.id, found.body, found.body_line, found.line_end) == ("term:a", len(data), 5, 4)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_range_of_each_document_is_its_own_lines_in_bytes(end: str, mark: str) -> None:
    first, second = f"nodeKind: Term{end}id: term:é{end}", f"nodeKind: Term{end}id: term:😀日{end}"
    data = f"{mark}---{end}{first}{end}---{end}{second}".encode()
    documents = read("a.yaml", data).documents
    assert [data[found.start : found.end].decode() for found in documents] == [first, second]
    assert [(found.line_start, found.line_end) for found in documents] == [(2, 3), (6, 7)]
