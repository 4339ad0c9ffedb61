"""Raw trees: refused when malformed, else listed as what they are, whatever the names in them."""

from __future__ import annotations

import os
from functools import cache

from hypothesis import strategies as st

from kradle_ctx.adapters.git_objects import ObjectReader
from kradle_ctx.adapters.git_tree import Entry, TreeLimits, TreeLister, find_folder, read_tree
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.ports import Listing
from tests.conftest import GitBuilder
from tests.fuzz.scratch import repository
from tests.fuzz.target import RECORD_MARK, Target, refusal, require

CODES = (ErrorCode.MEMORY_OBJECT_MISSING, ErrorCode.LIMIT_EXCEEDED)
LIMITS = TreeLimits(blob_bytes=8, entries=200, depth=5, path_bytes=300)

NAMES = [
    *[b"a.md", b"b.md", b"A.md", b"d", b"d0", b".git", b".GIT", b".", b"..", b"a/b", b"a\\b", b"a\nb", b"\x1b[31m"],
    *[b"caf\xe9", "é.md".encode(), "e\u0301.md".encode(), "\u202egnp.md".encode(), b" ", b"a.md ", b"CON.md"],
    *[b"n" * 301, b"\xff"],
]
MODES = [b"100644", b"100755", b"40000", b"040000", b"120000", b"160000", b"100664", b"0", b"9", b"170000", b"1000644"]
BLOB, LARGE, COMMIT, MISSING, BEFORE = b"B" * 20, b"L" * 20, b"C" * 20, b"M" * 20, b"T" * 20
"""What stands for ids: a small blob, a large one, a commit, nothing, and the tree of the record before."""

ENTRIES = st.builds(
    lambda mode, name, object_id: mode + b" " + name + b"\0" + object_id,
    st.sampled_from(MODES),
    st.sampled_from(NAMES) | st.binary(min_size=1, max_size=3),
    st.sampled_from([BLOB, LARGE, COMMIT, MISSING, BEFORE, BEFORE]),
)
TREES = st.lists(ENTRIES, max_size=5).map(b"".join)
SCRAPS = (RECORD_MARK, *NAMES, *(mode + b" " for mode in MODES), BLOB, BEFORE, b"\0", b"100644 x\0" + BLOB, b" ")


def check(data: bytes) -> str:
    """Write the trees of an input, each of which can hold the one before, and list the last."""
    build, ids = objects_on_disk(os.getpid())
    trees: list[str] = []
    for raw in data.split(RECORD_MARK)[-8:]:
        raw = raw.replace(BEFORE, bytes.fromhex(trees[-1]) if trees else ids[BLOB])
        for word, object_id in ids.items():
            raw = raw.replace(word, object_id)
        trees.append(build.add_object("tree", raw))
    try:
        return listed(ObjectReader(build.folder / "objects"), trees[-1])
    finally:
        for tree in set(trees):
            (build.folder / "objects" / tree[:2] / tree[2:]).unlink()


def listed(objects: ObjectReader, tree: str) -> str:
    """The word for what a tree is: refused, or how many files it lists."""
    try:
        entries = read_tree(objects, tree)
    except KradleError as error:
        return refusal(error, *CODES)
    require_entries(entries, objects, tree)
    try:
        listing = TreeLister(objects, LIMITS).list_files(tree)
    except KradleError as error:
        return refusal(error, *CODES)
    require_listing(listing)
    return f"{min(len(listing.files), 5)} files, {sorted({skipped.reason for skipped in listing.skipped})}"


def require_entries(entries: list[Entry], objects: ObjectReader, tree: str) -> None:
    """Check that the entries are all that the tree holds, and that their names are single steps."""
    size = objects.header(tree)[1]
    least = sum(len("40000 ") + len(entry.name) + len("\0") + 20 for entry in entries)
    require(least <= size <= least + len(entries), "the entries are all of the tree")
    names = [entry.name for entry in entries]
    require(len(set(names)) == len(names), "no name comes twice")
    for name in names:
        require(name and not set(name) & set(b"/\\\0") and name not in (b".", b".."), "a name is a single step")
        require(name.lower() != b".git", "no name is .git")
    if names:
        find_folder(objects, tree, names[0].decode("utf-8", "surrogateescape"))


def require_listing(listing: Listing) -> None:
    """Check that files can be used, that what is skipped can be shown, and that all stands in order."""
    paths = [file.path.encode() for file in listing.files]
    require(paths == sorted(set(paths)), "files come once, in the order of their bytes")
    for file in listing.files:
        require(file.size <= LIMITS.blob_bytes and len(file.path.encode()) <= LIMITS.path_bytes, "files keep limits")
        require(".." not in file.path.split("/") and "\n" not in file.path, "a path leads down and is one line")
    for skipped in listing.skipped:
        require("\n" not in skipped.path and "\x1b" not in skipped.path, "a path that is skipped is shown on one line")
        skipped.path.encode()
    require(len(listing.files) + len(listing.skipped) <= LIMITS.entries, "entries are counted")


@cache
def objects_on_disk(process: int) -> tuple[GitBuilder, dict[bytes, bytes]]:
    """A repository with an object of each kind, and the ids of those."""
    build = repository("trees")
    commit = build.add_commit({"a.md": "1"}, "2026-05-01T12:00:00Z")
    ids = {BLOB: build.add_object("blob", b"1234"), LARGE: build.add_object("blob", b"123456789"), COMMIT: commit}
    return build, {word: bytes.fromhex(object_id) for word, object_id in ids.items()} | {MISSING: b"\x01" * 20}


TARGET = Target(
    name="trees",
    promise="a malformed tree is refused, any other is listed within limits, and every path can be shown",
    check=check,
    inputs=st.lists(TREES, min_size=1, max_size=7).map(RECORD_MARK.join),
    seeds=lambda: [
        b"100644 a.md\0" + BLOB + b"100644 b.md\0" + LARGE,
        RECORD_MARK.join([b"100644 a.md\0" + BLOB, *[b"40000 d\0" + BEFORE + b"40000 e\0" + BEFORE] * 4]),
        b"120000 l\0" + BLOB + b"160000 m\0" + COMMIT + b"100644 n\xc3\xa9\0" + BLOB,
    ],
    scraps=SCRAPS,
)
