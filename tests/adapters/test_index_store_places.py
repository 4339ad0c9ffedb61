"""Wherever the cache folder is and whoever else uses it, a bundle has the bytes that it has without one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.lock import LOCK_FILE
from kradle_ctx.adapters.index.store import StoredIndexStore
from kradle_ctx.adapters.index.text_log import TEXT_LOG
from kradle_ctx.config import CACHE_VARIABLE
from tests.adapters import index_cache
from tests.adapters.index_cache import FILES, QUESTIONS, Cache, mended, owner_is_root
from tests.cases.command_line import COMMAND, environment
from tests.command_server import Answer, warm
from tests.conftest import GitBuilder
from tests.fakes import Content
from tests.faults.crowd import PLACE, SIZE
from tests.pipeline import FIRST_DAY

STRANGER = 1


def in_place_of(path: Path, kind: str, elsewhere: Path) -> None:
    """Put something else in the place of a file or folder; what was there lies elsewhere, unless the link leads on."""
    path.rename(elsewhere)
    if kind == "FIFO":
        os.mkfifo(path, 0o600)
    elif kind == "file":
        path.write_bytes(b"of no use")
    elif kind == "folder":
        path.mkdir(0o700)
    else:
        path.symlink_to(elsewhere if kind == "symlink" else elsewhere.with_name("nowhere"))


def seen(place: Path) -> dict[str, tuple[int, bytes]]:
    """Everything below a place, with its time and content."""
    paths = [place, *place.rglob("*")] if place.is_dir() else [place]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for path in paths}


@pytest.mark.parametrize("kind", ["symlink", "dangling symlink", "FIFO", "folder"])
@pytest.mark.parametrize("name", [*FILES, LOCK_FILE])
def test_something_else_in_the_place_of_a_file(cache: Cache, tmp_path: Path, name: str, kind: str) -> None:
    in_place_of(cache.store / name, kind, tmp_path / "elsewhere")
    before = seen(tmp_path / "elsewhere")
    for question in QUESTIONS[:2]:
        assert 1 <= len(cache.asked(question)) <= index_cache.MOST_NOTES
    assert seen(tmp_path / "elsewhere") == before
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("kind", ["symlink", "dangling symlink", "FIFO", "file"])
@pytest.mark.parametrize("level", ["store", "home", "cache"])
def test_something_else_in_the_place_of_a_folder(cache: Cache, tmp_path: Path, level: str, kind: str) -> None:
    place = {"store": cache.store, "home": cache.home, "cache": cache.place}[level]
    in_place_of(place, kind, tmp_path / "elsewhere")
    before = seen(tmp_path / "elsewhere")
    said = cache.asked()
    if (level, kind) == ("cache", "symlink"):
        assert said == []
        return
    assert len(said) >= 1
    assert seen(tmp_path / "elsewhere") == before
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("level", ["store", "home", folders.DATABASE, TEXT_LOG, folders.KEPT, folders.SEAL])
def test_what_others_can_write_is_not_used(cache: Cache, level: str) -> None:
    place = {"store": cache.store, "home": cache.home}.get(level, cache.store / level)
    mode = place.stat().st_mode
    place.chmod(0o777)
    before = seen(cache.place)
    assert 1 <= len(cache.asked()) <= index_cache.MOST_NOTES
    assert seen(cache.place) == before
    place.chmod(mode)
    mended(cache)


@pytest.mark.skipif(not owner_is_root(), reason="only root can give files to somebody else")
@pytest.mark.parametrize("level", ["store", "home", folders.DATABASE, TEXT_LOG, folders.KEPT, folders.SEAL])
def test_what_belongs_to_somebody_else_is_not_used(cache: Cache, level: str) -> None:
    place = {"store": cache.store, "home": cache.home}.get(level, cache.store / level)
    os.chown(place, STRANGER, STRANGER)
    before = seen(cache.place)
    said = cache.asked()
    assert 1 <= len(said) <= index_cache.MOST_NOTES
    assert all(str(place) in line for line in said)
    assert seen(cache.place) == before


def test_the_store_of_another_brain_that_cannot_be_used_keeps_nobody_from_an_index(cold: Cache, other: Cache) -> None:
    shutil.copytree(other.place, cold.place)
    folder = cold.store
    folder.chmod(0o777)
    assert cold.asked() == [f"note: an index in the cache is left alone: {folder} can be written by others"]
    assert len(folders.store_folders(cold.place)) == 2


@pytest.mark.parametrize("level", ["store", "home", "cache"])
def test_a_folder_that_cannot_be_written(cache: Cache, cold: Cache, level: str, tmp_path: Path) -> None:
    """What is known is used; what would have to be written is done without."""
    unprivileged = "tests.faults.prologues:without_privileges"
    place = {"store": cache.store, "home": cache.home, "cache": cache.place}[level]
    for path in [place, *place.rglob("*")]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    said = [cache.asked(question, unprivileged) for question in QUESTIONS]
    assert all(len(lines) <= 1 for lines in said)
    for path in [place, *place.rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    mended(cache)


def test_an_empty_cache_that_cannot_be_written(cold: Cache) -> None:
    cold.place.mkdir(0o500)
    (line,) = cold.asked(prologue="tests.faults.prologues:without_privileges")
    assert "its folder cannot be used (Permission denied)" in line
    assert list(cold.place.iterdir()) == []
    cold.place.chmod(0o700)
    mended(cold)


@pytest.mark.parametrize("place", ["file/below", "x" * 300, "/proc/nowhere", "/dev/null"])
def test_a_cache_folder_that_cannot_be(cold: Cache, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (line,) = Cache(cold.brain, tmp_path / place, cold.expected).asked()
    assert line.startswith("note: the index is not used: ")


def test_without_a_home_there_is_no_index_and_nothing_is_said(cold: Cache) -> None:
    for changes in ({"HOME": ""}, {"HOME": "relative"}):
        answer = cold.ask(changes={CACHE_VARIABLE: "", "XDG_CACHE_HOME": "", **changes})
        assert cold.right(answer) == []
    assert not cold.place.exists()


def test_a_limit_on_the_size_of_files(cold: Cache) -> None:
    least = len(cold.expected[QUESTIONS[0]].stdout)
    for most in (least, 30_000, 60_000, 90_000):
        answer = cold.ask(limits={"RLIMIT_FSIZE": max(most, least)})
        assert len(cold.right(answer)) <= index_cache.MOST_NOTES
    mended(cold)


SMALL_DISK = """
mount -t tmpfs -o size=$size,nr_inodes=$inodes tmpfs "$disk" || exit 99
"$@"
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
@pytest.mark.parametrize(("size", "inodes"), [("4k", "2"), ("64k", "20"), ("130k", "20"), ("1m", "6")])
def test_a_disk_that_is_full(cold: Cache, size: str, inodes: str) -> None:
    cold.place.mkdir()
    asked = (*COMMAND, "assemble", "--brain", str(cold.brain), "--local-grant", *QUESTIONS[0])
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", SMALL_DISK, "sh", *asked],
        env={
            **environment({CACHE_VARIABLE: str(cold.place)}),
            "disk": str(cold.place),
            "size": size,
            "inodes": inodes,
        },
        capture_output=True,
    )
    if done.returncode == 99 or b"unshare" in done.stderr:
        pytest.skip("this machine lets nobody mount a disk of their own")
    (line,) = cold.right(Answer(done.returncode, done.stdout, done.stderr))
    assert line.startswith("note: the index is not used: ")


