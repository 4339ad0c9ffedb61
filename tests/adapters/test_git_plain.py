"""What is read without libgit2 is what libgit2 reads, and whatever it would read otherwise is left to it."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kradle_ctx.adapters.git_library import Library, LibraryError
from kradle_ctx.adapters.git_plain import OutOfTheOrdinary, PlainRefs, is_plain, variables
from kradle_ctx.adapters.git_repository import open_repository
from tests.adapters.reading import DAY_1, DAY_2, Git, explicit
from tests.conftest import GitBuilder

NAMES = ("HEAD", "refs/heads/main", "refs/heads/a", "refs/heads/a/b", "refs/heads", "refs/tags/v1", "refs/tags/v1/x")
NAMES += ("refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/heads/é", "refs/heads/.x", "refs/heads/x.lock")
ID, OTHER = "1" * 40, "2" * 40


def both(build: GitBuilder, name: str) -> tuple[object, object]:
    """What the two readers say of a ref: a target, None, or the word for a refusal."""
    try:
        library: object = Library(build.path).target(name)
    except LibraryError:
        library = "refused"
    try:
        return PlainRefs(build.folder).target(name), library
    except OutOfTheOrdinary:
        return "left to libgit2", library


def agreed(build: GitBuilder, *names: str) -> dict[str, object]:
    """What the plain reader says, where libgit2 says the same."""
    said = {name: both(build, name) for name in names or NAMES}
    for name, (plain, library) in said.items():
        assert plain in (library, "left to libgit2"), name
    return {name: plain for name, (plain, _) in said.items()}


def is_taken_as_plain(build: GitBuilder) -> bool:
    """Whether a repository is opened without libgit2; where it is, libgit2 opens the same one."""
    plain = is_plain(build.path, build.folder.resolve(), build.folder.resolve())
    assert not plain or Library(build.path).folder() == build.folder.resolve()
    return plain


@pytest.fixture
def build(git: Git) -> GitBuilder:
    """Two commits, branches, tags of both kinds and a remote."""
    build = git()
    first = build.add_commit({"a.md": "1"}, DAY_1)
    build.add_commit({"a.md": "2"}, DAY_2)
    build.set_branch("a/b", first)
    build.set_tag("v1", first, annotated=True)
    build.set_tag("v2", first)
    build.set_remote_branch("main", first)
    build.set_remote_head("main")
    return build


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("init", [(), ("--bare",)])
def test_what_git_makes_is_plain_and_read_alike(git: Git, packed: bool, init: tuple[str, ...]) -> None:
    build = git("brain", *init)
    commit = build.add_commit({"a.md": "1"}, DAY_1)
    build.set_tag("v1", commit, annotated=True)
    build.set_branch("a/b", commit)
    build.set_remote_branch("main", commit)
    build.set_remote_head("main")
    if packed:
        build.git("pack-refs", "--all")
    build.set_branch("later", commit)
    said = agreed(build, *NAMES, "refs/heads/later")
    assert is_taken_as_plain(build)
    assert said["HEAD"] == b"refs/heads/main"
    assert said["refs/heads/main"] == said["refs/heads/a/b"] == said["refs/heads/later"] == commit
    assert said["refs/tags/v1"] not in (None, commit)
    assert said["refs/remotes/origin/HEAD"] == b"refs/remotes/origin/main"
    assert said["refs/heads/é"] == "left to libgit2"


def test_a_loose_ref_counts_before_a_packed_one_and_a_head_may_name_a_commit_or_nothing(build: GitBuilder) -> None:
    build.git("pack-refs", "--all")
    newer = build.add_commit({"a.md": "3"}, DAY_2)
    assert agreed(build)["refs/heads/main"] == newer
    build.set_head(newer)
    assert agreed(build)["HEAD"] == newer
    build.set_head("unborn")
    assert agreed(build, "HEAD", "refs/heads/unborn") == {"HEAD": b"refs/heads/unborn", "refs/heads/unborn": None}


def test_a_clone_of_limited_depth_is_plain(build: GitBuilder, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{build.path}", str(tmp_path / "cut")], check=True)
    cut = GitBuilder(tmp_path / "cut")
    assert is_taken_as_plain(cut)
    assert open_repository(cut.path).shallow
    assert agreed(cut)["refs/remotes/origin/main"] == agreed(build)["refs/heads/main"]


def test_a_plain_repository_is_read_without_libgit2(build: GitBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("libgit2 was asked")

    for name in ("folder", "target", "names", "expand"):
        monkeypatch.setattr(Library, name, refused)
    assert open_repository(build.path).default_branch(None).ref == "refs/remotes/origin/main"
    assert explicit(build, "refs/heads/main") == explicit(build, "HEAD")


def odd_repositories(build: GitBuilder, tmp_path: Path) -> Iterator[str]:
    """Change a plain repository so that libgit2 has to look, one way after the other; yields the name of each."""
    config = build.folder / "config"
    before = config.read_bytes()
    for text in (
        "[include]\n\tpath = x\n",
        '[includeIf "gitdir:x"]\n\tpath = x\n',
        "[extensions]\n\tpartialclone = origin\n",
        "[core]\n\trepositoryformatversion = 2\n",
        "[core]\n\tworktree = /\n",
        "[core]\n\tbare = perhaps\n",
        "[core]\n\tBARE\n",
        "[core]\n\tbare = true\n",
        "[core] bare = false\n",
        "[core]\n\tfsmonitor = x\n",
        "[core\n",
        "[a]\n\tb = x \\\n\ty\n",
        "[a]\n\tb = \\q\n",
        '[a]\n\tb = "x\n',
        "[a]\r\n\tb = x\r\n",
    ):
        config.write_bytes(before + text.encode())
        yield text
    for odd in (b"\tbare = false\n" + before, b"\xef\xbb\xbf" + before, b"\xff\0"):
        config.write_bytes(odd)
        yield repr(odd)
    config.write_bytes(before)
    for name in ("info/grafts", "config.worktree", "commondir"):
        (build.folder / name).parent.mkdir(exist_ok=True)
        (build.folder / name).write_text("")
        yield name
        (build.folder / name).unlink()
    (build.folder / "shallow").write_text("words\n")
    yield "shallow"
    (build.folder / "shallow").unlink()
    home = Path(os.environ["HOME"], ".gitconfig")
    for text in ("[core\n", "[include]\n\tpath = x\n", "[core]\n\tworktree = /\n", "[extensions]\n\tx = y\n"):
        home.write_text(text)
        yield f"own {text}"
    home.unlink()
    for name in ("objects", "refs", "HEAD"):
        (build.folder / name).rename(tmp_path / "aside")
        yield f"no {name}"
        (tmp_path / "aside").rename(build.folder / name)


def test_whatever_is_out_of_the_ordinary_is_left_to_libgit2(build: GitBuilder, tmp_path: Path) -> None:
    assert is_taken_as_plain(build)
    taken = [name for name in odd_repositories(build, tmp_path) if is_taken_as_plain(build)]
    assert taken == []
    assert is_taken_as_plain(build)


def test_a_configuration_of_ones_own_may_have_quotes_comments_and_links(build: GitBuilder, tmp_path: Path) -> None:
    home = Path(os.environ["HOME"], ".gitconfig")
    real = tmp_path / "dotfiles"
    real.write_text('# mine\n[alias]\n\tlg = log --format="%h \\"%s\\"" ; short\n[safe]\n\tdirectory = *\n[user "x"]\n')
    home.symlink_to(real)
    try:
        assert is_taken_as_plain(build)
    finally:
        home.unlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="giving a file to another user takes root")
@pytest.mark.parametrize("part", ["", ".git"])
def test_what_belongs_to_another_user_is_left_to_libgit2(build: GitBuilder, part: str) -> None:
    os.chown(build.path / part, 12345, 12345)
    assert not is_taken_as_plain(build)


def test_links_and_work_trees_are_left_to_libgit2(build: GitBuilder, tmp_path: Path) -> None:
    build.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    own = build.folder / "worktrees" / "linked"
    assert not is_plain(tmp_path / "linked", own, build.folder)
    assert not is_plain(tmp_path, build.folder, build.folder)
    assert not is_plain(build.folder, build.folder, build.folder)
    (tmp_path / "named").symlink_to(build.path)
    assert is_plain(tmp_path / "named", build.folder, build.folder)


@pytest.mark.parametrize("unit", [" ", "\t=", '"', "a = ", "\\n", "#", "[a", '[a "', "a\n", '"x" '])
def test_a_large_configuration_is_looked_through_in_linear_time(unit: str) -> None:
    begin = time.process_time()
    for start in ("", "[a]\nb =", '[a]\nb = "'):
        with suppress(OutOfTheOrdinary):
            list(variables(f"{start}{unit * ((1 << 19) // len(unit))}\0".encode()))
    assert time.process_time() - begin < 5


PIECES = (ID, OTHER, "ref: refs/heads/a", "ref: refs/heads/a/b", "ref: refs/x..y", "ref:", f"^{OTHER}", "", "\r", " ")
PIECES += ("# pack-refs with: peeled fully-peeled sorted ", "# words", "HEAD", "refs/heads/main", "A" * 40)
PIECES += tuple(f"{ID} {name}" for name in NAMES[1:]) + ("\n",) * 12
FILES = ("HEAD", "packed-refs", "refs/heads/a", "refs/heads/a/b", "refs/tags/v1", "refs/remotes/origin/HEAD")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
LINES = st.lists(st.sampled_from(PIECES), max_size=4).map(lambda lines: "".join(f"{line}\n" for line in lines))
SORTED = st.sets(st.sampled_from(sorted(NAMES[1:])), max_size=5).map(
    lambda names: "".join(f"{ID} {name}\n^{OTHER}\n" for name in sorted(names, key=str.encode))
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(written=st.dictionaries(st.sampled_from(FILES), TEXTS | LINES | SORTED, min_size=1, max_size=4))
def test_whatever_the_files_of_refs_say_both_readers_agree(build: GitBuilder, written: dict[str, str]) -> None:
    before = {name: file.read_bytes() for name in FILES if (file := build.folder / name).is_file()}
    made: list[Path] = []
    try:
        for name, text in written.items():
            file = build.folder / name
            if not file.is_dir() and not file.parent.is_file():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode())
                made.append(file)
        agreed(build)
    finally:
        for file in made:
            file.unlink()
        for name, data in before.items():
            (build.folder / name).write_bytes(data)
