"""From findings to repairs: what each file is to be given, round by round until nothing is left to repair."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from kradle_ctx.checks import CHECKS, Fault
from kradle_ctx.checks.missing_field import missing_field
from kradle_ctx.documents import read_declarations
from kradle_ctx.model.findings import Finding
from kradle_ctx.model.graph import Document, Form
from kradle_ctx.repairs.dates import UPDATED_AT
from kradle_ctx.repairs.file import Note, Wanted, fixed, records_out_of_order
from kradle_ctx.repairs.inverse_edges import EDGE_INVERSE, InverseEdges, unanswered
from kradle_ctx.repairs.layout import LeftAlone
from kradle_ctx.validation.brain import IndexedBrain
from kradle_ctx.validation.findings import findings_of
from kradle_ctx.validation.places import Places
from kradle_ctx.validation.survey import Survey
from kradle_ctx.yamldoc import shown

UNREAD, MISSING = ("KB002", "KB003"), "KB020"

REPAIRED = tuple(check for check in CHECKS if check.id in (*UNREAD, MISSING, EDGE_INVERSE))
"""The checks whose findings can be repaired."""

MOST_ROUNDS = 20
"""Rounds of one run; a check tells so many findings of one file or record, and what is mended may show more."""

UNKNOWN_HISTORY = "the history of this clone does not tell when the file was changed (git fetch --unshallow)"
NEARLY = "a field of nearly that name may be meant to be it"
NOT_NAMED = "it is in {}, which is not among the paths that are given"
TOO_LARGE = "the file would be larger than what is read"


class Seen(NamedTuple):
    """A state of the brain: what was read, and the fingerprints of the findings that count."""

    survey: Survey
    brain: IndexedBrain
    counted: frozenset[str]


Look = Callable[[Mapping[str, bytes]], Seen]
"""The brain with some files in the place of those that it has."""

LastChanges = Callable[[Sequence[str]], Mapping[str, str]]
"""When files were last changed; those of which that is unknown are left out."""


class Scope(Protocol):
    """Which files may be changed."""

    def __call__(self, path: str) -> bool:
        """Whether this one may."""


class Repair(NamedTuple):
    """What was done in a file, or was not."""

    path: str
    note: Note


class Repairs(Struct, frozen=True):
    """The new content of files, what was done, and what was left alone."""

    files: Mapping[str, bytes] = {}
    done: tuple[Repair, ...] = ()
    left: tuple[Repair, ...] = ()


class Plan:
    """What files are to be given in one round."""

    def __init__(self) -> None:
        self.wanted: dict[str, dict[int, Wanted]] = defaultdict(dict)
        self.unquoted: dict[str, list[int]] = defaultdict(list)
        self.left: list[Repair] = []

    def leave(self, path: str, line: int, what: str, why: str) -> None:
        """Leave something alone."""
        self.left.append(Repair(path, Note(line, what, why)))

    def add_edge(self, document: Document, kind: str, target: str) -> None:
        """Give a document an edge beside what it is given already."""
        wanted = self.wanted[document.path].setdefault(document.line_start, Wanted(document.key))
        wanted.edges.setdefault(kind, []).append(target)


def repaired(look: Look, last_changes: LastChanges, may_change: Scope, *, most_bytes: int, order: bool) -> Repairs:
    """Repair what findings that count are about, then the order of keys where that is wanted; nothing is written.

    `most_bytes` is the size of the largest file that is read.
    """
    files: dict[str, bytes] = {}
    done: list[Repair] = []
    left: tuple[Repair, ...] = ()
    for _ in range(MOST_ROUNDS):
        seen = look(files)
        found = made(seen, planned(seen, last_changes, may_change), most_bytes)
        files.update(found.files)
        done += found.done
        left = found.left
        if not found.files:
            break
    if order:
        seen = look(files)
        found = made(seen, ordering(seen, may_change), most_bytes)
        return Repairs({**files, **found.files}, (*done, *found.done), (*left, *found.left))
    return Repairs(files, tuple(done), left)


def made(seen: Seen, plan: Plan, most_bytes: int) -> Repairs:
    """The files of a plan, repaired."""
    files: dict[str, bytes] = {}
    done: list[Repair] = []
    left = list(plan.left)
    for path in sorted({*plan.wanted, *plan.unquoted}):
        data = seen.survey.files.data(path)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            left.append(Repair(path, Note(1, "the file", "it is not UTF-8")))
            continue
        found = fixed(path, text, plan.wanted.get(path, {}), plan.unquoted.get(path, ()))
        left += (Repair(path, note) for note in found.left)
        if len(found.text.encode()) > most_bytes:
            left += (Repair(path, Note(note.line, note.what, TOO_LARGE)) for note in found.done)
        elif found.done:
            files[path] = found.text.encode()
            done += (Repair(path, note) for note in found.done)
    return Repairs(files, tuple(done), tuple(left))


def planned(seen: Seen, last_changes: LastChanges, may_change: Scope) -> Plan:
    """What the findings of a brain ask for."""
    plan = Plan()
    by_check: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings_of(seen.brain, seen.survey, REPAIRED):
        if finding.fingerprint in seen.counted:
            by_check[finding.check].append(finding)
    for check in UNREAD:
        for finding in by_check[check]:
            plan.unquoted[finding.path].append(finding.span.line)
    plan_dates(plan, seen, by_check[MISSING], last_changes)
    plan_inverses(plan, seen, by_check[EDGE_INVERSE], may_change)
    return plan


def plan_dates(plan: Plan, seen: Seen, findings: Sequence[Finding], last_changes: LastChanges) -> None:
    """Give records without a date that of their last change."""
    lines: dict[str, set[int]] = defaultdict(set)
    for finding in findings:
        if finding.message.endswith(f" {shown(UPDATED_AT)}"):
            lines[finding.path].add(finding.span.line)
    undated = {path: list(undated_in(seen, path, sorted(stated))) for path, stated in lines.items()}
    instants = last_changes(list(undated)) if undated else {}
    for path, found in undated.items():
        for document, fault in found:
            subject, line = document.id or path, document.line_start
            if fault.hint is None and path in instants:
                plan.wanted[path][line] = Wanted(subject, updated_at=instants[path])
            else:
                why = UNKNOWN_HISTORY if fault.hint is None else NEARLY
                plan.leave(path, line, f"{UPDATED_AT} of {shown(subject)}", why)


def undated_in(seen: Seen, path: str, lines: Sequence[int]) -> Iterator[tuple[Document, Fault]]:
    """The records of a file that must have a date and state none, as far as findings at some lines say so."""
    data = seen.survey.files.data(path)
    for declaration in read_declarations(path, "", data).declarations:
        document = declaration.document
        if bisect_left(lines, document.line_start) < bisect_right(lines, document.line_end):
            for fault in missing_field(declaration, seen.brain.constraints):
                if fault.key == UPDATED_AT:
                    yield document, fault


def plan_inverses(plan: Plan, seen: Seen, findings: Sequence[Finding], may_change: Scope) -> None:
    """Give the targets of edges the inverse ones."""
    counted = {(finding.path, finding.span, finding.message) for finding in findings}
    choice = InverseEdges(seen.brain)
    for found in unanswered(seen.brain, Places(seen.survey.files.text), counted):
        target, source = shown(found.edge.target), found.edge.source
        what = f"{shown(found.inverse)} of {target} to {shown(source)}"
        try:
            document = choice.stating(found)
            if not may_change(document.path):
                raise LeftAlone(NOT_NAMED.format(document.path))
        except LeftAlone as reason:
            plan.leave(found.document.path, found.line, what, str(reason))
            continue
        plan.add_edge(document, found.inverse, source)


def ordering(seen: Seen, may_change: Scope) -> Plan:
    """The records whose keys are to be put in order."""
    plan = Plan()
    forms = (Form.GRAPH, Form.MARKDOWN)
    found = (document for document in seen.brain.documents() if document.form in forms)
    for path in filter(may_change, dict.fromkeys(document.path for document in found)):
        for line, record_id in records_out_of_order(path, seen.survey.files.text(path)):
            plan.wanted[path][line] = Wanted(record_id, order=True)
    return plan
