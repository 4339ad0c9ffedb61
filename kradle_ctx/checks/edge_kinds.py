"""Which kinds of edge say the same, or the same the other way round, and by which names they lead to a record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kradle_ctx.checks.check import Brain
from kradle_ctx.checks.names import Names
from kradle_ctx.model.constraints import Constraints, EdgeConstraints
from kradle_ctx.model.graph import Document, Edge

Stated = tuple[Document, Edge]
"""An edge, and the document that states it."""


class Relation(NamedTuple):
    """The kinds of edge that state one relation, and those that state it from the other end."""

    forward: frozenset[str]
    backward: frozenset[str]


SUPERSEDES = ("supersedes", "replaces")
SUPERSEDED_BY = ("superseded_by", "replaced_by")


def synonyms(constraints: Constraints) -> Mapping[str, frozenset[str]]:
    """For every edge kind those that say the same: a canonical kind and its aliases that lead the same way.

    Ontologies also use aliases for the way back, as `bundled_in` of `bundles`: what such a kind joins shows it.
    """
    groups: dict[str, set[str]] = defaultdict(set)
    for edge in constraints.edges.values():
        canonical = constraints.edges.get(edge.alias_of or "")
        same = canonical is not None and leads_as(edge, canonical)
        groups[canonical.name if canonical is not None and same else edge.name].add(edge.name)
    found: dict[str, frozenset[str]] = {}
    for group in groups.values():
        found |= dict.fromkeys(group, frozenset(group))
    return found


def leads_as(edge: EdgeConstraints, other: EdgeConstraints) -> bool:
    """Whether two kinds may join the same records, in the same direction."""
    ends = ((edge.sources, other.sources), (edge.targets, other.targets))
    return all(first is None or second is None or not first.isdisjoint(second) for first, second in ends)


def relation(constraints: Constraints, forward: Iterable[str], backward: Iterable[str]) -> Relation:
    """The kinds of a relation, with those that say the same and with the inverses that the ontology names."""
    alike, inverses = synonyms(constraints), inverses_of(constraints)
    there = {each for name in forward for each in alike.get(name, (name,))}
    back = {each for name in backward for each in alike.get(name, (name,))}
    answering = {each for name in there for each in alike.get(inverses.get(name, ""), ())}
    there |= {each for name in back for each in alike.get(inverses.get(name, ""), ())} - back
    return Relation(frozenset(there), frozenset((back | answering) - there))


def inverses_of(constraints: Constraints) -> Mapping[str, str]:
    """The inverse of every edge kind that has one; none that is the inverse of another kind."""
    found: dict[str, str] = {}
    for edge in constraints.edges.values():
        inverse = constraints.edges.get(edge.inverse or "")
        if inverse is not None and inverse.inverse in (None, edge.name):
            found[edge.name] = inverse.name
            found.setdefault(inverse.name, edge.name)
    return found


def supersession(constraints: Constraints) -> Relation:
    """The kinds that lead from a record to what it replaces, and those that lead back."""
    return relation(constraints, SUPERSEDES, SUPERSEDED_BY)


def names_of(document: Document, brain: Brain, names: Names | None = None) -> frozenset[str]:
    """Everything by which edges name the record that a document is of: its id, and aliases that are of no other."""
    aliases = set(document.aliases)
    if document.extends:
        aliases.update(*(declared.aliases for declared in brain.declaring(document.key)))
    known = names or Names(brain)
    return frozenset({document.key, *(alias for alias in aliases if known.record(alias) == document.key)})
