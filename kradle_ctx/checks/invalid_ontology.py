"""KB005: an ontology that does not parse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Fault, Where, at_file
from kradle_ctx.checks.ontology_places import OntologyPlaces
from kradle_ctx.model.findings import Severity
from kradle_ctx.ontology import MOST_FAULTS, OntologyFile
from kradle_ctx.yamldoc import shown


def invalid_ontology(brain: Brain) -> Iterator[Fault]:
    """The files of the ontology that say nothing: those that do not parse, and those that a manifest names in vain."""
    faulty = {file.path: file for file in brain.ontology_files if file.fault is not None}
    for file in islice(faulty.values(), MOST_FAULTS):
        if file.data is not None:
            where = at_file(file.path, file.line or 1, file.column or 1)
            yield Fault(where, f"the ontology does not parse here: {file.fault}")
        else:
            yield Fault(
                naming(file.path, brain) or at_file(file.path),
                f"the ontology names the file {shown(file.path)}, which is not there",
                key=file.path,
                hint="correct the path, which begins at the brain's root, or add the file",
            )


def naming(path: str, brain: Brain) -> Where | None:
    """Where a manifest names a file."""
    for file in brain.ontology_files:
        pointer = pointer_to(path, file)
        if pointer is not None:
            return OntologyPlaces().where(file, *pointer)
    return None


def pointer_to(path: str, file: OntologyFile) -> tuple[str | int, ...] | None:
    """The pointer to a path in a manifest."""
    value = file.value if isinstance(file.value, dict) else {}
    listed = value.get("nodeKindFiles")
    if isinstance(listed, list) and path in listed:
        return ("nodeKindFiles", listed.index(path))
    return ("edgeKindFile",) if value.get("edgeKindFile") == path else None


CHECK = Check(
    "KB005",
    "invalid-ontology",
    Severity.ERROR,
    "An ontology that does not parse",
    "mend the file; until then the kinds in it are unknown, and many checks are not made",
    of_brain=invalid_ontology,
)
