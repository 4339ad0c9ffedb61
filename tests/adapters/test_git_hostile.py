"""Hostile repositories: each is refused in one line, or read without harm."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
import unicodedata
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.ports import Listing
from kradle_ctx.stages.resolve import resolve
from tests.conftest import GitBuilder

Git = Callable[..., GitBuilder]

CHECKOUT = Path(__file__).parents[2]

DAY_1, DAY_2 = "2026-05-01T00:00:00Z", "2026-05-02T00:00:00Z"


def failure(call: Callable[[], object]) -> KradleError:
    """The error of a call, which must come quickly and in one printable line."""
    begin = time.monotonic()
    with pytest.raises(KradleError) as caught:
        call()
    assert time.monotonic() - begin < 10
    assert caught.value.message.isprintable()
    assert caught.value.hint.isprintable()
    return caught.value


def explicit(build: GitBuilder, name: str) -> str:
    return resolve(open_repository(build.path), MemoryRef(RefMode.EXPLICIT, name)).commit.id


def tip(build: GitBuilder) -> str:
    return open_repository(build.path).default_branch(None).commit


def listing(build: GitBuilder) -> Listing:
    return open_repository(build.path).snapshot(tip(build)).listing("")


def read_all(build: GitBuilder) -> dict[str, bytes]:
    snapshot = open_repository(build.path).snapshot(tip(build))
    return {file.path: snapshot.read(file.blob) for file in snapshot.listing("").files}


def skipped(build: GitBuilder) -> list[tuple[str, str]]:
    return [(skip.path, skip.reason) for skip in listing(build).skipped]


def malformed(build: GitBuilder, tree: str) -> str:
    build.add_raw_commit(tree)
    error = failure(lambda: listing(build))
    assert error.code is ErrorCode.MEMORY_OBJECT_MISSING
    return error.message


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
from pathlib import Path
from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import KradleError
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.stages.resolve import resolve
try:
    repository = open_repository(Path(sys.argv[1]))
    ref = MemoryRef(RefMode.EXPLICIT, sys.argv[2]) if len(sys.argv) > 2 else MemoryRef()
    listing = repository.snapshot(resolve(repository, ref).commit.id).listing("")
    print("files", len(listing.files), *(f"{skip.path}={skip.reason}" for skip in listing.skipped))
except KradleError as error:
    print(error.code, error.message)
"""


