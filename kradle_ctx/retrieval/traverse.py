"""Breadth-first traversal from the seeds, along typed edges in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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


def traverse(view: View, seeds: Iterable[Seed], depth: int) -> Reach:
    """Follow edges from the seeds to `depth`; each node is visited once, at its least distance.

    Seeds at distance 1 are one edge nearer to the limit than those at distance 0. Only records of the view are passed
    through, so a denied or absent id ends a path in the same way.
    """
    nodes: dict[str, Reached] = {}
    for seed in seeds:
        nodes.setdefault(seed.key, Reached(seed.distance, seed.breadcrumb))
    hubs: list[str] = []
    frontier = sorted(nodes, key=lambda key: nodes[key].distance)
    for level in range(depth):
        following: dict[str, Reached] = {}
        for key in [key for key in frontier if nodes[key].distance <= level]:
            for neighbour, step in neighbours(view, key, level, hubs):
                if neighbour not in nodes and neighbour not in following and len(nodes) + len(following) < REACH_LIMIT:
                    crumb = (*nodes[key].breadcrumb, step, neighbour)
                    following[neighbour] = Reached(level + 1, crumb)
        nodes.update(following)
        frontier = [key for key in frontier if nodes[key].distance > level] + list(following)
    return Reach(nodes, tuple(hubs))


def neighbours(view: View, key: str, level: int, hubs: list[str]) -> Iterator[tuple[str, str]]:
    """Visible neighbours of a node in a fixed order, each with the step that leads to it."""
    steps = [(edge.target, f"-{edge.kind}->") for edge in view.outgoing(key)]
    steps += [(value, f"-{field}->") for field, value in view.references(key)]
    incoming = [(edge.source, f"<-{edge.kind}-") for edge in view.incoming(key)]
    incoming += [(view.document(number).key, "<-refers to-") for number in view.referring(key)]
    if level == 0 or len(incoming) <= FAN_IN:
        steps.extend(incoming)
    else:
        hubs.append(key)
    view.expect(neighbour for neighbour, _ in steps)
    for neighbour, step in sorted(set(steps)):
        if neighbour != key and (view.records(neighbour) or view.at_path(neighbour)):
            yield neighbour, step
