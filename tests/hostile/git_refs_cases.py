"""A02 to A07: refs that are not what they seem."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.attack import CANARY, Attack, HostileBrain
from tests.hostile.git_cases import (
    NOWHERE,
    UNAVAILABLE,
    UNRESOLVED,
    UNSOUND,
    Case,
    Harmless,
    Refused,
    file,
    huge,
    link,
    pipe,
    ref,
)

AMBIGUOUS = "MEMORY_REF_AMBIGUOUS"
MAIN, FULL_MAIN, BY_ID = ("--ref", "main"), ("--ref", "refs/heads/main"), ("--ref", "TIP")


def names_of_refs() -> Iterator[Case]:
    """Refs whose names mean something else, too."""
    yield Case("A02", "tag shadows branch", ref("refs/tags/main", "TIP"), Refused(AMBIGUOUS, "refs/tags/main"), MAIN)
    yield Case("A02", "tag and the default branch", ref("refs/tags/main", NOWHERE), Harmless())
    yield Case("A02", "tag and the full name", ref("refs/tags/main", NOWHERE), Harmless(), ("--ref", "refs/heads/main"))
    yield Case("A02", "tag named as a full name", ref("refs/tags/refs/heads/main", NOWHERE), Harmless(), FULL_MAIN)
    yield Case("A02", "branch named HEAD", ref("refs/heads/HEAD", NOWHERE), Harmless(), ("--ref", "HEAD"))
    yield Case("A02", "ref beside the branches", ref("refs/main", "TIP"), Refused(AMBIGUOUS, "refs/main"), MAIN)
    yield Case("A03", "branch named as an id", ref("refs/heads/TIP", NOWHERE), Harmless(), BY_ID)
    yield Case("A03", "tag named as an id", ref("refs/tags/TIP", NOWHERE), Harmless(), BY_ID)


def loops() -> Iterator[Case]:
    """Symbolic refs that lead nowhere, or out of the repository."""
    loop = Refused(UNRESOLVED, "symbolic refs")
    no_ref = Refused(UNRESOLVED, "is symbolic and names no ref")
    yield Case("A05", "ref to itself", ref("refs/heads/a", "ref: refs/heads/a"), loop, ("--ref", "a"))
    yield Case("A05", "two refs to each other", two_refs, loop, ("--ref", "a"))
    yield Case("A05", "HEAD to a loop", head_to_loop, loop)
    yield Case("A05", "HEAD to HEAD", ref("HEAD", "ref: HEAD"), no_ref)
    for target in ("../../../etc/passwd", "refs/../../../etc/passwd", CANARY):
        yield Case("A06", f"HEAD to {target[:12]}", ref("HEAD", f"ref: {target}"), no_ref)
    invisible = Refused(UNRESOLVED, r"a\u202eb', with a control character or an invisible one")
    yield Case("A06", "HEAD to a bidi name", ref("HEAD", "ref: refs/heads/a\u202eb"), invisible)
    yield Case("A06", "HEAD to an escape", ref("HEAD", "ref: refs/heads/\x1b]0;x\x07"), Refused(UNRESOLVED, r"\x1b"))


def files_of_refs() -> Iterator[Case]:
    """Files of refs that hold something else, or are no files."""
    unread, unsound = Refused(UNRESOLVED, "cannot be read"), Refused(UNAVAILABLE, "HEAD is")
    yield Case("A06", "HEAD with NUL", file("HEAD", b"ref: refs/heads/main\0x\n"), Harmless())
    yield Case("A06", "HEAD without content", file("HEAD", ""), unread)
    yield Case("A06", "HEAD of other content", file("HEAD", CANARY), unread)
    yield Case("A06", "HEAD is a link outside", link("HEAD", "/etc/passwd"), unsound)
    yield Case("A06", "HEAD is a pipe", pipe("HEAD"), unsound)
    yield Case("A06", "HEAD is huge", huge("HEAD"), unsound)
    yield Case("A06", "branch of other content", ref("refs/heads/main", CANARY), unread)
    yield Case("A06", "branch is a link outside", link("refs/heads/main", "/etc/passwd"), unread)
    yield Case("A06", "branch is a pipe", pipe("refs/heads/main"), unread)
    yield Case("A06", "branch is huge", huge("refs/heads/main"), unread)
    yield Case("A06", "packed refs are a pipe", pipe("packed-refs"), Refused(UNAVAILABLE, "packed-refs is"))
    yield Case("A06", "packed refs are huge", huge("packed-refs"), Refused(UNAVAILABLE, "packed-refs is"))
    yield Case("A06", "packed refs of other content", file("packed-refs", CANARY + "\n"), unread)


def without_a_commit() -> Iterator[Case]:
    """Nothing to read."""
    yield Case("A07", "no commit", unborn, Refused(UNRESOLVED, "no commits yet"))
    yield Case("A07", "HEAD to no branch", ref("HEAD", "ref: refs/heads/none"), Refused(UNRESOLVED, "has no commit"))
    yield Case("A07", "commit is missing", ref("refs/heads/main", NOWHERE), Refused(UNSOUND, NOWHERE))
    yield Case("A07", "branch of a blob", branch_of_blob, Refused(UNRESOLVED, "names a blob"))
    yield Case("A07", "tree is missing", lambda brain, attack: brain.add_raw_commit(NOWHERE), Refused(UNSOUND, NOWHERE))


def two_refs(brain: HostileBrain, attack: Attack) -> None:
    """Two symbolic refs that name each other."""
    brain.set_ref("refs/heads/a", "ref: refs/heads/b")
    brain.set_ref("refs/heads/b", "ref: refs/heads/a")


def head_to_loop(brain: HostileBrain, attack: Attack) -> None:
    """HEAD names a ref that names itself."""
    brain.set_ref("refs/heads/a", "ref: refs/heads/a")
    brain.set_ref("HEAD", "ref: refs/heads/a")


def unborn(brain: HostileBrain, attack: Attack) -> None:
    """A repository without a ref."""
    (brain.folder / "refs/heads/main").unlink()


def branch_of_blob(brain: HostileBrain, attack: Attack) -> None:
    """The branch names a blob."""
    brain.set_ref("refs/heads/main", brain.blob())


REF_CASES = (*names_of_refs(), *loops(), *files_of_refs(), *without_a_commit())
