"""A brain's files: graph records, Markdown records and notes, and the ontology."""

from __future__ import annotations

from hypothesis import strategies as st

from kradle_ctx.documents import NAME_LIMIT, FileDocuments, read_file_documents
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.ontology import read_ontology
from kradle_ctx.yamldoc import InvalidYaml, split_frontmatter
from tests.fuzz.target import Target, bytes_of, kind_of, require
from tests.fuzz.targets import yaml_documents

PATHS = ("open/a.yaml", "open/a.md")
ONTOLOGY = ("ontology/a.yaml", "ontology/b.yaml")
LONGEST_REASON = 300
SCRAPS = (
    *yaml_documents.SCRAPS,
    *(b"nodeKind: ", b"id: ", b"kind: ", b"edges:\n", b"related:\n", b"sensitivity: restricted\n", b"extendsNode:\n"),
    *(b"updatedAt: 2026-13-45\n", b"title: ", b"aliases: [", b"# Title\n", b"---\n", b"attributes:\n  ", b"\xff\xfe"),
    *(b"version https://git-lfs.github.com/spec/v1\n", b"nodeKindFiles: [", b"edgeKindFile: o/a.yaml\n"),
    *(b"required: ",),
)
SEEDS = (
    b"nodeKind: Runbook\nid: runbook:a\nedges: {documents: [term:b, {target: c}]}\nattributes:\n  title: A\n---\n"
    b"extendsNode: {id: runbook:a, nodeKind: Runbook}\nedges:\n- {kind: owns, target: d}\n",
    b"---\nid: runbook:c\nkind: Runbook\ntitle: C\nowners: [t]\nupdatedAt: 2026-05-01\nrelated: {x: y}\n---\n# H\n",
    b"# A note\n\nwith text\n",
    b"nodeKinds:\n- name: Term\n  prefix: term\n  attributes: [{name: title, required: true}]\nedgeKinds:\n  owns:\n"
    b"    source: [Team]\n    target: '*'\n    inverse: owned_by\n",
    b"nodeKindFiles: [ontology/a.yaml, ontology/b.yaml]\nedgeKindFile: ontology/c.yaml\n",
)
FIELDS = st.sampled_from(["id", "kind", "nodeKind", "title", "sensitivity", "edges", "related", "aliases", "updatedAt"])
VALUES = st.sampled_from(
    ["a", "1", "true", "null", "[a, b]", "{x: y}", "{x: [y, {id: z}]}", "'\\x00'", "2026-02-30", ""]
)
LINES = st.builds("{}: {}".format, FIELDS, VALUES) | st.sampled_from(["---", "# x", "", "extendsNode: {id: a}"])


def check(data: bytes) -> str:
    """Read a file as each form, and as an ontology that may name itself."""
    words = []
    for path in PATHS:
        found = read_file_documents(path, "0" * 40, data)
        require(read_file_documents(path, "0" * 40, data) == found, "reading twice gives the same")
        for document in found.documents:
            require_document(document, data)
        require_skipped(found, data)
        words += [*(document.form.value for document in found.documents[:2]), *(reason_of(found))]
    require_closed(read_file_documents(PATHS[1], "0" * 40, data), data)
    ontology = read_ontology(ONTOLOGY, dict.fromkeys(ONTOLOGY, data).get)
    require(all(fault.isprintable() and len(fault) <= 1_000 for fault in ontology.faults), "faults are short lines")
    require(ontology == read_ontology(ONTOLOGY, dict.fromkeys(ONTOLOGY, data).get), "reading is repeatable")
    return " ".join([*words, "kinds" if ontology.node_kinds or ontology.edge_kinds else ""])


def require_document(document: Document, data: bytes) -> None:
    """Check that a document lies within its file, on the lines that it says, and that its names are names."""
    require(0 <= document.start <= document.body <= document.end <= len(data), "offsets lie within the file")
    require(1 + data.count(b"\n", 0, document.start) == document.line_start, "the first line is that of the offset")
    require(document.line_start <= document.line_end <= 1 + data.count(b"\n"), "lines lie within the file")
    require(document.line_start <= document.body_line <= document.line_end + 1, "the body's line lies within")
    require("\n" not in document.title, "a title is one line")
    stated = (document.id, document.kind, document.status, *document.owners, *document.aliases, *document.tags)
    names = [*stated, *(name for edge in document.edges for name in (edge.source, edge.target))]
    require(
        all(name is None or (name.isprintable() and 0 < len(name) <= NAME_LIMIT) for name in names), "names are names"
    )
    require((document.id is None) == (document.kind is None) or document.extends, "a record has an id and a kind")
    require(document.form is not Form.GRAPH or document.id is not None, "a graph document is a record")


def require_skipped(found: FileDocuments, data: bytes) -> None:
    """Check that what could not be read is said in one line, with a line of the file."""
    for skipped in found.skipped:
        require(skipped.reason.isprintable() and len(skipped.reason) <= LONGEST_REASON, "a reason is one short line")
        require(0 <= skipped.line <= 1 + data.count(b"\n"), "a reason's line lies within the file")


def require_closed(found: FileDocuments, data: bytes) -> None:
    """Check that a note whose frontmatter cannot be read counts as restricted."""
    block = split_frontmatter(data.decode(errors="replace"))
    if block is None or not found.documents:
        return
    try:
        readable = isinstance(block.value(), dict | type(None))
    except InvalidYaml:
        readable = False
    require(readable or found.documents[0].sensitivity == "restricted", "what is unreadable is restricted")


def reason_of(found: FileDocuments) -> list[str]:
    """The first reason for which something was skipped, without what changes."""
    return [kind_of(skipped.reason)[:40] for skipped in found.skipped[:1]]


TARGET = Target(
    name="records",
    promise="documents lie where they say, names are names, and what cannot be read is said and closed",
    check=check,
    inputs=st.lists(LINES, max_size=14).map("\n".join).map(bytes_of),
    seeds=lambda: list(SEEDS),
    scraps=SCRAPS,
)
