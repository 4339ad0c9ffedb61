"""Packs are read as Git reads them, and bounded where they are hostile."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.adapters.git_deltas import apply_delta
from kradle_ctx.adapters.git_objects import ObjectReader
from kradle_ctx.errors import ErrorCode, KradleError
from tests.conftest import GitBuilder
from tests.fakes import StoredObject

Git = Callable[..., GitBuilder]


def edited(build: GitBuilder) -> None:
    """Twenty commits, each of which changes some lines of a few files."""
    generator = random.Random(7)
    files = {f"n/{name}.md": [f"line {generator.random()}" for _ in range(300)] for name in "abcdef"}
    for day in range(1, 21):
        for lines in files.values():
            lines[generator.randrange(len(lines))] = f"changed {generator.random()}\n" * generator.randrange(4)
        build.add_commit({path: "\n".join(lines) for path, lines in files.items()}, f"2026-05-{day:02}T00:00:00Z")


def all_objects(build: GitBuilder) -> dict[str, tuple[str, bytes]]:
    """Every object as git itself reads it."""
    command = ["git", "-C", str(build.path), "cat-file", "--batch", "--batch-all-objects"]
    rest = subprocess.run(command, capture_output=True, check=True).stdout
    found = {}
    while rest:
        head, _, rest = rest.partition(b"\n")
        object_id, kind, size = head.decode().split()
        found[object_id] = (kind, rest[: int(size)])
        rest = rest[int(size) + 1 :]
    return found


KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}


@pytest.mark.parametrize("offsets", ["true", "false"])
def test_every_object_of_a_repacked_repository_is_read_as_git_reads_it(git: Git, offsets: str) -> None:
    build = git()
    edited(build)
    build.set_tag("t", "main", annotated=True)
    build.git("config", "repack.useDeltaBaseOffset", offsets)
    build.git("repack", "-q", "-a", "-d", "-f", "--depth=30", "--window=30")
    expected = all_objects(build)
    reader = ObjectReader(build.folder / "objects")
    assert len(expected) > 100
    for object_id, (kind, data) in expected.items():
        number, size = reader.header(object_id)
        assert (KINDS[number], size, reader.read_sized(object_id)) == (kind, len(data), data)


def test_objects_are_found_across_packs_and_loose_files_while_they_move(git: Git) -> None:
    build = git()
    first = build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    reader = ObjectReader(build.folder / "objects")
    assert reader.commit(first).id == first
    build.git("repack", "-q", "-a", "-d")
    assert reader.commit(first).id == first
    second = build.add_commit({"a.md": "2"}, "2026-05-02T00:00:00Z")
    build.git("repack", "-q", "-d")
    build.git("multi-pack-index", "write")
    third = build.add_commit({"a.md": "3"}, "2026-05-03T00:00:00Z")
    assert [reader.commit(commit).id for commit in (first, second, third)] == [first, second, third]


@given(st.binary(max_size=300), st.lists(st.tuples(st.integers(0, 300), st.integers(1, 127))))
def test_a_delta_of_copies_and_inserts_builds_what_it_says(base: bytes, steps: list[tuple[int, int]]) -> None:
    delta, expected = b"", b""
    for start, length in steps:
        if start + length <= len(base):
            delta += bytes([0b10010011, start & 255, start >> 8, length])
            expected += base[start : start + length]
        else:
            delta += bytes([length]) + bytes(length)
            expected += bytes(length)
    assert apply_delta(base, number(len(base)) + number(len(expected)) + delta) == expected


@given(st.binary(max_size=40), st.binary(max_size=60))
def test_any_other_delta_is_refused_or_small(base: bytes, delta: bytes) -> None:
    with suppress(ValueError, IndexError):
        assert len(apply_delta(base, bytes([len(base)]) + delta)) <= len(delta) * 127


@pytest.mark.parametrize("delta", [b"\xff" * (1 << 20), b"\x04" + b"\xff" * (1 << 20)])
def test_a_number_without_an_end_is_refused_at_once(delta: bytes) -> None:
    begin = time.process_time()
    with pytest.raises(ValueError, match="without an end"):
        apply_delta(b"base", delta)
    assert time.process_time() - begin < 1


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> GitBuilder:
    """A repository of one pack, with a delta in it."""
    build = GitBuilder(tmp_path_factory.mktemp("packed") / "brain")
    build.git("config", "fastimport.unpackLimit", "0")
    build.add_commit({"a.md": "a" * 400, "b.md": "a" * 399 + "b"}, "2026-05-01T00:00:00Z")
    return build


@given(st.binary(min_size=1, max_size=200), st.integers(0, 5000), st.sampled_from(["pack", "idx"]))
def test_a_damaged_pack_never_gives_other_bytes(packed: GitBuilder, junk: bytes, place: int, suffix: str) -> None:
    expected = all_objects(packed)
    (pack,) = (packed.folder / "objects" / "pack").glob("*.pack")
    file = pack.with_suffix(f".{suffix}")
    whole = file.read_bytes()
    place %= len(whole)
    damaged = file.with_suffix(".damaged")
    damaged.write_bytes(whole[:place] + junk + whole[place + len(junk) :])
    whole_file = file.rename(file.with_suffix(".whole"))
    damaged.rename(file)
    try:
        assert damage(packed, expected) <= {ErrorCode.MEMORY_OBJECT_MISSING}
    finally:
        whole_file.rename(file)


def damage(build: GitBuilder, expected: dict[str, tuple[str, bytes]]) -> set[ErrorCode]:
    """Read every object; the codes of all errors, where nothing else than the right bytes may be read."""
    codes = set()
    for object_id, (_, data) in expected.items():
        try:
            reader = ObjectReader(build.folder / "objects")
            reader.header(object_id)
            assert reader.read_sized(object_id) == data
        except KradleError as error:
            codes.add(error.code)
    return codes


def number(value: int) -> bytes:
    """A number of seven bits a byte, as sizes in deltas are."""
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def entry_head(kind: int, size: int) -> bytes:
    if size < 16:
        return bytes([kind << 4 | size])
    return bytes([kind << 4 | size & 15 | 128]) + number(size >> 4)


def test_a_small_delta_on_a_large_base_counts_as_large(tmp_path: Path) -> None:
    build = GitBuilder(tmp_path / "brain")
    large, small = 200 << 20, StoredObject("blob", bytes(5)).id
    squeeze = zlib.compressobj()
    block = squeeze.compress(bytes(1 << 20)) + squeeze.flush(zlib.Z_FULL_FLUSH)
    base = entry_head(3, large) + block + block * ((large >> 20) - 1) + squeeze.flush()
    delta = number(large) + number(5) + bytes([0b10010000, 5])
    on_base = entry_head(7, len(delta)) + bytes.fromhex("b0" * 20) + zlib.compress(delta)
    build.write_pack({"b0" * 20: base, small: on_base})
    reader = ObjectReader(build.folder / "objects")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert reader.header(small)[1] > large
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 << 10


FIVE = bytes([5, 5, 5]) + b"right"
"""A delta that builds five bytes from five."""


@pytest.mark.parametrize(
    "entry",
    [
        entry_head(7, len(FIVE)) + bytes.fromhex("d0" * 20) + zlib.compress(FIVE),
        entry_head(7, len(FIVE)) + bytes(20) + zlib.compress(FIVE),
        entry_head(6, len(FIVE)) + b"\0" + zlib.compress(FIVE),
        entry_head(6, len(FIVE)) + b"\xff\xff\x7f" + zlib.compress(FIVE),
        entry_head(6, len(FIVE)) + b"\xff" * 30,
        entry_head(5, 5) + zlib.compress(b"right"),
        entry_head(0, 5) + zlib.compress(b"right"),
        entry_head(3, 5),
        entry_head(3, 5) + zlib.compress(b"wrong size"),
        b"\xff" * 30,
        b"",
    ],
)
def test_an_entry_that_leads_nowhere_is_refused(git: Git, entry: bytes) -> None:
    build = git()
    build.write_pack({"d0" * 20: entry})
    reader = ObjectReader(build.folder / "objects")
    with pytest.raises(KradleError) as caught:
        reader.header("d0" * 20)
        reader.read_sized("d0" * 20)
    assert caught.value.code is ErrorCode.MEMORY_OBJECT_MISSING
    assert "d0" * 20 in caught.value.message


@pytest.mark.parametrize("suffix", ["pack", "idx"])
@pytest.mark.parametrize("kind", ["pipe", "link", "empty"])
def test_a_file_of_a_pack_that_is_no_regular_file_is_refused(
    packed: GitBuilder, tmp_path: Path, suffix: str, kind: str
) -> None:
    (pack,) = (packed.folder / "objects" / "pack").glob("*.pack")
    for found in (pack, pack.with_suffix(".idx")):
        place = tmp_path / "pack" / found.name
        place.parent.mkdir(exist_ok=True)
        if found.suffix != f".{suffix}":
            place.write_bytes(found.read_bytes())
        elif kind == "pipe":
            os.mkfifo(place)
        elif kind == "link":
            place.symlink_to(found)
        else:
            place.touch()
    with pytest.raises(KradleError, match="damaged pack"):
        ObjectReader(tmp_path)


def test_an_index_of_the_first_version_is_refused(git: Git) -> None:
    build = git()
    commit = build.add_commit({"a.md": "1"}, "2026-05-01T00:00:00Z")
    build.git("config", "pack.indexVersion", "1")
    build.git("repack", "-q", "-a", "-d")
    with pytest.raises(KradleError, match="damaged pack"):
        ObjectReader(build.folder / "objects").commit(commit)


def test_an_object_that_git_packs_after_it_was_measured_is_still_read(tmp_path: Path) -> None:
    build = GitBuilder(tmp_path / "brain")
    build.add_commit({"a.md": "one\n"}, "2026-05-01T00:00:00Z")
    blob = build.git("rev-parse", "main:a.md")
    assert (build.folder / "objects" / blob[:2] / blob[2:]).exists()
    reader = ObjectReader(build.folder / "objects")
    assert reader.header(blob) == (3, 4)
    build.git("repack", "-adq")
    build.git("prune-packed")
    assert reader.read_sized(blob) == b"one\n"
