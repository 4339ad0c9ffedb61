"""What lies around the objects of a repository: its place, format, owner, configuration and neighbours."""

from __future__ import annotations

import os
import shutil
import subprocess
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
    read_all,
    tip,
)


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


def test_a_bare_repository_with_a_broken_one_in_it_is_refused(git: Git) -> None:
    build = git("brain.git", "--bare")
    build.add_commit({"a.md": "outer"}, DAY_1)
    (build.path / ".git/objects").mkdir(parents=True)
    assert failure(lambda: open_repository(build.path)).code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE


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
        config.write(f'[filter "p"]\n\tclean = {program}\n\tsmudge = {program}\n\trequired = true\n')
        config.write(f'[diff "p"]\n\ttextconv = {program}\n[gpg]\n\tprogram = {program}\n')
    hook = build.folder / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{program}\n")
    hook.chmod(0o755)
    assert read_all(build)["a.md"] == b"own"
    assert explicit(build, "main") == tip(build)
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize(
    "text", ["[include]\n\tpath = config\n", "[core\n", "[core]\n\tbare = perhaps\n\t= x\n", "\xff\0"]
)
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


@pytest.mark.parametrize("way", ["alternates", "link", "link to packs", "link to some", "common folder"])
def test_objects_of_another_repository_are_refused(git: Git, way: str) -> None:
    build, other = git(), git("private")
    build.add_commit({"a.md": "own"}, DAY_1)
    other.add_commit({"a.md": "private"}, DAY_2)
    objects = build.folder / "objects"
    if way == "link":
        shutil.rmtree(objects)
        objects.symlink_to(other.folder / "objects")
    elif way == "link to packs":
        shutil.rmtree(objects / "pack")
        (objects / "pack").symlink_to(other.folder / "objects/pack")
    elif way == "link to some":
        (objects / "zz").symlink_to(next((other.folder / "objects").glob("??")))
    elif way == "common folder":
        (build.folder / "commondir").write_text(f"{other.folder}\n")
    else:
        (objects / "info").mkdir(exist_ok=True)
        (objects / "info" / "alternates").write_text(f"# borrowed\n{other.folder / 'objects'}\n")
    error = failure(lambda: open_repository(build.path))
    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
    assert "borrows objects" in error.message
    assert "git repack -a -d" in error.hint


@pytest.mark.parametrize("way", ["file", "relative file", "link"])
def test_a_repository_elsewhere_that_does_not_name_the_folder_is_refused(git: Git, tmp_path: Path, way: str) -> None:
    other = git("private")
    other.add_commit({"a.md": "private"}, DAY_1)
    (tmp_path / "brain").mkdir()
    place = tmp_path / "brain" / ".git"
    if way == "link":
        place.symlink_to(other.folder)
    else:
        place.write_text(f"gitdir: {other.folder if way == 'file' else '../private/.git'}\n")
    error = failure(lambda: open_repository(tmp_path / "brain"))
    assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
    assert "leads to a repository elsewhere, which does not know of it" in error.message
    assert "private" not in error.message + error.hint
    assert read_all(other) == {"a.md": b"private"}


def test_a_submodule_is_read_since_its_repository_names_its_work_tree(git: Git, tmp_path: Path) -> None:
    build, part = git(), git("part")
    part.add_commit({"a.md": "part"}, DAY_1)
    build.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(part.path), "docs")
    repository = open_repository(build.path / "docs")
    assert repository.default_branch(None).commit == tip(part)
    (tmp_path / "stranger").mkdir()
    (tmp_path / "stranger/.git").write_text(f"gitdir: {build.folder}/modules/docs\n")
    assert "does not know of it" in failure(lambda: open_repository(tmp_path / "stranger")).message


def test_a_linked_work_tree_that_was_moved_is_read_once_it_is_repaired(git: Git, tmp_path: Path) -> None:
    build = git()
    commit = build.add_commit({"a.md": "one"}, DAY_1)
    build.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), commit)
    (tmp_path / "linked").rename(tmp_path / "moved")
    assert "git worktree repair" in failure(lambda: open_repository(tmp_path / "moved")).hint
    build.git("worktree", "repair", str(tmp_path / "moved"))
    assert open_repository(tmp_path / "moved").default_branch(None).commit == commit


def test_a_file_that_would_block_or_fill_the_memory_is_named(git: Git) -> None:
    for number, name in enumerate(("HEAD", "config", "packed-refs", "shallow", "info/grafts", "more")):
        build = git(f"brain{number}")
        build.add_commit({"a.md": "1"}, DAY_1)
        if name == "more":
            with (build.folder / "config").open("a") as config:
                config.write("[include]\n\tpath = more\n")
        (build.folder / name).unlink(missing_ok=True)
        os.mkfifo(build.folder / name)
        error = failure(lambda path=build.path: open_repository(path))
        assert error.code is ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE
        assert "is not a regular file" in error.message


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


def test_a_linked_work_tree_stands_for_its_main_repository(git: Git, tmp_path: Path) -> None:
    build = git()
    one = build.add_commit({"a.md": "one"}, DAY_1)
    two = build.add_commit({"a.md": "two"}, DAY_2)
    build.git("worktree", "add", "-q", "-b", "linked", str(tmp_path / "linked"), one)
    repository = open_repository(tmp_path / "linked")
    assert (repository.default_branch(None).ref, repository.default_branch(None).commit) == ("refs/heads/main", two)
    assert repository.default_branch("linked").commit == one
    assert [found.commit for found in repository.candidates("HEAD")] == [two]
    build.cut_history(two)
    assert open_repository(tmp_path / "linked").shallow


def test_a_linked_work_tree_of_a_bare_repository_stands_for_that(git: Git, tmp_path: Path) -> None:
    build = git("brain.git", "--bare")
    one = build.add_commit({"a.md": "one"}, DAY_1)
    two = build.add_commit({"a.md": "two"}, DAY_2)
    build.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), one)
    repository = open_repository(tmp_path / "linked")
    assert (repository.default_branch(None).ref, repository.default_branch(None).commit) == ("refs/heads/main", two)


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
