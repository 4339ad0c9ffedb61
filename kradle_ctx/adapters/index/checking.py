"""Whether a store is what its writers made: every row, every index and every byte of text."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.rows import LOOKUPS, DocumentRow, checksum, document_from, document_row, lookups
from kradle_ctx.adapters.index.schema import open_reader
from kradle_ctx.adapters.index.text_log import TEXT_LOG, LogReader
from kradle_ctx.adapters.index.word_check import word_faults
from kradle_ctx.model.graph import Form
from kradle_ctx.ports import IndexDamaged

DOCUMENTS = """
SELECT d.number, d.path, d.blob, d.start, d.body, d.end, d.id, d.kind, d.sensitivity, d.form, d.extends,
       d.status, d.updated, s.value, f.place, f.size
FROM documents d JOIN stated s ON s.number = d.number JOIN files f ON f.place = d.place
"""

WHOLE = "SELECT d.*, s.value FROM documents d LEFT JOIN stated s ON s.number = d.number"
EXTENDS = DocumentRow._fields.index("extends")
"""Which column from `path` on is a truth value."""

COUNTS = (
    "SELECT count(*) FROM documents",
    "SELECT count(*) FROM stated",
    "SELECT count(*) FROM documents JOIN files USING (place, path, blob)",
)
"""All of them count documents."""


def faults(folder: Path) -> Iterator[str]:
    """What is wrong with a store, in words that name no content."""
    try:
        connection = open_reader(folder / folders.DATABASE)
        try:
            yield from table_faults(connection)
            committed = dict(connection.execute("SELECT name, value FROM committed"))
            if not committed and is_empty(connection):
                # Its first writer ended before there was a text.
                return
            log = LogReader(folder / TEXT_LOG, committed["text"])
            yield from text_faults(connection, log)
            yield from lookup_faults(connection, log)
            yield from word_faults(connection, log)
        finally:
            connection.close()
    except (sqlite3.Error, OSError, ValueError, TypeError, LookupError, OverflowError, IndexDamaged) as error:
        yield f"it does not read ({type(error).__name__})"


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written into the tables."""
    tables = ("files", "documents", "stated", "views", *LOOKUPS)
    return not any(connection.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").fetchone()[0] for table in tables)


def table_faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Faults of the tables."""
    for (line,) in connection.execute("PRAGMA integrity_check(1)"):
        if line != "ok":
            yield "its database is malformed"
            return
    for table in ("files", "views"):
        if any(checksum(*row[:-1]) != row[-1] for row in connection.execute(f"SELECT * FROM {table}")):
            yield f"a row of {table} was changed"
    count = 0
    for number, place, *columns, total, stated in connection.execute(WHOLE):
        count += 1
        columns[EXTENDS] = bool(columns[EXTENDS])
        if checksum(number, place, after=checksum(*columns, stated)) != total:
            yield "a row of documents was changed"
    if (connection.execute("SELECT sum(count) FROM files").fetchone()[0] or 0) != count:
        yield "a document is missing"
    if any(connection.execute(query).fetchone()[0] != count for query in COUNTS):
        yield "a part of a document is missing"


def text_faults(connection: sqlite3.Connection, log: LogReader) -> Iterator[str]:
    """Faults of the text."""
    at = 0
    for place, path, blob, size in connection.execute("SELECT place, path, blob, size FROM files ORDER BY place"):
        if place != at:
            break
        log.require(place, path, blob, size)
        at = log.end(place, path, size)
    if at != log.size:
        yield "its text is not the one it speaks of"


def lookup_faults(connection: sqlite3.Connection, log: LogReader) -> Iterator[str]:
    """Faults of the tables by which documents are found."""
    expected = [0] * len(LOOKUPS)
    for number, *row, place, size in connection.execute(DOCUMENTS):
        document = document_from(row)
        text = log.read(place, document.path, document.blob, size) if document.form is Form.NOTE else b""
        for table, found in enumerate(lookups(number, document_row(document, text))):
            expected[table] += combined(found)
    for name, number in zip(LOOKUPS, expected, strict=True):
        if combined(connection.execute(f"SELECT * FROM {name}")) != number:
            yield f"a row of {name} was changed"


def combined(rows: Iterable[tuple[Any, ...]]) -> int:
    """One number for rows in any order."""
    return sum(zlib.crc32(repr(tuple(row)).encode("utf-8", "surrogatepass")) for row in rows)
