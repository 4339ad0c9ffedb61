"""What validation says of a brain: findings with their places, and the report that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """How much a finding weighs, the heaviest first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the heaviest."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """How sure a check is of what it says."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Span(Struct, frozen=True, array_like=True):
    """Where in a file: lines and columns from 1, lines split at LF, columns counted in characters; `end_column` is past
    the last character.
    """

    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1


class Related(Struct, frozen=True):
    """Another place that belongs to a finding, and what is there."""

    path: str
    span: Span
    message: str


class Finding(Struct, frozen=True):
    """One fault of the brain.

    `check` is the stable id of the check (`KB001`) and `name` its word. `path` is relative to the brain's root.
    `record` is the id of the record that it is about, where there is one. `fingerprint` is 32 hex digits that stay when
    lines move. `suppressed` is the reason given in the file for not counting it.
    """

    check: str
    name: str
    severity: Severity
    confidence: Confidence
    path: str
    span: Span
    message: str
    hint: str
    fingerprint: str
    record: str | None = None
    related: tuple[Related, ...] = ()
    suppressed: str | None = None


class NotRun(Struct, frozen=True):
    """A check that could not be made, and why."""

    check: str
    name: str
    reason: str


class Change(StrEnum):
    """What happened to a record."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    EDITED = "edited"
    WITHHELD = "withheld"
    RECLASSIFIED = "reclassified"


class RecordChange(Struct, frozen=True):
    """A record that a change touches.

    `was` is the title, or the path, that it had before where it was renamed, and its sensitivity where that changed. A
    withheld one is declared more than once after the change and not before, so that answers leave it out.
    """

    change: Change
    id: str
    kind: str
    path: str
    was: str | None = None


class EdgeChange(Struct, frozen=True):
    """An edge that a change adds or removes."""

    change: Change
    source: str
    kind: str
    target: str


class GoldenQuery(Struct, frozen=True):
    """A golden query that names what a change touches; `removed` where the change removes its file."""

    name: str
    path: str
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    removed: bool = False


class Impact(Struct, frozen=True):
    """What agents will see differently after a change; of very many records and edges how many more there are."""

    records: tuple[RecordChange, ...] = ()
    edges: tuple[EdgeChange, ...] = ()
    more_records: int = 0
    more_edges: int = 0
    kinds: Mapping[str, int] = {}
    repositories: tuple[str, ...] = ()
    golden_queries: tuple[GoldenQuery, ...] = ()


class Report(Struct, frozen=True):
    """All that validation says.

    `findings` count, in path and line order; `suppressed` were set aside in the files, `known` stand in a baseline.
    `commit` is None for files of a work tree, `base` the commit that a change is compared with. `moment` is the
    commit's time, or when a work tree was read, in UTC.
    """

    moment: str
    commit: str | None
    base: str | None
    root: str
    ontology: str
    ontology_digest: str
    files: int
    records: int
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    notes: tuple[str, ...] = ()
    impact: Impact | None = None

    def counts(self) -> dict[str, int]:
        """How many findings of each severity count."""
        return {severity.value: sum(each.severity is severity for each in self.findings) for severity in Severity}

    def fails(self, at: Severity | None) -> bool:
        """Whether a finding weighs as much as a severity, or more; None for never."""
        return at is not None and any(finding.severity.rank <= at.rank for finding in self.findings)
