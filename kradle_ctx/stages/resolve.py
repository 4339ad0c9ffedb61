"""Stage 1: a memory ref becomes one commit, or the reason why it cannot."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.refs import Branch, CommitInfo, CommitPin, MemoryRef, RefCandidate, RefMode, check_ref_name
from kradle_ctx.model.timestamps import format_instant
from kradle_ctx.model.trusted_times import TrustedLine, trusted_line
from kradle_ctx.ports import Repository

SNAPSHOT_TAGS = "refs/tags/memory/snapshots/"

FULL_ID = lazy_expression(r"[0-9a-fA-F]{40}")
SHORT_ID = lazy_expression(r"[0-9a-fA-F]{4,39}")

SHALLOW_NOTE = "shallow clone: history before its boundary is not available"

DEEPEN_HINT = "get the whole history: git fetch --unshallow (in CI: fetch-depth: 0)"

MAX_NAMED_COMMITS = 5
"""How many badly dated commits a warning names."""


class Resolution(Struct, frozen=True):
    """The commit a ref leads to, the words that asked for it, and what is to be said about it."""

    commit: CommitInfo
    requested: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def resolve(repository: Repository, ref: MemoryRef, *, configured_branch: str | None = None) -> CommitPin:
    """Resolve a memory ref to one commit.

    Raises `MEMORY_REF_UNRESOLVED`, `MEMORY_REF_AMBIGUOUS` with the candidates in `details`, and
    `MEMORY_HISTORY_INCOMPLETE` where the answer stands in history that a shallow clone has cut.
    """
    branch = repository.default_branch(configured_branch)
    current = repository.commit(branch.commit)
    resolution = _resolution(repository, ref, branch, current)
    notes = (*resolution.notes, SHALLOW_NOTE) if repository.shallow else resolution.notes
    return CommitPin(
        commit=resolution.commit,
        mode=ref.mode,
        requested=resolution.requested,
        current=current,
        default_branch=branch.name,
        approved=ref.mode is RefMode.AT_TIME or _approved(repository, resolution.commit, current),
        shallow=repository.shallow,
        warnings=resolution.warnings,
        notes=notes,
    )


def _resolution(repository: Repository, ref: MemoryRef, branch: Branch, current: CommitInfo) -> Resolution:
    if ref.mode is RefMode.CURRENT:
        return Resolution(current, branch.name)
    if ref.mode is RefMode.AT_TIME and ref.at is not None:
        found = _commit_at(repository, branch, ref.at)
        return replace(found, requested=ref.at_text or format_instant(ref.at))
    if ref.name is None:
        raise KradleError(ErrorCode.USAGE, f"memory ref mode {ref.mode} names nothing", "name a ref or an instant")
    check_ref_name(ref.name)
    if ref.mode is RefMode.SNAPSHOT_TAG:
        return _named(repository, ref.name, SNAPSHOT_TAGS + ref.name)
    return _named(repository, ref.name, ref.name)


def _approved(repository: Repository, commit: CommitInfo, current: CommitInfo) -> bool | None:
    """Whether a commit is on the default branch's first-parent history; None where a shallow clone hides it."""
    last = current
    for last in repository.first_parents(current.id):
        if last.id == commit.id:
            return True
    return None if repository.cut(last.id) else False


# Names


def _named(repository: Repository, requested: str, name: str) -> Resolution:
    candidates = repository.candidates(name)
    if not candidates:
        raise _not_found(repository, requested, name)
    if len(candidates) > 1:
        raise _ambiguous(requested, candidates)
    (candidate,) = candidates
    if not candidate.commit:
        raise KradleError(
            ErrorCode.MEMORY_REF_UNRESOLVED,
            f"{requested!r} is a {candidate.kind} that names no commit",
            "name a branch, a tag or a commit id",
        )
    return Resolution(repository.commit(candidate.commit), requested, _shadow_warnings(repository, name))


