"""Whether the table of words holds just the words of the documents."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from kradle_ctx.adapters.index.rows import document_from
from kradle_ctx.adapters.index.text_log import LogReader
from kradle_ctx.adapters.index.word_table import COLUMNS, has_words
from kradle_ctx.words import DocumentWords, words_of

DOCUMENT = """
SELECT d.path, d.blob, d.start, d.body, d.end, d.id, d.kind, d.sensitivity, d.form, d.extends, d.status, d.updated,
       s.value, f.place, f.size
FROM documents d JOIN stated s ON s.number = d.number JOIN files f ON f.place = d.place WHERE d.number = ?
"""

SPELLED = ", ".join(f"spelled(number, '{name}') AS {name}" for name in DocumentWords._fields)
TEXTS = f"""
CREATE TEMP VIEW texts AS SELECT number, {SPELLED}
FROM main.documents WHERE has_words(number);
"""

COPY = f"""
CREATE VIRTUAL TABLE temp.copied USING fts5(
  {COLUMNS}, content = 'texts', content_rowid = 'number', columnsize = 0, tokenize = 'ascii');
DELETE FROM temp.copied_data;
INSERT INTO temp.copied_data SELECT * FROM main.words_data;
INSERT INTO temp.copied_idx SELECT * FROM main.words_idx;
"""

CHECK = "INSERT INTO temp.copied (copied, rank) VALUES ('integrity-check', 1)"
"""Compares a checksum of all that the table says with one of what it is to say, and looks through its structure."""


def word_faults(connection: sqlite3.Connection, log: LogReader) -> Iterator[str]:
    """Faults of the table of words, looked for in a copy that knows the texts; the database itself is not written."""
    spelling = Spelling(connection, log)
    connection.create_function("spelled", 2, spelling.spelled)
    connection.create_function("has_words", 1, spelling.has_words)
    connection.execute("PRAGMA query_only = OFF")
    # A full disk must not look like damage.
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.executescript(f"{TEXTS} {COPY}")
    try:
        connection.execute(CHECK)
    except sqlite3.DatabaseError:
        yield "its words are not those of its text"


class Spelling:
    """The texts of the table of words, made anew from the documents."""

    def __init__(self, connection: sqlite3.Connection, log: LogReader) -> None:
        self._connection = connection
        self._log = log
        self._number = -1
        self._words: DocumentWords | None = None

    def spelled(self, number: int, column: str) -> str:
        """One column of a document."""
        return str(getattr(self._read(number), column))

    def has_words(self, number: int) -> bool:
        """Whether a document is in the table."""
        return self._read(number) is not None

    def _read(self, number: int) -> DocumentWords | None:
        if number != self._number:
            *columns, place, size = self._connection.execute(DOCUMENT, (number,)).fetchone()
            document = document_from(columns)
            text = self._log.read(place, document.path, document.blob, size)
            self._words = words_of(document, text) if has_words(document) else None
            self._number = number
        return self._words
