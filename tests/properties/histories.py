"""Random histories of a brain: commits that add, edit, rename and remove files of every form."""

from __future__ import annotations

import json
from dataclasses import dataclass

from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.model.access import DEFAULT_SENSITIVITIES, SENSITIVITIES, Access, Grant
from kradle_ctx.model.request import QueryMode, Request
from tests.fakes import Content
from tests.properties.brains import (
    EDGE_KINDS,
    IDS,
    bodies,
    edges,
    fields,
    files,
    graph_text,
    requests,
    sentences,
    words,
)
from tests.properties.test_non_interference import ALL_KINDS, WORDS_OF_SENSITIVITY, grants

PLACES = ("open/a", "open/b-b", "open/b/c", "open/b", "open/é", "closed/far/ü ü", "o/a", "[x]/deep/er", "indexes/graph")
"""Places of files without their suffix; some are sorted otherwise than their folders are."""

HIDDEN = ".company-brain/"

SOME_SENSITIVITIES = st.sampled_from([DEFAULT_SENSITIVITIES, SENSITIVITIES])

ONTOLOGY_PATHS = (*[None] * 9, "ontology/kinds.yaml", "ontology/", "schema", "open/a.yaml", "absent.yaml")

BROKEN: tuple[Content, ...] = (
    "nodeKind: a: b\n",
    "---\nid: [\n---\ncarriage\n",
    b"\x00",
    b"caf\xe9 carriage\n",
    b"\xff\xfec\x00a\x00",
    "",
    "nodeKind: Term\nid: term:a\nattributes: {updatedAt: 2026-13-45}\n",
    "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
)
"""Content that cannot be read, in whole or in part."""

KINDS_FILE = json.dumps({"nodeKinds": ["Term", {"name": "Runbook", "idPrefix": "runbook"}], "edgeKinds": EDGE_KINDS})
MANIFEST = json.dumps({"nodeKindFiles": ["schema/nodes.yaml"], "edgeKindFile": "schema/edges.yaml"})

CONTEXT: dict[str, tuple[Content, ...]] = {
    "ontology/kinds.yaml": (KINDS_FILE, "nodeKinds: {Term: {required: [title]}}\n", "nodeKinds: [\n"),
    "ontology/README.md": ("# Kinds of carriage\n",),
    "schema/ontology-schema.yaml": (MANIFEST, '{"nodeKindFiles": ["open/a.yaml"]}'),
    "schema/nodes.yaml": (KINDS_FILE, "nodeKinds: [Term]\n"),
    "schema/edges.yaml": ("edgeKinds: [documents]\n",),
}
"""Files of an ontology and their contents."""


@dataclass(frozen=True, slots=True)
class Tree:
    """What a commit holds."""

    files: dict[str, Content]
    symlinks: dict[str, str]


@st.composite
def notes(draw: st.DrawFn) -> str:
    """A note that mentions records."""
    marks = st.sampled_from(("see [[{}]]", "{}.", "x/{}", "{}-more", "{}", "no:{}"))
    said = [draw(marks).format(draw(st.sampled_from(IDS))) for _ in range(draw(st.integers(1, 3)))]
    return f"# {draw(sentences)}\n\n{' '.join(said)}\n{draw(bodies)}"


@st.composite
def graph_files(draw: st.DrawFn) -> str:
    """A graph file of several documents: records, additions to records, and what is neither."""
    record = st.builds(graph_text, fields(st.sampled_from(IDS), ALL_KINDS), st.sampled_from(WORDS_OF_SENSITIVITY))
    addition = st.builds(
        lambda name, stated: json.dumps({"extendsNode": {"id": name}, "edges": stated}) + "\n",
        st.sampled_from(IDS),
        edges,
    )
    other = st.sampled_from(("other: 1\n", "null\n", "nodeKind: a: b\n"))
    documents = draw(st.lists(st.one_of(record, record, addition, other), min_size=1, max_size=4))
    return "---\n".join(documents)


