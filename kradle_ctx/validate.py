"""Validation: what is wrong with a brain, or with what a change does to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

from kradle_ctx.checks import CHECKS, invalid_ontology, secret_like_content
from kradle_ctx.digest import digest_value
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access
from kradle_ctx.model.findings import Finding, Report
from kradle_ctx.model.refs import CommitInfo, MemoryRef, RefMode
from kradle_ctx.model.request import Request
from kradle_ctx.model.timestamps import format_instant
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.place import Place, find_brain
from kradle_ctx.ports import IndexStore, NothingKept, Repository, Snapshot
from kradle_ctx.source_commit import DERIVED, source_commit
from kradle_ctx.stages.load import MERGING_PROFILE, brain_root, cut, require_folder
from kradle_ctx.stages.resolve import resolve
from kradle_ctx.validation.brain import IndexedBrain, Visible
from kradle_ctx.validation.changes import changed_files
from kradle_ctx.validation.derived import stale_indexes
from kradle_ctx.validation.findings import findings_of
from kradle_ctx.validation.hidden import HiddenValues
from kradle_ctx.validation.history import merge_base
from kradle_ctx.validation.impact import impact_of
from kradle_ctx.validation.reports import Asked, Side, holds_secrets, narrowed, report, require_present, shown
from kradle_ctx.validation.scope import Changed, scope_of
from kradle_ctx.validation.survey import Survey, Surveyor

MOST_KEPT = 20_000
"""Findings of a report that is known again; that of a brain with more is larger than what it saves."""


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
    request: Request,
    asked: Asked,
    head: Side,
    *,
    repository: Repository | None,
    surveyor: Surveyor,
    redactor: BlobRedactor,
) -> Report:
    """Validate one state of the brain, or what it adds to that of its base; raises what reading them raises."""
    if asked.since is None or repository is None:
        require_present(asked.paths, [head.snapshot])
        survey = surveyor.survey(head.snapshot, head.root, request.ontology_path)
        return narrowed(whole(request, head, survey, repository, redactor), head, asked)
    base = departed_from(head, asked.since, repository)
    require_present(asked.paths, [head.snapshot, base.snapshot])
    # A work tree is in no index, so its files are read, and those of the base with them.
    in_part = head.commit is not None
    before = surveyor.survey(base.snapshot, base.root, request.ontology_path, in_part=in_part)
    after = surveyor.survey(head.snapshot, head.root, request.ontology_path, in_part=in_part)
    return narrowed(shown(since(request, base, head, before, after, repository), redactor), head, asked)


def whole(
    request: Request, head: Side, survey: Survey, repository: Repository | None, redactor: BlobRedactor
) -> Report:
    """Everything; what was found at a commit is known again, redacted."""
    stale = stale_indexes_at(head, survey, repository)
    moment = format_instant(head.moment)
    name = (survey.index.name, survey.rules, request.layout_profile, moment, digest_value([head.root, stale]))
    key = " ".join(("report", *name))
    kept = survey.kept if head.commit is not None else NothingKept()
    known = kept.get(key)
    if known is not None:
        # One of another form is made anew.
        with suppress(ValidationError):
            return replace(convert(known, Report), commit=head.commit)
    survey = survey.at_hand()
    brain = IndexedBrain(survey, head.moment, merges=merges(request), stale_indexes=stale)
    is_clean = not holds_secrets(brain, survey, redactor)
    found = shown(report(head, None, survey, brain, findings_of(brain, survey)), redactor, is_clean=is_clean)
    if len(found.findings) <= MOST_KEPT:
        kept.put(key, to_builtins(found))
    return found


def since(request: Request, base: Side, head: Side, before: Survey, after: Survey, repository: Repository) -> Report:
    """What was not there before: findings are told apart by their fingerprints, not by their lines."""
    changed = changed_files(base.snapshot, head.snapshot, head.root)
    scope = scope_of(before, after, changed)
    if scope.head is None:
        before, after = before.at_hand(), after.at_hand()
    # Both are judged at one time: what only grew older was not brought in.
    old = IndexedBrain(
        before,
        head.moment,
        merges=merges(request),
        scope=scope.base,
        changed=changed.paths,
        stale_indexes=stale_indexes_at(base, before, repository),
    )
    new = IndexedBrain(
        after,
        head.moment,
        merges=merges(request),
        scope=scope.head,
        changed=changed.paths,
        base=old,
        stale_indexes=stale_indexes_at(head, after, repository),
    )
    found = findings_of(new, after)
    told = {finding.check for finding in found}
    known = findings_of(old, before, [check for check in CHECKS if check.id in told])
    found = added(known, found, new_secrets(before, after, changed))
    return replace(
        report(head, base, after, new, found), impact=impact_of(before, after, changed, merges=merges(request))
    )


def added(
    before: Sequence[Finding], after: Sequence[Finding], is_new: Callable[[Finding], bool] | None = None
) -> list[Finding]:
    """The findings that were not there before; one that was set aside and is not any more was not.

    An ontology that does not parse is always told, since a change cannot be held against it. A secret is as new as its
    value is, which no fingerprint knows: `is_new` tells.
    """
    told = [finding for finding in before if finding.check != invalid_ontology.CHECK.id]
    known = {finding.fingerprint for finding in told}
    counted = {finding.fingerprint for finding in told if finding.suppressed is None}

    def was_there(finding: Finding) -> bool:
        if finding.fingerprint in known - counted and finding.suppressed is None:
            return False
        if is_new is not None and finding.check == secret_like_content.CHECK.id:
            return not is_new(finding)
        return finding.fingerprint in known

    return [finding for finding in after if not was_there(finding)]


def new_secrets(before: Survey, after: Survey, changed: Changed) -> Callable[[Finding], bool]:
    """Whether a finding is of a value that was hidden neither in its file before, nor in one that is gone."""
    earlier, later = HiddenValues(before), HiddenValues(after)
    gone = {value for path in changed.removed - changed.added for value in earlier.within(path)}

    def is_new(found: Finding) -> bool:
        value = later.at(found.path, found.span)
        return value is None or (value not in gone and value not in earlier.within(found.path))

    return is_new


def validate_granted(
    place: Place,
    request: Request,
    access: Access,
    *,
    moment: datetime,
    repository: Repository,
    index_store: IndexStore,
    surveyor: Surveyor,
    redactor: BlobRedactor,
) -> Report:
    """Validate what the grants show of a commit: what they do not show is not there, and nothing is said of it."""
    survey = surveyor.survey(place.snapshot, place.root, request.ontology_path).at_hand()
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
    brain = IndexedBrain(survey, moment, merges=merges(request), visible=Visible(numbers, view.skipped))
    side = Side(place.pin.commit.id, place.snapshot, place.root, moment)
    return shown(report(side, None, survey, brain, findings_of(brain, survey)), redactor)


def merges(request: Request) -> bool:
    """Whether the layout profile joins several declarations of one id."""
    return request.layout_profile == MERGING_PROFILE


def departed_from(head: Side, name: str, repository: Repository) -> Side:
    """The commit of a base from which a state departed: the last one that both have."""
    named = resolve(repository, MemoryRef(RefMode.EXPLICIT, name)).commit
    # A work tree departed where the commit did that is checked out.
    ours = repository.commit(head.commit) if head.commit is not None else checked_out(repository)
    found = merge_base(repository, ours, named)
    commit = found or named
    return Side(commit.id, repository.snapshot(commit.id), head.root, commit.committed_at)


def checked_out(repository: Repository) -> CommitInfo:
    """The commit that is checked out."""
    return resolve(repository, MemoryRef(RefMode.EXPLICIT, "HEAD")).commit


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
