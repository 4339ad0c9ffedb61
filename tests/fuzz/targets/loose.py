"""Loose objects: a file of any bytes is the object of its name, or refused."""

from __future__ import annotations

import hashlib
import zlib

from hypothesis import strategies as st
from pygit2.enums import ObjectType

from kradle_ctx.adapters.git_objects import MAX_COMMIT_BYTES, ObjectReader
from kradle_ctx.errors import ErrorCode, KradleError
from tests.fuzz.scratch import repository
from tests.fuzz.target import Target, refusal, require

CODES = (ErrorCode.MEMORY_OBJECT_MISSING, ErrorCode.LIMIT_EXCEEDED)
RIGHT_SIZE = b"{SIZE}"
OTHER_NAME = "ab" * 20

KINDS = [b"commit", b"tree", b"blob", b"tag", b"", b"blobs", b"COMMIT"]
LINES = [
    *[b"tree " + b"1" * 40, b"parent " + b"2" * 40, b"committer A <a@b> 1777593600 +0000"],
    *[b"committer A 9999999999999999 +0", b"author > 1", b"object " + b"3" * 40, b"type commit", b"tag v1", b""],
    *[b"committer <>", b"tree \xff", b"encoding x"],
]
SIZES = [RIGHT_SIZE, b"0", b"1", b"99999999999", b"-1", b"07", b"", "٣".encode(), b"1" * 30]
SCRAPS = (*LINES, *KINDS, *SIZES, b"\n", b"\0", b" ", b"> ", b"\x78\x9c", b"\x78\x01")


def check(data: bytes) -> str:
    """Write a file, deflated unless its first byte says otherwise, and read it as every kind of object."""
    way, content = data[:1], data[1:]
    if way == b"r":
        return read(content, OTHER_NAME)
    head, nul, body = content.partition(b"\0")
    content = head.replace(RIGHT_SIZE, str(len(body)).encode()) + nul + body
    squeezed = zlib.compress(content)
    squeezed = {b"c": squeezed[:-3], b"j": squeezed + b"junk"}.get(way, squeezed)
    return read(squeezed, OTHER_NAME if way == b"o" else hashlib.sha1(content).hexdigest())


def read(squeezed: bytes, name: str) -> str:
    """The word for what a file is read as."""
    build = repository("loose")
    build.write_loose(name, squeezed)
    file = build.folder / "objects" / name[:2] / name[2:]
    try:
        return read_object(ObjectReader(build.folder / "objects"), name)
    except KradleError as error:
        return refusal(error, *CODES)
    finally:
        file.unlink()


def read_object(objects: ObjectReader, name: str) -> str:
    """The word for an object: its kind, and what a commit or a tag says."""
    kind, size = objects.header(name)
    if size > MAX_COMMIT_BYTES:
        return "too large to be read"
    data = objects.read_sized(name)
    whole = f"{ObjectType(kind).name.lower()} {len(data)}\0".encode() + data
    require(len(data) == size and hashlib.sha1(whole).hexdigest() == name, "an object is the one of its name")
    if kind == ObjectType.COMMIT:
        commit = objects.commit(name)
        ids = (commit.tree, *commit.parents)
        require(all(len(found) == 40 and bytes.fromhex(found) for found in ids), "a commit names objects by full ids")
        require(commit.committed_at.utcoffset() is not None, "a commit has an instant")
        return f"commit with {min(len(commit.parents), 3)} parents of {min(commit.committed_at.year, 3000) // 100}"
    if kind == ObjectType.TAG:
        objects.peel(name)
    return ObjectType(kind).name


TARGET = Target(
    name="loose",
    promise="a loose object has the hash of its name, or is refused in one line",
    check=check,
    inputs=st.builds(
        lambda way, kind, size, lines: way + kind + b" " + size + b"\0" + b"\n".join(lines),
        st.sampled_from([b"d", b"d", b"d", b"r", b"c", b"j", b"o"]),
        st.sampled_from(KINDS),
        st.sampled_from(SIZES),
        st.lists(st.sampled_from(LINES) | st.binary(max_size=6), max_size=6),
    ),
    seeds=lambda: [
        b"dcommit {SIZE}\0" + b"\n".join(LINES[:3]) + b"\n\nmessage\n",
        b"dtag {SIZE}\0" + b"\n".join(LINES[5:8]) + b"\n\nmessage\n",
        b"dblob {SIZE}\0text",
        b"r" + zlib.compress(b"blob 4\0text"),
    ],
    scraps=SCRAPS,
)
