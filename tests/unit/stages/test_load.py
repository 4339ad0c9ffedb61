"""Stage 2: the index at the pin, cut to what the grants allow."""

from __future__ import annotations

import pytest

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.refs import CommitPin
from kradle_ctx.model.request import Request
from kradle_ctx.ports import Index, Snapshot
from kradle_ctx.stages.load import load
from kradle_ctx.stages.resolve import resolve
from kradle_ctx.view import View
from tests.fakes import InMemoryRepository
from tests.pipeline import EVERYTHING, SECOND_DAY, brain, explicit, granting, graph_record, markdown


class Watching(NoIndexStore):
    """Remembers what was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[tuple[str, str, str | None]] = []

    def open(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Index:
        self.opened.append((snapshot.commit, root, ontology_path))
        return super().open(snapshot, root, ontology_path)


def loaded(
    repository: InMemoryRepository,
    request: Request | None = None,
    access: Access = EVERYTHING,
    store: NoIndexStore | None = None,
) -> View:
    request = request or Request()
    pin: CommitPin = resolve(repository, request.ref)
    return load(pin, request, access, repository=repository, index_store=store or NoIndexStore())


def refusal(repository: InMemoryRepository, request: Request | None = None, access: Access = EVERYTHING) -> KradleError:
    with pytest.raises(KradleError) as caught:
        loaded(repository, request, access)
    return caught.value


def test_an_empty_grant_beside_another_denies_by_its_excludes_alone() -> None:
    access = Access((Grant("a", paths=("**",)), Grant("b", exclude_paths=("shut/**",))))
    view = loaded(brain({"a.md": "x\n", "shut/b.md": "x\n"}), access=access)
    assert (len(view.at_path("a.md")), len(view.at_path("shut/b.md"))) == (1, 0)


def test_the_commit_and_not_the_branch_is_read() -> None:
    repository = brain({"a.md": "x\n"})
    first = repository.refs["refs/heads/main"]
    repository.add_commit({"b.md": "x\n"}, SECOND_DAY)
    store = Watching()
    view = loaded(repository, Request(ref=explicit(first)), store=store)
    assert (len(view.at_path("a.md")), len(view.at_path("b.md"))) == (1, 0)
    assert [commit for commit, _, _ in store.opened] == [first, repository.refs["refs/heads/main"]]


def test_a_pin_at_the_tip_needs_no_second_look() -> None:
    store = Watching()
    loaded(brain({"a.md": "x\n"}), store=store)
    assert len(store.opened) == 1


def test_the_root_and_the_ontology_path_are_handed_on() -> None:
    files = {"deep/brain/a.md": "x\n", "deep/brain/own/kinds.yaml": "nodeKinds: [A]\n"}
    store = Watching()
    view = loaded(brain(files), Request(root="deep/brain", ontology_path="own"), store=store)
    assert store.opened[0][1:] == ("deep/brain", "own")
    assert (view.root, list(view.ontology.node_kinds)) == ("deep/brain", ["A"])
    assert len(view.at_path("a.md")) == 1


def test_a_root_that_is_not_there_is_no_empty_brain() -> None:
    error = refusal(brain({"a.md": "x\n"}), Request(root="misspelt"))
    assert error.code is ErrorCode.USAGE
    assert "misspelt" in error.message


def test_the_request_narrows_every_grant() -> None:
    files = {"a.md": "x\n", "b.md": "x\n", "c.yaml": graph_record("term:c", "Term")}
    access = Access((Grant("one", paths=("**",)), Grant("two", paths=("b.md",))))
    view = loaded(brain(files), Request(exclude_paths=("b.*",), exclude_kinds=("Term",)), access)
    assert [len(view.at_path(path)) for path in ("a.md", "b.md", "c.yaml")] == [1, 0, 0]


def test_a_sensitivity_is_the_stricter_of_then_and_now_by_id_or_else_by_path() -> None:
    repository = brain(
        {
            "opened.md": markdown("x\n", id="term:a", kind="Term", sensitivity="restricted"),
            "moved.md": markdown("x\n", id="term:b", kind="Term"),
            "note.md": "x\n",
            "same.md": "x\n",
            "gone.md": "x\n",
        }
    )
    first = repository.refs["refs/heads/main"]
    repository.add_commit(
        {
            "opened.md": markdown("x\n", id="term:a", kind="Term", sensitivity="public"),
            "elsewhere.md": markdown("x\n", id="term:b", kind="Term", sensitivity="restricted"),
            "note.md": markdown("x\n", sensitivity="secret-metadata"),
            "same.md": "x\n",
        },
        SECOND_DAY,
    )
    view = loaded(repository, Request(ref=explicit(first)))
    seen = [path for path in ("opened.md", "moved.md", "note.md", "same.md", "gone.md") if view.at_path(path)]
    assert seen == ["same.md", "gone.md"]
    documents = {path: view.document(view.at_path(path)[0]) for path in seen}
    assert [view.gone_today(documents[path]) for path in seen] == [False, True]


def test_an_unapproved_commit_is_refused_only_where_a_grant_asks() -> None:
    repository = brain({"a.md": "x\n"})
    side = repository.add_commit({"a.md": "y\n"}, SECOND_DAY, branch="side", parents=[])
    request = Request(ref=explicit("side"))
    assert loaded(repository, request).at_path("a.md")
    error = refusal(repository, request, granting("**", require_approved_commit=True))
    assert error.code is ErrorCode.MEMORY_REF_UNRESOLVED
    assert error.details["commit"] == side


@pytest.mark.parametrize(("one", "other", "opens"), [(True, True, True), (True, False, False), (False, False, False)])
def test_a_faulty_ontology_is_lived_with_when_every_grant_does(one: bool, other: bool, opens: bool) -> None:
    repository = brain({"ontology/a.yaml": "x: [\n", "a.md": "x\n"})
    access = Access(
        (
            Grant("one", paths=("**",), allow_invalid_ontology=one),
            Grant("other", paths=("**",), allow_invalid_ontology=other),
        )
    )
    if opens:
        assert loaded(repository, access=access).ontology.faults
    else:
        error = refusal(repository, access=access)
        assert error.code is ErrorCode.ONTOLOGY_INVALID
        assert error.details["faults"]
