"""Writing into a store: files as they are read, then the view of a tree."""

from __future__ import annotations

import sqlite3
import time
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path

from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.rows import COLUMNS, LOOKUPS, FileRows, Wanted, checksum, lookups, skipped_from
from kradle_ctx.adapters.index.schema import open_writer
from kradle_ctx.adapters.index.text_log import TEXT_LOG, LogWriter
from kradle_ctx.adapters.index.views import ABSENT, NUMBERS, StoredView, by_path, view_row
from kradle_ctx.adapters.index.word_table import add_words, merge_a_little, write_few, write_many
from kradle_ctx.model.graph import Skipped
from kradle_ctx.words import DocumentWords

COMMIT_EVERY = 8192
"""Files after which what was read is made to last, so that a build that is ended goes on from there."""

FEW = 1_000
"""Files up to which each is asked for by itself."""

VIEWS_KEPT = 32
"""Views of a store; the oldest goes, and is made anew from the files when it is asked for."""


class StoreWriter:
    """One session of writing; the caller holds the lock. What is not committed is as if it had never been."""

    def __init__(self, folder: Path) -> None:
        folders.unseal(folder)
        self._folder = folder
        self.connection = open_writer(folder / folders.DATABASE)
        committed = dict(self.connection.execute("SELECT name, value FROM committed"))
        self._many = False
        self._log = LogWriter(folder / TEXT_LOG, committed.get("text", 0))
        self._next = committed.get("documents", 0)
        self._files: list[tuple[object, ...]] = []
        self._documents: list[tuple[object, ...]] = []
        self._stated: list[tuple[int, str]] = []
        self._lookups: list[list[tuple[object, ...]]] = [[] for _ in LOOKUPS]
        self._words: list[tuple[int, DocumentWords]] = []

    def write_many(self) -> None:
        """Hear that very many files come."""
        self._many = True
        write_many(self.connection)

    def add(self, file: FileRows) -> None:
        """Add a file with its documents."""
        place = self._log.append(file.path, file.data)
        first, count = self._next, len(file.documents)
        columns = (place, file.path, file.blob, file.role, len(file.data), first, count, file.skipped)
        self._files.append((*columns, checksum(*columns)))
        for number, row in enumerate(file.documents, start=first):
            self._documents.append((number, place, *row[:COLUMNS], checksum(number, place, after=row.checksum)))
            self._stated.append((number, row.stated))
            for waiting, rows in zip(self._lookups, lookups(number, row), strict=True):
                waiting += rows
            if row.words is not None:
                self._words.append((number, row.words))
        self._next += count
        if len(self._files) >= COMMIT_EVERY:
            self.commit()

    def commit(self) -> None:
        """Make what was added last."""
        self._log.sync()
        execute = self.connection.executemany
        self.connection.execute("BEGIN IMMEDIATE")
        execute("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", self._files)
        execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", self._documents)
        execute("INSERT INTO stated VALUES (?, ?)", self._stated)
        add_words(self.connection, self._words)
        for table, rows in zip(LOOKUPS, self._lookups, strict=True):
            if rows:
                # Almost in the order of the table's own tree, which takes half the time.
                rows.sort(key=itemgetter(0))
                execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        state = (("text", self._log.size), ("documents", self._next))
        execute("INSERT OR REPLACE INTO committed VALUES (?, ?)", state)
        self.connection.execute("COMMIT")
        if self._many:
            merge_a_little(self.connection)
        for rows in (self._files, self._documents, *self._lookups):
            rows.clear()
        self._stated.clear()
        self._words.clear()

    def add_view(self, view: StoredView) -> None:
        """Add the view of a tree, all of whose files are there, and drop the oldest ones."""
        self.connection.execute("BEGIN IMMEDIATE")
        (latest,) = self.connection.execute("SELECT coalesce(max(made), 0) FROM views").fetchone()
        # The clock can have jumped back, and the newest view must not be the first to go.
        row = view_row(view, max(time.time_ns(), latest + 1))
        self.connection.execute("INSERT OR REPLACE INTO views VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        self.connection.execute(
            "DELETE FROM views WHERE made < (SELECT made FROM views ORDER BY made DESC LIMIT 1 OFFSET ?)",
            (VIEWS_KEPT - 1,),
        )
        self.connection.execute("COMMIT")

    def missing(self, wanted: Iterable[Wanted]) -> list[Wanted]:
        """The files that were never read."""
        wanted = list(wanted)
        if len(wanted) < FEW:
            return [file for file in wanted if self.numbers(file) is None]
        known = {Wanted(*row) for row in self.connection.execute("SELECT path, blob, role FROM files")}
        return [file for file in wanted if file not in known]

    def numbers(self, file: Wanted) -> range | None:
        """The documents of a file, None where it was never read."""
        query = "SELECT first, count FROM files WHERE path = ? AND blob = ? AND role = ?"
        row = self.connection.execute(query, file).fetchone()
        return range(row[0], row[0] + row[1]) if row is not None else None

    def finish(self) -> None:
        """End the session: what is committed goes into the database's own file, and that is sealed."""
        self._log.close()
        if self._many:
            write_few(self.connection)
        (busy, *_) = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self.connection.close()
        if not busy:
            folders.seal(self._folder)

    def abandon(self) -> None:
        """End the session without a seal."""
        self._log.close()
        self.connection.close()


