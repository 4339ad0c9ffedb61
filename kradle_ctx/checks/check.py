"""What a check is, and what it says before its places are looked up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from kradle_ctx.documents import MARKDOWN_SUFFIX, Declaration, FaultyText
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Confidence, Severity
from kradle_ctx.model.graph import Document, Edge, Skipped
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.yamldoc.places import Pointer

if TYPE_CHECKING:
    from kradle_ctx.ontology import OntologyFile


class Where(Struct, frozen=True):
    """A place as a check knows it.

    `document` is the document it is in, None for the file as a whole or for `line` and `column`. `pointer` leads to a
    value by its keys and indexes: below `attributes` or the top of a graph record, or in frontmatter. `edge` is an edge
    that the document states. Where nothing stands there, the nearest that does is meant.
    """

    path: str
    document: Document | None = None
    pointer: Pointer = ()
    edge: Edge | None = None
    line: int = 0
    column: int = 0
    width: int = 0
    at_key: bool = False


def at_file(path: str, line: int = 1, column: int = 1, width: int = 0) -> Where:
    """A place by line, column, and how many characters of the line belong to it."""
    return Where(path, line=line, column=column, width=width)


def at_field(document: Document, *pointer: str | int, key: bool = False) -> Where:
    """A field of a record; with `key` its name, not its value."""
    return Where(document.path, document, pointer, at_key=key)


def at_edge(document: Document, edge: Edge) -> Where:
    """An edge that a document states."""
    return Where(document.path, document, edge=edge)


class Elsewhere(Struct, frozen=True):
    """Another place that belongs to a fault."""

    where: Where
    message: str


class Fault(Struct, frozen=True):
    """What a check found.

    `key` tells it apart from other faults of the same check and record, and stays when lines move. `subject` is what it
    is about, the record's id where that is not said.
    """

    where: Where
    message: str
    key: str = ""
    subject: str | None = None
    related: tuple[Elsewhere, ...] = ()
    hint: str | None = None
    severity: Severity | None = None
    confidence: Confidence | None = None


class Secret(Struct, frozen=True):
    """A range of characters that redaction hides, and what for."""

    start: int
    end: int
    kind: str


class File(Struct, frozen=True):
    """A file of the brain as checks see it: its text, its records with their values, and what else stands in it.

    Of its path only the ending may decide anything, since what is said of a file is kept by its content.
    """

    path: str
    text: str
    declarations: tuple[Declaration, ...]
    faulty: tuple[FaultyText, ...] = ()
    secrets: tuple[Secret, ...] = ()
    is_utf8: bool = True
    others: tuple[tuple[Document, Any], ...] = ()

    @property
    def is_markdown(self) -> bool:
        """Whether it is a Markdown file, whose faults are those of its frontmatter."""
        return self.path.endswith(MARKDOWN_SUFFIX)


class Reference(Struct, frozen=True, array_like=True):
    """A typed attribute that names a record: its pointer in a document, and the kinds it may name, none for any.

    `edge` is the kind and the target of the edge whose attribute it is, None for an attribute of the record itself.
    """

    pointer: tuple[str | int, ...]
    kinds: tuple[str, ...]
    target: str
    edge: tuple[str, str] | None = None


class Brain(Protocol):
    """The records of a commit, as checks look them up."""

    @property
    def ontology(self) -> Ontology:
        """The ontology at the commit."""

    @property
    def ontology_files(self) -> Sequence[OntologyFile]:
        """The files that it was read from."""

    @property
    def constraints(self) -> Constraints:
        """What it demands."""

    @property
    def moment(self) -> datetime:
        """The commit's time, by which age counts."""

    @property
    def merges(self) -> bool:
        """Whether the layout profile joins several declarations of one id."""

    @property
    def skipped(self) -> Sequence[Skipped]:
        """What could not be read."""

    @property
    def stale_indexes(self) -> Sequence[tuple[str, str]]:
        """The committed derived files that are not of their commit, with the reasons."""

    @property
    def base(self) -> Brain | None:
        """The brain that this one is compared with."""

    def documents(self) -> Iterator[Document]:
        """The documents to be checked, in path and line order."""

    def paths(self) -> Sequence[str]:
        """The paths of the files to be checked."""

    @property
    def touched(self) -> Collection[str]:
        """The paths of files that a change touches, here or on the other side; none without a base."""

    def twins(self, path: str) -> Collection[str]:
        """The path of a file or folder, if it is there, and what beside it differs only in case or form of accents."""

    def first_file(self, path: str) -> str:
        """A file itself, or the first in a folder."""

    def declaring(self, record_id: str) -> Sequence[Document]:
        """The declarations of an id in path and line order, those in changed files last."""

    def stating(self, record_id: str) -> Sequence[Document]:
        """The documents of a record: the declarations of an id, and what extends it; in path and line order."""

    def named(self, name: str) -> Sequence[Document]:
        """The declarations whose id or alias is a name."""

    def holds_file(self, path: str) -> bool:
        """Whether a document has that path."""

    def pointing(self, target: str, kinds: Collection[str] | None = None) -> Sequence[tuple[Document, Edge]]:
        """The edges of some kinds, or of all, towards a name, with their documents, those in changed files last."""

    def expect(self, names: Iterable[str], kinds: Collection[str] = ()) -> None:
        """Hear of which names the documents, and the edges of some kinds towards them, will be asked for."""

    def references(self, document: Document) -> Sequence[Reference]:
        """The typed attributes of a document that name records."""

    def declaration(self, document: Document) -> Declaration:
        """A document with its values."""


OfFile = Callable[[File, Constraints], Iterator[Fault]]
OfRecord = Callable[[Declaration, Constraints], Iterator[Fault]]
OfDocument = Callable[[Document, Brain], Iterator[Fault]]
OfBrain = Callable[[Brain], Iterator[Fault]]


class Check(Struct, frozen=True):
    """One rule of validation.

    `id` and `name` never change their meaning. `of_file` and `of_record` look at what one file says, and their answers
    are kept by its content: nothing else may decide them. `of_document` may look up other records, and `of_brain`
    looks at what is no single document's. `needs_ontology` marks a check that says nothing of use where the ontology
    does not parse, and `needs_base` one that compares with a base. `of_absence` marks one that can say that something
    is not there: where grants cut a brain, it may be what they do not show. `of_whole_record` marks one that says
    nothing of a record which the layout profile joins, unless all declarations have the same fault.
    """

    id: str
    name: str
    severity: Severity
    title: str
    hint: str
    of_file: OfFile | None = None
    of_record: OfRecord | None = None
    of_document: OfDocument | None = None
    of_brain: OfBrain | None = None
    confidence: Confidence = Confidence.HIGH
    needs_ontology: bool = False
    needs_base: bool = False
    of_whole_record: bool = False
    of_absence: bool = False
