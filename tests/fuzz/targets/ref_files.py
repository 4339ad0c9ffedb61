"""The files of a repository beside its objects: HEAD, refs, packed refs, configuration, and what points elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.stages.resolve import resolve
from tests.conftest import GitBuilder
from tests.fuzz.scratch import repository_with_refs
from tests.fuzz.target import RECORD_MARK, Target, records_of, refusal, require

FILES = (
    *("HEAD", "packed-refs", "refs/heads/a", "refs/heads/b", "refs/tags/a", "refs/remotes/origin/HEAD", "shallow"),
    *("config", "objects/info/alternates", "commondir", "info/grafts", "refs/replace/" + "1" * 40),
)
"""What an input may write, by its number; anything else stays as it is."""

CODES = (
    ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE,
    ErrorCode.MEMORY_REF_UNRESOLVED,
    ErrorCode.MEMORY_REF_AMBIGUOUS,
    ErrorCode.MEMORY_HISTORY_INCOMPLETE,
    ErrorCode.MEMORY_OBJECT_MISSING,
)

OUTSIDE = "root:"
"""Begins a file that lies outside; none of it may come back in a message."""

LINES = [
    *["ref: refs/heads/main", "ref: refs/heads/a", "ref: ../../../etc/passwd", "ref: refs/heads/b\0x", "ref: HEAD"],
    *["ref:", "ref: refs/tags/a", "{COMMIT}", "{TREE}", "{COMMIT} refs/heads/a", "{COMMIT} refs/heads/b", "^{COMMIT}"],
    *["1" * 40, "# pack-refs with: peeled fully-peeled sorted", "/etc", "../x", "{COMMIT} refs/../a", "{COMMIT}\r"],
    *["[core]", "repositoryformatversion = 1", "bare = true", "worktree = /etc", "[include] path = config", "\\"],
    *["path=/etc/passwd", "[extensions]", "objectformat = sha256", "refstorage = reftable", "partialclone = x"],
]
RECORDS = st.tuples(st.integers(0, len(FILES) - 1), st.lists(st.sampled_from(LINES) | st.text(max_size=4), max_size=4))
SCRAPS = (RECORD_MARK, *(line.encode() + b"\n" for line in LINES), b"\x00", b"\r\n", b"\xff", b"{COMMIT}", b"{TREE}")


def check(data: bytes) -> str:
    """Put the files of an input in place of the right ones, and resolve names."""
    build, commit, tree = repository_with_refs()
    written: dict[str, bytes | None] = {}
    try:
        for record in records_of(data, 1)[:6]:
            name = FILES[record[0] % len(FILES)] if record else "HEAD"
            file = build.path / name
            written.setdefault(name, file.read_bytes() if file.is_file() else None)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(record[1:].replace(b"{COMMIT}", commit.encode()).replace(b"{TREE}", tree.encode()))
        return " ".join(answers(build, ("", "a", "main", "refs/heads/b", commit)))
    finally:
        for name, before in written.items():
            file = build.path / name
            file.unlink() if before is None else file.write_bytes(before)


def answers(build: GitBuilder, names: Sequence[str]) -> Iterator[str]:
    """The words for what names lead to; no name is the default branch."""
    try:
        repository = open_repository(build.path)
    except KradleError as error:
        yield refused(error)
        return
    for name in names:
        try:
            pin = resolve(repository, MemoryRef(RefMode.EXPLICIT, name) if name else MemoryRef())
            yield f"{len(repository.snapshot(pin.commit.id).listing('').files)}-files"
        except KradleError as error:
            yield refused(error)


def refused(error: KradleError) -> str:
    """The code of a documented refusal, in which nothing of a file stands."""
    require(OUTSIDE not in error.message + error.hint, "no message holds the content of a file")
    return refusal(error, *CODES).partition(" ")[0]


TARGET = Target(
    name="ref-files",
    promise="whatever HEAD, refs and configuration say, a name is resolved or refused in one line, and nothing leaks",
    check=check,
    inputs=st.lists(RECORDS, min_size=1, max_size=4).map(
        lambda records: RECORD_MARK.join(bytes([number]) + "\n".join(lines).encode() for number, lines in records)
    ),
    seeds=lambda: [
        b"\x00ref: refs/heads/a\n\x1e\x02{COMMIT}\n",
        b"\x01# pack-refs with: peeled fully-peeled sorted\n{COMMIT} refs/heads/a\n{COMMIT} refs/tags/a\n^{COMMIT}\n",
        b"\x07[core]\n\trepositoryformatversion = 0\n\tbare = true\n\x1e\x05ref: refs/remotes/origin/only-there\n",
        b"\x06{COMMIT}\n\x1e\x03ref: refs/heads/b\n",
    ],
    scraps=SCRAPS,
)
