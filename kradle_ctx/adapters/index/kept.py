"""What was worked out once, in a small database of its own; each value carries a digest of itself and its key."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

WAIT_SECONDS = 0.2
"""How long to wait for another process to keep what it worked out; what cannot be kept is worked out again."""

TABLE = (
    "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID"
)


class KeptFile:
    """Values by key; nothing that goes wrong here is told, since all of it can be worked out again."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._reader: sqlite3.Connection | None = None
        self._new: dict[str, str] = {}

    def attach(self, file: Path) -> None:
        """Look into a file from now on."""
        self._file = file
        self._reader = None
        if file.exists():
            with suppress(sqlite3.Error):
                self._reader = opened(file)

    def get(self, key: str) -> Any:
        """The value under a key, None where there is none or it is not sound."""
        text = self._new.get(key)
        if text is None and self._reader is not None:
            with suppress(sqlite3.Error):
                row = self._reader.execute("SELECT value, digest FROM kept WHERE key = ?", (key,)).fetchone()
                text = row[0] if row is not None and row[1] == digest_of(key, row[0]) else None
        return json.loads(text) if text is not None else None

    def put(self, key: str, value: Any) -> None:
        """Keep a value at the next flush."""
        self._new[key] = json.dumps(value, separators=(",", ":"))

    def flush(self) -> None:
        """Write what is new, in one step."""
        if not self._new or self._file is None:
            return
        rows = [(key, text, digest_of(key, text)) for key, text in self._new.items()]
        with suppress(sqlite3.Error, OSError):
            if not self._file.exists():
                os.close(os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600))
            connection = opened(self._file)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(TABLE)
                connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
                connection.execute("COMMIT")
                self._new.clear()
            finally:
                connection.close()

    def close(self) -> None:
        """Flush, and let go of the file."""
        self.flush()
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def opened(file: Path) -> sqlite3.Connection:
    """A connection to the file."""
    return sqlite3.connect(file, isolation_level=None, timeout=WAIT_SECONDS)


def digest_of(key: str, text: str) -> str:
    """What shows that a value is the one that was kept."""
    return hashlib.sha256(f"{key}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
