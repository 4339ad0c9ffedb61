"""The table of words holds what the documents say, goes on after what a killed build left, and is looked through."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from kradle_ctx.adapters import reading
from kradle_ctx.adapters.index import folders, writing
from kradle_ctx.adapters.index.checking import faults
from kradle_ctx.adapters.index.schema import open_reader
from kradle_ctx.adapters.index.store import StoredIndexStore
from kradle_ctx.adapters.index.word_table import places_of_word
from tests.adapters.index_cache import Cache
from tests.fakes import InMemoryRepository


def paths_with(store: Path, word: str) -> dict[str, set[str]]:
    """The paths of the documents with a word, and the columns in which each has it."""
    found: dict[str, set[str]] = {}
    with closing(open_reader(store / folders.DATABASE)) as connection:
        connection.execute("PRAGMA query_only = OFF")
        query = "SELECT f.path FROM documents d JOIN files f ON f.place = d.place WHERE d.number = ?"
        for number, column, _ in places_of_word(connection, word):
            (path,) = connection.execute(query, (number,)).fetchone()
            found.setdefault(path, set()).add(column)
    return found


def test_words_are_found_in_the_columns_where_documents_have_them(filled: Cache) -> None:
    found = paths_with(filled.store, "gate")
    assert found["runbooks/open.md"] == {"body"}
    assert found["graph/gate.yaml"] >= {"body", "names", "title", "path"}
    assert set(paths_with(filled.store, "night")) == {"graph/gate.yaml"}
    assert paths_with(filled.store, "nowhere") == {}


def changed_block(database: sqlite3.Connection) -> None:
    ((number, block),) = database.execute("SELECT id, block FROM words_data WHERE id > 10 LIMIT 1").fetchall()
    middle = len(block) // 2
    changed = block[:middle] + bytes([block[middle] ^ 4]) + block[middle + 1 :]
    database.execute("UPDATE words_data SET block = ? WHERE id = ?", (changed, number))


def one_more(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO words (rowid, body) VALUES (900, 'one more')")


def none_at_all(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO words (words) VALUES ('delete-all')")


def no_blocks(database: sqlite3.Connection) -> None:
    database.execute("DELETE FROM words_data WHERE id > 10")


@pytest.mark.parametrize("damage", [changed_block, one_more, none_at_all, no_blocks])
def test_words_that_are_not_those_of_the_text_are_found(
    cache: Cache, damage: Callable[[sqlite3.Connection], None]
) -> None:
    assert list(faults(cache.store)) == []
    with closing(sqlite3.connect(cache.store / folders.DATABASE)) as database:
        damage(database)
        database.commit()
    assert list(faults(cache.store)) == ["its words are not those of its text"]


def test_looking_through_a_store_writes_nothing(cache: Cache) -> None:
    before = {path: path.read_bytes() for path in cache.store.iterdir()}
    assert list(faults(cache.store)) == []
    assert {path: path.read_bytes() for path in before} == before


def test_a_build_of_very_many_files_leaves_the_table_ready_for_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "COMMIT_EVERY", 10)
    monkeypatch.setattr("kradle_ctx.adapters.index.building.COMMIT_EVERY", 10)
    monkeypatch.setattr(reading, "PORTION", 5)
    repository = InMemoryRepository()
    notes = {f"{number}.md": f"# Note {number}\n\nThe depot of line{number}.\n" for number in range(95)}
    commit = repository.add_commit(notes, "2026-05-01T00:00:00Z")
    index = StoredIndexStore(tmp_path).open(repository.snapshot(commit), "", None)
    assert index.size == len(notes)
    (folder,) = folders.store_folders(tmp_path)
    assert list(faults(folder)) == []
    assert len(paths_with(folder, "depot")) == len(notes)
    assert set(paths_with(folder, "line77")) == {"77.md"}
    with closing(open_reader(folder / folders.DATABASE)) as database:
        settings = dict(database.execute("SELECT k, v FROM words_config"))
    assert (settings["automerge"], settings["usermerge"], settings["hashsize"]) == (4, 4, 1 << 20)
