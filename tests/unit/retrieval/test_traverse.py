"""Traversal, held to what networkx says of the same graph."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.retrieval.seeds import Seed
from kradle_ctx.retrieval.traverse import FAN_IN, Fringe, Reach, traverse
from kradle_ctx.view import View
from tests.pipeline import brain, granting, graph_record, markdown, view_of

Edges = list[tuple[int, str, int]]
Graph = tuple[int, Edges]


def seed(key: str, distance: int = 0) -> Seed:
    """A seed that is where its breadcrumb begins."""
    return Seed(key, distance, (key,))


def records(count: int, edges: Edges) -> dict[str, str]:
    """Records `term:0` to `term:count-1` with typed edges; targets beyond them are absent."""
    files = {}
    for number in range(count):
        stated: dict[str, list[str]] = {}
        for source, kind, target in edges:
            if source == number:
                stated.setdefault(kind, []).append(f"term:{target}")
        files[f"{number}.yaml"] = graph_record(f"term:{number}", "Term", edges=stated)
    return files


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A graph of up to ten records; some edges lead to ids that no record declares."""
    count = draw(st.integers(1, 10))
    node = st.integers(0, count - 1)
    kinds = st.sampled_from(["documents", "depends_on", "mentions"])
    return count, draw(st.lists(st.tuples(node, kinds, st.integers(0, count + 1)), max_size=20))


def reference(graph: Graph) -> nx.Graph[str]:
    """The same graph without direction, as networkx has it, of declared records only."""
    count, edges = graph
    known: nx.Graph[str] = nx.Graph()
    known.add_nodes_from(f"term:{number}" for number in range(count))
    known.add_edges_from((f"term:{source}", f"term:{target}") for source, _, target in edges if target < count)
    return known


def distances(reach: Reach) -> dict[str, int]:
    """The distance of every node reached."""
    return {key: node.distance for key, node in reach.nodes.items()}


@settings(max_examples=120, deadline=None)
@given(graphs(), st.integers(0, 4), st.data())
def test_distances_from_one_seed_are_the_shortest(graph: Graph, depth: int, data: st.DataObject) -> None:
    start = f"term:{data.draw(st.integers(0, graph[0] - 1))}"
    reach = traverse(view_of(brain(records(*graph))), [seed(start)], depth)
    assert distances(reach) == nx.single_source_shortest_path_length(reference(graph), start, cutoff=depth)


@settings(max_examples=120, deadline=None)
@given(graphs(), st.integers(0, 4), st.data())
def test_distances_from_several_seeds_are_the_least_of_each(graph: Graph, depth: int, data: st.DataObject) -> None:
    """A seed at distance 1 is one edge farther in: as if one more edge led to it."""
    starts = data.draw(st.lists(st.tuples(st.integers(0, graph[0] - 1), st.integers(0, 1)), min_size=1, max_size=4))
    starts.sort(key=lambda start: start[1])
    reach = traverse(view_of(brain(records(*graph))), [seed(f"term:{number}", far) for number, far in starts], depth)
    expected: dict[str, int] = {}
    for number, far in starts:
        lengths = nx.single_source_shortest_path_length(reference(graph), f"term:{number}", cutoff=max(0, depth - far))
        for key, length in lengths.items():
            expected[key] = min(expected.get(key, far + length), far + length)
    assert distances(reach) == expected


@settings(max_examples=80, deadline=None)
@given(graphs(), st.integers(0, 3), st.data())
def test_every_breadcrumb_is_a_walk_along_edges_as_long_as_its_distance(
    graph: Graph, depth: int, data: st.DataObject
) -> None:
    start = f"term:{data.draw(st.integers(0, graph[0] - 1))}"
    reach = traverse(view_of(brain(records(*graph))), [seed(start)], depth)
    stated = {(f"term:{source}", kind, f"term:{target}") for source, kind, target in graph[1]}
    for key, node in reach.nodes.items():
        crumb = node.breadcrumb
        assert (crumb[0], crumb[-1], len(crumb)) == (start, key, 2 * node.distance + 1)
        for before, step, after in zip(crumb[::2], crumb[1::2], crumb[2::2], strict=False):
            if step.startswith("<-"):
                assert (after, step.removeprefix("<-").removesuffix("-"), before) in stated
            else:
                assert (before, step.removeprefix("-").removesuffix("->"), after) in stated


@settings(max_examples=40, deadline=None)
@given(graphs(), st.data())
def test_more_depth_only_adds(graph: Graph, data: st.DataObject) -> None:
    start = f"term:{data.draw(st.integers(0, graph[0] - 1))}"
    view = view_of(brain(records(*graph)))
    near, far = (traverse(view, [seed(start)], depth).nodes for depth in (1, 3))
    assert {key: far[key] for key in near} == near


def test_a_seed_without_a_record_leads_to_what_names_it() -> None:
    view = view_of(brain(records(2, [(0, "documents", 7), (1, "mentions", 0)])))
    assert distances(traverse(view, [seed("term:7")], 2)) == {"term:7": 0, "term:0": 1, "term:1": 2}


def test_an_absent_record_ends_a_path() -> None:
    view = view_of(brain(records(2, [(0, "documents", 7), (1, "documents", 7)])))
    assert distances(traverse(view, [seed("term:0")], 4)) == {"term:0": 0}


