"""Records that lead back to themselves along a relation."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import astuple

from kradle_ctx.checks.check import Brain, Elsewhere, Fault, at_edge
from kradle_ctx.checks.components import components
from kradle_ctx.checks.edge_kinds import Relation, Stated
from kradle_ctx.checks.names import Names, quoted
from kradle_ctx.digest import digest_value
from kradle_ctx.model.graph import Document

MOST_STEPS = 20
"""Edges of a cycle that a finding names."""

MOST_TOLD = 5
"""Records of a cycle that its message names."""

Steps = dict[str, dict[str, Stated]]
"""From each record to the next ones, each with an edge that says so."""


class Verb(NamedTuple):
    """What records on a cycle do, in words: one of them, and several."""

    one: str
    several: str


def cycles(brain: Brain, relation: Relation, verb: Verb) -> Iterator[Fault]:
    """A finding for each group of records that lead back to themselves.

    It stands at an edge in a file that a change touches, else at one that the record with the first id states, by which
    the group is known again.
    """
    steps = steps_within(Walk(brain, relation))
    for group in groups(steps):
        members = frozenset(group)
        within = {record: {to: steps[record][to] for to in steps[record] if to in members} for record in group}
        pairs = [(record, to) for record in group for to in within[record] if len(group) == 1 or to != record]
        # In the order of who states the edges, which need not be who leads.
        pairs.sort(key=lambda pair: astuple(within[pair[0]][pair[1]][1]))
        changed = (pair for pair in pairs if within[pair[0]][pair[1]][0].path in brain.touched)
        source, target = next(changed, pairs[0])
        yield fault([source, *path_between(target, source, within)], within, group, verb)


def fault(path: Sequence[str], within: Steps, group: Sequence[str], verb: Verb) -> Fault:
    """A finding of a cycle; `path` leads from one of its records back to it."""
    (document, edge), *others = [within[record][to] for record, to in pairwise(path)]
    told = ", ".join(quoted(record) for record in path[:MOST_TOLD])
    if len(group) == 1:
        message = f"{quoted(group[0])} {verb.one} itself"
    elif len(path) > MOST_TOLD + 1 or len(path) <= len(group):
        message = f"{len(group)} records {verb.several} each other, among them {told}"
    else:
        message = f"{len(group)} records {verb.several} each other: {', '.join(map(quoted, path[:-1]))}"
    return Fault(
        at_edge(document, edge),
        message,
        key=digest_value(list(group)).hex,
        subject=group[0],
        related=tuple(
            Elsewhere(at_edge(*other), f"{quoted(other[1].kind)} leads to {quoted(other[1].target)} here")
            for other in others[:MOST_STEPS]
        ),
    )


class Walk:
    """Where records lead along a relation.

    It is to the targets of edges stated forward, and to the sources of those stated backward.
    """

    def __init__(self, brain: Brain, relation: Relation) -> None:
        self._brain = brain
        self._relation = relation
        self._names = Names(brain)
        self._notes: dict[str, list[Document]] = {}

    def starts(self) -> Iterator[str]:
        """The records that lead somewhere, as far as the documents to be checked say."""
        forward, backward = self._relation
        for document in self._brain.documents():
            kinds = {edge.kind for edge in document.edges}
            if (kinds.isdisjoint(forward) and kinds.isdisjoint(backward)) or self._extends_nothing(document):
                continue
            if document.id is None:
                self._notes.setdefault(document.key, []).append(document)
            yield document.key
            for edge in dict.fromkeys(document.edges) if not kinds.isdisjoint(backward) else ():
                target = self._names.record(edge.target) if edge.kind in backward else None
                if target is not None:
                    yield target

    def expect(self, records: Collection[str]) -> None:
        """Look up together what the steps at some records take."""
        self._brain.expect(records, self._relation.backward)
        stating = (document for record in records for document in self._stating(record))
        edges = (edge for document in stating for edge in document.edges)
        self._brain.expect([edge.target for edge in edges if edge.kind in self._relation.forward])

    def steps(self, record: str) -> Iterator[tuple[str, str, Stated]]:
        """The steps that can be told at a record: from where, to where, and the edge that says so."""
        for document in self._stating(record):
            yield from self._stated_by(document)
        declared = self._brain.declaring(record)
        names = dict.fromkeys((record, *(alias for document in declared for alias in document.aliases)))
        for name in names if self._relation.backward else ():
            if self._names.record(name) == record:
                for document, edge in self._brain.pointing(name, self._relation.backward):
                    if not self._extends_nothing(document):
                        yield record, edge.source, (document, edge)

    def _stating(self, record: str) -> Sequence[Document]:
        """The documents of a record, or those of a note to be checked."""
        return self._brain.stating(record) or self._notes.get(record, ())

    def _stated_by(self, document: Document) -> Iterator[tuple[str, str, Stated]]:
        for edge in dict.fromkeys(document.edges):
            target = self._names.record(edge.target) if edge.kind in self._relation.forward else None
            if target is not None:
                yield edge.source, target, (document, edge)

    def _extends_nothing(self, document: Document) -> bool:
        """Whether a document adds edges to a record that is not there, which is KB012."""
        return document.extends and self._names.record(document.key) != document.key


def steps_within(walk: Walk) -> Steps:
    """The steps between all records that can be on a cycle; of several edges that say the same the first counts."""
    steps: Steps = {record: {} for record in walk.starts()}
    pending = list(steps)
    while pending:
        walk.expect(pending)
        found = [step for record in pending for step in walk.steps(record)]
        pending = []
        for record, to, stated in found:
            for each in (record, to):
                if each not in steps:
                    steps[each] = {}
                    pending.append(each)
            known = steps[record].get(to)
            if known is None or place_of(stated) < place_of(known):
                steps[record][to] = stated
    return without_ends(steps)


def place_of(stated: Stated) -> tuple[tuple[bytes, int], str, str]:
    """A total order of the edges from one record to another."""
    document, edge = stated
    return document.order, edge.kind, edge.target


def without_ends(steps: Steps) -> Steps:
    """Steps without the records that lead nowhere or that none leads to, again and again: mostly nothing is left."""
    sources: dict[str, list[str]] = {record: [] for record in steps}
    for record, following in steps.items():
        for to in following:
            sources[to].append(record)
    coming = {record: len(found) for record, found in sources.items()}
    going = {record: len(following) for record, following in steps.items()}
    ends = deque(record for record in steps if not (coming[record] and going[record]))
    gone = set(ends)
    while ends:
        record = ends.popleft()
        for counts, others in ((coming, steps[record]), (going, sources[record])):
            for other in others:
                counts[other] -= 1
                if not counts[other] and other not in gone:
                    gone.add(other)
                    ends.append(other)
    return {record: following for record, following in steps.items() if record not in gone}


def groups(steps: Steps) -> list[list[str]]:
    """The sorted ids of each group of records that all lead to each other, or of one that leads to itself."""
    found = map(sorted, components(steps))
    return sorted(group for group in found if len(group) > 1 or group[0] in steps[group[0]])


def path_between(source: str, target: str, within: Steps) -> list[str]:
    """The records on a shortest way, both ends with them."""
    before: dict[str, str | None] = {source: None}
    pending = deque([source])
    while target not in before:
        record = pending.popleft()
        for to in within[record]:
            if to not in before:
                before[to] = record
                pending.append(to)
    path, step = [target], before[target]
    while step is not None:
        path.append(step)
        step = before[step]
    return path[::-1]
