"""A commit's brain as validation reads it: its index, its ontology, and what each file says by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from kradle_ctx.constraints import read_constraints
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.ontology import OntologyFile, starter_file
from kradle_ctx.ports import Index, Kept, Snapshot
from kradle_ctx.validation.files import BrainFiles
from kradle_ctx.validation.inspection import Inspection


class Survey(Protocol):
    """What was read of a brain."""

    @property
    def index(self) -> Index:
        """Its documents."""

    @property
    def files(self) -> BrainFiles:
        """Its files."""

    @property
    def kept(self) -> Kept:
        """What is known again of it."""

    @property
    def rules(self) -> str:
        """A name for all that decides what is found in it."""

    @property
    def ontology_files(self) -> Sequence[OntologyFile]:
        """The files of its ontology."""

    @property
    def constraints(self) -> Constraints:
        """What its ontology demands."""

    @property
    def paths(self) -> Collection[str]:
        """The paths of all files that are read, also of those that hold no document."""

    def inspection_of(self, path: str) -> Inspection:
        """What a file says by itself."""

    def naming(self, names: Collection[str]) -> Iterable[int]:
        """The documents that may name some ids as owners or in typed attributes: all that do are among them."""

    def at_hand(self) -> Survey:
        """The same with all documents at hand, for who looks at all of them."""


class Surveyor(Protocol):
    """Reads a brain for validation."""

    def survey(self, snapshot: Snapshot, root: str, ontology_path: str | None, *, in_part: bool = False) -> Survey:
        """Read the brain below `root`; `in_part` where little of it is looked at, so that an index is worth making."""

    def constraints(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Constraints:
        """What the ontology of a brain demands; nothing else of the brain is read."""


def demanded(ontology_files: Sequence[OntologyFile]) -> Constraints:
    """What an ontology demands, the starter one where there is none."""
    return read_constraints(ontology_files or [starter_file()])
