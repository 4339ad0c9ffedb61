"""Checks of edges and names in graphs that are made to slow them down: what is looked up grows with the graph alone."""

from __future__ import annotations

import sys

import pytest

from kradle_ctx.checks import CHECKS
from kradle_ctx.checks.containment_cycle import containment_cycle
from kradle_ctx.checks.cycles import MOST_STEPS
from kradle_ctx.checks.supersession_cycle import supersession_cycle
from tests.unit.checks.hostile_graphs import ONTOLOGY, SHAPES, brain_of, lookups, record

SIZE = 40

OF_GRAPHS = ("KB011", "KB012", "KB023", "KB031", "KB032", "KB033", "KB034", "KB040", "KB041", "KB042", "KB062")

PER_DOCUMENT = 40
"""Lookups, and what is looked at of what they give, for each document: those of these graphs state up to four edges."""


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_looked_up_grows_with_the_graph_and_not_with_its_square(shape: str) -> None:
    small, large = brain_of(SHAPES[shape](SIZE)), brain_of(SHAPES[shape](2 * SIZE))

    for check in (check for check in CHECKS if check.id in OF_GRAPHS):
        assert lookups(check, large) <= 2.2 * lookups(check, small) + PER_DOCUMENT, check.id
        assert lookups(check, large) <= PER_DOCUMENT * 2 * SIZE, check.id


def test_declarations_that_are_merged_are_read_once() -> None:
    many = [record("hub", fields=f", tier: {number % 2}") for number in range(SIZE)]
    brain = brain_of(many, merges=True)
    check = next(check for check in CHECKS if check.id == "KB011")

    lookups(check, brain)

    assert brain.counts["declaration"] == SIZE


def test_an_edge_that_very_many_documents_state_is_looked_up_once() -> None:
    ontology = ONTOLOGY + "  - {name: needs, attributes: {why: {type: string, required: true}}}\n"
    extending = ['extendsNode: {id: "area:hub"}\nedges: {needs: ["area:hub"]}\n'] * SIZE
    brain = brain_of([record("hub"), *extending], ontology=ontology)
    check = next(check for check in CHECKS if check.id == "KB020")

    lookups(check, brain)

    assert brain.counts["pointing"] <= 3 * SIZE
    assert brain.counts["declaration"] <= 2 * SIZE
    assert check.of_brain is not None
    assert [fault.key for fault in check.of_brain(brain)] == ["needs area:hub why"]


def test_what_is_deeper_than_the_stack_is_followed() -> None:
    size = sys.getrecursionlimit() + 200
    edges = [("part_of", each + 1) for each in range(size)] + [("supersedes", each + 1) for each in range(size)]
    stated = [record(each, {kind: [f"area:{to % size}"] for kind, to in edges[each::size]}) for each in range(size)]
    brain = brain_of(stated)

    containment, supersession = list(containment_cycle(brain)), list(supersession_cycle(brain))

    assert [len(containment), len(supersession)] == [1, 1]
    assert containment[0].message.startswith(f"{size} records are part of each other, among them `area:0`, `area:1`, ")
    assert len(containment[0].related) == MOST_STEPS
    assert list(containment_cycle(brain_of(stated[:-1]))) == []


def test_of_very_many_kinds_towards_one_record_each_edge_is_looked_at_once() -> None:
    kinds = [f"kind_{number}" for number in range(SIZE)]
    ontology = ONTOLOGY + "".join(f"  - {{name: {kind}, cardinality: '1:N'}}\n" for kind in kinds)
    edges = {kind: ["area:hub"] for kind in kinds}
    brain = brain_of([record("hub"), record("a", edges), record("b", edges)], ontology=ontology)
    check = next(check for check in CHECKS if check.id == "KB033")

    lookups(check, brain)

    # For each kind two edges are found, of which the first is looked at.
    assert brain.counts["pointing"] == SIZE * (1 + 2 + 1)