HOLDER = """
import fcntl, os, sqlite3, sys
lock = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
if sys.argv[3] != "database":
    fcntl.flock(lock, fcntl.LOCK_EX)
database = sqlite3.connect(sys.argv[2], isolation_level=None)
database.execute("PRAGMA locking_mode = EXCLUSIVE" if sys.argv[3] == "database" else "SELECT 1")
database.execute("BEGIN IMMEDIATE")
database.execute("INSERT INTO committed VALUES ('x', 1)")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(cache: Cache, what: str) -> Iterator[None]:
    """Another process that holds the lock of a store, or its database alone, in the midst of writing."""
    files = (str(cache.store / LOCK_FILE), str(cache.store / folders.DATABASE))
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLDER, *files, what], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("what", ["lock", "database"])
def test_another_process_is_writing(filled: Cache, cache: Cache, what: str) -> None:
    """Known commits are read all the same where the database allows; a new one waits, then does without."""
    impatient = "tests.faults.prologues:impatient"
    with closing(sqlite3.connect(cache.store / folders.DATABASE)) as database:
        database.execute("DELETE FROM views WHERE made = (SELECT max(made) FROM views)")
        database.commit()
    folders.seal(cache.store)
    with held(cache, what):
        said = [cache.asked(question, impatient) for question in QUESTIONS]
    assert any(said)
    assert all(len(lines) <= 1 for lines in said)
    mended(cache)


def crowd(cache: Cache, members: int, folder: Path) -> Answer:
    """Ask many times at once."""
    folder.mkdir()
    values = environment({CACHE_VARIABLE: str(cache.place), SIZE: str(members)})
    return warm().run(
        ("assemble", "--brain", cache.brain, "--local-grant", *QUESTIONS[0], "-o", f"{PLACE}.yaml"),
        folder=folder,
        environment=values,
        prologue="tests.faults.crowd:gather",
    )


@pytest.mark.parametrize("members", [2, 8])
@pytest.mark.parametrize("state", ["cold", "whole", "damaged", "unsealed"])
def test_many_at_once(filled: Cache, tmp_path: Path, state: str, members: int) -> None:
    cache = Cache(filled.brain, tmp_path / "cache", filled.expected)
    if state != "cold":
        cache = index_cache.copied(filled, tmp_path / "cache")
    if state == "damaged":
        data = bytearray((cache.store / folders.DATABASE).read_bytes())
        data[4096:] = bytes(byte ^ 4 if n % 97 == 0 else byte for n, byte in enumerate(data[4096:]))
        (cache.store / folders.DATABASE).write_bytes(data)
    if state == "unsealed":
        (cache.store / folders.SEAL).unlink()
    answer = crowd(cache, members, tmp_path / "desk")
    assert answer.code == 0, answer.talk
    assert {path.read_bytes() for path in (tmp_path / "desk").iterdir()} == {filled.expected[QUESTIONS[0]].stdout}
    assert len(list((tmp_path / "desk").iterdir())) == members
    said = [line for line in answer.talk.splitlines() if "index" in line]
    assert len(said) == (state == "damaged"), said
    mended(cache)


def test_a_brain_shares_no_store_with_one_that_holds_next_to_nothing_of_it(
    git: Callable[..., GitBuilder], tmp_path: Path
) -> None:
    files = {f"notes/{number}.md": f"note {number}\n" for number in range(9)} | {"templates/t.md": "a template\n"}
    brains: dict[str, dict[str, Content]] = {
        "empty": {"README.txt": "x\n"},
        "template": {"t.md": "a template\n"},
        "brain": dict(files),
        "clone": {**files, "notes/9.md": "note 9\n"},
        "other": {f"notes/{number}.md": f"other {number}\n" for number in range(9)}
        | {"templates/t.md": "a template\n"},
    }
    homes: dict[str, Path] = {}
    for name, content in brains.items():
        builder = git(name)
        store = StoredIndexStore(tmp_path / "cache")
        snapshot = open_repository(builder.path).snapshot(builder.add_commit(content, FIRST_DAY))
        before = set(folders.store_folders(tmp_path / "cache"))
        store.open(snapshot, "", None)
        store.close()
        new = set(folders.store_folders(tmp_path / "cache")) - before
        homes[name] = new.pop() if new else Path()
    assert homes["clone"] == Path()
    assert Path() not in {homes[name] for name in ("empty", "template", "brain", "other")}
