"""Reading a brain for validation: the same from its files, on two cores, and from an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from kradle_ctx.adapters import reading, surveys
from kradle_ctx.adapters.git_repository import open_repository
from kradle_ctx.adapters.index.store import StoredIndexStore
from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.surveyor import BrainSurveyor
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.findings import Finding
from kradle_ctx.model.resources import OntologyResource
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import IndexStore, Snapshot
from kradle_ctx.validation.brain import IndexedBrain
from kradle_ctx.validation.findings import findings_of
from kradle_ctx.validation.survey import Survey
from tests.conftest import GitBuilder
from tests.fakes import Content, InMemoryRepository, InMemorySearcher
from tests.pipeline import FIRST_DAY, REDACTOR, SECOND_DAY, graph_record, markdown

Git = Callable[..., GitBuilder]

FILES: dict[str, Content] = {
    "ontology/kinds.yaml": (
        "requiredFields: {record: [title]}\nnodeKinds: [{name: Team, prefix: team}]\nedgeKinds: [e]\n"
    ),
    "graph/a.yaml": graph_record("team:a", "Team", edges={"e": ["team:gone"]}),
    "graph/many.yaml": "---\n".join(
        [graph_record("team:b", "Team", title="B"), graph_record("team:c", "Tema"), "a: b: c\n"]
    ),
    "graph/none.yaml": "nodeKind: Team\n",
    "pages/a.md": markdown("Body.\n", id="team:d", kind="Team", owners=["team:x"]),
    "pages/broken.md": "---\nid: [\n---\n",
    "notes/a.md": "# A note about team:a\n",
    "picture.png": b"\x89PNG\x00",
    "indexes/graph-index.json": "{}\n",
    "indexes/old.yaml": "nodeKind: Team\n",
}


def surveyor(store: IndexStore | None = None, **more: Any) -> BrainSurveyor:
    """What reads brains."""
    return BrainSurveyor(store or NoIndexStore(), InMemorySearcher(), BlobRedactor(REDACTOR), **more)


def found(survey: Survey) -> list[Finding]:
    """All that is found in a brain."""
    return findings_of(IndexedBrain(survey, datetime.fromisoformat(FIRST_DAY)), survey)


def snapshot(files: Mapping[str, Content]) -> Snapshot:
    """A commit in memory."""
    repository = InMemoryRepository()
    return repository.snapshot(repository.add_commit(files, FIRST_DAY))


@contextmanager
def indexed(cache: Path, *snapshots: Snapshot) -> Iterator[StoredIndexStore]:
    """A store that holds the indexes of some snapshots."""
    for each in snapshots:
        store = StoredIndexStore(cache)
        store.open(each, "", None)
        store.close()
    store = StoredIndexStore(cache)
    yield store
    store.close()
    assert store.notes == []


def facts(survey: Survey) -> dict[str, Any]:
    """What a survey says."""
    index = survey.index
    return {
        "documents": [index.document(number) for number in range(index.size)],
        "skipped": list(index.skipped),
        "ontology": index.ontology,
        "ontology files": list(survey.ontology_files),
        "constraints": survey.constraints,
        "paths": sorted(survey.paths),
        "inspections": {path: survey.inspection_of(path) for path in FILES},
        "found": found(survey),
    }


def test_a_survey_reads_what_is_read_and_nothing_derived() -> None:
    survey = surveyor().survey(snapshot(FILES), "", None)

    assert set(survey.paths) == {path for path in FILES if not path.startswith("indexes/") and path != "picture.png"}
    assert {(each.path, each.check) for each in found(survey)} >= {
        ("graph/a.yaml", "KB031"),
        ("graph/many.yaml", "KB002"),
        ("graph/many.yaml", "KB013"),
        ("graph/none.yaml", "KB020"),
        ("pages/a.md", "KB025"),
        ("pages/broken.md", "KB003"),
    }
    assert not [each for each in found(survey) if each.path.startswith("indexes/old")]


def test_a_stored_index_says_the_same_at_hand_or_not(tmp_path: Path) -> None:
    state = snapshot(FILES)
    expected = facts(surveyor().survey(state, "", None))
    for _ in range(2):
        with indexed(tmp_path / "cache", state) as store:
            survey = surveyor(store).survey(state, "", None)
            assert facts(survey) == expected
            assert facts(survey.at_hand()) == expected


def test_a_brain_of_which_nothing_is_stored_is_read_and_not_indexed(tmp_path: Path) -> None:
    store = StoredIndexStore(tmp_path / "cache")
    survey = surveyor(store).survey(snapshot(FILES), "", None)
    store.close()

    assert found(survey) == found(surveyor().survey(snapshot(FILES), "", None))
    assert not (tmp_path / "cache").exists() or not list((tmp_path / "cache").rglob("*.db*"))


def test_a_brain_that_is_looked_at_in_part_is_indexed_for_the_next_time(tmp_path: Path) -> None:
    state = snapshot(FILES)
    expected = facts(surveyor().survey(state, "", None))
    for _ in range(2):
        store = StoredIndexStore(tmp_path / "cache")
        survey = surveyor(store).survey(state, "", None, in_part=True)
        assert isinstance(survey, surveys.StoredSurvey)
        assert facts(survey) == expected
        store.close()

    assert StoredIndexStore(tmp_path / "cache").knows(state, "", None)


def test_where_nothing_can_be_stored_it_is_read_whole(tmp_path: Path) -> None:
    state = snapshot(FILES)
    expected = facts(surveyor().survey(state, "", None))
    assert isinstance(surveyor().survey(state, "", None, in_part=True), surveys.ReadSurvey)

    (tmp_path / "cache").write_text("no folder")
    store = StoredIndexStore(tmp_path / "cache")
    first, second = (surveyor(store).survey(state, "", None, in_part=True) for _ in range(2))

    assert facts(first) == facts(second) == expected
    assert isinstance(second, surveys.ReadSurvey)
    assert len(store.notes) == 1


MANIFEST: dict[str, Content] = {
    "schema/ontology-schema.yaml": "nodeKindFiles: [schema/z.yaml, schema/a.yaml]\nedgeKindFile: schema/e.yaml\n",
    "schema/z.yaml": "version: 1\nnodeKinds: [{name: Team, prefix: team, required: [title]}]\n",
    "schema/a.yaml": "version: 2\nnodeKinds: [{name: Team, prefix: other}, {name: Note}]\n",
    "schema/e.yaml": "edgeKinds: [e]\n",
    "graph/a.yaml": graph_record("team:a", "Team", edges={"e": ["team:gone"]}),
}


@pytest.mark.parametrize("path", [None, "schema", "schema/", "schema/a.yaml", "schema/absent.yaml", "absent/"])
def test_of_what_an_ontology_says_twice_the_same_holds_with_an_index(tmp_path: Path, path: str | None) -> None:
    state = snapshot(MANIFEST)
    expected = surveyor().survey(state, "", path)
    store = StoredIndexStore(tmp_path / "cache")
    store.open(state, "", path)
    store.close()
    with indexed(tmp_path / "cache") as opened:
        survey = surveyor(opened).survey(state, "", path)

        assert list(survey.ontology_files) == list(expected.ontology_files)
        assert survey.constraints == expected.constraints
        assert found(survey) == found(expected)
    if path is None:
        assert (expected.constraints.version, expected.constraints.kinds["Team"].prefix) == ("1", "team")


def test_what_resources_demand_counts_and_is_kept_apart(tmp_path: Path) -> None:
    state = snapshot({**FILES, "graph/a.yaml": graph_record("team:a", "Team", title="A")})
    more = OntologyResource("asks", None, "local", required_fields=("status",))
    with indexed(tmp_path / "cache", state) as store:
        plain = found(surveyor(store).survey(state, "", None))
        asking = found(surveyor(store, demands=(more,)).survey(state, "", None))
        again = found(surveyor(store).survey(state, "", None))

    assert again == plain
    assert [each.message for each in asking if each.path == "graph/a.yaml" and each.check == "KB020"] == [
        "a record of the kind `Team` must have `status`"
    ]
    assert found(surveyor(demands=(more,)).survey(state, "", None)) == asking


def test_what_is_kept_in_another_form_is_made_anew(tmp_path: Path) -> None:
    state = snapshot(FILES)
    with indexed(tmp_path / "cache", state) as store:
        survey = surveyor(store).survey(state, "", None)
        expected = found(survey)
        for path in FILES:
            blob = survey.files.blob(path)
            assert blob is not None
            assert isinstance(survey, surveys.StoredSurvey)
            survey.kept.put(survey._key(path, blob), [[1, 2], "another form"])
            survey.kept.put(f"constraints {survey.rules}", {"kinds": "another form"})

        assert found(surveyor(store).survey(state, "", None)) == expected
        assert found(surveyor(store).survey(state, "", None).at_hand()) == expected


def test_what_an_ontology_demands_is_known_again_as_it_was(tmp_path: Path) -> None:
    for files in (FILES, MANIFEST, {"a.md": "# No ontology\n"}):
        state = snapshot(files)
        with indexed(tmp_path / "cache", state) as store:
            assert surveyor(store).survey(state, "", None).constraints == surveyor().survey(state, "", None).constraints
        with indexed(tmp_path / "cache") as store:
            survey = surveyor(store).survey(state, "", None)
            assert isinstance(survey, surveys.StoredSurvey)
            assert survey.kept.get(f"constraints {survey.rules}") is not None
            assert survey.constraints == surveyor().survey(state, "", None).constraints


@pytest.fixture(scope="module")
def worth_processes() -> Iterator[int]:
    """Files that more than one process reads: three portions here, where it is not the speed that counts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "WORTH_PROCESSES", 2 * reading.PORTION + 1)
        yield reading.WORTH_PROCESSES


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory, worth_processes: int) -> GitBuilder:
    """A real brain of more files than one process reads alone."""
    builder = GitBuilder(tmp_path_factory.mktemp("many") / "brain")
    files = dict(FILES)
    for number in range(worth_processes + 50):
        edges = {"e": [f"team:{number + 1 if number % 7 else 'gone'}"]}
        files[f"many/{number % 10}/{number}.yaml"] = graph_record(f"team:{number}", "Team", edges=edges)
    builder.add_commit(files, SECOND_DAY)
    return builder


