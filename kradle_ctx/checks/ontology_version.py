"""KB007: an ontology of an unknown form, of several versions, or with a change that its version does not tell of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_file
from kradle_ctx.checks.names import quoted
from kradle_ctx.checks.narrowing import narrowed
from kradle_ctx.checks.ontology_places import OntologyPlaces
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.findings import Severity
from kradle_ctx.ontology import OntologyFile

FORMS = ("metaSchemaVersion", "compatibilityVersion")
"""Where an ontology states the version of the form that it is written in."""

VERSIONS = ("catalogSchemaVersion", "version")
"""Where it states its own."""

KNOWN_FORM = 1

MAJOR = lazy_expression(r"v?([0-9]{1,9})(?:\.[0-9A-Za-z.+-]*)?")

MOST_TOLD = 5
"""Changes that a message names."""


def ontology_version(brain: Brain) -> Iterator[Fault]:
    """What is wrong with the versions that the files of an ontology state."""
    places = OntologyPlaces()
    for file, key, value in stated(brain, FORMS):
        if major(value) != KNOWN_FORM:
            yield Fault(
                places.where(file, key),
                f"`{key}` is {written(value)}: this form of ontology is not known",
                key=key,
                hint="write the ontology in form 1",
            )
    yield from differing(brain, places)
    yield from unannounced(brain, places)
    yield from vanished(brain)


def vanished(brain: Brain) -> Iterator[Fault]:
    """An ontology that the base has and this brain has not."""
    if brain.base is not None and brain.base.ontology.paths and not brain.ontology.paths:
        yield Fault(
            at_file(brain.base.ontology.paths[0]),
            "the ontology is gone: the rules of the brain with it, and the starter ontology counts instead",
            key="gone",
            hint="put it back, or say with --ontology where it is",
            severity=Severity.ERROR,
        )


def stated(brain: Brain, keys: tuple[str, ...]) -> Iterator[tuple[OntologyFile, str, Any]]:
    """The versions that the files state, key by key; a list of versions is a vocabulary."""
    for key in keys:
        for file in brain.ontology_files:
            value = file.value.get(key) if isinstance(file.value, dict) else None
            if value is not None and not isinstance(value, list | dict):
                yield file, key, value


def major(value: Any) -> int | None:
    """The first number of a version; None where it has none."""
    found = MAJOR.fullmatch(str(value).strip()) if not isinstance(value, bool) else None
    return int(found[1]) if found is not None else None


def written(value: Any) -> str:
    """A version as a message tells it."""
    return quoted(str(value))


def differing(brain: Brain, places: OntologyPlaces) -> Iterator[Fault]:
    """Files that state another version than the first that states one."""
    first: dict[str, tuple[OntologyFile, Any]] = {}
    for file, key, value in stated(brain, VERSIONS):
        other, known = first.setdefault(key, (file, value))
        if str(known) != str(value):
            yield Fault(
                places.where(file, key),
                f"`{key}` is {written(value)} here, and {written(known)} in another file of the ontology",
                key=f"{key} differs",
                related=(Elsewhere(places.where(other, key), f"it is {written(known)} here"),),
                hint="state one version for all files",
                severity=Severity.WARNING,
            )


def unannounced(brain: Brain, places: OntologyPlaces) -> Iterator[Fault]:
    """What the base's ontology allowed and this one does not, where the first number of its version stays."""
    base = brain.base
    if base is None or base.ontology.faults:
        return
    before, after = major(base.constraints.version), major(brain.constraints.version)
    if before is None or after is None or after > before:
        return
    lost = list(narrowed(base.constraints, brain.constraints))
    version = next(stated(brain, VERSIONS), None)
    if lost and version is not None:
        file, key, value = version
        more = f"; and {len(lost) - MOST_TOLD} more" if len(lost) > MOST_TOLD else ""
        yield Fault(
            places.where(file, key),
            f"records that were right can now be wrong, and the version is {written(value)}:"
            f" {'; '.join(islice(lost, MOST_TOLD))}{more}",
            key="narrowed",
            hint=f"set `{key}` to {before + 1}.0.0, or allow again what was allowed",
            severity=Severity.WARNING,
        )


CHECK = Check(
    "KB007",
    "ontology-version",
    Severity.ERROR,
    "A version of the ontology that is unknown, or does not tell of a change",
    "correct the version",
    of_brain=ontology_version,
    needs_ontology=True,
)
