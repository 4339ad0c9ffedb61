"""The tables of a store, and how they are opened."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from unicodedata import unidata_version

from kradle_ctx.adapters.index.word_table import WORD_TABLE, open_vocabulary
from kradle_ctx.model.versions import INDEXER_VERSION
from kradle_ctx.ports import IndexDamaged

FORMAT = "2"
"""Changes with the tables or with the log; a store of another format is never opened."""

VERSION = f"v{FORMAT}.{INDEXER_VERSION}.{unidata_version}"
"""Words follow from Unicode's tables, too, which are those of the Python that runs."""

WAIT_SECONDS = 5.0
"""How long a connection waits for another process; only writers ever have to."""

READER_CACHE_KIB = 32 << 10
WRITER_CACHE_KIB = 128 << 10

TABLES = f"""
CREATE TABLE committed (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

-- `place` is where the file's record begins in the log; its documents are `first` to `first + count - 1`.
CREATE TABLE files (
  place INTEGER PRIMARY KEY, path TEXT NOT NULL, blob TEXT NOT NULL, role INTEGER NOT NULL, size INTEGER NOT NULL,
  first INTEGER NOT NULL, count INTEGER NOT NULL, skipped TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE INDEX files_by_path ON files (path, blob, role);
CREATE INDEX files_by_blob ON files (blob);

-- What is looked at of very many documents stands close together; the rest of each is in `stated`, and in its checksum.
CREATE TABLE documents (
  number INTEGER PRIMARY KEY, place INTEGER NOT NULL, path TEXT NOT NULL, blob TEXT NOT NULL, start INTEGER NOT NULL,
  body INTEGER NOT NULL, end INTEGER NOT NULL, id TEXT, kind TEXT, sensitivity TEXT NOT NULL, form TEXT NOT NULL,
  extends INTEGER NOT NULL, status TEXT, updated TEXT, checksum INTEGER NOT NULL);
CREATE TABLE stated (number INTEGER PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE names (
  name TEXT NOT NULL, document INTEGER NOT NULL, declares INTEGER NOT NULL, PRIMARY KEY (name, document)) WITHOUT ROWID;
CREATE TABLE referring (
  value TEXT NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (value, document)) WITHOUT ROWID;
CREATE TABLE mentioning (
  name TEXT NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (name, document)) WITHOUT ROWID;
CREATE TABLE incoming (
  target TEXT NOT NULL, kind TEXT NOT NULL, document INTEGER NOT NULL, place INTEGER NOT NULL, source TEXT NOT NULL,
  PRIMARY KEY (target, kind, document, place)) WITHOUT ROWID;

-- The words of every document that is read for what it says, by its number.
{WORD_TABLE}
-- The documents of a tree in path and line order, and the place of each in that order.
CREATE TABLE views (
  tree TEXT NOT NULL, ontology_path TEXT NOT NULL, made INTEGER NOT NULL, facts TEXT NOT NULL,
  documents BLOB NOT NULL, places BLOB NOT NULL, checksum INTEGER NOT NULL,
  PRIMARY KEY (tree, ontology_path)) WITHOUT ROWID;
"""


def open_reader(database: Path) -> sqlite3.Connection:
    """A connection that changes nothing; where the folder cannot be written, one that looks at the file alone."""
    writable = os.access(database.parent, os.W_OK)
    if not writable and size_of(Path(f"{database}-wal")):
        raise IndexDamaged("its last changes wait beside its database, in a folder that cannot be written")
    mode = "mode=rw" if writable else "immutable=1"
    connection = sqlite3.connect(
        f"{database.absolute().as_uri()}?{mode}", uri=True, isolation_level=None, timeout=WAIT_SECONDS
    )
    open_vocabulary(connection)
    connection.execute("PRAGMA query_only = ON")
    connection.execute(f"PRAGMA cache_size = -{READER_CACHE_KIB}")
    return connection


def open_writer(database: Path) -> sqlite3.Connection:
    """A connection that writes; the tables are there."""
    if not database.exists():
        make_tables(database)
    connection = sqlite3.connect(database, isolation_level=None, timeout=WAIT_SECONDS)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute(f"PRAGMA cache_size = -{WRITER_CACHE_KIB}")
    return connection


def make_tables(database: Path) -> None:
    """Make a database with empty tables: beside its place, so that whoever finds one finds its tables."""
    beside = database.with_name(f"{database.name}.new")
    for part in ("", "-wal", "-shm"):
        Path(f"{beside}{part}").unlink(missing_ok=True)
        # A log of another database under this name would be taken for its own.
        Path(f"{database}{part}").unlink(missing_ok=True)
    os.close(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    connection = sqlite3.connect(beside, isolation_level=None, timeout=WAIT_SECONDS)
    try:
        # What is lost with the power is a database without tables, which is made anew.
        connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; {TABLES} COMMIT;")
    finally:
        connection.close()
    beside.replace(database)


def size_of(file: Path) -> int:
    """Bytes of a file, 0 where there is none."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
