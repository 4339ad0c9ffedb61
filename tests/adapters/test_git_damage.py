"""Damaged and lying objects are named, and never served."""

from __future__ import annotations

import hashlib
import os
import subprocess
import zlib
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import ErrorCode
from tests.adapters.reading import (
    DAY_1,
    Git,
    explicit,
    failure,
    limited,
    read_all,
    tip,
    zeros,
)
from tests.conftest import GitBuilder
from tests.fakes import StoredObject


def damaged(git: Git, content: bytes) -> GitBuilder:
    """A repository whose blob has the wrong bytes in its file."""
    build = git()
    blob = build.add_object("blob", b"right")
    build.add_raw_commit(build.add_tree(("100644", b"a.md", blob)))
    build.write_loose(blob, content)
    return build


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not zlib",
        zlib.compress(b"blob 5\0wrong"),
        zlib.compress(b"blob 3\0right"),
        zlib.compress(b"blob 500\0right"),
        zlib.compress(b"blob 5\0right")[:-8],
        zlib.compress(b"tree 5\0right"),
        zlib.compress(b"lump 5\0right"),
        zlib.compress(b"right"),
    ],
)
def test_a_damaged_blob_is_named_and_never_served(git: Git, content: bytes) -> None:
    build = damaged(git, content)
    error = failure(lambda: read_all(build))
    assert error.code is ErrorCode.MEMORY_OBJECT_MISSING
    assert f"object {StoredObject('blob', b'right').id} is" in error.message


@pytest.mark.parametrize("kind", ["tree", "commit", "tag"])
@pytest.mark.parametrize("way", ["other bytes", "empty", "cut", "not deflated", "pipe", "link"])
def test_a_damaged_object_of_any_kind_is_named(git: Git, tmp_path: Path, kind: str, way: str) -> None:
    build = git()
    commit = build.add_commit({"a.md": "1"}, DAY_1)
    tag = build.add_object("tag", f"object {commit}\ntype commit\ntag t\n\n".encode())
    build.set_ref("refs/tags/t", tag)
    damaged_id = {"tree": build.git("rev-parse", f"{commit}^{{tree}}"), "commit": commit, "tag": tag}[kind]
    file = build.folder / "objects" / damaged_id[:2] / damaged_id[2:]
    whole = file.read_bytes()
    file.unlink()
    if way == "pipe":
        os.mkfifo(file)
    elif way == "link":
        (tmp_path / "elsewhere").write_bytes(whole)
        file.symlink_to(tmp_path / "elsewhere")
    else:
        raw = {"other bytes": zlib.compress(zlib.decompress(whole)[::-1]), "empty": b"", "cut": whole[:-6]}
        file.write_bytes(raw.get(way, zlib.decompress(whole)))
    error = failure(lambda: open_repository(build.path).snapshot(explicit(build, "refs/tags/t")).listing(""))
    assert error.code is ErrorCode.MEMORY_OBJECT_MISSING
    assert f"object {damaged_id} is corrupt" in error.message


def test_a_header_that_understates_its_size_costs_no_memory(git: Git) -> None:
    build = git()
    build.write_loose("b0" * 20, zeros("blob 5\0", 1 << 30))
    build.add_raw_commit(build.add_tree(("100644", b"a.md", "b0" * 20)))
    assert failure(lambda: read_all(build)).code is ErrorCode.MEMORY_OBJECT_MISSING
    assert limited(build) == "files 1"


@pytest.mark.parametrize(
    "data", [b"", b"tree zz\n", b"tree " + b"g" * 40 + b"\n\n", b"parent " + b"1" * 40 + b"\n", b"\0" * 99]
)
def test_a_commit_that_names_no_tree_is_malformed(git: Git, data: bytes) -> None:
    build = git()
    build.set_ref("refs/heads/main", build.add_object("commit", data))
    error = failure(lambda: open_repository(build.path).commit(tip(build)))
    assert error.code is ErrorCode.MEMORY_OBJECT_MISSING
    assert "malformed" in error.message