def test_a_denied_record_ends_a_path_just_as_an_absent_one_does() -> None:
    edges = [(0, "documents", 1), (1, "documents", 2)]
    files = records(3, edges)
    denied = traverse(view_of(brain(files), granting("**", exclude_paths=("1.yaml",))), [seed("term:0")], 4)
    del files["1.yaml"]
    absent = traverse(view_of(brain(files)), [seed("term:0")], 4)
    assert denied == absent
    assert distances(denied) == {"term:0": 0}


@pytest.mark.parametrize("field", ["repoRefs", "sourceRefs"])
def test_references_are_followed_in_both_directions(field: str) -> None:
    stated: dict[str, Any] = {field: ["repository:a"]}
    files = {
        "a.yaml": graph_record("repository:a", "Repository"),
        "b.yaml": graph_record("runbook:b", **stated),
        "notes/n.md": markdown("", **{field: ["runbook:b"]}),
    }
    view = view_of(brain(files))
    assert distances(traverse(view, [seed("repository:a")], 2)) == {"repository:a": 0, "runbook:b": 1, "notes/n.md": 2}
    assert distances(traverse(view, [seed("notes/n.md")], 2)) == {"notes/n.md": 0, "runbook:b": 1, "repository:a": 2}


def hub(spokes: int) -> View:
    """`term:hub` with a neighbour that leads to it, and so many records that point at it."""
    files = {
        f"{number:03}.yaml": graph_record(f"term:{number:03}", "Term", edges={"documents": ["term:hub"]})
        for number in range(spokes)
    }
    files["hub.yaml"] = graph_record("term:hub", "Term", edges={"documents": ["term:out"]})
    files["out.yaml"] = graph_record("term:out", "Term")
    return view_of(brain(files))


def test_a_hub_does_not_pull_in_the_world_and_is_named() -> None:
    reach = traverse(hub(FAN_IN + 1), [seed("term:000")], 3)
    assert distances(reach) == {"term:000": 0, "term:hub": 1, "term:out": 2}
    assert set(reach.hubs) == {"term:hub"}


def test_a_node_with_no_more_edges_than_the_cap_is_no_hub() -> None:
    reach = traverse(hub(FAN_IN), [seed("term:000")], 2)
    assert len(reach.nodes) == FAN_IN + 2
    assert reach.hubs == ()


def test_what_points_at_a_source_ref_is_followed_however_much_it_is() -> None:
    reach = traverse(hub(FAN_IN + 10), [seed("term:hub")], 1)
    assert len(reach.nodes) == FAN_IN + 12
    assert reach.hubs == ()


def test_a_self_loop_and_a_cycle_end() -> None:
    view = view_of(brain(records(3, [(0, "a", 0), (0, "a", 1), (1, "a", 2), (2, "a", 0)])))
    assert distances(traverse(view, [seed("term:0")], 50)) == {"term:0": 0, "term:1": 1, "term:2": 1}


def test_no_seeds_reach_nothing() -> None:
    assert traverse(view_of(brain(records(1, []))), [], 3) == Reach({}, ())


# The last edge


def star(count: int, absent: int = 0) -> View:
    """A record with an edge to each of so many others, and before them to ids that no record declares."""
    targets = [f"a:{number}" for number in range(absent)] + [f"term:{number}" for number in range(1, count + 1)]
    files = {f"{number}.yaml": graph_record(f"term:{number}", "Term") for number in range(1, count + 1)}
    return view_of(brain({**files, "0.yaml": graph_record("term:0", "Term", edges={"uses": targets})}))


def test_the_last_edge_leads_to_what_matched_and_to_few_others_and_counts_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kradle_ctx.retrieval.traverse.LOOKED_AT", 4)
    fringe = Fringe(matched={"term:29", "term:30"}, most=5)
    reach = traverse(star(30), [seed("term:0")], 1, fringe)
    others = set(reach.nodes) - {"term:0", "term:29", "term:30"}
    assert {"term:29", "term:30"} < set(reach.nodes)
    assert len(others) == 8
    assert reach.left_out == 20
    assert reach.nodes["term:30"].breadcrumb == ("term:0", "-uses->", "term:30")


def test_ids_without_a_record_take_no_place_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kradle_ctx.retrieval.traverse.LOOKED_AT", 4)
    reach = traverse(star(5, absent=50), [seed("term:0")], 1, Fringe(most=5))
    assert set(reach.nodes) == {f"term:{number}" for number in range(6)}
    assert reach.left_out == 0


def test_what_is_not_asked_for_takes_no_place_of_what_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kradle_ctx.retrieval.traverse.LOOKED_AT", 4)
    fringe = Fringe(wanted=lambda key: key.endswith("9"), most=2)
    reach = traverse(star(29), [seed("term:0")], 1, fringe)
    assert {"term:19", "term:29"} < set(reach.nodes)


def test_only_the_last_edge_is_cut() -> None:
    view = view_of(brain(records(4, [(0, "a", 1), (1, "a", 2), (2, "a", 3)])))
    assert distances(traverse(view, [seed("term:0")], 3, Fringe(most=0))) == {"term:0": 0, "term:1": 1, "term:2": 2}
    assert traverse(view, [seed("term:0")], 3, Fringe(most=0)).left_out == 1
