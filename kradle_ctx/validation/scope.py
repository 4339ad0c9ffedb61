"""Which documents a change can matter to: those that it touches, and those that say something of what it moved."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from kradle_ctx.model.graph import Document, Edge
from kradle_ctx.ports import Index
from kradle_ctx.validation.survey import Survey

MOST_MOVED = 1_000
"""Names that a change moves beyond which all documents are looked at, as it then is hardly slower."""


class Changed(Struct, frozen=True):
    """The paths below the brain's root that a change adds or replaces, and those that it replaces or removes."""

    added: frozenset[str]
    removed: frozenset[str]

    @property
    def paths(self) -> frozenset[str]:
        """All of them."""
        return self.added | self.removed


class Scope(Struct, frozen=True):
    """The numbers of the documents to look at before and after a change; None for all."""

    base: frozenset[int] | None
    head: frozenset[int] | None


def scope_of(base: Survey, head: Survey, changed: Changed) -> Scope:
    """What a change can matter to on both sides.

    A finding about a document follows from that document, from what is declared under the names in it, and from what
    states edges or names towards it. So the documents in changed files are looked at, those that declare the same ids,
    those that name what is now declared otherwise, and those at the other end of edges that came or went.
    """
    if base.index.ontology.digest != head.index.ontology.digest:
        return Scope(None, None)
    before = numbers_at(base.index, changed.removed)
    after = numbers_at(head.index, changed.added)
    old, new = documents(base.index, before), documents(head.index, after)
    touched = set(names_of(old)) | set(names_of(new))
    moved = {name for name in touched if standing(base.index, name) != standing(head.index, name)}
    if len(moved) > MOST_MOVED:
        return Scope(None, None)
    ends = {edge.target for edge in edges_of(old) ^ edges_of(new)}
    # An owner or a typed attribute asks of what it names only whether it is there, and of which kind.
    other = {name for name in moved if identity(base.index, name) != identity(head.index, name)}
    before |= around(base, touched | ends, moved, other)
    after |= around(head, touched | ends, moved, other)
    # What is looked at after the change is looked at before it, or its old findings would be new.
    same = {head.index.outline(number).path for number in after} - changed.paths
    base.index.expect(names=same)
    return Scope(frozenset(before | numbers_at(base.index, same)), frozenset(after))


def around(survey: Survey, declared: Collection[str], moved: Collection[str], other: Collection[str]) -> set[int]:
    """The documents that declare some names, and those that state edges to what moved, or name what is another now."""
    index = survey.index
    index.expect(names=declared)
    index.expect_edges(moved)
    declaring = {number for name in declared for number in index.named(name)}
    pointing = {number for name in moved for number, _ in index.incoming(name)}
    return declaring | pointing | set(survey.naming(other))


def numbers_at(index: Index, paths: Iterable[str]) -> set[int]:
    """The numbers of the documents in some files."""
    return {number for path in paths for number in index.at_path(path)}


def documents(index: Index, numbers: Collection[int]) -> list[Document]:
    """Documents by their numbers."""
    index.expect(numbers=numbers)
    return [index.document(number) for number in numbers]


def names_of(found: Iterable[Document]) -> Iterator[str]:
    """Ids, aliases and paths."""
    for document in found:
        yield document.path
        yield from document.aliases
        if document.id is not None:
            yield document.id


def edges_of(found: Iterable[Document]) -> set[Edge]:
    """The edges that documents state."""
    return {edge for document in found for edge in document.edges}


def identity(index: Index, name: str) -> set[str]:
    """The kinds of the records that are declared under a name."""
    found = (index.document(number) for number in index.named(name))
    return {document.kind or "" for document in found if not document.extends}


def standing(index: Index, name: str) -> list[tuple[object, ...]]:
    """What is declared under a name, as far as other records can tell."""
    found = [index.document(number) for number in index.named(name)]
    told = [
        (
            document.path,
            document.id or "",
            document.kind or "",
            document.status or "",
            document.extends,
            document.aliases,
        )
        for document in found
    ]
    return [*sorted(told), (bool(index.at_path(name)),)]
