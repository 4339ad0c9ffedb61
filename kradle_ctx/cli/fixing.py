"""`validate --fix`: repairs in the work tree, written or shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from kradle_ctx.errors import KradleError
    from kradle_ctx.model.findings import Report
    from kradle_ctx.ports import Repository
    from kradle_ctx.repairs.brain import Repairs, Seen
    from kradle_ctx.validation.reports import Asked, Side
    from kradle_ctx.wiring import Run

NOT_WRITTEN = "the file was not written"

MOST_NOTES = 200
"""Repairs that are told one by one, and as many that were not made."""


class Fixes(Struct, frozen=True):
    """What `--fix` did: what to say of it, and the report on what is left.

    `diff` tells how files would change where nothing was written. `failure` is of the first file that could not be.
    """

    notes: tuple[str, ...]
    report: Report
    diff: str = ""
    failure: KradleError | None = None


def fixed(run: Run, asked: Asked, *, write: bool) -> Fixes:
    """Repair what can be, without a store where that is damaged; nothing is written before all is known."""
    from kradle_ctx.model.memory_mode import require_permitted
    from kradle_ctx.ports import IndexDamaged

    require_permitted("validate --fix" if write else "validate", run.request.memory_mode)
    try:
        fixing = Fixing(run, asked)
        repairs = fixing.repairs()
    except IndexDamaged as damage:
        run.index_store.give_up(str(damage))
        fixing = Fixing(run, asked)
        repairs = fixing.repairs()
    return fixing.written(repairs) if write else fixing.shown(repairs)


class Fixing:
    """The work tree as it is, and as it would be with repairs."""

    def __init__(self, run: Run, asked: Asked) -> None:
        from kradle_ctx.adapters.work_tree import WorkTreeSnapshot
        from kradle_ctx.passages import BlobRedactor

        self._run = run
        self._asked = asked
        self._repository = opened(run)
        self._surveyor = run.open_surveyor()
        self._redactor = BlobRedactor(run.redactor, run.index_store.kept)
        self._now = run.clock.now()
        self._work_tree = WorkTreeSnapshot(run.folder)
        self._root = self._side({}).root

    def repairs(self) -> Repairs:
        """What is to be repaired; with a base only what findings are about, since the order of keys is none."""
        from kradle_ctx.adapters.git_tree import TreeLimits
        from kradle_ctx.repairs.brain import repaired

        order, most = self._asked.since is None, TreeLimits().blob_bytes
        return repaired(self._seen, self._last_changes, self._may_change, most_bytes=most, order=order)

    def written(self, repairs: Repairs) -> Fixes:
        """Write the files, and validate the work tree anew."""
        from kradle_ctx.adapters.repaired_files import replace_in_work_tree
        from kradle_ctx.adapters.work_tree import WorkTreeSnapshot
        from kradle_ctx.errors import KradleError

        failed: dict[str, KradleError] = {}
        for path, data in repairs.files.items():
            try:
                replace_in_work_tree(self._run.folder, self._whole(path), self._blob(path), data)
            except KradleError as error:
                failed[path] = error
        self._work_tree = WorkTreeSnapshot(self._run.folder)
        done = [repair for repair in repairs.done if repair.path not in failed]
        undone = [repair for repair in repairs.done if repair.path in failed]
        left = [*repairs.left, *(each._replace(note=replace(each.note, why=NOT_WRITTEN)) for each in undone)]
        notes = self._notes(replace(repairs, done=tuple(done), left=tuple(left)), "fixed")
        return Fixes(notes, self._report({}), failure=next(iter(failed.values()), None))

    def shown(self, repairs: Repairs) -> Fixes:
        """How the files would change, redacted."""
        from kradle_ctx.render.file_diff import file_diff

        parts: list[str] = []
        for path, data in repairs.files.items():
            before = self._work_tree.read(self._blob(path))
            name = self._redactor.name(self._whole(path))
            parts.append(file_diff(name, self._redacted(before), self._redacted(data)))
        return Fixes(self._notes(repairs, "would fix"), self._report(repairs.files), "".join(parts))

    def _redacted(self, data: bytes) -> str:
        """A file's text without its secrets."""
        from kradle_ctx.adapters.work_tree import blob_id
        from kradle_ctx.passages import cut, decoded

        text = decoded(data)
        return cut(text, 0, len(text), self._redactor.spans_of(blob_id(data), lambda: data))[0]

    def _side(self, files: Mapping[str, bytes]) -> Side:
        """The brain of the work tree with some files in the place of those that it has."""
        from kradle_ctx.adapters.repaired_files import RepairedSnapshot
        from kradle_ctx.validate import in_work_tree

        repaired = {self._whole(path): data for path, data in files.items()} if files else {}
        return in_work_tree(self._run.request, RepairedSnapshot(self._work_tree, repaired), self._now)

    def _report(self, files: Mapping[str, bytes]) -> Report:
        """The report on the work tree with these files."""
        from kradle_ctx.validate import validate

        request, side = self._run.request, self._side(files)
        against = self._repository if self._asked.since is not None else None
        return validate(
            request, self._asked, side, repository=against, surveyor=self._surveyor, redactor=self._redactor
        )

    def _seen(self, files: Mapping[str, bytes]) -> Seen:
        """The same, as repairs follow from it."""
        from kradle_ctx.repairs.brain import Seen
        from kradle_ctx.validate import merges
        from kradle_ctx.validation.brain import IndexedBrain

        counted = frozenset(finding.fingerprint for finding in self._report(files).findings)
        request, side = self._run.request, self._side(files)
        survey = self._surveyor.survey(side.snapshot, side.root, request.ontology_path)
        return Seen(survey, IndexedBrain(survey, side.moment, merges=merges(request)), counted)

    def _last_changes(self, paths: Sequence[str]) -> Mapping[str, str]:
        """When files were last changed, by what is checked out."""
        from kradle_ctx.adapters.repaired_files import blobs_of
        from kradle_ctx.repairs.last_changes import last_changes

        return last_changes(
            paths,
            lambda path: blobs_of(self._run.folder, self._whole(path)),
            self._now,
            self._root,
            self._repository,
            checked_out(self._repository),
        )

    def _may_change(self, path: str) -> bool:
        from kradle_ctx.validation.reports import is_wanted

        return is_wanted(path, self._root, self._asked.paths)

    def _whole(self, path: str) -> str:
        """A path of the brain as one of the repository."""
        return f"{self._root}/{path}" if self._root else path

    def _blob(self, path: str) -> str:
        """What a file was when it was read."""
        from kradle_ctx.validation.files import BrainFiles

        return BrainFiles(self._work_tree, self._root).blob(path) or ""

    def _notes(self, repairs: Repairs, word: str) -> tuple[str, ...]:
        """What to say of repairs, redacted."""
        return tuple(self._redactor.name(note) for note in notes_of(repairs, word, self._root))


