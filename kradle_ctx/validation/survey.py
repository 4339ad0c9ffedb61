"""A commit's brain as validation reads it: its index, its ontology, and what each file says by itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from kradle_ctx.constraints import read_constraints
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.ontology import OntologyFile, starter_file
from kradle_ctx.ports import Index, Snapshot
from kradle_ctx.validation.files import BrainFiles
from kradle_ctx.validation.inspection import Inspection

InspectionOf = Callable[[str], Inspection]
"""The inspection of a file by its path."""


Naming = Callable[[Collection[str]], Iterable[int]]
"""The documents that may name some ids as owners or in typed attributes: all that do are among them."""


class Survey(Struct, frozen=True):
    """What was read of a brain."""

    index: Index
    files: BrainFiles
    ontology_files: tuple[OntologyFile, ...]
    constraints: Constraints
    inspection_of: InspectionOf
    naming: Naming


class Surveyor(Protocol):
    """Reads a brain for validation."""

    def survey(self, snapshot: Snapshot, root: str, ontology_path: str | None, *, whole: bool) -> Survey:
        """Read the brain below `root`; `whole` tells that every document will be looked at."""

    def constraints(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Constraints:
        """What the ontology of a brain demands; nothing else of the brain is read."""


def demanded(ontology_files: Sequence[OntologyFile]) -> Constraints:
    """What an ontology demands, the starter one where there is none."""
    return read_constraints(ontology_files or [starter_file()])
