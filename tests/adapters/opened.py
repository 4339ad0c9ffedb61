"""Indexes of each kind of store, over snapshots in memory and of real repositories; a new store is one more line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.adapters.index.store import StoredIndexStore
from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.ports import Index, IndexStore
from tests.conftest import GitBuilder
from tests.fakes import Content, InMemoryRepository
from tests.pipeline import FIRST_DAY

STORES: dict[str, Callable[[Path], IndexStore]] = {
    "no index": lambda cache: NoIndexStore(),
    "stored": lambda cache: StoredIndexStore(cache / "cache"),
}

Open = Callable[..., Index]


def opener(builder: InMemoryRepository | GitBuilder, store: IndexStore) -> Open:
    """Commits files and opens their index."""

    def make(
        files: Mapping[str, Content],
        root: str = "",
        ontology: str | None = None,
        symlinks: Mapping[str, str] | None = None,
        at: str = FIRST_DAY,
    ) -> Index:
        commit = builder.add_commit(files, at, symlinks=symlinks)
        repository = open_repository(builder.path) if isinstance(builder, GitBuilder) else builder
        return store.open(repository.snapshot(commit), root, ontology)

    return make


def places(index: Index, numbers: object) -> list[tuple[str, int]]:
    """Path and line of some documents."""
    found = [index.document(number) for number in numbers]  # type: ignore[attr-defined]
    return [(document.path, document.line_start) for document in found]


def two(first: str, second: str) -> str:
    """Two documents in a file."""
    return f"---\n{first}---\n{second}"
