"""A bundle is the same whether there is a store or none, and whatever else that store holds.

`KRADLE_EXAMPLES=2000` looks at more random histories, grants and requests than the suite has time for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.checking import faults
from kradle_ctx.adapters.index.store import StoredIndexStore
from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.ripgrep import RipgrepSearcher
from kradle_ctx.errors import KradleError
from kradle_ctx.model.access import Access
from kradle_ctx.model.request import Request
from kradle_ctx.ports import Index, IndexStore, Repository, Searcher
from kradle_ctx.render.bundle_yaml import to_yaml
from kradle_ctx.render.prompt import prompt_section
from kradle_ctx.stages.load import brain_root
from tests.conftest import GitBuilder
from tests.fakes import InMemoryRepository
from tests.pipeline import assembled, explicit
from tests.properties.brains import EDGE_KINDS, IDS, TAGS
from tests.properties.examples import examples
from tests.properties.histories import ONTOLOGY_PATHS, Tree, accesses, histories, questions

IN_MEMORY = Path("/dev/shm")
"""Where files cost no disk, on Linux."""


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for caches."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        yield Path(name)


def day(number: int) -> str:
    """The time of a commit."""
    return f"2026-05-0{number + 1}T00:00:00Z"


def committed(builder: InMemoryRepository | GitBuilder, trees: Sequence[Tree]) -> list[str]:
    """The commits of a history."""
    return [builder.add_commit(tree.files, day(n), symlinks=tree.symlinks) for n, tree in enumerate(trees)]


def answer(
    repository: Repository, request: Request, access: Access, store: IndexStore, searcher: Searcher | None = None
) -> Any:
    """All bytes that a reader gets, or the error."""
    try:
        bundle = assembled(repository, request, access, index_store=store, searcher=searcher)
    except KradleError as error:
        return error.code, error.message, error.hint, dict(error.details)
    documents = [bundle.document, bundle.snapshot, bundle.query]
    return str(bundle.digest), to_yaml(documents), prompt_section(bundle.memory), bundle.notes


def read_in_turn(repository: Repository, commits: Sequence[str], request: Request, cache: Path) -> None:
    """Index commits one after the other, as runs at those times did."""
    for commit in commits:
        store, snapshot = StoredIndexStore(cache), repository.snapshot(commit)
        try:
            store.open(snapshot, brain_root(snapshot, request), request.ontology_path)
        except KradleError:
            # The brain is at fault, and whoever asks is told.
            continue
        finally:
            store.close()
            assert store.notes == []


def stored(
    repository: Repository, request: Request, access: Access, cache: Path, searcher: Searcher | None = None
) -> Any:
    """The answer of a run with a cache, which is left whole and of which nothing is said."""
    store = StoredIndexStore(cache)
    found = answer(repository, request, access, store, searcher)
    store.close()
    assert store.notes == []
    for folder in folders.store_folders(cache):
        assert folders.is_sealed(folder)
        assert list(faults(folder)) == []
    return found


def answers(
    repository: Repository,
    commits: Sequence[str],
    request: Request,
    access: Access,
    caches: Path,
    searcher: Searcher | None = None,
) -> dict[str, Any]:
    """The answers by caches of every past."""
    found = {"none": answer(repository, request, access, NoIndexStore(), searcher)}
    read_in_turn(repository, commits, request, caches / "a")
    found["incremental"] = stored(repository, request, access, caches / "a", searcher)
    found["asked again"] = stored(repository, request, access, caches / "a", searcher)
    found["this commit alone"] = stored(repository, request, access, caches / "b", searcher)
    read_in_turn(repository, commits[::-1], request, caches / "b")
    found["then backwards"] = stored(repository, request, access, caches / "b", searcher)
    for folder in folders.store_folders(caches / "a"):
        folders.clear(folder)
    found["cleared"] = stored(repository, request, access, caches / "a", searcher)
    return found


def facts(index: Index) -> dict[str, Any]:
    """Everything that an index says."""
    numbers = range(index.size)
    documents = [index.document(number) for number in numbers]
    names = {*IDS, *(document.id for document in documents if document.id), "old", "absent"}
    return {
        "tree": (index.tree, index.name),
        "ontology": index.ontology,
        "skipped": list(index.skipped),
        "duplicates": list(index.duplicates),
        "documents": documents,
        "texts": [index.text(document) for document in documents],
        "outlines": sorted(index.outlines()),
        "named": {name: list(index.named(name)) for name in names},
        "mentioning": {name: index.mentioning(name.lower()) for name in names},
        "incoming": {name: list(index.incoming(name)) for name in names},
        "of a kind": {(name, kind): list(index.incoming(name, kind)) for name in names for kind in EDGE_KINDS},
        "referring": {value: list(index.referring(value)) for value in (*TAGS, "kradle", "repository:kradle")},
        "at path": {document.path: list(index.at_path(document.path)) for document in documents},
        "holding": {document.blob: list(index.holding(document.blob)) for document in documents},
    }


def opened(store: IndexStore, repository: Repository, commit: str, ontology_path: str | None) -> Any:
    """What an index of a commit says, or the error."""
    snapshot = repository.snapshot(commit)
    try:
        found = facts(store.open(snapshot, brain_root(snapshot, Request()), ontology_path))
    except KradleError as error:
        return error.code, error.message
    finally:
        store.close()
    assert list(store.notes) == []
    return found


@settings(max_examples=examples(25), deadline=None)
@given(histories(most=5), st.sampled_from(ONTOLOGY_PATHS), st.randoms(use_true_random=False))
def test_an_index_says_the_same_however_it_came_about(trees: list[Tree], path: str | None, chance: Random) -> None:
    repository = InMemoryRepository()
    commits = committed(repository, trees)
    shuffled = chance.sample(commits, len(commits))
    with scratch() as caches:
        for commit in commits:
            expected = opened(NoIndexStore(), repository, commit, path)
            assert opened(StoredIndexStore(caches / "in turn"), repository, commit, path) == expected
            assert opened(StoredIndexStore(caches / commit), repository, commit, path) == expected
        for commit in (*shuffled, *commits):
            other = chance.choice((path, None, "open/a.yaml"))
            expected = opened(NoIndexStore(), repository, commit, other)
            assert opened(StoredIndexStore(caches / "shuffled"), repository, commit, other) == expected


@settings(max_examples=examples(15), deadline=None)
@given(histories(), histories(most=2), questions(), accesses(), st.data())
def test_a_bundle_has_the_same_bytes_with_and_without_a_store(
    trees: list[Tree], others: list[Tree], question: Request, access: Access, data: st.DataObject
) -> None:
    repository, another = InMemoryRepository(), InMemoryRepository()
    commits, foreign = committed(repository, trees), committed(another, others)
    pinned = data.draw(st.sampled_from([None, *commits]), "pinned")
    request = question if pinned is None else replace(question, ref=explicit(pinned))
    with scratch() as caches:
        found = answers(repository, commits, request, access, caches)
        read_in_turn(another, foreign, request, caches / "c")
        found["beside another brain"] = stored(repository, request, access, caches / "c")
    assert found == dict.fromkeys(found, found["none"])


@settings(max_examples=examples(4, one_in=10), deadline=None)
@given(histories(), questions(), accesses(), st.data())
def test_nor_does_it_differ_over_real_repositories_and_ripgrep(
    trees: list[Tree], question: Request, access: Access, data: st.DataObject
) -> None:
    with scratch() as caches:
        builder = GitBuilder(caches / "brain")
        commits = committed(builder, trees)
        pinned = data.draw(st.sampled_from([None, *commits]), "pinned")
        request = question if pinned is None else replace(question, ref=explicit(pinned))
        found = answers(open_repository(builder.path), commits, request, access, caches, RipgrepSearcher())
    assert found == dict.fromkeys(found, found["none"])
