"""KB042: records that are part of each other."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Brain, Check, Fault
from kradle_ctx.checks.cycles import Verb, cycles
from kradle_ctx.checks.edge_kinds import Relation, relation
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity

UP, DOWN = "part_of", "contains"
"""From a part to the whole, and back. Which way another kind leads does not matter: it is looked at by itself."""


def containment_cycle(brain: Brain) -> Iterator[Fault]:
    """Each group of records that hold each other, or one that holds itself."""
    for each in relations(brain.constraints):
        yield from cycles(brain, each, Verb("is part of", "are part of"))


def relations(constraints: Constraints) -> Iterator[Relation]:
    """The relations that the kinds of containment state; one and its inverse state the same."""
    left = dict.fromkeys(constraints.edges_within)
    known = [kind for kind in (UP, DOWN) if kind in left]
    pending = [([UP], [DOWN])] if len(known) == 2 else [([kind], []) for kind in known]
    while pending or left:
        there, back = pending.pop() if pending else ([next(iter(left))], [])
        found = relation(constraints, there, back)
        yield found
        for kind in (*there, *back, *(kind for kind in list(left) if kind in found.forward | found.backward)):
            left.pop(kind, None)


CHECK = Check(
    "KB042",
    "containment-cycle",
    Severity.ERROR,
    "Records that are part of each other",
    "remove the edge that does not hold",
    of_brain=containment_cycle,
    needs_ontology=True,
)
