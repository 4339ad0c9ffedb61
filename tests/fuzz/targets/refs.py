"""Names that are asked for: refused, or resolved as they are in memory, and never to anything else."""

from __future__ import annotations

import os
import re
from functools import cache

import pygit2
from hypothesis import strategies as st

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import CommitPin, MemoryRef, RefMode, check_ref_name
from kradle_ctx.model.timestamps import format_instant, lenient_instant, parse_instant
from kradle_ctx.ports import Repository
from kradle_ctx.stages.resolve import resolve
from tests.fakes import InMemoryRepository
from tests.fuzz.scratch import DAY_1, DAY_2, repository_with_refs
from tests.fuzz.target import Target, bytes_of, refusal, require, text_of

CODES = (ErrorCode.MEMORY_REF_UNRESOLVED, ErrorCode.MEMORY_REF_AMBIGUOUS)
TIME_CODES = (ErrorCode.USAGE, ErrorCode.TIMESTAMP_AMBIGUOUS)

NAMES = [
    *["main", "old", "feature/x", "v1", "s1", "HEAD", "refs/heads/main", "refs/tags/main", "origin/only-there"],
    *["a-tree", "heads/main", "tags/v1", "remotes/origin/only-there", "refs/", "@", "@{-1}", "main^", "main~1"],
    *["main@{0}", "-x", "main..old", ":/x", "a.lock", ".a", "a/", "//", "a b", "a\\b", "*", "main\0x", "\u202e"],
    *["\ud800", "é", "𝐦ain", "2026-05-02T00:00:00Z", "2026-05-02", "2026-05-02T01:02", "9999-12-31T23:59:59-23:59"],
    *["0001-01-01T00:00:00+23:59"],
]
PIECES = (
    st.sampled_from(NAMES) | st.text(max_size=3) | st.sampled_from(["/", ".", "-", "refs/heads/", ":", "+00:00", "0"])
)
SCRAPS = (*map(bytes_of, NAMES), b"refs/heads/", b"refs/tags/", b".lock", b"T", b"+99:99", b"\x00", b"\x7f", b"a" * 200)


def check(data: bytes) -> str:
    """Check a name, resolve it in each mode on disk and in memory, and read it as an instant."""
    name = text_of(data)
    words = [checked_name(name), checked_instant(name)]
    refs = [MemoryRef(RefMode.EXPLICIT, name), MemoryRef(RefMode.SNAPSHOT_TAG, name)]
    for ref, branch in [(ref, None) for ref in refs] + [(MemoryRef(), name)]:
        if branch is None or words[0] == "a name":  # a configured branch comes from a resource, which has checked it
            answers = [answer(repository, ref, branch) for repository in (on_disk(os.getpid()), in_memory())]
            require(answers[0] == answers[1], "a name means on disk what it means in memory")
            words.append(answers[0].partition(" ")[0][:30])
    return " | ".join(words)


def checked_name(name: str) -> str:
    """The word for a name: refused, or one that Git allows as well."""
    try:
        check_ref_name(name)
    except KradleError as error:
        refusal(error, ErrorCode.MEMORY_REF_UNRESOLVED)
        return error.message.rpartition("memory ref: ")[2]
    require(pygit2.reference_is_valid_name(f"refs/heads/{name}"), "Git allows the name of a branch that is accepted")
    require("\0" not in name and name.isprintable(), "a name that is accepted can be shown")
    return "a name"


def checked_instant(text: str) -> str:
    """The word for a text read as an instant."""
    try:
        instant = parse_instant(text)
    except KradleError as error:
        require(error.code is not ErrorCode.TIMESTAMP_AMBIGUOUS or lenient_instant(text), "what is ambiguous is a time")
        return refusal(error, *TIME_CODES).partition(" ")[0]
    require(lenient_instant(text) == instant, "a strict reading is a lenient one as well")
    require(parse_instant(format_instant(instant)) == instant.replace(microsecond=0), "an instant is written as it is")
    return "an instant"


def answer(repository: Repository, ref: MemoryRef, branch: str | None) -> str:
    """The commit that a ref leads to, or the code of the refusal."""
    try:
        pin: CommitPin = resolve(repository, ref, configured_branch=branch)
    except KradleError as error:
        refusal(error, *CODES)
        return str(error.code)
    require(re.fullmatch("[0-9a-f]{40}", pin.commit.id), "a pin is a full id")
    return f"{'pinned'} {pin.commit.id} {pin.default_branch} {pin.approved} {pin.warnings}"


@cache
def on_disk(process: int) -> Repository:
    """The real repository, one for each process."""
    return open_repository(repository_with_refs()[0].path)


@cache
def in_memory() -> InMemoryRepository:
    """The same repository in memory."""
    made = InMemoryRepository()
    first = made.add_commit({"a.md": "1", "open/b.md": "2"}, DAY_1)
    second = made.add_commit({"a.md": "3"}, DAY_2)
    made.set_branch("old", first)
    made.set_branch(first, second)
    made.set_branch("feature/x", second)
    made.set_tag("v1", first, annotated=True)
    made.set_tag("main", first)
    made.set_tag("memory/snapshots/s1", first)
    made.set_remote_branch("only-there", second)
    made.set_tag("a-tree", made.commit(first).tree)
    return made


TARGET = Target(
    name="refs",
    promise="a name is refused in one line or resolved to the same commit on disk and in memory",
    check=check,
    inputs=st.lists(PIECES, min_size=1, max_size=4).map("".join).map(bytes_of),
    seeds=lambda: (
        [name.encode() for name in NAMES if name.isprintable()] + [in_memory().refs["refs/heads/old"].encode()]
    ),
    scraps=SCRAPS,
)
