"""The groups of a graph whose members all lead to each other.

networkx finds them, too, and tests hold this to it; but it takes as long to import as a change takes to validate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def components(steps: Mapping[str, Collection[str]]) -> Iterator[list[str]]:
    """The strongly connected components, in no order, by Tarjan's "Depth-first search and linear graph algorithms".

    `steps` are from each node to the next ones; what is no node itself leads nowhere.
    """
    visited: dict[str, int] = {}
    lowest: dict[str, int] = {}
    opened: dict[str, None] = {}
    for root in steps:
        path = [(root, iter(steps[root]))] if root not in visited else []
        while path:
            node, following = path[-1]
            if node not in visited:
                visited[node] = lowest[node] = len(visited)
                opened[node] = None
            for to in following:
                if to in steps and to not in visited:
                    path.append((to, iter(steps[to])))
                    break
                if to in opened:
                    lowest[node] = min(lowest[node], visited[to])
            else:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[node])
                if lowest[node] == visited[node]:
                    yield closed(opened, node)


def closed(opened: dict[str, None], first: str) -> list[str]:
    """Take the nodes from one on out of those that are opened."""
    group = []
    while first in opened:
        node, _ = opened.popitem()
        group.append(node)
    return group
