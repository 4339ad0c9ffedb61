"""What is validated, what is asked, and how findings become a report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.findings import Finding, Report
from kradle_ctx.model.timestamps import format_instant
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import Snapshot
from kradle_ctx.validation.brain import IndexedBrain
from kradle_ctx.validation.files import BrainFiles
from kradle_ctx.validation.findings import not_run
from kradle_ctx.validation.survey import Survey


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


def report(head: Side, base: Side | None, survey: Survey, brain: IndexedBrain, found: Sequence[Finding]) -> Report:
    """The report of findings."""
    return Report(
        moment=format_instant(head.moment),
        commit=head.commit,
        base=base.commit if base is not None else None,
        root=head.root,
        ontology=survey.index.ontology.origin,
        ontology_digest=str(survey.index.ontology.digest),
        files=brain.files,
        records=brain.records,
        findings=tuple(finding for finding in found if finding.suppressed is None),
        suppressed=tuple(finding for finding in found if finding.suppressed is not None),
        not_run=tuple(not_run(brain)),
    )


def holds_secrets(brain: IndexedBrain, survey: Survey, redactor: BlobRedactor) -> bool:
    """Whether redaction hides anything in any file from which a finding can repeat something."""
    files = survey.files
    for file in brain.ontology_files:
        if redactor.spans_of(files.blob(file.path) or file.path, partial(files.data, file.path)):
            return True
    return any(survey.inspection_of(path).secrets for path in brain.paths())


def shown(found: Report, redactor: BlobRedactor, *, is_clean: bool = False) -> Report:
    """A report as it may be shown: what stands in a brain has passed the redactor, which never sees a fingerprint.

    Where it is known that redaction hides nothing in the files themselves, only paths are left to be looked at.
    """
    show = shown_paths if is_clean else shown_finding
    return replace(
        found,
        findings=tuple(show(finding, redactor) for finding in found.findings),
        suppressed=tuple(show(finding, redactor) for finding in found.suppressed),
        not_run=tuple(replace(each, reason=redactor.name(each.reason)) for each in found.not_run),
        root=redactor.name(found.root),
        ontology=redactor.name(found.ontology),
        impact=redactor.shown(found.impact),
    )


def shown_paths(finding: Finding, redactor: BlobRedactor) -> Finding:
    """A finding whose message may be shown as it is, but for a path in it."""
    path = redactor.name(finding.path)
    related = tuple(replace(each, path=redactor.name(each.path)) for each in finding.related)
    if path == finding.path and related == finding.related:
        return finding
    return shown_finding(finding, redactor)


def shown_finding(finding: Finding, redactor: BlobRedactor) -> Finding:
    """A finding as it may be shown."""
    name = redactor.name
    return replace(
        finding,
        path=name(finding.path),
        message=name(finding.message),
        hint=name(finding.hint),
        record=name(finding.record) if finding.record is not None else None,
        suppressed=name(finding.suppressed) if finding.suppressed is not None else None,
        related=tuple(replace(each, path=name(each.path), message=name(each.message)) for each in finding.related),
    )


def narrowed(found: Report, head: Side, asked: Asked) -> Report:
    """The findings at the paths that are asked for, those of the baseline apart."""
    root, wanted = head.root, frozenset(asked.paths)
    findings = [finding for finding in found.findings if is_wanted(finding.path, root, wanted)]
    return replace(
        found,
        findings=tuple(finding for finding in findings if finding.fingerprint not in asked.known),
        known=tuple(finding for finding in findings if finding.fingerprint in asked.known),
        suppressed=tuple(each for each in found.suppressed if is_wanted(each.path, root, wanted)),
    )


def require_present(paths: Sequence[str], snapshots: Sequence[Snapshot]) -> None:
    """Raise `USAGE` for a path at which there is nothing, before and after a change: it would pass for a clean one."""
    for path in paths:
        if path not in ("", ".") and not any(is_there(path, snapshot) for snapshot in snapshots):
            raise KradleError(
                ErrorCode.USAGE,
                f"there is no file or folder {path} in the repository",
                "check the path; patterns with * are not known",
            )


def is_there(path: str, snapshot: Snapshot) -> bool:
    """Whether a snapshot holds a file or a folder."""
    return snapshot.has_folder(path) or BrainFiles(snapshot, "").blob(path) is not None


def is_wanted(path: str, root: str, wanted: Collection[str]) -> bool:
    """Whether a path of the brain is one of some paths of the repository, or in a folder among them; none is all."""
    if not wanted or "." in wanted or "" in wanted:
        return True
    whole = f"{root}/{path}" if root else path
    while whole:
        if whole in wanted:
            return True
        whole = whole.rpartition("/")[0]
    return False