def notes_of(repairs: Repairs, word: str, root: str) -> Iterator[str]:
    """A line for each repair that was made or was not, and the counts."""
    prefix = f"{root}/" if root else ""
    for path, note in islice(repairs.done, MOST_NOTES):
        yield f"{word} {prefix}{path}:{note.line}: {note.what}"
    for path, note in islice(repairs.left, MOST_NOTES):
        yield f"left alone {prefix}{path}:{note.line}: {note.what}, because {note.why}"
    if not (repairs.done or repairs.left):
        yield "nothing to fix"
        return
    files = len({repair.path for repair in repairs.done})
    yield f"{word} {len(repairs.done)} in {files} {'file' if files == 1 else 'files'}, {len(repairs.left)} left alone"


def opened(run: Run) -> Repository:
    """The brain's repository; raises `USAGE` where it has no work tree."""
    import os

    from kradle_ctx.errors import ErrorCode, KradleError

    repository = run.open_repository()
    if not os.path.lexists(run.folder / ".git"):
        raise KradleError(ErrorCode.USAGE, "a bare repository has no files to repair", "name a clone with a work tree")
    return repository


def checked_out(repository: Repository) -> str | None:
    """The commit that is checked out, None before the first one."""
    from kradle_ctx.errors import ErrorCode, KradleError
    from kradle_ctx.model.refs import MemoryRef, RefMode
    from kradle_ctx.stages.resolve import resolve

    try:
        return resolve(repository, MemoryRef(RefMode.EXPLICIT, "HEAD")).commit.id
    except KradleError as error:
        if error.code is not ErrorCode.MEMORY_REF_UNRESOLVED:
            raise
        return None