def tip(builder: GitBuilder) -> Snapshot:
    """The snapshot of a repository's tip, opened anew."""
    repository = open_repository(builder.path)
    return repository.snapshot(repository.default_branch(None).commit)


def test_two_processes_say_what_one_says(many: GitBuilder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert reading.can_fork()
    told: list[tuple[int, int]] = []
    by_two = found(surveyor(progress=lambda done, total: told.append((done, total))).survey(tip(many), "", None))
    assert told == [(done, len(told)) for done in range(len(told))]
    assert len(told) > reading.WORTH_PROCESSES

    with indexed(tmp_path / "cache", tip(many)) as store:
        from_index = found(surveyor(store).survey(tip(many), "", None).at_hand())
    monkeypatch.setattr(reading, "can_fork", lambda: False)

    assert found(surveyor().survey(tip(many), "", None)) == by_two
    assert from_index == by_two
    assert len(by_two) > reading.WORTH_PROCESSES


def test_a_file_that_cannot_be_read_ends_the_survey_with_its_error(many: GitBuilder, tmp_path: Path) -> None:
    state = tip(many)
    files = state.listing("").files
    damaged = min((file for file in files if file.path.startswith("many/")), key=lambda file: file.path)

    class Damaged:
        """The same snapshot without one blob."""

        def __getattr__(self, name: str) -> Any:
            return getattr(state, name)

        def read(self, blob: str) -> bytes:
            if blob == damaged.blob:
                raise KradleError(ErrorCode.MEMORY_OBJECT_MISSING, "it is damaged", "get it again")
            return state.read(blob)

    with pytest.raises(KradleError) as caught:
        surveyor().survey(Damaged(), "", None)
    assert (caught.value.code, caught.value.message) == (ErrorCode.MEMORY_OBJECT_MISSING, "it is damaged")


def test_a_file_that_two_commits_share_is_read_once() -> None:
    repository = InMemoryRepository()
    first = repository.snapshot(repository.add_commit(FILES, FIRST_DAY))
    second = repository.snapshot(repository.add_commit({**FILES, "notes/b.md": "# Another\n"}, SECOND_DAY))
    read: list[str] = []

    class Watched:
        """A snapshot that writes down what is read of it."""

        def __init__(self, inner: Snapshot) -> None:
            self._inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self._inner, name)

        def read(self, blob: str) -> bytes:
            read.append(blob)
            return self._inner.read(blob)

    reader = surveyor()
    reader.survey(Watched(first), "", None)
    read.clear()
    reader.survey(Watched(second), "", None)

    blobs = {file.path: file.blob for file in second.listing("").files}
    assert set(read) == {blobs["notes/b.md"], blobs["ontology/kinds.yaml"]}


def test_one_blob_under_two_endings_is_told_as_each() -> None:
    text = "---\nid: team:z\nkind: Team\ntitle: A\nedges: {}\n---\n"
    survey = surveyor().survey(snapshot({**FILES, "x/a.md": text, "x/a.yaml": text}), "", None)

    assert [each.check for each in survey.inspection_of("x/a.md").faults] == []
    assert [each.check for each in survey.inspection_of("x/a.yaml").faults] == ["KB020"]


def test_the_constraints_alone_are_those_of_the_survey_and_need_an_ontology_that_parses() -> None:
    for files in (FILES, MANIFEST):
        state = snapshot(files)
        assert surveyor().constraints(state, "", None) == surveyor().survey(state, "", None).constraints

    with pytest.raises(KradleError) as caught:
        surveyor().constraints(snapshot({"ontology/a.yaml": "nodeKinds: [\n"}), "", None)
    assert caught.value.code is ErrorCode.ONTOLOGY_INVALID
