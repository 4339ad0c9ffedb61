"""Small random brains in which much is wrong, and random changes to them: what validation compares."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.fakes import Content

ONTOLOGY = "ontology/kinds.yaml"

KINDS = """\
requiredFields: {record: [title]}
vocabulary: {status: [draft, approved, deprecated]}
forbiddenPaths: ["attic/**"]
checks: {KB062: warning}
nodeKinds:
  - {name: Team, prefix: team}
  - {name: Service, prefix: service, required: [owners], attributes: {runsOn: {type: "ref<Service>"}}}
  - {name: Runbook, prefix: runbook, attributes: {steps: {type: "list<ref<Runbook|Service>>"}}}
  - {name: Decision, prefix: decision, attributes: {supersededBy: {type: ref}}}
edgeKinds:
  - {name: owned_by, source: "*", target: [Team]}
  - {name: documents, source: [Runbook], target: [Service], inverse: documented_by, requiresInverse: true}
  - {name: documented_by, source: [Service], target: [Runbook], inverse: documents}
  - {name: described_by, aliasOf: documented_by}
  - {name: depends_on, source: "*", target: "*"}
  - {name: part_of, source: "*", target: "*", cardinality: "N:1"}
  - {name: contains, source: "*", target: "*", cardinality: "1:N"}
  - {name: supersedes, source: [Decision], target: [Decision], inverse: superseded_by}
  - {name: superseded_by, source: [Decision], target: [Decision], inverse: supersedes}
"""

NODE_KINDS, _, EDGE_KINDS_TEXT = KINDS.partition("edgeKinds:")

ONTOLOGIES: dict[str, dict[str, Content]] = {
    "usual": {ONTOLOGY: KINDS},
    "other": {ONTOLOGY: KINDS.replace("N:1", "N:N").replace("[Service], inverse", '"*", inverse')},
    "broken": {ONTOLOGY: "nodeKinds: [\n"},
    "manifest": {
        "schema/ontology-schema.yaml": (
            "nodeKindFiles: [schema/z.yaml, schema/a.yaml]\nedgeKindFile: schema/edges.yaml\n"
        ),
        "schema/z.yaml": NODE_KINDS,
        "schema/a.yaml": "nodeKinds: [{name: Service, prefix: srv, attributes: {runsOn: int}}, Team]\n",
        "schema/edges.yaml": f"edgeKinds:{EDGE_KINDS_TEXT}",
    },
}
"""By name, the files of an ontology; of what is declared twice the first that its manifest names holds."""

IDS = ("team:a", "service:a", "service:b", "runbook:a", "runbook:b", "decision:a", "decision:b", "Decision:c")
ALIASES = ("old", "service:b", "decision:a", "runbook:z")
NAMES = (*IDS, *ALIASES, "g/b.md", "n/note.md", "nothing:here")
EDGE_KINDS = (
    *("owned_by", "documents", "documented_by", "described_by", "depends_on", "part_of", "contains"),
    *("supersedes", "supersedes", "superseded_by", "part_of", "unheard_of"),
)
STATUSES = ("approved", "approved", "draft", "deprecated", "odd")
DATES = (
    "2026-05-01T00:00:00Z",
    "2025-05-20",
    "2026-05-20T00:00:00Z",
    "2020-01-01",
    "2026-13-40",
    "2031-01-01T00:00:00Z",
    "soon",
)

PLACES = ("g/a", "g/b", "g/B", "n/note", "n/deep/er/a", "attic/a", "é/ü")

BROKEN: tuple[Content, ...] = (
    "id: [\n",
    "nodeKind: Team\nid: team:a\nid: team:b\n",
    "---\nid: [\n---\nbody\n",
    b"caf\xe9\n",
    b"\x00",
    "",
    "- a\n- b\n",
    b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "nodeKind: a: b\n---\nnodeKind: Team\nid: team:a\nattributes:\n  title: Good\n",
)

LINKS: tuple[dict[str, str], ...] = ({}, {}, {}, {"g/link.yaml": "a.yaml"}, {"G": "g"})

names = st.sampled_from(NAMES)
ids = st.sampled_from(IDS)

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Change:
    """Two states of a brain, without its ontology, and which one it has before the change and after it.

    `links` are the symbolic links of each state, by path.
    """

    base: dict[str, Content]
    head: dict[str, Content]
    before: str = "usual"
    after: str = "usual"
    links: tuple[dict[str, str], dict[str, str]] = ({}, {})


def with_ontology(files: dict[str, Content], ontology: str = "usual") -> dict[str, Content]:
    """The files of a brain with those of its ontology."""
    return {**ONTOLOGIES[ontology], **files}


@st.composite
def edges(draw: st.DrawFn) -> Any:
    """Edges in one of their forms."""
    stated = draw(st.dictionaries(st.sampled_from(EDGE_KINDS), st.lists(names, min_size=1, max_size=2), max_size=2))
    form = draw(st.sampled_from(("bare", "targets", "list")))
    if form == "list":
        return [{"kind": kind, "target": name} for kind, found in stated.items() for name in found]
    if form == "targets":
        return {kind: [{"target": name} for name in found] for kind, found in stated.items()}
    return stated


@st.composite
def fields(draw: st.DrawFn) -> dict[str, Any]:
    """What a record says of itself, right or wrong."""
    optional = {
        "title": st.sampled_from(("One", "Two", "[red]")),
        "status": st.sampled_from(STATUSES),
        "updatedAt": st.sampled_from(DATES),
        "owners": st.lists(st.sampled_from(("team:a", "service:a", "old", "me@example.invalid")), max_size=2),
        "aliases": st.lists(st.sampled_from(ALIASES), min_size=1, max_size=1),
        "runsOn": names,
        "steps": st.lists(names, max_size=2),
        "supersededBy": names,
        "sensitivity": st.sampled_from(("public", "internal", "hidden")),
    }
    return {name: draw(values) for name, values in optional.items() if draw(st.integers(0, 2)) > 0}


@st.composite
def graph_documents(draw: st.DrawFn) -> Lines:
    """The lines of a document of a graph file; mostly a record."""
    die = draw(st.integers(0, 9))
    if die == 0:
        return ["other: 1"]
    if die == 1:
        extended = {"id": draw(ids), "nodeKind": "Decision"}
        return [f"extendsNode: {json.dumps(extended)}", f"edges: {json.dumps(draw(edges()))}"]
    record_id = draw(ids)
    kind = record_id.partition(":")[0].capitalize()
    said = draw(fields())
    beside = {"nodeKind": draw(st.sampled_from((kind, kind, kind, "Team", "Unheard"))), "id": record_id}
    lines = [f"{name}: {json.dumps(value)}" for name, value in beside.items() if draw(st.integers(0, 12)) > 0]
    if draw(st.booleans()):
        lines += ["attributes:", *(f"  {name}: {json.dumps(value)}" for name, value in said.items())]
    else:
        lines += [f"{name}: {json.dumps(value)}" for name, value in said.items()]
    return [*lines, f"edges: {json.dumps(draw(edges()))}"]


@st.composite
def graph_files(draw: st.DrawFn) -> str:
    """A graph file of some documents; a line may set what is found on it aside."""
    documents = draw(st.lists(graph_documents(), min_size=1, max_size=3))
    lines = [line for document in documents for line in (*document, "---")][:-1]
    if draw(st.integers(0, 4)) == 0:
        place = draw(st.integers(0, len(lines) - 1))
        told = draw(st.sampled_from(("KB020 -- it comes", "KB031, KB040 -- known", "KB020", "KB025 -- known")))
        lines[place] += f"  # kradle-ctx: ignore {told}" if lines[place] != "---" else ""
    return "\n".join(lines) + "\n"


@st.composite
def pages(draw: st.DrawFn) -> str:
    """A Markdown record, or a note with or without frontmatter."""
    record_id = draw(ids)
    said: dict[str, Any] = {}
    form = draw(st.sampled_from(("record", "record", "alias", "note")))
    if form == "note":
        return f"# Note\n\nsee {record_id}\n"
    if form == "record":
        said = {"id": record_id, "kind": record_id.partition(":")[0].capitalize()}
    elif draw(st.booleans()):
        said = {"id": record_id}
    said |= draw(fields())
    said[draw(st.sampled_from(("related", "edges")))] = draw(edges())
    stated = [f"{name}: {json.dumps(value)}" for name, value in said.items()]
    return "\n".join(["---", *stated, "---", "", "Body of a page."]) + "\n"


@st.composite
def contents(draw: st.DrawFn, suffix: str) -> Content:
    """What stands in a file."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(BROKEN))
    return draw(pages()) if suffix == ".md" else draw(graph_files())


