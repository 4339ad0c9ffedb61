"""From checks and a brain to findings."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from kradle_ctx.checks import CHECKS, Check, Fault, invalid_ontology
from kradle_ctx.model.findings import Confidence, Finding, NotRun, Related, Severity
from kradle_ctx.suppressions import Suppression, reason_for
from kradle_ctx.validation.brain import IndexedBrain
from kradle_ctx.validation.hidden import HiddenValues, withheld
from kradle_ctx.validation.inspection import Placed, placed
from kradle_ctx.validation.places import Places
from kradle_ctx.validation.survey import Survey

OFF = "off"

FINGERPRINT_DIGITS = 32


def findings_of(brain: IndexedBrain, survey: Survey, checks: Sequence[Check] = CHECKS) -> list[Finding]:
    """All findings in the documents that are to be checked, in path and line order; suppressed ones say so."""
    asked = {check.id: check for check in checks if runs(check, brain)}
    places = Places(partial(text_of, survey))
    found = list(faults_of_files(brain, survey, asked))
    for check, fault in faults(brain, asked):
        found.append(finding(check, fault.where.path, placed(check, fault, places), fault))
    judged = suppressed(sorted(found, key=order), survey, brain)
    told = [judged_by_rules(each, brain) for each in withheld(judged, HiddenValues(survey))]
    told = with_fingerprints(told, brain.touched)
    if brain.is_cut:
        return [less_certain(each) if asked[each.check].of_absence else each for each in told]
    return told


def text_of(survey: Survey, path: str) -> str:
    """The text of a file, from where it is found soonest."""
    number = next(iter(survey.index.at_path(path)), None)
    if number is None:
        return survey.files.text(path)
    return survey.index.text(survey.index.outline(number)).decode(errors="replace")


def less_certain(found: Finding) -> Finding:
    """A finding that something is not there, as it is told where that may be what the grants do not show."""
    hint = f"it may also be what the grants do not show; {found.hint}"
    return replace(found, severity=Severity.INFO, confidence=Confidence.LOW, hint=hint)


def runs(check: Check, brain: IndexedBrain) -> bool:
    """Whether a check is made of a brain."""
    if check.needs_base and brain.base is None:
        return False
    return not is_off(check, brain) and not (check.needs_ontology and brain.ontology.faults)


def is_off(check: Check, brain: IndexedBrain) -> bool:
    """Whether the rules switch a check off; they cannot say that they need not be read."""
    return check.id != invalid_ontology.CHECK.id and brain.constraints.settings.get(check.id) == OFF


def not_run(brain: IndexedBrain, checks: Sequence[Check] = CHECKS) -> Iterator[NotRun]:
    """The checks that an ontology that does not parse makes impossible, and those that the rules switch off."""
    for check in checks:
        if check.needs_ontology and brain.ontology.faults:
            yield NotRun(check.id, check.name, f"since the ontology does not parse{place_of_fault(brain)}")
        elif is_off(check, brain):
            yield NotRun(check.id, check.name, "switched off in the ontology's rules")


def place_of_fault(brain: IndexedBrain) -> str:
    """Where the ontology does not parse, as far as it may be told."""
    faulty = next((file for file in brain.ontology_files if file.fault is not None), None)
    return f" ({faulty.path}:{max(1, faulty.line)})" if faulty is not None else ""


def faults_of_files(brain: IndexedBrain, survey: Survey, asked: Mapping[str, Check]) -> Iterator[Finding]:
    """What files say by themselves."""
    for path in brain.paths():
        for fault in survey.inspection_of(path).faults:
            check = asked.get(fault.check)
            if check is not None and check.of_file is not None and not brain.shows(path, fault.span.line):
                yield from (finding(check, path, told) for told in brain.told_of(path, fault))
            elif check is not None and brain.shows(path, fault.span.line) and holds(check, fault, path, brain, survey):
                yield finding(check, path, shown(fault, path, brain) if fault.related else fault)


def holds(check: Check, fault: Placed, path: str, brain: IndexedBrain, survey: Survey) -> bool:
    """Whether a fault of one declaration is one of its record: of a joined one, at the first if all have it."""
    if not (check.of_whole_record and brain.merges and fault.subject is not None):
        return True
    declared = brain.declaring(fault.subject)
    if len(declared) < 2:
        return True
    first = declared[0]
    if first.path != path or not first.line_start <= fault.span.line <= first.line_end:
        return False
    alike = (fault.check, fault.subject, fault.key)
    return all(
        any(
            (other.check, other.subject, other.key) == alike
            and document.line_start <= other.span.line <= document.line_end
            for other in survey.inspection_of(document.path).faults
        )
        for document in declared[1:]
    )


def shown(fault: Placed, path: str, brain: IndexedBrain) -> Placed:
    """A fault without the related places that may not be told of."""
    return replace(fault, related=tuple(other for other in fault.related if brain.shows(path, other[0].line)))


def faults(brain: IndexedBrain, asked: Mapping[str, Check]) -> Iterator[tuple[Check, Fault]]:
    """What follows from looking at other records, too."""
    of_document = [(check, check.of_document) for check in asked.values() if check.of_document is not None]
    for document in brain.documents():
        for check, look in of_document:
            for fault in look(document, brain):
                yield check, fault
    for check in asked.values():
        for fault in check.of_brain(brain) if check.of_brain is not None else ():
            yield check, fault


def finding(check: Check, path: str, fault: Placed, stated: Fault | None = None) -> Finding:
    """A finding, whose fingerprint is still what it is made from."""
    others = stated.related if stated is not None else ()
    paths = [other.where.path for other in others] if stated is not None else [path] * len(fault.related)
    related = zip(paths, fault.related, strict=True)
    subject = fault.subject or path
    return Finding(
        check.id,
        check.name,
        fault.severity or check.severity,
        fault.confidence or check.confidence,
        path,
        fault.span,
        fault.message,
        fault.hint or check.hint,
        "\0".join((check.id, subject, fault.key)),
        fault.subject if stated is None or stated.where.document is not None else None,
        tuple(Related(place, span, message) for place, (span, message) in related),
    )


def order(found: Finding) -> tuple[bytes, int, int, str, str]:
    """Path bytes, then lines and columns, then checks."""
    path = found.path.encode("utf-8", "surrogateescape")
    return path, found.span.line, found.span.column, found.check, found.fingerprint


def suppressed(found: Iterable[Finding], survey: Survey, brain: IndexedBrain) -> Iterator[Finding]:
    """Findings with the reasons for which they do not count."""
    path: str | None = None
    stated: Sequence[Suppression] = ()
    for each in found:
        if each.path != path:
            path, all_stated = each.path, survey.inspection_of(each.path).suppressions
            stated = [one for one in all_stated if brain.shows(each.path, one.stated)]
        yield replace(each, suppressed=reason_for(each.check, each.span.line, stated)) if stated else each


def judged_by_rules(found: Finding, brain: IndexedBrain) -> Finding:
    """A finding with the severity that the ontology's rules give it."""
    stated = brain.constraints.settings.get(found.check) if found.check != invalid_ontology.CHECK.id else None
    return replace(found, severity=Severity(stated)) if stated is not None else found


def with_fingerprints(found: Sequence[Finding], touched: Collection[str]) -> list[Finding]:
    """Findings with digests for fingerprints, of which no two are the same.

    Those that would be the same are numbered, in the files that a change touches last: there is what is new.
    """
    seen: Counter[str] = Counter()
    told = list(found)
    for place in sorted(range(len(told)), key=lambda place: told[place].path in touched):
        stated = told[place].fingerprint
        seen[stated] += 1
        named = stated if seen[stated] == 1 else f"{stated}\0{seen[stated]}"
        digest = hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT_DIGITS]
        told[place] = replace(told[place], fingerprint=digest)
    return told
