"""What is wrong with the rules beside the kinds of an ontology."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from kradle_ctx.checks.check import Brain, Fault
from kradle_ctx.checks.names import quoted
from kradle_ctx.checks.nearest import nearest
from kradle_ctx.checks.ontology_places import OntologyPlaces
from kradle_ctx.constraints import ANY_KIND, SETTINGS
from kradle_ctx.model.findings import Severity
from kradle_ctx.ontology import OntologyFile, texts
from kradle_ctx.yamldoc import shown
from kradle_ctx.yamldoc.places import Pointer

KIND_RULES = ("ownerKinds", "versionedKinds", "kindPaths", "requiredFields")
EDGE_RULES = ("requireInverse", "containmentEdges")
"""Rules that name kinds of records and of edges, as a list or by key."""

EVERY_RECORD = "record"
"""The key of `requiredFields` for all kinds."""


def faults_of_rules(brain: Brain, places: OntologyPlaces) -> Iterator[Fault]:
    """Names in rules that are not known, so that the rules have no effect."""
    for file in brain.ontology_files:
        if isinstance(file.value, dict):
            yield from of_settings(file, file.value.get("checks"), places)
            yield from of_transitions(file, file.value.get("allowedStatusTransitions"), brain, places)
            for rules, known in ((KIND_RULES, brain.constraints.kinds), (EDGE_RULES, brain.constraints.edges)):
                for rule in rules if known else ():
                    yield from of_names(file, rule, file.value.get(rule), known, places)


def of_settings(file: OntologyFile, stated: Any, places: OntologyPlaces) -> Iterator[Fault]:
    """Checks and severities that do not exist."""
    from kradle_ctx.checks import CHECKS

    known = {check.id: check.name for check in CHECKS}
    if stated is not None and not isinstance(stated, dict):
        yield fault(file, ("checks",), "`checks` is no map from checks to severities", places)
    for check, setting in stated.items() if isinstance(stated, dict) else ():
        if check not in known:
            by_name = next((each for each, name in known.items() if name == check), None)
            near = by_name or nearest(check, known)
            hint = f"did you mean {quoted(near)}?" if near is not None else "name a check by its id, as in `KB031`"
            yield fault(file, ("checks", check), f"{quoted(check)} is no check", places, hint, key=True)
        elif setting is not False and (not isinstance(setting, str) or setting not in SETTINGS):
            written = quoted(setting) if isinstance(setting, str) else "this"
            hint = "write `off`, `info`, `warning` or `error`"
            yield fault(file, ("checks", check), f"{written} is no severity for {quoted(check)}", places, hint)


def of_transitions(file: OntologyFile, stated: Any, brain: Brain, places: OntologyPlaces) -> Iterator[Fault]:
    """Statuses that the vocabulary does not have."""
    known = brain.constraints.vocabulary.get("status")
    if not known or not isinstance(stated, dict):
        return
    allowed = frozenset(known)
    for status, following in stated.items():
        pointer: Pointer = ("allowedStatusTransitions", status)
        if status not in allowed:
            yield unknown_status(file, pointer, status, known, places, key=True)
        for place, each in enumerate(following if isinstance(following, list) else [following]):
            if isinstance(each, str) and each not in allowed:
                inner = (*pointer, place) if isinstance(following, list) else pointer
                yield unknown_status(file, inner, each, known, places)


def unknown_status(
    file: OntologyFile,
    pointer: Pointer,
    status: str,
    known: Collection[str],
    places: OntologyPlaces,
    *,
    key: bool = False,
) -> Fault:
    """A finding of a status."""
    near = nearest(status, known)
    hint = f"did you mean {quoted(near)}?" if near is not None else "add it to the vocabulary, or remove it here"
    return fault(file, pointer, f"the vocabulary has no status {shown(status)}", places, hint, key=key, subject=status)


def of_names(
    file: OntologyFile, rule: str, stated: Any, known: Mapping[str, Any], places: OntologyPlaces
) -> Iterator[Fault]:
    """Kinds that are none; by key where the rule is a map."""
    if isinstance(stated, dict):
        named: list[tuple[str, Pointer]] = [(name, (rule, name)) for name in stated if name != EVERY_RECORD]
    elif rule in ("kindPaths", "requiredFields"):
        return
    elif isinstance(stated, list):
        named = [(name, (rule, place)) for place, name in enumerate(stated) if isinstance(name, str)]
    else:
        named = [(name, (rule,)) for name in texts(stated)]
    for name, pointer in named:
        if name not in known and name not in ANY_KIND:
            near = nearest(name, known)
            hint = f"did you mean {quoted(near)}?" if near is not None else None
            told = f"`{rule}` names {quoted(name)}, which is no kind of {'edge' if rule in EDGE_RULES else 'record'}"
            yield fault(file, pointer, told, places, hint, key=isinstance(stated, dict), subject=name)


def fault(
    file: OntologyFile,
    pointer: Pointer,
    message: str,
    places: OntologyPlaces,
    hint: str | None = None,
    *,
    key: bool = False,
    subject: str = "",
) -> Fault:
    """A finding of a rule; all are warnings, since the rest of the ontology holds."""
    told = f"{pointer[0]} {subject or '/'.join(map(str, pointer))}"
    where = places.where(file, *pointer, key=key)
    return Fault(where, message, key=told, hint=hint, severity=Severity.WARNING)
