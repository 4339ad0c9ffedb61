"""KB041: records that supersede each other."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Brain, Check, Fault
from kradle_ctx.checks.cycles import Verb, cycles
from kradle_ctx.checks.edge_kinds import Relation, supersession
from kradle_ctx.model.findings import Severity


def supersession_cycle(brain: Brain) -> Iterator[Fault]:
    """Each group of records of which every one is superseded by another of them, or one by itself."""
    # From the old to the new: what supersedes a record is looked up by the record, whoever states it.
    there, back = supersession(brain.constraints)
    yield from cycles(brain, Relation(back, there), Verb("supersedes", "supersede"))


CHECK = Check(
    "KB041",
    "supersession-cycle",
    Severity.ERROR,
    "Records that supersede each other",
    "remove the edge from the older record to the newer one; until then neither counts as replaced",
    of_brain=supersession_cycle,
    needs_ontology=True,
)
