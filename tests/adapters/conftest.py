"""Brains with caches, for tests that damage them, and indexes of every kind of store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kradle_ctx.ports import IndexStore
from tests.adapters import index_cache
from tests.adapters.index_cache import Cache
from tests.adapters.opened import STORES, Open, opener
from tests.conftest import GitBuilder
from tests.fakes import InMemoryRepository


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """A brain with a cache that knows all of its commits; no test changes it."""
    folder = tmp_path_factory.mktemp("filled")
    brain = index_cache.build(folder / "brain")
    cache = Cache(brain, folder / "cache", index_cache.answers(brain))
    index_cache.fill(cache)
    return cache


@pytest.fixture(scope="session")
def other(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """Another brain, with its cache."""
    folder = tmp_path_factory.mktemp("other")
    brain = index_cache.build(folder / "brain", "harbour")
    cache = Cache(brain, folder / "cache", index_cache.answers(brain))
    index_cache.fill(cache)
    return cache


@pytest.fixture
def cache(filled: Cache, tmp_path: Path) -> Cache:
    """A copy of the cache, to be damaged."""
    return index_cache.copied(filled, tmp_path / "cache")


@pytest.fixture
def cold(filled: Cache, tmp_path: Path) -> Cache:
    """The same brain with an empty cache."""
    return Cache(filled.brain, tmp_path / "cache", filled.expected)


@pytest.fixture(params=["memory", "git"])
def builder(request: pytest.FixtureRequest, git: Callable[..., GitBuilder]) -> InMemoryRepository | GitBuilder:
    """A repository under construction."""
    return git() if request.param == "git" else InMemoryRepository()


@pytest.fixture(params=list(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[IndexStore]:
    """One of the stores."""
    made = STORES[request.param](tmp_path)
    yield made
    assert list(made.notes) == []
    made.close()


@pytest.fixture
def index_of(builder: InMemoryRepository | GitBuilder, store: IndexStore) -> Open:
    """Commit files and open their index."""
    return opener(builder, store)