def documents_of(connection: sqlite3.Connection, files: Sequence[Wanted]) -> array[int]:
    """The numbers of the documents of files that are stored, in the order of the files."""
    stored = {
        (path, blob, role): (first, count)
        for path, blob, role, first, count in connection.execute("SELECT path, blob, role, first, count FROM files")
    }
    numbers = array(NUMBERS)
    for file in files:
        first, count = stored[file]
        numbers.extend(range(first, first + count))
    return numbers


def unread_of(connection: sqlite3.Connection, files: Iterable[Wanted]) -> list[Skipped]:
    """What could not be read of files that are stored, in path-byte order."""
    wanted = set(files)
    rows = connection.execute("SELECT path, blob, role, skipped FROM files WHERE skipped != ''")
    found = [skipped_from(path, text) for path, blob, role, text in rows if Wanted(path, blob, role) in wanted]
    return by_path(entry for entries in found for entry in entries)


def duplicates_of(connection: sqlite3.Connection, places: array[int]) -> list[str]:
    """Ids that more than one document of a view declares."""
    repeated = connection.execute(
        "SELECT name, document FROM names WHERE declares AND name IN "
        "(SELECT name FROM names WHERE declares GROUP BY name HAVING count(*) > 1)"
    )
    return declared_often(repeated, places)


def duplicates_among(connection: sqlite3.Connection, ids: Iterable[str], places: array[int]) -> list[str]:
    """Those of some ids that more than one document of a view declares."""
    query = "SELECT name, document FROM names WHERE declares AND name = ?"
    rows = (row for record_id in sorted(set(ids)) for row in connection.execute(query, (record_id,)))
    return declared_often(rows, places)


def declared_often(rows: Iterable[tuple[str, int]], places: array[int]) -> list[str]:
    """Names that come more than once for documents of a view, in text order."""
    counts: dict[str, int] = {}
    for name, number in rows:
        if number < len(places) and places[number] != ABSENT:
            counts[name] = counts.get(name, 0) + 1
    return sorted(name for name, count in counts.items() if count > 1)


def edited(
    connection: sqlite3.Connection, documents: array[int], removed: Iterable[str], added: Iterable[tuple[str, range]]
) -> array[int]:
    """The documents of a view without those of some paths and with those of others, each at its place."""

    def path_of(number: int) -> bytes:
        (path,) = connection.execute("SELECT path FROM documents WHERE number = ?", (number,)).fetchone()
        return str(path).encode()

    def bounds(path: str) -> tuple[int, int]:
        name = path.encode()
        first = bisect_left(documents, name, key=path_of)
        last = first
        while last < len(documents) and path_of(documents[last]) == name:
            last += 1
        return first, last

    cuts = [(*bounds(path), range(0)) for path in removed]
    cuts += [(bounds(path)[1], bounds(path)[1], numbers) for path, numbers in added]
    numbers, at = array(NUMBERS), 0
    for first, last, fresh in sorted(cuts, key=lambda cut: cut[:2]):
        numbers.extend(documents[at:first])
        numbers.extend(fresh)
        at = last
    numbers.extend(documents[at:])
    return numbers


def changed_ids(connection: sqlite3.Connection, numbers: Iterable[int]) -> Iterator[str]:
    """The ids that some documents declare."""
    for number in numbers:
        query = "SELECT id FROM documents WHERE number = ? AND id IS NOT NULL AND NOT extends"
        yield from (record_id for (record_id,) in connection.execute(query, (number,)))
