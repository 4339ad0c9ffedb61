"""What is counted of a commit from what was counted of another one is what a count of all documents gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.adapters.index.store import StoredIndexStore
from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.model.access import Access
from kradle_ctx.model.request import Request
from kradle_ctx.ports import IndexStore
from kradle_ctx.stages.load import load
from kradle_ctx.stages.resolve import resolve
from kradle_ctx.view import Statistics, View
from tests.fakes import InMemoryRepository
from tests.pipeline import granting, markdown
from tests.properties.examples import examples

PATHS = [f"{folder}/{name}.md" for folder in ("open", "shut") for name in "abcd"]

contents = st.builds(
    lambda body, record_id, sensitivity: markdown(body * 7, id=record_id, kind="Term", sensitivity=sensitivity),
    st.sampled_from(["one\n", "two words\n", ""]),
    st.sampled_from(["term:a", "term:b", "term:c", "term:d", "term:e"]),
    st.sampled_from(["internal", "internal", "restricted"]),
)
histories = st.lists(st.dictionaries(st.sampled_from(PATHS), contents, min_size=1), min_size=2, max_size=5)


def view_of(repository: InMemoryRepository, store: IndexStore, access: Access, layout: str) -> View:
    """The view of the branch."""
    request = Request(layout_profile=layout)
    return load(resolve(repository, request.ref), request, access, repository=repository, index_store=store)


@settings(max_examples=examples(15), deadline=None)
@given(histories, st.sampled_from([("**",), ("open/**",)]), st.sampled_from(["company-brain-v1", "atlas-md-yaml-v1"]))
def test_statistics_that_are_counted_on_are_those_that_are_counted_anew(
    history: Sequence[dict[str, str]], paths: tuple[str, ...], layout: str
) -> None:
    repository = InMemoryRepository()
    with TemporaryDirectory() as folder:
        store = StoredIndexStore(Path(folder))
        counted: list[tuple[Statistics, Statistics]] = []
        for day, files in enumerate(history, start=1):
            repository.add_commit(files, f"2026-05-0{day}T00:00:00Z")
            stored, plain = (
                view_of(repository, each, granting(*paths), layout).statistics for each in (store, NoIndexStore())
            )
            counted.append((stored, plain))
        assert list(store.notes) == []
        store.close()
    assert [stored for stored, _ in counted] == [plain for _, plain in counted]


def test_statistics_are_counted_on_from_an_indexed_commit(tmp_path: Path) -> None:
    repository, store = InMemoryRepository(), StoredIndexStore(tmp_path)
    for day, name in enumerate("abc", start=1):
        files = {f"{other}.md": markdown(other, id=f"term:{other}", kind="Term") for other in "xyz"}
        repository.add_commit(files | {f"{name}.md": "new\n"}, f"2026-05-0{day}T00:00:00Z")
        view = view_of(repository, store, granting("**"), "company-brain-v1")
        assert (view._counted_since() is not None) == (day > 1)
        assert view.statistics.documents == 4
    store.close()
