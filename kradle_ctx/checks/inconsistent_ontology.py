"""KB006: an ontology that contradicts itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault
from kradle_ctx.checks.names import quoted
from kradle_ctx.checks.nearest import nearest
from kradle_ctx.checks.ontology_places import DeclaredKind, OntologyPlaces, declared_kinds
from kradle_ctx.checks.ontology_rules import faults_of_rules
from kradle_ctx.checks.ontology_types import faults_of_types
from kradle_ctx.constraints import ANY_KIND
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.findings import Confidence, Severity
from kradle_ctx.yamldoc import shown

MOST_FAULTS = 1_000
"""Faults of an ontology that are told."""

CARDINALITY = lazy_expression(r"[1NnMm*]:[1NnMm*]")

BASE_60 = 61
"""What YAML 1.1 reads where `1:1` stands without quotes; who writes the file anew leaves the number."""

ENDS = ("source", "domain", "target", "range")


def inconsistent_ontology(brain: Brain) -> Iterator[Fault]:
    """Kinds that are declared twice, names that lead nowhere, inverses that do not answer, and rules without effect."""
    own = Vocabulary(brain)
    found = chain(
        declared_twice(own.kinds, "kind", own),
        declared_twice(own.edges, "kind of edge", own),
        shared_prefixes(own),
        chain.from_iterable(faults_of_edge(edge, own) for edge in own.edges),
        faults_of_types([*own.kinds, *own.edges], brain, own.places),
        faults_of_rules(brain, own.places),
    )
    yield from islice(found, MOST_FAULTS)


class Vocabulary:
    """The names that an ontology knows, and their declarations in the files that are at hand."""

    def __init__(self, brain: Brain) -> None:
        self.places = OntologyPlaces()
        self.kinds = list(declared_kinds(brain.ontology_files, "nodeKinds"))
        self.edges = list(declared_kinds(brain.ontology_files, "edgeKinds"))
        self.kind_names = brain.constraints.kinds.keys() | {kind.name for kind in self.kinds}
        self.edge_names = brain.constraints.edges.keys() | {edge.name for edge in self.edges}
        self.constraints = brain.constraints
        self.stating: dict[str, list[DeclaredKind]] = {}
        for edge in self.edges:
            self.stating.setdefault(edge.name, []).append(edge)


def declared_twice(declared: list[DeclaredKind], told: str, own: Vocabulary) -> Iterator[Fault]:
    """Every declaration of a name but the first."""
    first: dict[str, DeclaredKind] = {}
    for kind in declared:
        known = first.setdefault(kind.name, kind)
        if known is not kind:
            yield Fault(
                own.places.of(kind),
                f"the {told} {shown(kind.name)} is declared more than once",
                key=f"twice {told} {kind.name}",
                related=(Elsewhere(own.places.of(known), "declared here, too"),),
                hint="join the declarations",
            )


def shared_prefixes(own: Vocabulary) -> Iterator[Fault]:
    """Kinds whose ids begin like those of another."""
    first: dict[str, DeclaredKind] = {}
    for kind in own.kinds:
        prefix = kind.fields.get("prefix")
        known = first.setdefault(prefix, kind) if isinstance(prefix, str) else kind
        if known.name != kind.name:
            yield Fault(
                own.places.of(kind, "prefix"),
                f"ids of the kind {shown(kind.name)} begin with {quoted(f'{prefix}:')},"
                f" and so do those of {quoted(known.name)}",
                key=f"prefix {kind.name}",
                related=(Elsewhere(own.places.of(known, "prefix"), "the other kind"),),
                hint="give each kind a prefix of its own",
                severity=Severity.WARNING,
            )


def faults_of_edge(edge: DeclaredKind, own: Vocabulary) -> Iterator[Fault]:
    """What is wrong with one declaration of an edge kind."""
    yield from of_alias(edge, own)
    yield from of_inverse(edge, own)
    yield from of_ends(edge, own)
    cardinality = edge.fields.get("cardinality")
    if cardinality is not None and CARDINALITY.fullmatch(str(cardinality)) is None:
        hint = "write `1:1`, `1:N`, `N:1` or `N:N`"
        yield Fault(
            own.places.of(edge, "cardinality"),
            f"the cardinality of {quoted(edge.name)} is {quoted(str(cardinality))}, so nothing is counted",
            key=f"cardinality {edge.name}",
            hint=f"{hint}; it was probably `1:1`, which needs quotes" if cardinality == BASE_60 else hint,
            severity=Severity.WARNING,
        )


def of_alias(edge: DeclaredKind, own: Vocabulary) -> Iterator[Fault]:
    """An alias of what is no edge kind, or of another alias (rule V-3.5 of the Atlas ontology)."""
    alias = edge.fields.get("aliasOf")
    if not isinstance(alias, str):
        return
    if alias not in own.edge_names:
        message, hint = (
            f"an alias of {quoted(alias)}, which is no kind of edge",
            meant(alias, own.edge_names - {edge.name}),
        )
    elif alias == edge.name:
        message, hint = "an alias of itself", "remove `aliasOf`"
    elif any(isinstance(other.fields.get("aliasOf"), str) for other in own.stating.get(alias, ())):
        message, hint = f"an alias of {quoted(alias)}, which is an alias itself", "name what that one stands for"
    else:
        return
    where = own.places.of(edge, "aliasOf")
    yield Fault(where, f"{quoted(edge.name)} is {message}", key=f"alias {edge.name}", hint=hint)


def of_inverse(edge: DeclaredKind, own: Vocabulary) -> Iterator[Fault]:
    """An inverse that is missing where it is required, that is no edge kind, or that has another inverse itself."""
    inverse = edge.fields.get("inverse")
    known = own.constraints.edges.get(edge.name)
    required = known is not None and known.requires_inverse
    if not isinstance(inverse, str):
        if required and known is not None and known.inverse is None:
            message = f"{quoted(edge.name)} requires its inverse, and names none"
            yield Fault(own.places.of(edge), message, key=f"inverse {edge.name}", hint="state `inverse`")
    elif inverse not in own.edge_names:
        yield Fault(
            own.places.of(edge, "inverse"),
            f"the inverse of {quoted(edge.name)} is {quoted(inverse)}, which is no kind of edge",
            key=f"inverse {edge.name}",
            hint="declare it, or remove it: no record may state it now",
            severity=Severity.ERROR if required else Severity.INFO,
        )
    else:
        yield from unanswered(edge, inverse, own)


def unanswered(edge: DeclaredKind, inverse: str, own: Vocabulary) -> Iterator[Fault]:
    """An inverse whose own inverse is another kind; one that names none is the inverse all the same."""
    answers = [other.fields.get("inverse") for other in own.stating.get(inverse, ())]
    stated = [answer for answer in answers if isinstance(answer, str)]
    if stated and edge.name not in stated:
        yield Fault(
            own.places.of(edge, "inverse"),
            f"{quoted(edge.name)} has the inverse {shown(inverse)}, and that has the inverse {shown(stated[0])}",
            key=f"inverse {edge.name}",
            related=(Elsewhere(own.places.of(own.stating[inverse][0], "inverse"), "the inverse of that"),),
            hint="give each kind an inverse of its own",
            severity=Severity.WARNING,
            confidence=Confidence.MEDIUM,
        )


def of_ends(edge: DeclaredKind, own: Vocabulary) -> Iterator[Fault]:
    """Node kinds that an edge kind joins and that are none."""
    for field in ENDS if own.kind_names else ():
        stated = edge.fields.get(field)
        listed = stated if isinstance(stated, list) else [stated]
        named = {kind: place for place, kind in enumerate(listed) if isinstance(kind, str)}
        if named.keys().isdisjoint(ANY_KIND):
            for kind in (kind for kind in named if kind not in own.kind_names):
                below = (field, named[kind]) if isinstance(stated, list) else (field,)
                yield Fault(
                    own.places.of(edge, *below),
                    f"`{field}` of {quoted(edge.name)} names {quoted(kind)}, which is no kind of record",
                    key=f"{field} {edge.name} {kind}",
                    hint=meant(kind, own.kind_names),
                )


def meant(name: str, known: set[str]) -> str | None:
    """What was probably meant."""
    near = nearest(name, sorted(known))
    return f"did you mean {quoted(near)}?" if near is not None else None


CHECK = Check(
    "KB006",
    "inconsistent-ontology",
    Severity.ERROR,
    "An ontology that contradicts itself",
    "correct the name, or declare what it names",
    of_brain=inconsistent_ontology,
    needs_ontology=True,
)
