"""The table of words: an FTS5 table without content, made of texts that were tokenised before they come to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from kradle_ctx.model.graph import Document, Form
from kradle_ctx.words import DocumentWords

COLUMNS = ", ".join(DocumentWords._fields)
WORD_TABLE = f"""
CREATE VIRTUAL TABLE words USING fts5({COLUMNS}, content = '', columnsize = 0, tokenize = 'ascii');
"""

VOCABULARY = """
CREATE VIRTUAL TABLE temp.standing USING fts5vocab(main, words, instance);
CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, words, row);
"""

INSERT = f"INSERT INTO words (rowid, {COLUMNS}) VALUES (?, {', '.join('?' * len(DocumentWords._fields))})"

LEAPS = 1_000
"""Words with one beginning that are looked up one by one; all of them together take longer where they are few."""

MANY_BYTES, FEW_BYTES = 32 << 20, 1 << 20
"""Bytes of words that are gathered before they are written, of very many documents and by default."""

AFTER = "\U0010ffff"
"""Comes after every letter."""


def open_vocabulary(connection: sqlite3.Connection) -> None:
    """Have a connection answer for the words of its table."""
    connection.executescript(VOCABULARY)


def write_many(connection: sqlite3.Connection) -> None:
    """Prepare for very many documents: what was written is not merged with what comes, which takes half the time."""
    _set(connection, automerge=0, hashsize=MANY_BYTES, usermerge=2)


def merge_a_little(connection: sqlite3.Connection) -> None:
    """Begin to merge what was written, so that there is more than one level of it."""
    _set(connection, merge=1)


def write_few(connection: sqlite3.Connection) -> None:
    """Prepare for few documents at a time, as a new table is.

    All that there is goes to a level of its own, to be merged bit by bit: on the level where what is new comes to, the
    16th of its pieces would have all of them merged at once.
    """
    _set(connection, merge=-1, automerge=4, hashsize=FEW_BYTES, usermerge=4)


def _set(connection: sqlite3.Connection, **commands: int) -> None:
    connection.executemany("INSERT INTO words (words, rank) VALUES (?, ?)", commands.items())


def has_words(document: Document) -> bool:
    """Whether a document is found by its words: no ontology, and no bare edges."""
    return document.form is not Form.ONTOLOGY and not document.extends


def add_words(connection: sqlite3.Connection, documents: Iterable[tuple[int, DocumentWords]]) -> None:
    """Add documents by their numbers, which only rise."""
    connection.executemany(INSERT, ((number, *words) for number, words in documents))


def words_with(connection: sqlite3.Connection, beginning: str) -> list[str]:
    """The words with a beginning, in text order."""
    found: list[str] = []
    at = beginning
    while len(found) < LEAPS:
        row = connection.execute("SELECT term FROM standing WHERE term >= ? LIMIT 1", (at,)).fetchone()
        if row is None or not row[0].startswith(beginning):
            return found
        found.append(row[0])
        at = f"{row[0]}\0"
    rest = connection.execute("SELECT term FROM vocabulary WHERE term >= ? AND term < ?", (at, beginning + AFTER))
    return [*found, *(word for (word,) in rest)]


def places_of_word(connection: sqlite3.Connection, word: str) -> list[tuple[int, str, int]]:
    """Where a word stands: the number of the document, in rising order, the column, and how often it stands there."""
    query = "SELECT doc, col, count(*) FROM standing WHERE term = ? GROUP BY doc, col"
    return connection.execute(query, (word,)).fetchall()
