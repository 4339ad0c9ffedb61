"""What a change brings in is found in its neighbourhood as it is found in the whole, with and without an index.

`KRADLE_EXAMPLES=2000` looks at more random brains and changes than the suite has time for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.adapters.index.store import StoredIndexStore
from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.surveyor import BrainSurveyor
from kradle_ctx.model.findings import Finding, Impact, Report
from kradle_ctx.model.request import Request
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import IndexStore
from kradle_ctx.validate import added, merges, validate
from kradle_ctx.validation.brain import IndexedBrain
from kradle_ctx.validation.changes import changed_files
from kradle_ctx.validation.findings import findings_of
from kradle_ctx.validation.reports import Asked, Side
from kradle_ctx.validation.survey import Surveyor
from tests.fakes import Content, InMemoryRepository, InMemorySearcher
from tests.pipeline import REDACTOR, explicit
from tests.properties.examples import examples
from tests.properties.test_index_store import scratch
from tests.properties.validated_brains import Change, brains, changes, with_ontology

BASE_DAY, HEAD_DAY = "2026-05-01T00:00:00Z", "2026-06-02T00:00:00Z"

PLAIN, MERGING = Request(ref=explicit("HEAD")), Request(ref=explicit("HEAD"), layout_profile="atlas-md-yaml-v1")

UNRELATED: dict[str, Content] = {
    "unrelated/one.yaml": 'nodeKind: Service\nid: service:unrelated\nedges: {depends_on: ["service:nowhere"]}\n',
    "unrelated/two.md": "---\nid: runbook:unrelated\nkind: Runbook\nowners: [nobody]\n---\n\nApart.\n",
    "unrelated/three.yaml": "id: [\n",
}
"""Files with faults of their own that name nothing of any other, and that none names."""

layouts = st.sampled_from((PLAIN, PLAIN, MERGING))
roots = st.sampled_from(("", "", "", "brain/below"))


def surveyor(store: IndexStore | None = None) -> Surveyor:
    """What reads brains, over a store or over none."""
    return BrainSurveyor(store or NoIndexStore(), InMemorySearcher(), BlobRedactor(REDACTOR))


def committed(change: Change, root: str = "") -> InMemoryRepository:
    """A repository whose branch `base` is the state before a change, and HEAD the one after it.

    The brain is below `root`; where that is not the whole tree, another one is beside it and changes, too.
    """
    repository = InMemoryRepository()
    states = (with_ontology(change.base, change.before), with_ontology(change.head, change.after))
    for files, links, other in zip(states, change.links, (change.head, change.base), strict=True):
        beside = other if root else {}
        commit = repository.add_commit(
            {**beside, **{in_root(root, path): content for path, content in files.items()}},
            HEAD_DAY if "refs/heads/base" in repository.refs else BASE_DAY,
            symlinks={in_root(root, path): target for path, target in links.items()},
        )
        repository.refs.setdefault("refs/heads/base", commit)
    return repository


def in_root(root: str, path: str) -> str:
    """A path of the brain as one of the repository."""
    return f"{root}/{path}" if root else path


def side(repository: InMemoryRepository, branch: str, root: str = "") -> Side:
    """The state of a branch."""
    commit = repository.commit(repository.refs[f"refs/heads/{branch}"])
    return Side(commit.id, repository.snapshot(commit.id), root, commit.committed_at)


def reported(
    repository: InMemoryRepository,
    request: Request,
    since: str | None,
    store: IndexStore | None = None,
    root: str = "",
) -> Report:
    """The report on HEAD, or on what it brings in."""
    return validate(
        request,
        Asked(since),
        side(repository, "main", root),
        repository=repository,
        surveyor=surveyor(store),
        redactor=BlobRedactor(REDACTOR),
    )


def all_findings(report: Report) -> list[Finding]:
    """What counts and what was set aside, in the order of fingerprints."""
    return sorted((*report.findings, *report.suppressed), key=lambda found: found.fingerprint)


def compared_whole(repository: InMemoryRepository, request: Request, root: str = "") -> list[Finding]:
    """What is found in all of HEAD and not in all of the base, by fingerprint."""
    base, head = side(repository, "base", root), side(repository, "main", root)
    reader = surveyor()
    before, after = reader.survey(base.snapshot, root, None), reader.survey(head.snapshot, root, None)
    changed = changed_files(base.snapshot, head.snapshot, root).paths
    old = IndexedBrain(before, head.moment, merges=merges(request), changed=changed)
    new = IndexedBrain(after, head.moment, merges=merges(request), changed=changed, base=old)
    return sorted(added(findings_of(old, before), findings_of(new, after)), key=lambda found: found.fingerprint)


def whole_of(repository: InMemoryRepository, request: Request, branch: str) -> list[Finding]:
    """All that is found in the state of a branch, and counts or not, in the order of its places."""
    state = side(repository, branch)
    survey = surveyor().survey(state.snapshot, "", None)
    moment = side(repository, "main").moment
    return findings_of(IndexedBrain(survey, moment, merges=merges(request)), survey)


@contextmanager
def stored(cache: Path) -> Iterator[StoredIndexStore]:
    """A store of which nothing has to be said."""
    store = StoredIndexStore(cache)
    try:
        yield store
    finally:
        store.close()
    assert store.notes == []


def shifted(content: Content, path: str, lines: int) -> Content:
    """A file whose lines stand lower: comments and blank lines come before what it says."""
    if isinstance(content, bytes) or not content:
        return content
    if path.endswith(".md"):
        first, _, rest = content.partition("\n")
        return f"---\n{chr(10) * lines}# a comment\n{rest}" if first == "---" else chr(10) * lines + content
    return "# a comment\n" * lines + chr(10) * lines + content


def without_lines(found: Finding) -> tuple[str, ...]:
    """What of a finding stays when lines move."""
    return found.fingerprint, found.check, found.path, found.severity, found.hint, str(found.suppressed)


@settings(max_examples=examples(30), deadline=None)
@given(changes(), layouts, roots)
def test_what_a_change_brings_in_is_found_in_its_neighbourhood(change: Change, request: Request, root: str) -> None:
    repository = committed(change, root)

    found = all_findings(reported(repository, request, "base", root=root))
    assert found == compared_whole(repository, request, root)


@settings(max_examples=examples(15), deadline=None)
@given(changes(), layouts, roots)
def test_a_stored_index_changes_no_report(change: Change, request: Request, root: str) -> None:
    repository = committed(change, root)
    whole, brought_in = (reported(repository, request, since, root=root) for since in (None, "base"))
    with scratch() as cache:
        with stored(cache) as store:
            store.open(side(repository, "base").snapshot, root, None)
        for since, expected in (("base", brought_in), (None, whole), ("base", brought_in), (None, whole)):
            with stored(cache) as store:
                assert reported(repository, request, since, store, root) == expected


@settings(max_examples=examples(20), deadline=None)
@given(brains(), layouts, st.data())
def test_lines_that_move_leave_all_fingerprints(
    files: dict[str, Content], request: Request, data: st.DataObject
) -> None:
    moved = {path: shifted(content, path, data.draw(st.integers(1, 3), path)) for path, content in files.items()}
    repository = committed(Change(files, moved))
    before, after = whole_of(repository, request, "base"), whole_of(repository, request, "main")

    assert sorted(map(without_lines, before)) == sorted(map(without_lines, after))
    assert all_findings(reported(repository, request, "base")) == []


@settings(max_examples=examples(20), deadline=None)
@given(brains(), layouts)
def test_a_file_that_has_to_do_with_no_other_changes_nothing_elsewhere(
    files: dict[str, Content], request: Request
) -> None:
    repository = committed(Change(files, {**files, **UNRELATED}))
    before, after = whole_of(repository, request, "base"), whole_of(repository, request, "main")

    assert [found for found in after if found.path not in UNRELATED] == before
    assert {found.path for found in all_findings(reported(repository, request, "base"))} <= UNRELATED.keys()


@settings(max_examples=examples(15), deadline=None)
@given(changes(), layouts)
def test_a_state_brings_nothing_into_itself(change: Change, request: Request) -> None:
    repository = committed(Change(change.head, change.head))

    assert all_findings(reported(repository, request, "base")) == []
    assert reported(repository, request, "main").impact == Impact()


@settings(max_examples=examples(20), deadline=None)
@given(brains(), layouts)
def test_no_two_findings_have_one_fingerprint_and_all_are_in_order(files: dict[str, Content], request: Request) -> None:
    found = whole_of(committed(Change(files, files)), request, "main")

    assert len({each.fingerprint for each in found}) == len(found)
    places = [(each.path.encode(), each.span.line, each.span.column, each.check) for each in found]
    assert places == sorted(places)
