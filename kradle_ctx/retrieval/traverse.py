"""Breadth-first traversal from the seeds, along typed edges in both directions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence

from msgspec import Struct

from kradle_ctx.retrieval.seeds import Seed
from kradle_ctx.view import View

FAN_IN = 64
"""Incoming edges are not followed from a node with more of them, seeds aside: a hub would pull in the world."""

REACH_LIMIT = 5_000
"""Nodes reached in all; traversal ends there, nearest first."""


LOOKED_AT = 128
"""Names on the fringe that are looked up together."""


class Reached(Struct, frozen=True):
    """A node that traversal reached: its least distance, and one shortest breadcrumb to it."""

    distance: int
    breadcrumb: tuple[str, ...]


class Reach(Struct, frozen=True):
    """All nodes reached by id, the hubs whose incoming edges were not followed, and how many names are beyond."""

    nodes: dict[str, Reached]
    hubs: tuple[str, ...]
    left_out: int = 0


class Fringe(Struct, frozen=True):
    """Where the last edge leads: to every node that is `matched`, and to others until so many of them are `wanted`.

    There can be thousands of others, which nothing but the graph speaks for.
    """

    matched: Container[str] = ()
    wanted: Callable[[str], bool] = lambda key: True
    most: int = REACH_LIMIT


WHOLE_FRINGE = Fringe()


def traverse(view: View, seeds: Iterable[Seed], depth: int, fringe: Fringe = WHOLE_FRINGE) -> Reach:
    """Follow edges from the seeds to `depth`; each node is visited once, at its least distance.

    Seeds at distance 1 are one edge nearer to the limit than those at distance 0. Only records of the view are passed
    through, so a denied or absent id ends a path in the same way.
    """
    nodes: dict[str, Reached] = {}
    for seed in seeds:
        nodes.setdefault(seed.key, Reached(seed.distance, seed.breadcrumb))
    hubs: list[str] = []
    frontier, left_out = sorted(nodes, key=lambda key: nodes[key].distance), 0
    for level in range(depth):
        expanded = [key for key in frontier if nodes[key].distance <= level]
        ways = ways_on(view, expanded, nodes, level, hubs)
        found, left_out = following(view, ways, fringe if level == depth - 1 else WHOLE_FRINGE)
        for neighbour in found[: max(0, REACH_LIMIT - len(nodes))]:
            key, step = ways[neighbour]
            nodes[neighbour] = Reached(level + 1, (*nodes[key].breadcrumb, step, neighbour))
        frontier = [key for key in frontier if nodes[key].distance > level] + [key for key in found if key in nodes]
    return Reach(nodes, tuple(hubs), left_out)


def ways_on(
    view: View, expanded: Sequence[str], nodes: Mapping[str, Reached], level: int, hubs: list[str]
) -> dict[str, tuple[str, str]]:
    """The names that edges lead to from some nodes and that were not reached, each with the first node and the step."""
    view.expect_edges(expanded)
    ways: dict[str, tuple[str, str]] = {}
    for key in expanded:
        for neighbour, step in steps_from(view, key, level, hubs):
            if neighbour not in nodes:
                ways.setdefault(neighbour, (key, step))
    return ways


def following(view: View, names: Collection[str], fringe: Fringe) -> tuple[list[str], int]:
    """Those of some names that stand for something in the view, as far as the fringe goes, and how many are beyond."""
    found = standing(view, [name for name in names if name in fringe.matched])
    others = [name for name in names if name not in fringe.matched]
    at = wanted = 0
    while at < len(others) and wanted < fringe.most:
        looked_at = standing(view, others[at : at + LOOKED_AT])
        found += looked_at
        wanted += sum(map(fringe.wanted, looked_at))
        at += LOOKED_AT
    return found, max(0, len(others) - at)


def standing(view: View, names: Sequence[str]) -> list[str]:
    """Those of some names by which a visible record, or a note, is known."""
    view.expect(names)
    return [name for name in names if view.records(name) or view.at_path(name)]


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
