"""Memory refs and the commits they are pinned to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class RefMode(StrEnum):
    """The four ways to name a commit of the brain."""

    CURRENT = "current"
    EXPLICIT = "explicit-ref"
    AT_TIME = "ref-at-time"
    SNAPSHOT_TAG = "snapshot-tag"


@dataclass(frozen=True, slots=True)
class MemoryRef:
    """What was asked for: nothing (`current`), a name, an instant, or a snapshot tag."""

    mode: RefMode = RefMode.CURRENT
    name: str | None = None
    at: datetime | None = None
    at_text: str | None = None


@dataclass(frozen=True, slots=True)
class RefCandidate:
    """One object that a requested name could mean; `name` is a full ref name or a full commit id."""

    kind: str
    name: str
    commit: str


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """A commit's id, root tree, parents, and committer time (UTC)."""

    id: str
    tree: str
    parents: tuple[str, ...]
    committed_at: datetime


@dataclass(frozen=True, slots=True)
class Branch:
    """The default branch: its short name, full ref name and tip commit."""

    name: str
    ref: str
    commit: str


@dataclass(frozen=True, slots=True)
class CommitPin:
    """A memory ref resolved to one commit, beside the default branch's commit at that moment.

    `requested` is the text that was asked for (for `current`, the default branch's name); `approved` is None
    where a shallow clone hides the answer. `notes` depend on the clone or on the branch's position, so they stand
    outside every digest; `warnings` follow from the commit and the request alone.
    """

    commit: CommitInfo
    mode: RefMode
    requested: str
    current: CommitInfo
    default_branch: str
    approved: bool | None
    shallow: bool
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def historical(self) -> bool:
        """Whether the pin is not the default branch's tip."""
        return self.commit.id != self.current.id