def _shadow_warnings(repository: Repository, name: str) -> tuple[str, ...]:
    """A full id always means the object; say so when refs bear it as their name."""
    if not FULL_ID.fullmatch(name):
        return ()
    shadows = [place + name for place in ("refs/heads/", "refs/tags/") if _exists(repository, place + name)]
    return tuple(f"{shadow} has a commit id for its name; the commit of that id was taken" for shadow in shadows)


def _exists(repository: Repository, full_name: str) -> bool:
    """Whether there is a ref of that name, sound or not."""
    try:
        return bool(repository.candidates(full_name))
    except KradleError:
        return True


def _not_found(repository: Repository, requested: str, name: str) -> KradleError:
    if repository.shallow and FULL_ID.fullmatch(name):
        return KradleError(
            ErrorCode.MEMORY_HISTORY_INCOMPLETE,
            f"commit {requested} is not available in a shallow clone",
            DEEPEN_HINT,
        )
    hint = "check the name, or fetch it into this clone"
    if name.startswith(SNAPSHOT_TAGS):
        hint = f"there is no such snapshot tag; they stand under {SNAPSHOT_TAGS}: fetch them with git fetch --tags"
    elif not name.startswith("refs/") and repository.candidates(f"refs/remotes/origin/{name}"):
        hint = f"there is a remote branch of that name: origin/{name}"
    elif repository.shallow and SHORT_ID.fullmatch(name):
        hint = f"this is a shallow clone; {DEEPEN_HINT}"
    return KradleError(
        ErrorCode.MEMORY_REF_UNRESOLVED, f"{requested!r} is no branch, tag or commit of this repository", hint
    )


def _ambiguous(requested: str, candidates: Sequence[RefCandidate]) -> KradleError:
    shown = ", ".join(f"{candidate.kind} {candidate.name}" for candidate in candidates)
    return KradleError(
        ErrorCode.MEMORY_REF_AMBIGUOUS,
        f"{requested!r} is ambiguous: {shown}",
        "name one of them in full",
        candidates=[
            {"kind": candidate.kind, "name": candidate.name, "commit": candidate.commit} for candidate in candidates
        ],
    )


# Time


def _commit_at(repository: Repository, branch: Branch, instant: datetime) -> Resolution:
    """The latest commit of the default branch at or before an instant, by committer times."""
    line = trusted_line(list(repository.first_parents(branch.commit))[::-1])
    oldest = line.commits[0]
    is_cut = repository.cut(oldest.id)
    if is_cut and line.doubted:
        raise _incomplete(f"committer times do not rise in this shallow clone, which ends at {oldest.id}")
    position = bisect_right(line.times, instant) - 1
    if position >= 0:
        return _dated(line, position)
    if is_cut:
        reached = f"this shallow clone ends at {oldest.id} of {format_instant(oldest.committed_at)}"
        raise _incomplete(f"the commit at {format_instant(instant)} is not available: {reached}")
    first = line.commits[line.first_trusted]
    raise KradleError(
        ErrorCode.MEMORY_REF_UNRESOLVED,
        f"{branch.name!r} has no commit at or before {format_instant(instant)}",
        f"its earliest is {first.id} of {format_instant(first.committed_at)}",
    )


def _dated(line: TrustedLine, position: int) -> Resolution:
    """The answer, with badly dated commits up to it as a warning, and later ones, which may still come, as a note."""
    before = [line.commits[doubted] for doubted in line.doubted if doubted <= position]
    after = [line.commits[doubted] for doubted in line.doubted if doubted > position]
    return Resolution(line.commits[position], "", _doubts(before), _doubts(after))


def _doubts(commits: Sequence[CommitInfo]) -> tuple[str, ...]:
    if not commits:
        return ()
    shown = ", ".join(f"{commit.id} ({format_instant(commit.committed_at)})" for commit in commits[:MAX_NAMED_COMMITS])
    more = f" and {len(commits) - MAX_NAMED_COMMITS} more" if len(commits) > MAX_NAMED_COMMITS else ""
    return (f"committer time out of order, so the time of the commit before was taken: {shown}{more}",)


def _incomplete(message: str) -> KradleError:
    return KradleError(ErrorCode.MEMORY_HISTORY_INCOMPLETE, message, DEEPEN_HINT)
