"""What the store that keeps nothing refuses to read; the contract of stores has a test of its own."""

from __future__ import annotations

import pytest

from kradle_ctx.adapters import no_index
from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.ports import Index
from tests.fakes import Content, InMemoryRepository


def opened(files: dict[str, Content]) -> Index:
    repository = InMemoryRepository()
    commit = repository.add_commit(files, "2026-05-01T00:00:00Z")
    return NoIndexStore().open(repository.snapshot(commit), "", None)


@pytest.mark.parametrize("more", [0, 1])
def test_a_commit_has_a_largest_size_of_text(monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    monkeypatch.setattr(no_index, "MAX_TEXT", 100)
    files: dict[str, Content] = {"a.md": "x" * 60, "b.yaml": "#" * (40 + more), "c.png": "y" * 500}
    if more:
        with pytest.raises(KradleError, match="more than 100 bytes of text") as caught:
            opened(files)
        assert caught.value.code is ErrorCode.LIMIT_EXCEEDED
    else:
        assert opened(files).size == 1


@pytest.mark.parametrize("more", [0, 1])
def test_a_commit_has_a_largest_number_of_documents_faulty_ones_included(
    monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    monkeypatch.setattr(no_index, "MAX_DOCUMENTS", 4)
    documents = ["nodeKind: Term\nid: term:a\n", "nodeKind: Term\nid: term:b\n", "a: [\n", *["b: [\n"] * more]
    files: dict[str, Content] = {"a.yaml": "---\n".join(documents), "b.md": "text"}
    if more:
        with pytest.raises(KradleError, match="more than 4 documents") as caught:
            opened(files)
        assert caught.value.code is ErrorCode.LIMIT_EXCEEDED
    else:
        assert opened(files).size == 3
