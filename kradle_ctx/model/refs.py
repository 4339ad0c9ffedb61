"""Memory refs and the commits they are pinned to."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from msgspec import Struct

from kradle_ctx.errors import ErrorCode, KradleError, quoted
from kradle_ctx.expressions import lazy_expression

MAX_REF_NAME = 250
"""Longest ref name accepted, in UTF-8 bytes; a loose ref is a file, and 255 is the usual limit of a file name."""

REFUSED_NAMES = (
    (lazy_expression(r"^$"), "it is empty"),
    (lazy_expression(r"^-"), "it begins with '-'"),
    (lazy_expression(r"@\{|^@$"), "reflog and '@' expressions depend on this clone's local state"),
    (lazy_expression(r"[\^~:]|\.\."), "it is a revision expression"),
    (lazy_expression(r"[?*\[]"), "it is a pattern"),
    (lazy_expression(r"[\s\\]"), "it holds a space or a backslash"),
    (lazy_expression(r"^/|//|/$|(^|/)\.|\.$|\.lock(/|$)"), "Git does not allow a part like that in a ref name"),
)
"""What `git check-ref-format` refuses, with revision expressions told apart, and a leading dash besides."""


class RefMode(StrEnum):
    """The four ways to name a commit of the brain."""

    CURRENT = "current"
    EXPLICIT = "explicit-ref"
    AT_TIME = "ref-at-time"
    SNAPSHOT_TAG = "snapshot-tag"


class MemoryRef(Struct, frozen=True):
    """What was asked for: nothing (`current`), a name, an instant, or a snapshot tag."""

    mode: RefMode = RefMode.CURRENT
    name: str | None = None
    at: datetime | None = None
    at_text: str | None = None


class RefCandidate(Struct, frozen=True):
    """One object that a requested name could mean.

    `kind` is `branch`, `tag`, `remote branch`, `ref`, or for an object id `commit`, `tag`, `tree` or `blob`; `name` is
    a full ref name or a full object id. `commit` is the commit it leads to, empty for a tree or a blob.
    """

    kind: str
    name: str
    commit: str


class CommitInfo(Struct, frozen=True):
    """A commit's id, root tree, parents, and committer time (UTC)."""

    id: str
    tree: str
    parents: tuple[str, ...]
    committed_at: datetime


class Branch(Struct, frozen=True):
    """The default branch: its short name, full ref name and tip commit."""

    name: str
    ref: str
    commit: str


class CommitPin(Struct, frozen=True):
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

    @property
    def behind(self) -> timedelta | None:
        """How much older the pin is than the default branch's tip; None when it is not older."""
        age = self.current.committed_at - self.commit.committed_at
        return age if self.historical and age > timedelta(0) else None


def check_ref_name(name: str) -> None:
    """Refuse what is no ref name and no hex id; raises `MEMORY_REF_UNRESOLVED`.

    Libgit2 stops reading a name at NUL, so a name is checked before it gets there.
    """
    reason = _refusal(name)
    if reason:
        raise KradleError(
            ErrorCode.MEMORY_REF_UNRESOLVED,
            f"{quoted(name, MAX_REF_NAME, 'name')} is not accepted as a memory ref: {reason}",
            "name a branch, a tag or a commit id, which `git rev-parse` prints; use --at for an instant",
        )


def _refusal(name: str) -> str | None:
    """Why a name is refused, None when it is not."""
    if not name.isprintable():
        return "it holds a control character or another invisible one"
    if len(name.encode()) > MAX_REF_NAME:
        return f"it is longer than {MAX_REF_NAME} bytes"
    return next((reason for pattern, reason in REFUSED_NAMES if pattern.search(name)), None)
