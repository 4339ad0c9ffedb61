"""Whatever is in the cache folder, a bundle has the bytes that it has without one, and one line says what was wrong.

`EVERY_ERROR=1` flips 64 bits instead of 24.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.lock import LOCK_FILE
from kradle_ctx.adapters.index.schema import VERSION
from kradle_ctx.adapters.index.store import StoredIndexStore
from kradle_ctx.adapters.index.text_log import TEXT_LOG
from kradle_ctx.adapters.index.writing import VIEWS_KEPT
from tests.adapters import index_cache
from tests.adapters.index_cache import FILES, QUESTIONS, Cache, mended
from tests.fakes import InMemoryRepository
from tests.faults.scenario import THOROUGH

FLIPS = 64 if THOROUGH in os.environ else 24


def test_a_cache_that_is_whole_is_used_and_nothing_is_said(cache: Cache) -> None:
    before = (cache.store / folders.DATABASE).stat().st_mtime_ns
    mended(cache)
    assert (cache.store / folders.DATABASE).stat().st_mtime_ns == before
    assert stat.S_IMODE(cache.store.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in cache.store.iterdir()} == {0o600}


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_was_cut_short(cache: Cache, name: str, share: float) -> None:
    file = cache.store / name
    os.truncate(file, int(file.stat().st_size * share))
    said = cache.asked(QUESTIONS[1])
    # The end of the database is a page that the last view does not fill.
    assert len(said) == (name == TEXT_LOG or (name == folders.DATABASE and share < 0.9))
    mended(cache)


@pytest.mark.parametrize("name", [*FILES, LOCK_FILE])
def test_a_file_that_is_gone(cache: Cache, name: str) -> None:
    (cache.store / name).unlink()
    said = cache.asked()
    assert len(said) == (name == TEXT_LOG)
    mended(cache)


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_brain(cache: Cache, other: Cache, name: str) -> None:
    shutil.copyfile(other.store / name, cache.store / name)
    said = cache.asked()
    assert len(said) == (name in (folders.DATABASE, TEXT_LOG))
    mended(cache)


def test_the_whole_store_of_another_brain(cache: Cache, other: Cache) -> None:
    for name in FILES:
        shutil.copyfile(other.store / name, cache.store / name)
    assert cache.asked() == []
    mended(cache)


def flipped(file: Path, chance: random.Random, keep_time: bool) -> None:
    """Flip one bit of a file."""
    before = file.stat()
    data = bytearray(file.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(data)
    if keep_time:
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_bit_that_was_flipped_anywhere(filled: Cache, tmp_path: Path) -> None:
    """A third of the flips each in the tables, in the text and in what else there is, half of them at the old time."""
    chance, told = random.Random(64), 0
    for number in range(FLIPS):
        cache = index_cache.copied(filled, tmp_path / str(number))
        name = (folders.DATABASE, TEXT_LOG, folders.DATABASE, chance.choice(FILES))[number % 4]
        flipped(cache.store / name, chance, keep_time=number % 8 < 4)
        question = QUESTIONS[number % len(QUESTIONS)]
        told += len(cache.asked(question) if number % 3 == 0 else cache.asked_here(question))
        mended(cache, [question])
    assert FLIPS / 3 < told <= FLIPS


def test_other_files_beside_a_database(cache: Cache, other: Cache) -> None:
    for name in (f"{folders.DATABASE}-wal", f"{folders.DATABASE}-shm", f"{folders.KEPT}-wal"):
        (cache.store / name).write_bytes(random.Random(1).randbytes(40_000))
        (cache.store / name).chmod(0o600)
    assert len(cache.asked()) <= 1
    mended(cache)


def test_the_store_of_another_version_is_left_as_it_is(cache: Cache) -> None:
    for version in ("v0.1", "v9.9", f"{VERSION}0"):
        shutil.copytree(cache.home, cache.place / version)
        (cache.place / version / cache.store.name / folders.DATABASE).write_bytes(b"of another format")
    (cache.place / "v7.7").symlink_to("/nowhere")
    before = {path: path.lstat().st_mtime_ns for path in cache.place.rglob("*") if VERSION not in path.parts}
    mended(cache)
    assert {path: path.lstat().st_mtime_ns for path in before} == before


def test_text_that_changed_under_the_seal_is_noticed_where_it_is_used_and_read_anew(cache: Cache) -> None:
    """As on a disk that loses bits by itself: no time tells of it."""
    file = cache.store / TEXT_LOG
    data = file.read_bytes()
    file.write_bytes(data.replace(b"depot opens at 3", b"depot opens at 4"))
    folders.seal(cache.store)
    (line,) = cache.asked()
    assert "its text is not what was committed" in line
    (line,) = cache.asked()
    assert "was damaged" in line
    mended(cache)


def test_what_was_worked_out_once_and_is_damaged_is_kept_anew(cache: Cache) -> None:
    file = cache.store / folders.KEPT
    file.write_bytes(file.read_bytes()[:4096] + b"x" * 8192)
    for _ in range(3):
        assert cache.asked_here() == []
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT count(*) FROM kept").fetchone()[0] > 0


def test_a_clock_that_jumps_back_drops_no_view_that_was_just_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, store = InMemoryRepository(), StoredIndexStore(tmp_path / "cache")
    times = count(2_000_000_000_000_000_000, -3_600_000_000_000)
    monkeypatch.setattr("kradle_ctx.adapters.index.writing.time.time_ns", lambda: next(times))
    for number in range(VIEWS_KEPT + 3):
        commit = repository.add_commit({"a.md": f"{number}\n"}, "2026-05-01T00:00:00Z")
        index = store.open(repository.snapshot(commit), "", None)
        assert index.text(index.document(0)) == f"{number}\n".encode()
    assert store.notes == []
