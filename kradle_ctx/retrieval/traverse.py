"""Breadth-first traversal from the seeds, along typed edges in both directions."""

from __future__ import annotations

from collections.abc import Container, Iterable

from msgspec import Struct

from kradle_ctx.retrieval.seeds import Seed
from kradle_ctx.view import View

FAN_IN = 64
"""Incoming edges are not followed from a node with more of them, seeds aside: a hub would pull in the world."""

REACH_LIMIT = 5_000
"""Nodes reached in all; traversal ends there, nearest first."""


class Reached(Struct, frozen=True):
    """A node that traversal reached: its least distance, and one shortest breadcrumb to it."""

    distance: int
    breadcrumb: tuple[str, ...]


class Reach(Struct, frozen=True):
    """All nodes reached by id, and the hubs whose incoming edges were not followed."""

    nodes: dict[str, Reached]
    hubs: tuple[str, ...]


def traverse(
    view: View, seeds: Iterable[Seed], depth: int, matched: Container[str] = (), fringe: int = REACH_LIMIT
) -> Reach:
    """Follow edges from the seeds to `depth`; each node is visited once, at its least distance.

    Seeds at distance 1 are one edge nearer to the limit than those at distance 0. Only records of the view are passed
    through, so a denied or absent id ends a path in the same way. The last edge leads to every node that is `matched`,
    and to so many others as are in the `fringe`: there can be thousands, which nothing but the graph speaks for.
    """
    nodes: dict[str, Reached] = {}
    for seed in seeds:
        nodes.setdefault(seed.key, Reached(seed.distance, seed.breadcrumb))
    hubs: list[str] = []
    frontier = sorted(nodes, key=lambda key: nodes[key].distance)
    for level in range(depth):
        expanded = [key for key in frontier if nodes[key].distance <= level]
        view.expect_edges(expanded)
        steps = {key: steps_from(view, key, level, hubs) for key in expanded}
        new = dict.fromkeys(neighbour for found in steps.values() for neighbour, _ in found if neighbour not in nodes)
        others = [neighbour for neighbour in new if neighbour not in matched]
        left_out = set(others[fringe:]) if level == depth - 1 else set()
        view.expect(neighbour for neighbour in new if neighbour not in left_out)
        following: dict[str, Reached] = {}
        for key, found in steps.items():
            for neighbour, step in found:
                if neighbour in nodes or neighbour in following or neighbour in left_out:
                    continue
                if len(nodes) + len(following) < REACH_LIMIT and (view.records(neighbour) or view.at_path(neighbour)):
                    following[neighbour] = Reached(level + 1, (*nodes[key].breadcrumb, step, neighbour))
        nodes.update(following)
        frontier = [key for key in frontier if nodes[key].distance > level] + list(following)
    return Reach(nodes, tuple(hubs))


def steps_from(view: View, key: str, level: int, hubs: list[str]) -> list[tuple[str, str]]:
    """What visible edges and references join a node with, in a fixed order, each with the step that leads to it."""
    steps = {(edge.target, f"-{edge.kind}->") for edge in view.outgoing(key)}
    steps.update((value, f"-{field}->") for field, value in view.references(key))
    incoming = [(edge.source, f"<-{edge.kind}-") for edge in view.incoming(key)]
    incoming += [(view.outline(number).key, "<-refers to-") for number in view.referring(key)]
    if level == 0 or len(incoming) <= FAN_IN:
        steps.update(incoming)
    else:
        hubs.append(key)
    return sorted(step for step in steps if step[0] != key)