@st.composite
def contents(draw: st.DrawFn) -> tuple[str, Content]:
    """The end of a path and what stands there."""
    form = draw(st.sampled_from(("several", "note", "file", "file", "broken")))
    if form == "several":
        return draw(st.sampled_from((".yaml", ".yml"))), draw(graph_files())
    if form == "note":
        return ".md", draw(notes())
    if form == "file":
        return draw(files(st.sampled_from(IDS), draw(st.sampled_from(WORDS_OF_SENSITIVITY))))
    return draw(st.sampled_from((".md", ".yaml", ".txt"))), draw(st.sampled_from(BROKEN))


@st.composite
def some_files(draw: st.DrawFn, most: int) -> dict[str, Content]:
    """Files at random places, and sometimes one of an ontology."""
    found: dict[str, Content] = {}
    for place in draw(st.lists(st.sampled_from(PLACES), max_size=most)):
        suffix, text = draw(contents())
        found[place + suffix] = text
    if draw(st.integers(0, 7)) == 0:
        path = draw(st.sampled_from(sorted(CONTEXT)))
        found[path] = draw(st.sampled_from(CONTEXT[path]))
    return found


@st.composite
def next_tree(draw: st.DrawFn, before: Tree) -> Tree:
    """A tree that differs from another in a few places, or in its root."""
    after, links = dict(before.files), dict(before.symlinks)
    for path in draw(st.lists(st.sampled_from(sorted(after)), max_size=2, unique=True)) if after else ():
        content = after.pop(path)
        if draw(st.booleans()):
            name = f"{path.rpartition('/')[0]}/{draw(words)}-renamed.{path.rpartition('.')[2]}".lstrip("/")
            after[name] = content
    for path in draw(st.lists(st.sampled_from(sorted(after)), max_size=2, unique=True)) if after else ():
        suffix, text = draw(contents())
        if path.endswith(suffix) and path not in CONTEXT:
            after[path] = text
    after |= draw(some_files(2))
    die = draw(st.integers(0, 9))
    if die == 0:
        after |= {HIDDEN + path: content for path, content in draw(some_files(3)).items()}
    elif die == 1:
        after = {path: content for path, content in after.items() if not path.startswith(HIDDEN)}
    elif die == 2:
        links = {} if links else {"open/link.md": "a.md"}
    return Tree(after or {"README.txt": "x"}, links)


@st.composite
def histories(draw: st.DrawFn, most: int = 4) -> list[Tree]:
    """The trees of commits, one after the other."""
    trees = [Tree({"README.txt": "carriage", **draw(some_files(7))}, {})]
    for _ in range(draw(st.integers(1, most - 1))):
        trees.append(draw(next_tree(trees[-1])))
    return trees


@st.composite
def accesses(draw: st.DrawFn) -> Access:
    """A grant of nearly everything, or one or two of any kind; most read a brain with a broken ontology, too."""
    lenient = draw(st.integers(0, 5)) > 0
    if draw(st.integers(0, 3)) > 0:
        excluded = draw(st.lists(st.sampled_from(("open/a*", "closed/**", "**/*.yml")), max_size=1))
        some = [Grant("most", paths=("**",), exclude_paths=tuple(excluded), sensitivities=draw(SOME_SENSITIVITIES))]
    else:
        some = draw(st.lists(grants(), min_size=1, max_size=2))
    return Access(tuple(replace(grant, allow_invalid_ontology=lenient) for grant in some), draw(st.integers(0, 5)) == 0)


@st.composite
def questions(draw: st.DrawFn) -> Request:
    """A request in any mode, also for an ontology at a path of its own."""
    request = draw(requests())
    request = replace(request, select=request.select if draw(st.integers(0, 3)) == 0 else ())
    if draw(st.integers(0, 7)) == 0:
        chosen = tuple(draw(st.lists(st.sampled_from((*IDS, "open/a.yaml", "open/é.md")), min_size=1, max_size=2)))
        request = replace(request, query_mode=QueryMode.DOCUMENT_READ, select=chosen)
    elif draw(st.integers(0, 5)) == 0:
        request = replace(request, regex=True, query=draw(st.sampled_from(("carr[a-z]+", "term:[ab]", "x|brake"))))
    return replace(request, ontology_path=draw(st.sampled_from(ONTOLOGY_PATHS)))