def limited(build: GitBuilder, *arguments: str, **variables: str) -> str:
    """Resolve and list in a process of its own, in 512 MB and ten seconds; what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(build.path), *arguments],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), **variables},
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


# Names and refs


def test_a_name_with_nul_does_not_reach_libgit2(git: Git) -> None:
    build = git()
    build.add_commit({"a.md": "1"}, DAY_1)
    assert failure(lambda: explicit(build, "main\0x")).code is ErrorCode.MEMORY_REF_UNRESOLVED


def test_a_tag_does_not_shadow_a_branch(git: Git) -> None:
    build = git()
    old = build.add_commit({"a.md": "1"}, DAY_1)
    new = build.add_commit({"a.md": "2"}, DAY_2)
    build.set_ref("refs/tags/main", old)
    assert failure(lambda: explicit(build, "main")).code is ErrorCode.MEMORY_REF_AMBIGUOUS
    assert (explicit(build, "refs/heads/main"), tip(build)) == (new, new)


def test_a_branch_named_as_an_id_does_not_shadow_the_commit(git: Git) -> None:
    build = git()
    old = build.add_commit({"a.md": "1"}, DAY_1)
    build.set_ref(f"refs/heads/{old}", build.add_commit({"a.md": "2"}, DAY_2))
    pin = resolve(open_repository(build.path), MemoryRef(RefMode.EXPLICIT, old))
    assert pin.commit.id == old
    assert f"refs/heads/{old}" in pin.warnings[0]


def test_a_symbolic_ref_to_itself_ends(git: Git) -> None:
    build = git()
    build.add_commit({"a.md": "1"}, DAY_1)
    build.set_ref("refs/heads/loop", "ref: refs/heads/loop")
    assert failure(lambda: explicit(build, "loop")).code is ErrorCode.MEMORY_REF_UNRESOLVED
    build.set_head("loop")
    assert failure(lambda: tip(build)).code is ErrorCode.MEMORY_REF_UNRESOLVED


def test_head_does_not_lead_out_of_the_repository(git: Git) -> None:
    build = git()
    build.add_commit({"a.md": "1"}, DAY_1)
    build.set_ref("HEAD", "ref: ../../../etc/passwd")
    error = failure(lambda: tip(build))
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert "passwd" not in error.message + error.hint


@pytest.mark.parametrize("content", ["", "garbage", "ref: ", "ref: refs/heads/a\x1b[31mb", "ref: HEAD", "z" * 40])
def test_a_ref_file_with_other_content_is_unreadable(git: Git, content: str) -> None:
    build = git()
    build.add_commit({"a.md": "1"}, DAY_1)
    build.set_ref("refs/heads/bad", content)
    assert failure(lambda: explicit(build, "bad")).code is ErrorCode.MEMORY_REF_UNRESOLVED


def test_a_ref_file_that_is_a_link_shows_nothing_of_its_target(git: Git, tmp_path: Path) -> None:
    build = git()
    build.add_commit({"a.md": "1"}, DAY_1)
    (tmp_path / "outside").write_text("outside words")
    (build.folder / "refs/heads/link").symlink_to(tmp_path / "outside")
    assert "outside words" not in failure(lambda: explicit(build, "link")).message


def test_nothing_to_read_is_told_apart(git: Git) -> None:
    empty, unborn, dangling = git("empty"), git("unborn"), git("dangling")
    unborn.set_branch("other", unborn.add_commit({"a.md": "1"}, DAY_1, branch="other"))
    dangling.set_ref("refs/heads/main", "1" * 40)
    errors = [failure(lambda build=build: tip(build)) for build in (empty, unborn, dangling)]
    assert [error.code for error in errors] == [
        ErrorCode.MEMORY_REF_UNRESOLVED,
        ErrorCode.MEMORY_REF_UNRESOLVED,
        ErrorCode.MEMORY_OBJECT_MISSING,
    ]
    assert "no commits yet" in errors[0].message
    assert "refs/heads/main" in errors[1].message
    assert "other" in errors[1].hint
    assert "1" * 40 in errors[2].message


def test_a_pin_does_not_move_with_its_branch(git: Git) -> None:
    build = git()
    build.add_commit({"a.md": "one"}, DAY_1)
    snapshot = open_repository(build.path).snapshot(tip(build))
    build.add_commit({"a.md": "two", "b.md": "two"}, DAY_2)
    assert [snapshot.read(file.blob) for file in snapshot.listing("").files] == [b"one"]


# Trees


@pytest.mark.parametrize("name", [b".", b"..", b".git", b".GIT", b".Git", b"a/b", b"../x.md", b"a\\b"])
def test_a_tree_with_a_dangerous_name_is_refused(git: Git, name: bytes) -> None:
    build = git()
    blob = build.add_object("blob", b"x")
    assert "is malformed" in malformed(build, build.add_tree(("100644", b"a.md", blob), ("100644", name, blob)))


def test_a_dangerous_folder_is_refused_wherever_it_stands(git: Git) -> None:
    build = git()
    inner = build.add_tree(("100644", b"x.md", build.add_object("blob", b"x")))
    middle = build.add_tree(("40000", b"..", inner))
    assert middle in malformed(build, build.add_tree(("40000", b"notes", middle)))


def test_a_tree_with_a_name_twice_is_refused(git: Git) -> None:
    build = git()
    one, two = build.add_object("blob", b"one"), build.add_object("blob", b"two")
    assert "twice" in malformed(build, build.add_tree(("100644", b"a.md", one), ("100644", b"a.md", two)))
    folder = build.add_tree(("100644", b"x.md", one))
    build.git("update-ref", "-d", "refs/heads/main")
    assert "twice" in malformed(build, build.add_tree(("100644", b"a", one), ("40000", b"a", folder)))


@pytest.mark.parametrize("data", [b"100644 \0" + b"1" * 20, b"100644 a.md\0short", b"junk", b"9 a\0" + b"1" * 20])
def test_a_tree_that_does_not_parse_is_refused(git: Git, data: bytes) -> None:
    build = git()
    assert "does not parse" in malformed(build, build.add_object("tree", data))


def test_names_that_cannot_be_shown_are_skipped_and_listed_escaped(git: Git) -> None:
    build = git()
    blob = build.add_object("blob", b"x")
    names = [
        b"a\nb.md",
        b"caf\xe9.md",
        b"\x1b]0;pwn\x07.md",
        "\u202egnp.md".encode(),
        "\u2028.md".encode(),
        b"n" * 5000 + b".md",
        b"\xed\xa0\x80.md",
    ]
    plain = [b"a.md", b"a.md ", b"CON.md", "é.md".encode(), b"README.md", b"readme.md"]
    build.add_raw_commit(build.add_tree(*(("100644", name, blob) for name in names + plain)))
    found = listing(build)
    assert [file.path.encode() for file in found.files] == sorted(plain)
    assert sorted(skipped(build)) == sorted(
        [
            (r"a\nb.md", "control-character-in-path"),
            (r"caf\xe9.md", "path-not-utf8"),
            (r"\x1b]0;pwn\x07.md", "control-character-in-path"),
            (r"\u202egnp.md", "control-character-in-path"),
            (r"\u2028.md", "control-character-in-path"),
            ("n" * 200 + "…", "path-too-long"),
            (r"\xed\xa0\x80.md", "path-not-utf8"),
        ]
    )


def test_a_folder_whose_name_cannot_be_shown_is_skipped_whole(git: Git) -> None:
    build = git()
    inner = build.add_tree(("100644", b"x.md", build.add_object("blob", b"x")))
    build.add_raw_commit(build.add_tree(("40000", b"a\x07", inner), ("40000", b"b", inner)))
    assert [file.path for file in listing(build).files] == ["b/x.md"]
    assert skipped(build) == [(r"a\x07", "control-character-in-path")]


def test_names_that_differ_in_case_or_normal_form_are_both_kept(git: Git) -> None:
    build = git()
    names = [unicodedata.normalize(form, "é.md") for form in ("NFC", "NFD")] + ["README.md", "readme.md"]
    build.add_commit({name: name for name in names}, DAY_1)
    assert read_all(build) == {name: name.encode() for name in names}


def test_links_submodules_and_unknown_modes_are_listed_and_never_entered(git: Git) -> None:
    build = git()
    link, blob = build.add_object("blob", b"/etc/passwd"), build.add_object("blob", b"x")
    rows = [("120000", b"l.md", link), ("160000", b"vendor", "1" * 40), ("10644", b"odd.md", blob)]
    build.add_raw_commit(build.add_tree(*rows, ("100755", b"run.md", blob), ("100664", b"old.md", blob)))
    assert [file.path for file in listing(build).files] == ["old.md", "run.md"]
    assert skipped(build) == [("l.md", "symlink"), ("odd.md", "unknown-mode"), ("vendor", "submodule")]


def test_an_entry_of_another_kind_than_its_mode_says_is_refused(git: Git) -> None:
    build = git()
    blob = build.add_object("blob", b"x")
    tree = build.add_tree(("100644", b"a.md", blob))
    for row in (("100644", b"a.md", tree), ("40000", b"a", blob)):
        build.git("update-ref", "-d", "refs/heads/main")
        build.add_raw_commit(build.add_tree(row))
        assert failure(lambda: listing(build)).code is ErrorCode.MEMORY_OBJECT_MISSING


# Bombs


def zeros(kind: str, size: int) -> bytes:
    """A loose object of zeros: one compressed block over and over, so that a gigabyte takes a megabyte to write."""
    squeeze = zlib.compressobj()
    begin = squeeze.compress(f"{kind} {size}\0".encode()) + squeeze.flush(zlib.Z_FULL_FLUSH)
    block = squeeze.compress(bytes(1 << 20)) + squeeze.flush(zlib.Z_FULL_FLUSH)
    return begin + block * (size >> 20) + squeeze.flush()


def test_a_gigabyte_of_zeros_is_skipped_by_its_header(git: Git) -> None:
    build = git()
    build.write_loose("b0" * 20, zeros("blob", 1 << 30))
    build.add_raw_commit(build.add_tree(("100644", b"a.md", build.add_object("blob", b"x")), ("100644", b"b", "b0" * 20)))
    assert limited(build) == "files 1 b=too-large"
    error = failure(lambda: open_repository(build.path).snapshot(tip(build)).read("b0" * 20))
    assert error.code is ErrorCode.LIMIT_EXCEEDED


@pytest.mark.parametrize("kind", ["commit", "tag", "tree"])
def test_a_gigabyte_of_anything_else_is_refused_by_its_header(git: Git, kind: str) -> None:
    build = git()
    build.write_loose("b0" * 20, zeros(kind, 1 << 30))
    if kind == "tree":
        build.add_raw_commit("b0" * 20)
    else:
        build.add_commit({"a.md": "1"}, DAY_1)
        build.set_ref("refs/heads/bomb", "b0" * 20)
    assert limited(build, "main" if kind == "tree" else "bomb").startswith(f"LIMIT_EXCEEDED {kind} {'b0' * 20}")


def test_a_tree_that_multiplies_meets_the_entry_budget(git: Git) -> None:
    build = git()
    tree = build.add_tree(("100644", b"a.md", build.add_object("blob", b"x")))
    for _ in range(10):
        tree = build.add_tree(*(("40000", b"d%d" % number, tree) for number in range(10)))
    build.add_raw_commit(tree)
    assert limited(build) == "LIMIT_EXCEEDED the commit's tree holds more than 200000 entries"


def test_a_wide_tree_meets_the_entry_budget(git: Git) -> None:
    build = git()
    blob = build.add_object("blob", b"x")
    build.add_raw_commit(build.add_tree(*(("100644", b"%06d" % number, blob) for number in range(200_001))))
    assert limited(build) == "LIMIT_EXCEEDED the commit's tree holds more than 200000 entries"


def nested(build: GitBuilder, depth: int) -> None:
    """A commit whose only file lies in so many trees, the top one counted."""
    tree = build.add_tree(("100644", b"a.md", build.add_object("blob", b"x")))
    for _ in range(depth - 1):
        tree = build.add_tree(("40000", b"d", tree))
    build.add_raw_commit(tree)


def test_folders_nest_up_to_a_depth(git: Git) -> None:
    fits, deep, deeper = git("fits"), git("deep"), git("deeper")
    nested(fits, 64)
    nested(deep, 65)
    nested(deeper, 3000)
    assert [limited(build)[:31] for build in (fits, deep, deeper)] == [
        "files 1",
        "LIMIT_EXCEEDED folders nest mor",
        "LIMIT_EXCEEDED folders nest mor",
    ]


# Damaged objects


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
        zlib.compress(b"blob 99999999999999999999\0right"),
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
    assert "8ed0cbdb1a33d2ff97dfcf5fe7b7a6b1a4ae6ab8"[:0] + "object " in error.message


def test_a_header_that_understates_its_size_costs_no_memory(git: Git) -> None:
    build = git()
    raw = zeros("blob", 1 << 30)
    squeeze = zlib.compressobj()
    begin = squeeze.compress(b"blob 5\0") + squeeze.flush(zlib.Z_FULL_FLUSH)
    build.write_loose("b0" * 20, begin + raw[30:])
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


def test_a_chain_of_tags_ends(git: Git) -> None:
    build = git()
    target, kind = build.add_commit({"a.md": "1"}, DAY_1), "commit"
    for number in range(40):
        target = build.add_object("tag", f"object {target}\ntype {kind}\ntag t{number}\n\n".encode())
        kind = "tag"
    build.set_ref("refs/tags/chain", target)
    assert failure(lambda: explicit(build, "chain")).code is ErrorCode.MEMORY_OBJECT_MISSING


def write_pack(build: GitBuilder, object_id: str, entry: bytes) -> None:
    """Write a pack of one entry, and an index that says it is the given object."""
    pack = b"PACK" + struct.pack(">II", 2, 1) + entry
    pack_sum = bytes.fromhex(sha1(pack))
    raw_id = bytes.fromhex(object_id)
    fan_out = b"".join(struct.pack(">I", int(first >= raw_id[0])) for first in range(256))
    index = b"\xfftOc" + struct.pack(">I", 2) + fan_out + raw_id
    index += struct.pack(">I", zlib.crc32(entry)) + struct.pack(">I", 12) + pack_sum
    folder = build.folder / "objects" / "pack"
    (folder / f"pack-{pack_sum.hex()}.pack").write_bytes(pack + pack_sum)
    (folder / f"pack-{pack_sum.hex()}.idx").write_bytes(index + bytes.fromhex(sha1(index)))


def sha1(data: bytes) -> str:
    import hashlib

    return hashlib.sha1(data).hexdigest()


def test_a_delta_on_itself_ends(git: Git) -> None:
    build = git()
    object_id = "d0" * 20
    delta = zlib.compress(b"\x05\x05\x05right")
    write_pack(build, object_id, bytes([0x70 | len(b"\x05\x05\x05right")]) + bytes.fromhex(object_id) + delta)
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


# The repository around the objects


def test_paths_that_hold_no_repository_are_told_apart(git: Git, tmp_path: Path) -> None:
    build = git()
    build.add_commit({"n/a.md": "1"}, DAY_1)
    build.git("checkout", "-q", "-f", "main")
    (tmp_path / "plain").mkdir()
    (tmp_path / "file").write_text("x")
    paths = [tmp_path / name for name in ("gone", "file", "plain", "brain/n", "brain/\x1b[31m")]
    errors = [failure(lambda path=path: open_repository(path)) for path in paths]
    assert {error.code for error in errors} == {ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE}
    for error, words in zip(errors, ["not exist", "not a folder", "not a Git", "not a Git", "not exist"], strict=True):
        assert words in error.message
    assert str(build.path) in errors[3].hint
    assert failure(lambda: open_repository(Path("x" * 5000))).code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
    assert failure(lambda: open_repository(Path("a\0b"))).code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE


def test_a_bare_repository_inside_a_work_tree_is_not_entered(git: Git) -> None:
    build = git()
    build.add_commit({"a.md": "outer"}, DAY_1)
    inner = git("brain/inner", "--bare")
    inner.add_commit({"a.md": "inner"}, DAY_1)
    assert read_all(build) == {"a.md": b"outer"}
    (build.path / "inner/objects/deeper").mkdir()
    error = failure(lambda: open_repository(build.path / "inner/objects/deeper"))
    assert "not a Git repository" in error.message


def test_variables_of_a_hook_change_nothing(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    build, other = git(), git("other")
    build.add_commit({"a.md": "own"}, DAY_1)
    other.add_commit({"a.md": "other"}, DAY_1)
    for name, value in {
        "GIT_DIR": other.folder,
        "GIT_WORK_TREE": other.path,
        "GIT_COMMON_DIR": other.folder,
        "GIT_OBJECT_DIRECTORY": other.folder / "objects",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": other.folder / "objects",
        "GIT_INDEX_FILE": other.folder / "index",
        "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_CONFIG_COUNT": "x",
    }.items():
        monkeypatch.setenv(name, str(value))
    found = read_all(build)
    missing = failure(lambda: open_repository(build.path).commit("1" * 40))
    monkeypatch.undo()
    assert found == {"a.md": b"own"}
    assert missing.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert failure(lambda: explicit(build, tip(other))).code is ErrorCode.MEMORY_REF_UNRESOLVED


def test_a_work_tree_elsewhere_in_the_configuration_is_not_used(git: Git) -> None:
    build = git()
    build.add_commit({"a.md": "own"}, DAY_1)
    with (build.folder / "config").open("a") as config:
        config.write("[core]\n\tworktree = /etc\n")
    assert read_all(build) == {"a.md": b"own"}


def test_programs_in_the_configuration_are_not_run(git: Git, tmp_path: Path) -> None:
    build = git()
    build.add_commit({"a.md": "own", ".gitattributes": "* filter=p diff=p text eol=crlf ident\n"}, DAY_1)
    program = f"touch {tmp_path / 'PWNED'}"
    with (build.folder / "config").open("a") as config:
        config.write(f"[core]\n\tfsmonitor = {program}\n\tsshCommand = {program}\n\tpager = {program}\n")
        config.write(f"[filter \"p\"]\n\tclean = {program}\n\tsmudge = {program}\n\trequired = true\n")
        config.write(f"[diff \"p\"]\n\ttextconv = {program}\n[gpg]\n\tprogram = {program}\n")
    hook = build.folder / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{program}\n")
    hook.chmod(0o755)
    assert read_all(build)["a.md"] == b"own"
    assert explicit(build, "main") == tip(build)
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize("text", ["[include]\n\tpath = config\n", "[core\n", "[core]\n\tbare = perhaps\n\t= x\n", "\xff\0"])
def test_an_unreadable_configuration_is_one_line(git: Git, text: str) -> None:
    build = git()
    build.add_commit({"a.md": "own"}, DAY_1)
    (build.folder / "config").write_text(text)
    assert failure(lambda: open_repository(build.path)).code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE


def test_a_configuration_that_includes_a_file_shows_nothing_of_it(git: Git, tmp_path: Path) -> None:
    build = git()
    build.add_commit({"a.md": "own"}, DAY_1)
    (tmp_path / "outside").write_text("root:outside-words:1\n")
    with (build.folder / "config").open("a") as config:
        config.write(f"[include]\n\tpath = {tmp_path / 'outside'}\n")
    error = failure(lambda: open_repository(build.path))
    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
    assert "outside" not in error.message + error.hint


@pytest.mark.parametrize("way", ["alternates", "chain", "link"])
def test_objects_of_another_repository_are_refused(git: Git, way: str) -> None:
    build, other = git(), git("private")
    build.add_commit({"a.md": "own"}, DAY_1)
    other.add_commit({"a.md": "private"}, DAY_2)
    objects = build.folder / "objects"
    if way == "link":
        shutil.rmtree(objects)
        objects.symlink_to(other.folder / "objects")
    else:
        inside = objects / "inside"
        (inside / "info").mkdir(parents=True)
        outer = objects if way == "alternates" else inside
        (outer / "info").mkdir(exist_ok=True)
        (outer / "info" / "alternates").write_text(f"# borrowed\n{other.folder / 'objects'}\n")
        if way == "chain":
            (objects / "info").mkdir(exist_ok=True)
            (objects / "info" / "alternates").write_text("inside\n")
    error = failure(lambda: open_repository(build.path))
    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
    assert "borrows objects" in error.message
    assert "git repack -a -d" in error.hint


def test_alternates_inside_the_repository_are_its_own(git: Git) -> None:
    build = git()
    build.add_commit({"a.md": "own"}, DAY_1)
    (build.folder / "objects/inside/info").mkdir(parents=True)
    (build.folder / "objects/info").mkdir(exist_ok=True)
    (build.folder / "objects/info/alternates").write_text("./inside\n")
    (build.folder / "objects/inside/info/alternates").write_text(f"{build.folder}/objects\n")
    assert read_all(build) == {"a.md": b"own"}


def test_the_remedy_for_borrowed_objects_works(git: Git, tmp_path: Path) -> None:
    build = git()
    build.add_commit({"a.md": "own"}, DAY_1)
    subprocess.run(["git", "clone", "-q", "--shared", str(build.path), str(tmp_path / "shared")], check=True)
    error = failure(lambda: open_repository(tmp_path / "shared"))
    command = error.hint.split("`")[1]
    subprocess.run(command, shell=True, cwd=tmp_path / "shared", check=True, capture_output=True)
    assert open_repository(tmp_path / "shared").default_branch(None).commit == tip(build)


def test_replace_refs_and_grafts_change_nothing(git: Git) -> None:
    build = git()
    one = build.add_commit({"a.md": "one"}, DAY_1)
    two = build.add_commit({"a.md": "two"}, DAY_2)
    build.set_ref(f"refs/replace/{two}", one)
    (build.folder / "info").mkdir(exist_ok=True)
    (build.folder / "info" / "grafts").write_text(f"{two}\n")
    assert read_all(build) == {"a.md": b"two"}
    assert [commit.id for commit in open_repository(build.path).first_parents(two)] == [two, one]


def test_formats_that_libgit2_does_not_know_are_named_with_a_remedy(git: Git) -> None:
    hashes, tables, version = git("hashes", "--object-format=sha256"), git("tables"), git("version")
    tables.git("config", "core.repositoryformatversion", "1")
    tables.git("config", "extensions.refstorage", "reftable")
    version.git("config", "core.repositoryformatversion", "7")
    errors = [failure(lambda build=build: open_repository(build.path)) for build in (hashes, tables, version)]
    assert {error.code for error in errors} == {ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE}
    names = ["object format sha256", "extensions.refstorage", "repository format version 7"]
    for error, name, remedy in zip(errors, names, ["fast-import", "refs migrate", "clone"], strict=True):
        assert f"unsupported repository format: {name}" in error.message
        assert remedy in error.hint


def test_a_linked_work_tree_is_read_with_its_own_head(git: Git, tmp_path: Path) -> None:
    build = git()
    one = build.add_commit({"a.md": "one"}, DAY_1)
    two = build.add_commit({"a.md": "two"}, DAY_2)
    build.git("worktree", "add", "-q", "-b", "linked", str(tmp_path / "linked"), one)
    repository = open_repository(tmp_path / "linked")
    assert (repository.default_branch(None).ref, repository.default_branch("main").commit) == ("refs/heads/linked", two)
    build.cut_history(two)
    assert open_repository(tmp_path / "linked").shallow


def test_a_clone_of_limited_depth_holds_what_it_holds(git: Git, tmp_path: Path) -> None:
    build = git()
    days = [build.add_commit({"a.md": str(day)}, f"2026-05-0{day}T00:00:00Z") for day in range(1, 6)]
    subprocess.run(["git", "clone", "-q", "--depth", "2", f"file://{build.path}", str(tmp_path / "cut")], check=True)
    repository = open_repository(tmp_path / "cut")
    assert repository.shallow
    assert [(commit.id, repository.cut(commit.id)) for commit in repository.first_parents(days[4])] == [
        (days[4], False),
        (days[3], True),
    ]
    error = failure(lambda: resolve(repository, MemoryRef(RefMode.EXPLICIT, days[0])))
    assert error.code is ErrorCode.MEMORY_HISTORY_INCOMPLETE
    assert "not available in a shallow clone" in error.message


@pytest.mark.skipif(os.geteuid() != 0, reason="giving a file to another user takes root")
def test_a_repository_of_another_owner_is_read_only_where_it_is_called_safe(git: Git, tmp_path: Path) -> None:
    build = git()
    build.add_commit({"a.md": "1"}, DAY_1)
    subprocess.run(["chown", "-R", "12345:12345", str(build.path)], check=True)
    error = failure(lambda: open_repository(build.path))
    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
    assert f"repository not trusted: '{build.path}'" in error.message
    command = error.hint.partition(": ")[2]
    for number, remedy in enumerate([command, "git config --global --add safe.directory '*'"]):
        home = tmp_path / f"home{number}"
        home.mkdir()
        assert "not trusted" in limited(build, HOME=str(home))
        environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
        subprocess.run(remedy, shell=True, env=environment, check=True)
        assert limited(build, HOME=str(home)) == "files 1"
