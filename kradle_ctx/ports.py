"""What the pipeline needs from the outside, as Protocols; `adapters/` and `tests/fakes.py` implement them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from kradle_ctx.model.graph import Document, Edge, Outline, Skipped
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.model.refs import Branch, CommitInfo, RefCandidate
from kradle_ctx.model.search import Found, Pattern


class File(Struct, frozen=True):
    """A regular file of a commit: its path from the listed root, its blob, and its size in bytes."""

    path: str
    blob: str
    size: int


class Listing(Struct, frozen=True):
    """All regular files below a root in path-byte order, that root's tree id, and what is no readable file.

    Symlinks, gitlinks, names that are not UTF-8 or hold control characters, and blobs over the size cap are
    skipped. `entries` counts what all trees hold, folders included.
    """

    tree: str
    files: tuple[File, ...]
    skipped: tuple[Skipped, ...]
    entries: int = 0


class Changes(Struct, frozen=True):
    """How the files below a root differ from those of another tree: what was added or replaced, what is gone.

    A file with other content is in both. `entries` is by how many entries the trees grew.
    `skipped` tells that something that is no readable file came or went: only a whole listing knows all of those.
    """

    tree: str
    added: tuple[File, ...]
    removed: tuple[File, ...]
    entries: int
    skipped: bool


class Snapshot(Protocol):
    """The files of one commit, exactly as committed."""

    @property
    def commit(self) -> str:
        """The commit's full id."""

    def has_folder(self, path: str) -> bool:
        """Whether a folder of that path exists at the commit."""

    def tree(self, root: str) -> str:
        """Id of the tree at `root` (empty for the whole tree); that of the empty tree where there is no such folder."""

    def entries(self, folder: str) -> Mapping[str, str]:
        """What a folder holds itself: by name the octal mode, a space and the object id; nothing where it is absent."""

    def listing(self, root: str) -> Listing:
        """List the files below `root`; a root that is absent lists nothing."""

    def changes(self, base: str, root: str) -> Changes | None:
        """How the files below `root` differ from those of a tree; None where the repository does not hold that."""

    def place(self, blob: str) -> tuple[str, int]:
        """Where a blob is stored: many are read fastest in the order of their places."""

    def read(self, blob: str) -> bytes:
        """Read a blob whole; raises `MEMORY_OBJECT_MISSING` when it is not there or not sound."""


class Repository(Protocol):
    """A Git repository, read through its objects and refs alone."""

    @property
    def shallow(self) -> bool:
        """Whether history is cut."""

    def default_branch(self, configured: str | None) -> Branch:
        """The default branch: as configured, else `origin/HEAD`, else HEAD."""

    def candidates(self, name: str) -> tuple[RefCandidate, ...]:
        """Every branch, tag, remote branch and commit that a checked name could mean, in a fixed order."""

    def commit(self, commit_id: str) -> CommitInfo:
        """Read a commit; raises `MEMORY_REF_UNRESOLVED` when it is absent or no commit."""

    def first_parents(self, commit_id: str) -> Iterator[CommitInfo]:
        """Walk from a commit along first parents, the given one first; ends at the root or the cut."""

    def cut(self, commit_id: str) -> bool:
        """Whether a commit is a shallow boundary: it has parents that this clone does not hold."""

    def snapshot(self, commit_id: str) -> Snapshot:
        """The files of a commit."""

    def last_changed(self, commit_id: str, paths: Sequence[str]) -> Mapping[str, CommitInfo]:
        """The first-parent commit that last changed each path (from the repository's root).

        A path whose history is cut, or longer than the walk's limit, is left out.
        """

    def signer(self, commit_id: str, keys: Sequence[str]) -> str | None:
        """Fingerprint of the public key among `keys` that signed the whole commit; None when none of them did.

        A key is a line of an OpenSSH public key file, its fingerprint `SHA256:...`. A signature that is malformed or
        of another kind counts as none. Raises `MEMORY_REF_UNRESOLVED` when the commit is absent or no commit.
        """


class Place(NamedTuple):
    """Where a byte of a corpus comes from: a document's number and the offset in its blob, negative in a path line."""

    number: int
    offset: int


class Corpus(Protocol):
    """A file of the text of some documents, each file's after a line with its path; it lives as long as this object."""

    @property
    def path(self) -> Path:
        """Where a searcher finds it."""

    @property
    def size(self) -> int:
        """Its length in bytes."""

    def expect(self, offsets: Sequence[int]) -> None:
        """Hear which bytes will be located, in rising order, and look them up together where that is faster."""

    def locate(self, offset: int) -> Place | None:
        """Where a byte comes from, None for no document; a path line belongs to the first document of its file."""


class Origin(NamedTuple):
    """The index that another was made from, by its name and its duplicates, and the documents that went and came."""

    name: str
    duplicates: Sequence[str]
    gone: Sequence[Outline]
    come: Sequence[Outline]


class Kept(Protocol):
    """What was worked out once and is known again by its key, as long as it is kept; only what follows from its key."""

    def expect(self, keys: Iterable[str]) -> None:
        """Hear which keys will be asked for, and look them up together where that is faster."""

    def get(self, key: str) -> Any:
        """The JSON value that was put under a key, None where there is none any more."""

    def put(self, key: str, value: Any) -> None:
        """Keep a JSON value, where that is possible."""


