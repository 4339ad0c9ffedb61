"""Validation: what is wrong with a brain, or with what a change does to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access
from kradle_ctx.model.findings import Finding, Impact, Report
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import Request
from kradle_ctx.place import Place, find_brain
from kradle_ctx.ports import IndexStore, Repository, Snapshot
from kradle_ctx.source_commit import DERIVED, source_commit
from kradle_ctx.stages.load import MERGING_PROFILE, brain_root, cut, require_folder
from kradle_ctx.stages.resolve import resolve
from kradle_ctx.validation.brain import IndexedBrain, Visible
from kradle_ctx.validation.changes import changed_files
from kradle_ctx.validation.derived import stale_indexes
from kradle_ctx.validation.findings import findings_of, not_run
from kradle_ctx.validation.history import merge_base
from kradle_ctx.validation.impact import impact_of
from kradle_ctx.validation.scope import scope_of
from kradle_ctx.validation.survey import Survey, Surveyor


class Side(Struct, frozen=True):
    """One state of the brain: a commit, or files of a work tree, where `commit` is None; its root, and its time."""

    commit: str | None
    snapshot: Snapshot
    root: str
    moment: datetime


class Asked(Struct, frozen=True):
    """What is asked of validation: everything, what came since a base, or what lies at some paths of the repository.

    `known` are the fingerprints of a baseline.
    """

    since: str | None = None
    paths: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()


def committed(request: Request, repository: Repository, default_branch: str | None) -> Side:
    """The brain at the commit of a request."""
    place = find_brain(request, repository, default_branch)
    return Side(place.pin.commit.id, place.snapshot, place.root, place.pin.commit.committed_at)


def in_work_tree(request: Request, snapshot: Snapshot, now: datetime) -> Side:
    """The brain in a work tree."""
    root = brain_root(snapshot, request)
    require_folder(snapshot, root)
    return Side(None, snapshot, root, now)


def validate(
    request: Request, asked: Asked, head: Side, *, repository: Repository | None, surveyor: Surveyor
) -> Report:
    """Validate one state of the brain, or what it adds to that of its base; raises what reading them raises."""
    base = departed_from(head, asked.since, repository) if asked.since is not None and repository is not None else None
    survey = surveyor.survey(head.snapshot, head.root, request.ontology_path, whole=base is None)
    merges = request.layout_profile == MERGING_PROFILE
    if base is None:
        stale = stale_indexes_at(head, survey, repository)
        brain = IndexedBrain(survey, head.moment, merges=merges, stale_indexes=stale)
        return report(head, None, survey, brain, findings_of(brain, survey), asked)
    return since(request, asked, base, head, survey, repository=repository, surveyor=surveyor)


def validate_granted(
    place: Place,
    request: Request,
    access: Access,
    *,
    moment: datetime,
    repository: Repository,
    index_store: IndexStore,
    surveyor: Surveyor,
) -> Report:
    """Validate what the grants show of a commit: what they do not show is not there, and nothing is said of it."""
    survey = surveyor.survey(place.snapshot, place.root, request.ontology_path, whole=True)
    view = cut(
        survey.index,
        place.pin,
        request,
        access,
        place.root,
        lambda documents: True,
        repository=repository,
        index_store=index_store,
    )
    numbers = frozenset(number for number in range(survey.index.size) if view.allowed(number) is not None)
    merges = request.layout_profile == MERGING_PROFILE
    brain = IndexedBrain(survey, moment, merges=merges, visible=Visible(numbers, view.skipped))
    side = Side(place.pin.commit.id, place.snapshot, place.root, moment)
    return report(side, None, survey, brain, findings_of(brain, survey), Asked())


def departed_from(head: Side, name: str, repository: Repository) -> Side:
    """The commit of a base from which a state departed: the last one that both have."""
    named = resolve(repository, MemoryRef(RefMode.EXPLICIT, name)).commit
    found = merge_base(repository, repository.commit(head.commit), named) if head.commit is not None else None
    commit = found or named
    return Side(commit.id, repository.snapshot(commit.id), head.root, commit.committed_at)


def since(
    request: Request,
    asked: Asked,
    base: Side,
    head: Side,
    after: Survey,
    *,
    repository: Repository | None,
    surveyor: Surveyor,
) -> Report:
    """What was not there before: findings are told apart by their fingerprints, not by their lines."""
    before = surveyor.survey(base.snapshot, base.root, request.ontology_path, whole=False)
    merges = request.layout_profile == MERGING_PROFILE
    changed = changed_files(base.snapshot, head.snapshot, head.root)
    scope = scope_of(before, after, changed)
    old = IndexedBrain(
        before,
        base.moment,
        merges=merges,
        scope=scope.base,
        changed=changed.paths,
        stale_indexes=stale_indexes_at(base, before, repository),
    )
    new = IndexedBrain(
        after,
        head.moment,
        merges=merges,
        scope=scope.head,
        changed=changed.paths,
        base=old,
        stale_indexes=stale_indexes_at(head, after, repository),
    )
    known = {finding.fingerprint for finding in findings_of(old, before)}
    found = [finding for finding in findings_of(new, after) if finding.fingerprint not in known]
    return report(head, base, after, new, found, asked, impact_of(before, after, changed))


def stale_indexes_at(side: Side, survey: Survey, repository: Repository | None) -> list[tuple[str, str]]:
    """The committed derived files that are not of a commit; none of a work tree, and where history does not tell."""
    if repository is None or side.commit is None or not survey.files.within(DERIVED):
        return []
    try:
        source = source_commit(repository, side.commit, side.root)
    except KradleError as error:
        if error.code is not ErrorCode.MEMORY_HISTORY_INCOMPLETE:
            raise
        return []
    return list(stale_indexes(survey.files, source.id))


def report(
    head: Side,
    base: Side | None,
    survey: Survey,
    brain: IndexedBrain,
    found: Sequence[Finding],
    asked: Asked,
    impact: Impact | None = None,
) -> Report:
    """The report of findings."""
    wanted = [finding for finding in found if is_wanted(finding.path, head.root, asked.paths)]
    counted = [finding for finding in wanted if finding.suppressed is None]
    return Report(
        commit=head.commit,
        base=base.commit if base is not None else None,
        root=head.root,
        ontology=survey.index.ontology.origin,
        ontology_digest=str(survey.index.ontology.digest),
        files=len(brain.paths()),
        records=brain.records,
        findings=tuple(finding for finding in counted if finding.fingerprint not in asked.known),
        suppressed=tuple(finding for finding in wanted if finding.suppressed is not None),
        known=tuple(finding for finding in counted if finding.fingerprint in asked.known),
        not_run=tuple(not_run(brain)),
        impact=impact,
    )


def is_wanted(path: str, root: str, wanted: Sequence[str]) -> bool:
    """Whether a path of the brain is one of some paths of the repository, or in a folder among them; none is all."""
    whole = f"{root}/{path}" if root else path
    return not wanted or any(whole == each or each in ("", ".") or whole.startswith(f"{each}/") for each in wanted)
