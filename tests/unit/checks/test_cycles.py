"""Cycles of supersession and containment in random graphs, held to what can be reached step by step."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.checks import Fault
from kradle_ctx.checks.containment_cycle import containment_cycle, relations
from kradle_ctx.checks.supersession_cycle import supersession_cycle
from kradle_ctx.constraints import read_constraints
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.ontology import read_file
from tests.unit.checks.hostile_graphs import brain_of, record

NUMBERS = range(6)

pairs = st.frozensets(st.tuples(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS)), max_size=10)

Pair = tuple[int, int]


def documents(up: frozenset[Pair], down: frozenset[Pair], kinds: tuple[str, str]) -> list[str]:
    """Records whose edges of the first kind are pairs in one direction, and of the second in the other."""
    found = []
    for number in NUMBERS:
        stated = {
            kinds[0]: [f"area:{to}" for source, to in sorted(up) if source == number],
            kinds[1]: [f"area:{source}" for source, to in sorted(down) if to == number],
        }
        found.append(record(number, stated))
    return found


def reachable(steps: frozenset[Pair]) -> frozenset[Pair]:
    """From where one comes to where, in one step or more."""
    found = set(steps)
    while True:
        more = {(start, end) for start, middle in found for other, end in found if middle == other} - found
        if not more:
            return frozenset(found)
        found |= more


def circles(steps: frozenset[Pair]) -> set[frozenset[int]]:
    """The groups whose members all come back to each other."""
    ways = reachable(steps)
    back = [number for number in NUMBERS if (number, number) in ways]
    return {frozenset(other for other in back if {(number, other), (other, number)} <= ways) for number in back}


def groups_told(faults: list[Fault]) -> list[str]:
    """How often each group is told, by its first id."""
    return sorted(str(fault.subject) for fault in faults)


@settings(deadline=None, max_examples=60)
@given(pairs, pairs, st.booleans())
def test_each_group_that_leads_back_to_itself_has_one_finding_at_an_edge_of_its_own(
    up: frozenset[Pair], down: frozenset[Pair], contained: bool
) -> None:
    kinds = ("part_of", "contains") if contained else ("supersedes", "superseded_by")
    stated = documents(up, down, kinds)
    faults = list((containment_cycle if contained else supersession_cycle)(brain_of(stated)))
    groups = circles(up | down)

    assert groups_told(faults) == sorted(f"area:{min(group)}" for group in groups)
    for fault in faults:
        group = next(each for each in groups if fault.subject == f"area:{min(each)}")
        for where in (fault.where, *(other.where for other in fault.related)):
            assert where.edge is not None
            assert {where.edge.source, where.edge.target} <= {f"area:{number}" for number in group}
            assert len(group) == 1 or where.edge.source != where.edge.target


@settings(deadline=None, max_examples=30)
@given(pairs, pairs, st.randoms(use_true_random=False))
def test_what_is_told_does_not_depend_on_the_order_of_documents(
    up: frozenset[Pair], down: frozenset[Pair], chance
) -> None:  # type: ignore[no-untyped-def]
    stated = documents(up, down, ("part_of", "contains"))
    shuffled = chance.sample(stated, len(stated))

    told = [[(fault.subject, fault.key) for fault in containment_cycle(brain_of(each))] for each in (stated, shuffled)]

    assert told[0] == told[1]


def test_a_group_is_another_one_when_another_record_belongs_to_it() -> None:
    cycle = {0: 1, 1: 2, 2: 0}
    two, three = {0: 1, 1: 0}, cycle

    keys = {
        next(containment_cycle(brain_of([record(each, {"part_of": [f"area:{to}"]}) for each, to in steps.items()]))).key
        for steps in (two, three)
    }

    assert len(keys) == 2


def constraints_of(ontology: str) -> Constraints:
    """What an ontology demands."""
    return read_constraints([read_file("ontology/kinds.yaml", ontology.encode())])


def test_a_kind_of_containment_is_looked_at_once_and_in_one_direction() -> None:
    listed = "edgeKinds: [part_of, contains, in_area, belongs_to]\ncontainmentEdges: [in_area, contains, part_of]\n"
    with_inverse = """\
edgeKinds:
  - {name: in_area, inverse: holds}
  - {name: holds, inverse: in_area}
  - {name: inside, aliasOf: in_area}
  - {name: near, inverse: near}
containmentEdges: [holds, in_area, near]
"""

    assert sorted(map(sorted, itertools.chain(*relations(constraints_of(listed))))) == [
        [],
        ["contains"],
        ["in_area"],
        ["part_of"],
    ]
    assert [(sorted(each.forward), sorted(each.backward)) for each in relations(constraints_of(with_inverse))] == [
        (["holds"], ["in_area", "inside"]),
        (["near"], []),
    ]
