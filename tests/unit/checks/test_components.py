"""Groups that lead to each other, held to networkx."""

from __future__ import annotations

import sys

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.checks.components import components

NODES = st.sampled_from("abcdefgh")


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(NODES, st.lists(NODES, max_size=4)))
def test_they_are_those_of_networkx(steps: dict[str, list[str]]) -> None:
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(steps)
    graph.add_edges_from((node, to) for node, following in steps.items() for to in following if to in steps)

    found = sorted(sorted(group) for group in components(steps))

    assert found == sorted(sorted(group) for group in networkx.strongly_connected_components(graph))


def test_a_way_that_is_longer_than_the_stack_is_followed() -> None:
    length = 10 * sys.getrecursionlimit()
    steps = {str(node): [str((node + 1) % length)] for node in range(length)}

    assert [len(group) for group in components(steps)] == [length]
