"""What was worked out once, in a small database of its own; each value carries a checksum of itself and its key."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from zlib import crc32

from msgspec.json import decode

from kradle_ctx.adapters.index.schema import size_of

WAIT_SECONDS = 0.2
"""How long to wait for another process to keep what it worked out; what cannot be kept is worked out again."""

MOST_BYTES = 64 << 20
"""A file beyond it is begun anew: what nobody asks for any more is in it, too."""

EXPECTED = "SELECT k.key, k.value, k.checksum FROM json_each(?) e JOIN kept k ON k.key = e.value"
TABLE = (
    "CREATE TABLE IF NOT EXISTS kept "
    "(key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID"
)


class KeptFile:
    """Values by key; nothing that goes wrong here is told, since all of it can be worked out again."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._reader: sqlite3.Connection | None = None
        self._new: dict[str, str] = {}
        self._found: dict[str, str] = {}

    def attach(self, file: Path) -> None:
        """Look into a file from now on."""
        self._file = file
        self._reader = None
        if file.exists():
            with suppress(sqlite3.Error):
                self._reader = opened(file)

    def detach(self) -> None:
        """Forget the file, and what came from it: it lies beside what turned out to be unsound."""
        if self._reader is not None:
            self._reader.close()
        self._file = self._reader = None
        self._found.clear()
        self._new.clear()

    def expect(self, keys: Iterable[str]) -> None:
        """Look keys up together."""
        asked = [key for key in keys if key not in self._new and key not in self._found]
        if self._reader is None or not asked:
            return
        rows = self._asked(EXPECTED, json.dumps(asked))
        self._found.update({key: text for key, text, found in rows if found == checksum(key, text)})

    def get(self, key: str) -> Any:
        """The value under a key, None where there is none or it is not sound."""
        text = self._new.get(key) or self._found.get(key)
        if text is None and self._reader is not None:
            for value, found in self._asked("SELECT value, checksum FROM kept WHERE key = ?", key):
                text = value if found == checksum(key, value) else None
        return decode(text) if text is not None else None

    def _asked(self, query: str, value: str) -> list[Any]:
        """The rows of a query; one that fails is the last one, since each would wait for who holds the file."""
        try:
            return self._reader.execute(query, (value,)).fetchall() if self._reader is not None else []
        except sqlite3.Error:
            self._reader = None
            return []

    def put(self, key: str, value: Any) -> None:
        """Keep a value at the next flush."""
        self._new[key] = json.dumps(value, separators=(",", ":"))

    def flush(self) -> None:
        """Write what is new, in one step."""
        if not self._new or self._file is None:
            return
        rows = [(key, text, checksum(key, text)) for key, text in self._new.items()]
        if size_of(self._file) > MOST_BYTES:
            remove(self._file)
        try:
            write(self._file, rows)
            self._new.clear()
        except (sqlite3.OperationalError, OSError):
            # Full, locked or not to be written: the values are worked out again.
            return
        except sqlite3.Error:
            remove(self._file)

    def close(self) -> None:
        """Flush, and let go of the file."""
        self.flush()
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def write(file: Path, rows: list[tuple[str, str, int]]) -> None:
    """Keep rows; raises `sqlite3.Error` and `OSError`."""
    if not file.exists():
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
    with closing(opened(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(TABLE)
        connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
        connection.execute("COMMIT")


def remove(file: Path) -> None:
    """Remove a file that is damaged, so that the next run begins another."""
    for part in ("-wal", "-shm", ""):
        with suppress(OSError):
            Path(f"{file}{part}").unlink(missing_ok=True)


def opened(file: Path) -> sqlite3.Connection:
    """A connection to the file."""
    return sqlite3.connect(file, isolation_level=None, timeout=WAIT_SECONDS)


def checksum(key: str, text: str) -> int:
    """What shows that a value is the one that was kept."""
    return crc32(f"{key}\0{text}".encode("utf-8", "surrogatepass"))
