"""Documents as rows of a store, and back."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.json import decode, encode

from kradle_ctx.adapters.index.word_table import has_words
from kradle_ctx.documents import FileDocuments, mentioned, ontology_document, read_file_documents
from kradle_ctx.model.graph import Document, Edge, Form, Skipped
from kradle_ctx.words import DocumentWords, words_of

RECORDS, ONTOLOGY = 0, 1
"""What a file is read as: records and notes, or one document of the ontology."""


class DocumentRow(NamedTuple):
    """One document, in the order of the table's columns from `path` on, what it states, and what it is found by.

    `checksum` is that of the columns and of what it states.
    """

    path: str
    blob: str
    start: int
    body: int
    end: int
    id: str | None
    kind: str | None
    sensitivity: str
    form: str
    extends: bool
    status: str | None
    updated: str | None
    stated: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    edges: tuple[tuple[str, str, str], ...]
    mentioned: tuple[str, ...]
    words: DocumentWords | None
    checksum: int


COLUMNS = DocumentRow._fields.index("stated")
"""How many of them are columns of the table of documents."""


class FileRows(NamedTuple):
    """One file as it is stored: its text, its documents, and what could not be read."""

    path: str
    blob: str
    role: int
    data: bytes
    documents: tuple[DocumentRow, ...]
    skipped: str


class Wanted(NamedTuple):
    """A file to read, and what as."""

    path: str
    blob: str
    role: int


def rows_of(files: Sequence[tuple[Wanted, bytes]]) -> list[FileRows]:
    """The rows of files."""
    found = [documents_in(*file, data) for file, data in files]
    return [file_rows(*file, data, inside) for (file, data), inside in zip(files, found, strict=True)]


def documents_in(path: str, blob: str, role: int, data: bytes) -> FileDocuments:
    """Read a file."""
    if role == ONTOLOGY:
        return FileDocuments((ontology_document(path, blob, data),))
    return read_file_documents(path, blob, data)


def file_rows(path: str, blob: str, role: int, data: bytes, found: FileDocuments) -> FileRows:
    """What was found in a file, as rows."""
    skipped = written([[entry.reason, entry.line, entry.read] for entry in found.skipped]) if found.skipped else ""
    return FileRows(
        path, blob, role, data, tuple(document_row(document, data) for document in found.documents), skipped
    )


def document_row(document: Document, data: bytes) -> DocumentRow:
    """A document as a row, with the bytes of its blob."""
    edges = [[edge.source, edge.kind, edge.target] for edge in document.edges]
    stated = (
        document.line_start,
        document.line_end,
        document.title,
        document.body_line,
        document.summary,
        document.owners,
        document.aliases,
        document.tags,
        document.repo_refs,
        document.source_refs,
        edges,
    )
    columns = (
        document.path,
        document.blob,
        document.start,
        document.body,
        document.end,
        document.id,
        document.kind,
        document.sensitivity,
        document.form.value,
        document.extends,
        document.status,
        document.updated_at,
        written(stated),
    )
    return DocumentRow(
        *columns,
        names_of(document.id, document.aliases),
        tuple(dict.fromkeys((*document.repo_refs, *document.source_refs, *document.tags))),
        tuple((edge.source, edge.kind, edge.target) for edge in dict.fromkeys(document.edges)),
        mentioned(data) if document.form is Form.NOTE else (),
        words_of(document, data) if has_words(document) else None,
        checksum(*columns),
    )


LOOKUPS = ("names", "referring", "incoming", "mentioning")
"""The tables by which documents are found."""


def lookups(number: int, row: DocumentRow) -> tuple[list[tuple[Any, ...]], ...]:
    """The rows of each of those tables for a document."""
    declared = None if row.extends else row.id
    return (
        [(name, number, int(name == declared)) for name in row.names],
        [(value, number) for value in row.values],
        [(target, kind, number, place, source) for place, (source, kind, target) in enumerate(row.edges)],
        [(name, number) for name in row.mentioned],
    )


def names_of(record_id: str | None, aliases: Iterable[str]) -> tuple[str, ...]:
    """The names that a document is found by."""
    return tuple(dict.fromkeys((*((record_id,) if record_id else ()), *aliases)))


FORMS = {form.value: form for form in Form}


def document_from(row: Sequence[Any]) -> Document:
    """The document of a row: its columns from `path` on, and what it states."""
    path, blob, start, body, end, record_id, kind, sensitivity, form, extends, status, updated_at, stated = row
    (
        line_start,
        line_end,
        title,
        body_line,
        summary,
        owners,
        aliases,
        tags,
        repo_refs,
        source_refs,
        edges,
    ) = decode(stated)
    return Document(
        path,
        blob,
        FORMS[form],
        start,
        end,
        line_start,
        line_end,
        title,
        body,
        body_line,
        record_id,
        kind,
        status,
        sensitivity,
        summary,
        updated_at,
        tuple(owners),
        tuple(aliases),
        tuple(tags),
        tuple(repo_refs),
        tuple(source_refs),
        tuple(Edge(*edge) for edge in edges),
        bool(extends),
    )


def skipped_from(path: str, text: str) -> list[Skipped]:
    """What could not be read of a file."""
    return [Skipped(path, reason, line, read) for reason, line, read in decode(text)] if text else []


def written(value: Any) -> str:
    """A JSON value as text."""
    return encode(value).decode()


def checksum(*values: Any, after: int = 0) -> int:
    """A checksum of the columns of a row, or of those behind others whose checksum is given."""
    return zlib.crc32(repr(values).encode("utf-8", "surrogatepass"), after)