@pytest.mark.parametrize(
    ("committer", "year"),
    [
        ("committer B <b> 1777593600 +0000", 2026),
        ("committer B <b> 99999999999999999999999 +0000", 9999),
        ("committer B <b> -5 +0000", 1970),
        ("committer B <b> soon", 1970),
        ("committer B", 1970),
        ("committer B <b> 1777593600 +9999\ncommitter B <b> 0 +0000", 2026),
        ("x", 1970),
    ],
)
def test_an_odd_committer_time_is_read_as_some_time(git: Git, committer: str, year: int) -> None:
    build = git()
    tree = build.add_tree()
    build.set_ref("refs/heads/main", build.add_object("commit", f"tree {tree}\n{committer}\n\ncommitter x\n".encode()))
    assert open_repository(build.path).commit(tip(build)).committed_at.year == year


@pytest.mark.parametrize("size", ["04", "", "+4", "4 ", "-4"])
def test_a_loose_object_whose_size_is_not_written_as_git_does_is_refused(git: Git, size: str) -> None:
    build = git()
    whole = f"blob {size}\0text".encode()
    name = hashlib.sha1(whole).hexdigest()
    build.write_loose(name, zlib.compress(whole))
    build.add_raw_commit(build.add_tree(("100644", b"a.md", name)))
    assert failure(lambda: read_all(build)).code is ErrorCode.MEMORY_OBJECT_MISSING


def test_a_chain_of_tags_ends(git: Git) -> None:
    build = git()
    target, kind = build.add_commit({"a.md": "1"}, DAY_1), "commit"
    for number in range(40):
        target = build.add_object("tag", f"object {target}\ntype {kind}\ntag t{number}\n\n".encode())
        kind = "tag"
    build.set_ref("refs/tags/chain", target)
    assert failure(lambda: explicit(build, "chain")).code is ErrorCode.MEMORY_OBJECT_MISSING


def test_a_delta_on_itself_ends(git: Git) -> None:
    build = git()
    object_id = "d0" * 20
    delta = zlib.compress(b"\x05\x05\x05right")
    entry = bytes([0x70 | len(b"\x05\x05\x05right")]) + bytes.fromhex(object_id) + delta
    build.write_pack({object_id: entry})
    build.add_raw_commit(build.add_tree(("100644", b"a.md", object_id)))
    assert limited(build).startswith(f"MEMORY_OBJECT_MISSING object {object_id} is corrupt")


def test_a_truncated_pack_is_an_error(git: Git) -> None:
    build = git()
    build.git("config", "fastimport.unpackLimit", "0")
    build.add_commit({f"{number}.md": f"{number}" * 500 for number in range(50)}, DAY_1)
    (pack,) = (build.folder / "objects" / "pack").glob("*.pack")
    data = pack.read_bytes()
    pack.unlink()
    pack.write_bytes(data[: len(data) // 2])
    assert failure(lambda: read_all(build)).code is ErrorCode.MEMORY_OBJECT_MISSING


def test_a_blob_that_a_partial_clone_lacks_is_an_error_and_no_fetch(git: Git, tmp_path: Path) -> None:
    build = git()
    commit = build.add_commit({"a.md": "1"}, DAY_1)
    build.git("config", "uploadpack.allowFilter", "true")
    blob = build.git("rev-parse", "main:a.md")
    partial = tmp_path / "partial"
    arguments = ["git", "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{build.path}", str(partial)]
    subprocess.run(arguments, check=True)
    subprocess.run(["git", "-C", str(partial), "config", "extensions.partialClone", "origin"], check=True)
    before = sorted(partial.rglob("*"))
    error = failure(lambda: open_repository(partial).snapshot(commit).listing(""))
    assert error.code is ErrorCode.MEMORY_OBJECT_MISSING
    assert blob in error.message
    assert sorted(partial.rglob("*")) == before