@st.composite
def some_files(draw: st.DrawFn, least: int, most: int) -> dict[str, Content]:
    """Files at random places."""
    found: dict[str, Content] = {}
    for place in draw(st.lists(st.sampled_from(PLACES), min_size=least, max_size=most, unique=True)):
        suffix = draw(st.sampled_from((".yaml", ".yaml", ".md")))
        found[place + suffix] = draw(contents(suffix))
    return found


@st.composite
def brains(draw: st.DrawFn, least: int = 2, most: int = 6) -> dict[str, Content]:
    """The files of a brain, without its ontology."""
    return draw(some_files(least, most))


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """A brain, and what a change makes of it: files moved, edited, removed, added; seldom another ontology."""
    base = draw(brains())
    head = dict(base)
    for path in draw(st.lists(st.sampled_from(sorted(base)), min_size=1, max_size=3, unique=True)):
        content, suffix = head.pop(path), path[path.rindex(".") :]
        what = draw(st.sampled_from(("edited", "edited", "edited", "rewritten", "moved", "removed")))
        if what == "moved":
            head[draw(st.sampled_from(PLACES)) + suffix] = content
        elif what == "rewritten":
            head[path] = draw(contents(suffix))
        elif what == "edited":
            head[path] = draw(edited(content))
    head |= draw(some_files(0, 1))
    ontology = draw(st.sampled_from(("usual", "usual", "usual", "usual", "manifest")))
    after = draw(st.sampled_from((*[ontology] * 24, "other", "broken", "manifest")))
    return Change(base, head, ontology, after, (draw(st.sampled_from(LINKS)), draw(st.sampled_from(LINKS))))


@st.composite
def edited(draw: st.DrawFn, content: Content) -> Content:
    """A file with one line less, or with a name or a word in it changed."""
    if isinstance(content, bytes) or not content:
        return "nodeKind: Team\nid: team:a\n"
    words = draw(st.sampled_from((NAMES, NAMES, tuple(set(EDGE_KINDS)), tuple(set(STATUSES)), None)))
    here = [word for word in sorted(words or ()) if f'"{word}"' in content]
    if words and here:
        word, other = draw(st.sampled_from(here)), draw(st.sampled_from(sorted(words)))
        return content.replace(f'"{word}"', f'"{other}"', 1)
    lines = content.split("\n")
    del lines[draw(st.integers(0, len(lines) - 1))]
    return "\n".join(lines)
