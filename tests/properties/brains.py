"""Small random brains and requests."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from kradle_ctx.model.request import Filter, Limits, QueryMode, RankOrder, Request

WORDS = ("carriage", "wheel", "brake", "signal", "tunnel", "freight")
IDS = ("term:a", "term:b", "runbook:c", "service:d", "repository:kradle", "term:e", "term:f", "decision:g")
KINDS = ("Term", "Runbook", "Service", "Decision")
EDGE_KINDS = ("documents", "depends_on", "supersedes", "applies_to_repo")
TAGS = ("ship", "track")
STATUSES = ("approved", "draft", "deprecated")

words = st.sampled_from(WORDS)
sentences = st.lists(words, min_size=1, max_size=8).map(" ".join)
bodies = st.lists(sentences, min_size=1, max_size=6).map(lambda lines: "".join(f"{line}\n" for line in lines))
edges = st.dictionaries(st.sampled_from(EDGE_KINDS), st.lists(st.sampled_from(IDS), max_size=2), max_size=2)
some_tags = st.lists(st.sampled_from(TAGS), max_size=2, unique=True)
some_words = st.lists(words, max_size=1)


def fields(ids: st.SearchStrategy[str], kinds: tuple[str, ...] = KINDS) -> st.SearchStrategy[dict[str, Any]]:
    """What a record says of itself."""
    return st.fixed_dictionaries(
        {"id": ids, "kind": st.sampled_from(kinds)},
        optional={
            "title": sentences,
            "summary": sentences,
            "status": st.sampled_from(STATUSES),
            "tags": some_tags,
            "aliases": st.lists(st.sampled_from(IDS), max_size=1),
            "repoRefs": st.lists(st.sampled_from(["repository:kradle", "kradle"]), max_size=1),
            "owners": st.lists(st.sampled_from(["team:rail", "team:road"]), max_size=1),
            "updatedAt": st.sampled_from(["2026-04-01T00:00:00Z", "2025-01-01"]),
            "related": edges,
        },
    )


def markdown_text(said: dict[str, Any], body: str, sensitivity: str | None = None) -> str:
    """A Markdown file; without an id it is a note."""
    stated = said if sensitivity is None else said | {"sensitivity": sensitivity}
    return "---\n" + "".join(f"{name}: {json.dumps(value)}\n" for name, value in stated.items()) + f"---\n{body}"


def graph_text(said: dict[str, Any], sensitivity: str | None = None) -> str:
    """A graph record on one line."""
    beside = {"nodeKind": said["kind"], "id": said["id"], "edges": said.get("related", {})}
    if sensitivity is not None:
        beside["sensitivity"] = sensitivity
    attributes = {name: value for name, value in said.items() if name not in ("id", "kind", "related")}
    return json.dumps(beside | {"attributes": attributes}) + "\n"


@st.composite
def files(draw: st.DrawFn, ids: st.SearchStrategy[str], sensitivity: str | None = None) -> tuple[str, str]:
    """A suffix and a text: a graph record, a Markdown record, or a note."""
    said, body = draw(fields(ids)), draw(bodies)
    form = draw(st.sampled_from(("graph", "markdown", "note")))
    if form == "graph":
        return ".yaml", graph_text(said, sensitivity)
    if form == "note":
        said = {name: value for name, value in said.items() if name not in ("id", "kind")}
        if sensitivity is None and draw(st.booleans()):
            return ".md", body
    return ".md", markdown_text(said, body, sensitivity)


@st.composite
def granted_files(draw: st.DrawFn, most: int = 6) -> dict[str, str]:
    """Up to `most` readable files below `open/`; in every second brain no id is declared twice."""
    ids = draw(st.permutations(IDS)) if draw(st.booleans()) else draw(st.lists(st.sampled_from(IDS), min_size=most))
    found = {}
    for number in range(draw(st.integers(2, most))):
        suffix, text = draw(files(st.just(ids[number])))
        found[f"open/{draw(words)}-{number}{suffix}"] = text
    return found


def seldom(values: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    """One value in a few of the cases, else none."""
    return st.integers(0, 5).flatmap(lambda die: values.map(lambda value: (value,)) if die == 5 else st.just(()))


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """A question in any mode, with any narrowing."""
    refs = draw(st.sampled_from([{}, {"repository": ("kradle",)}, {"service": ("d",), "issue": ("7",)}]))
    query = draw(st.one_of(sentences, st.just("") if refs else sentences))
    return Request(
        query=query,
        source_refs=refs,
        query_mode=draw(st.sampled_from([mode for mode in QueryMode if mode is not QueryMode.DOCUMENT_READ])),
        rank=draw(st.sampled_from(RankOrder)),
        edge_depth=draw(st.integers(0, 3)),
        context_lines=draw(st.integers(0, 2)),
        max_matches=draw(st.sampled_from([1, 25])),
        kinds=draw(seldom(st.sampled_from(KINDS))),
        filter=Filter(tags=draw(seldom(st.sampled_from(TAGS)))),
        select=draw(seldom(st.sampled_from((*IDS, "open/0.md")))),
        layout_profile=draw(st.sampled_from(["company-brain-v1", "atlas-md-yaml-v1"])),
        limits=Limits(max_bytes=draw(st.sampled_from([1_500, 128_000])), max_records=draw(st.sampled_from([2, 40]))),
    )
