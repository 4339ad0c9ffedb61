"""Documents of the brain and the edges between them."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct


class Form(StrEnum):
    """How a document is written."""

    GRAPH = "graph"
    MARKDOWN = "markdown"
    NOTE = "note"
    ONTOLOGY = "ontology"


class Edge(Struct, frozen=True, array_like=True):
    """A typed edge from the record `source` to the id `target`, as its document states it."""

    source: str
    kind: str
    target: str


class Document(Struct, frozen=True, array_like=True):
    """One YAML document or one Markdown file: the unit of access, of excerpts and of ranking.

    `id` and `kind` are None for a free-form note. `path` is relative to the brain's root. `start`, `end` and `body` are
    byte offsets in the blob, `line_start`, `line_end` and `body_line` 1-based lines split at LF; the body begins after
    the frontmatter, and where the document does when there is none. `extends` marks a document that only adds edges to
    the record named by `id`. Sequences keep the order of the file.
    """

    path: str
    blob: str
    form: Form
    start: int
    end: int
    line_start: int
    line_end: int
    title: str
    body: int = 0
    body_line: int = 1
    id: str | None = None
    kind: str | None = None
    status: str | None = None
    sensitivity: str = "internal"
    summary: str = ""
    updated_at: str | None = None
    owners: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    repo_refs: tuple[str, ...] = ()
    source_refs: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    extends: bool = False

    @property
    def key(self) -> str:
        """The id of a record, else the path."""
        return self.id or self.path

    @property
    def order(self) -> tuple[bytes, int]:
        """The total order that ends every tie: path bytes, then line."""
        return (self.path.encode("utf-8", "surrogatepass"), self.line_start)


class Outline(NamedTuple):
    """What access, statistics and ranking need to know of a document.

    `start`, `body` and `end` are byte offsets in the blob. Numbers follow path bytes, then lines.
    """

    number: int
    path: str
    blob: str
    start: int
    body: int
    end: int
    id: str | None
    kind: str | None
    sensitivity: str
    form: Form
    extends: bool
    status: str | None
    updated_at: str | None

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.end - self.start

    @property
    def length(self) -> int:
        """The bytes of its body."""
        return self.end - self.body

    @property
    def key(self) -> str:
        """The id of a record, else the path."""
        return self.id or self.path


def outline_of(number: int, document: Document) -> Outline:
    """The outline of a document."""
    return Outline(
        number,
        document.path,
        document.blob,
        document.start,
        document.body,
        document.end,
        document.id,
        document.kind,
        document.sensitivity,
        document.form,
        document.extends,
        document.status,
        document.updated_at,
    )


class Skipped(Struct, frozen=True, array_like=True):
    """A file or document that could not be read as it says, with the reason and its place.

    `read` tells that the document was read all the same: who may see it may know. Of what was not read nothing is
    known but the path, so the path decides.
    """

    path: str
    reason: str
    line: int = 0
    read: bool = False

    @property
    def place(self) -> str:
        """`path`, or `path:line` where the line is known."""
        return f"{self.path}:{self.line}" if self.line else self.path


APPROVED_STATUSES = frozenset({"approved", "active", "accepted", "current"})
"""Status values that count as owner-approved; the data model's is `approved`, brains in use also write the others."""

RETIRED_STATUSES = frozenset({"deprecated", "archived", "superseded"})
"""Status values of records that never outrank an approved replacement."""

DESCRIBING = frozenset({"title", "displayName", "summary", "description"})
"""Fields that describe a record: of several declarations that are joined, the first that is not empty counts."""