class NothingKept:
    """Keeps nothing."""

    def expect(self, keys: Iterable[str]) -> None:
        """There is nothing to look up."""

    def get(self, key: str) -> Any:
        """None."""

    def put(self, key: str, value: Any) -> None:
        """Forget it."""


class IndexDamaged(Exception):
    """A stored index turned out to be unsound while it was read; what was made from it must be made anew."""


class Index(Protocol):
    """Everything one commit of the brain holds, before access; documents are known by small integers."""

    @property
    def tree(self) -> str:
        """Id of the tree at the brain's root."""

    @property
    def name(self) -> str:
        """What the index follows from: two with one name are the same."""

    @property
    def kept(self) -> Kept:
        """What is known again of this index."""

    @property
    def origin(self) -> Origin | None:
        """The index that this one was made from, None where it was made from nothing or that is not known any more."""

    @property
    def ontology(self) -> Ontology:
        """The ontology at the commit."""

    @property
    def skipped(self) -> Sequence[Skipped]:
        """Files and documents that could not be read."""

    @property
    def duplicates(self) -> Sequence[str]:
        """Ids that more than one document declares, in text order."""

    @property
    def size(self) -> int:
        """Number of documents; their numbers are 0 to size - 1, in path-byte and line order."""

    def document(self, number: int) -> Document:
        """A document by its number."""

    def expect(self, names: Iterable[str] = (), numbers: Iterable[int] = ()) -> None:
        """Hear which names and which documents will be asked for, and look them up together where that is faster."""

    def expect_outlines(self, numbers: Iterable[int]) -> None:
        """Hear of which documents the outlines will be asked for."""

    def expect_edges(self, names: Iterable[str]) -> None:
        """Hear of which names all edges and references, in both directions, will be asked for."""

    def with_incoming(self, targets: Iterable[str], kind: str) -> Sequence[str]:
        """Those of some ids towards which there are edges of a kind; they are looked up together."""

    def named(self, name: str) -> Sequence[int]:
        """Documents whose id or alias is `name`, `extendsNode` ones included."""

    def at_path(self, path: str) -> Sequence[int]:
        """Documents in the file of that path."""

    def referring(self, value: str) -> Sequence[int]:
        """Documents that name `value` in `repoRefs`, `sourceRefs` or `tags`."""

    def mentioning(self, name: str) -> Mapping[int, bool] | None:
        """Notes that may mention an id, given in small letters, each with whether it does for certain.

        All that do are among them; None where only a search can tell.
        """

    def holding(self, blob: str) -> Sequence[int]:
        """Documents in files with that content."""

    def words(self, beginning: str) -> Sequence[str]:
        """The words, in small letters, that begin so: all that stand in documents of this index, and maybe others."""

    def standing(self, word: str) -> Sequence[tuple[int, str, int]]:
        """Where a word stands: the document, the part of it, by its name in `DocumentWords`, and how often."""

    def outline(self, number: int) -> Outline:
        """The outline of a document."""

    def outlines(self) -> Iterator[Outline]:
        """The outline of every document, in any order."""

    def incoming(self, target: str, kind: str | None = None) -> Sequence[tuple[int, Edge]]:
        """Edges whose target is the given id, of one kind or of any, each with the document that states it."""

    def text(self, document: Document | Outline) -> bytes:
        """The bytes of the whole blob that holds a document."""

    def corpus(self, numbers: Iterable[int]) -> Corpus:
        """A file of the text of the given documents, which come in rising order."""

    @property
    def shared_corpus(self) -> Corpus | None:
        """A file of the text of all documents and of what is none of this index; None where there is none."""


def index_name(tree: str, ontology_path: str | None) -> str:
    """The name of an index of a tree."""
    return f"{tree} {ontology_path or ''}"


Progress = Callable[[int, int], None]
"""Is told how many files were read, and how many there are."""


class IndexStore(Protocol):
    """Where indexes come from."""

    @property
    def kept(self) -> Kept:
        """What is known again of blobs."""

    @property
    def notes(self) -> Sequence[str]:
        """What a person should know of where indexes came from, a line each; it changes no index."""

    def open(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Index:
        """The index of a snapshot below `root`."""

    def knows(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> bool:
        """Whether opening that index reads no more than what changed since another one was made."""

    @property
    def keeps(self) -> bool:
        """Whether what is read to make an index is there for the next run."""

    def give_up(self, why: str) -> None:
        """Open nothing from what is stored from now on, and note why."""

    def close(self) -> None:
        """Keep what can be known again, and let go of everything."""


class Searcher(Protocol):
    """Searches one file for patterns."""

    def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
        """All non-overlapping matches in the order of the file; raises `USAGE` for a malformed pattern."""


class Clock(Protocol):
    """The time of day; the pipeline asks it only for `resolvedAt`."""

    def now(self) -> datetime:
        """The current instant in UTC, or `SOURCE_DATE_EPOCH` when that is set."""
