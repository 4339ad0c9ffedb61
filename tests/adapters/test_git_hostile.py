"""Hostile refs and trees: each is refused in one line, or read without harm."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.errors import ErrorCode
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.stages.resolve import resolve
from tests.adapters.reading import (
    DAY_1,
    DAY_2,
    Git,
    explicit,
    failure,
    limited,
    listing,
    malformed,
    read_all,
    skipped,
    tip,
    zeros,
)
from tests.conftest import GitBuilder

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


def test_a_broken_ref_that_is_named_as_an_id_does_not_hide_the_commit(git: Git) -> None:
    build = git()
    commit = build.add_commit({"a.md": "1"}, DAY_1)
    build.set_ref(f"refs/heads/{commit}", "1" * 40)
    build.set_ref(f"refs/tags/{commit}", "garbage")
    pin = resolve(open_repository(build.path), MemoryRef(RefMode.EXPLICIT, commit))
    assert pin.commit.id == commit
    assert [warning.partition(" ")[0] for warning in pin.warnings] == [f"refs/heads/{commit}", f"refs/tags/{commit}"]


@pytest.mark.parametrize(("name", "shown"), [("a\u202eb", r"a\u202eb"), ("a\x1b[2Jb", r"a\x1b[2Jb")])
def test_a_branch_with_an_invisible_character_in_its_name_is_refused_for_that(git: Git, name: str, shown: str) -> None:
    build = git()
    build.set_ref(f"refs/heads/{name}", build.add_commit({"a.md": "1"}, DAY_1))
    build.set_head(name)
    error = failure(lambda: tip(build))
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert f"names 'refs/heads/{shown}', with a control character or an invisible one" in error.message


def test_a_long_name_in_head_is_not_repeated(git: Git) -> None:
    build = git()
    build.add_commit({"a.md": "1"}, DAY_1)
    for name in ("x" * 3000, "x/" * 1500 + "x"):
        build.set_ref("HEAD", f"ref: refs/heads/{name}")
        assert f"a ref name of {len('refs/heads/' + name)} characters" in failure(lambda: tip(build)).message


def test_branches_are_named_in_a_hint_as_far_as_they_can_be_read(git: Git) -> None:
    build = git()
    commit = build.add_commit({"a.md": "1"}, DAY_1)
    build.set_head("none")
    refs = (f"refs/heads/{name}" for name in ("x" * 5000, "\x1b[2J"))
    (build.folder / "packed-refs").write_text("".join(f"{commit} {ref}\n" for ref in refs))
    os.mkfifo(build.folder / "refs/heads/pipe")
    assert failure(lambda: tip(build)).hint == r"branches here: \x1b[2J, main"


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


@pytest.mark.parametrize(
    "name",
    [
        *(b".", b"..", b".git", b".GIT", b".Git", b"a/b", b"../x.md", b"a\\b", b"", b".git ", b".git. .", b".git..."),
        *(b"GIT~1", b"git~1 ", b".git::$INDEX_ALLOCATION", b"git~1:x"),
        *(".g\u200cit".encode(), "\ufeff.GIT".encode(), ".git\u206f".encode(), ".\u202e.".encode()),
    ],
)
def test_a_tree_with_a_dangerous_name_is_refused(git: Git, name: bytes) -> None:
    build = git()
    blob = build.add_object("blob", b"x")
    assert "is malformed" in malformed(build, build.add_tree(("100644", b"a.md", blob), ("100644", name, blob)))


@pytest.mark.parametrize("name", [b"...", b".gitx", b"agit~1", b"git~10", b".git-x", b"x.git", b". .", b".gitmodules"])
def test_a_name_that_only_resembles_a_dangerous_one_is_read(git: Git, name: bytes) -> None:
    build = git()
    build.add_raw_commit(build.add_tree(("100644", name, build.add_object("blob", b"x"))))
    assert [file.path.encode() for file in listing(build).files] == [name]


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


@pytest.mark.parametrize("unit", [b"160000 ", b"100644 a", b"1", b"100644 a\0"])
def test_a_large_tree_that_does_not_parse_is_refused_in_linear_time(git: Git, unit: bytes) -> None:
    build = git()
    assert "does not parse" in malformed(build, build.add_object("tree", unit * (1 << 20)))


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
            ("a name of 5003 characters", "path-too-long"),
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


def test_a_gigabyte_of_zeros_is_skipped_by_its_header(git: Git) -> None:
    build = git()
    build.write_loose("b0" * 20, zeros(f"blob {1 << 30}\0", 1 << 30))
    build.add_raw_commit(
        build.add_tree(("100644", b"a.md", build.add_object("blob", b"x")), ("100644", b"b", "b0" * 20))
    )
    assert limited(build) == "files 1 b=too-large"
    error = failure(lambda: open_repository(build.path).snapshot(tip(build)).read("b0" * 20))
    assert error.code is ErrorCode.LIMIT_EXCEEDED


@pytest.mark.parametrize("kind", ["commit", "tag", "tree"])
def test_a_gigabyte_of_anything_else_is_refused_by_its_header(git: Git, kind: str) -> None:
    build = git()
    build.write_loose("b0" * 20, zeros(f"{kind} {1 << 30}\0", 1 << 30))
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
    assert [len(listing(build).files) for build in (fits, deep, deeper)] == [1, 0, 0]
    for build in (deep, deeper):
        assert skipped(build) == [("/".join(["d"] * 64), "folder-too-deep")]
