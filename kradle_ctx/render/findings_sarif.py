"""A report of validation in the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from kradle_ctx import __version__
from kradle_ctx.model.findings import Confidence, Finding, Report, Severity, Span
from kradle_ctx.render.escape import escape_line
from kradle_ctx.render.finding_paths import repository_path
from kradle_ctx.render.findings_json import indented

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
PRECISIONS = {Confidence.HIGH: "very-high", Confidence.MEDIUM: "medium", Confidence.LOW: "low"}
"""How GitHub names the confidence of a rule."""

FINGERPRINT = "kradleCtx/v1"

BASE = "%SRCROOT%"
"""What paths are relative to; its address is left out, since it is another on every machine."""


def findings_sarif(report: Report) -> str:
    """One run with one result for each finding; those that are set aside or known say so."""
    return indented(log(report))


def log(report: Report) -> dict[str, Any]:
    """The log file."""
    found = [*report.findings, *report.known, *report.suppressed]
    rules = sorted({(finding.check, finding.name) for finding in found})
    places = {check: place for place, (check, _) in enumerate(rules)}
    compared = report.base is not None or bool(report.known)
    results = [result(report, finding, places, "new" if compared else None) for finding in report.findings]
    results += [result(report, finding, places, "unchanged") for finding in report.known]
    results += [result(report, finding, places, "new" if compared else None) for finding in report.suppressed]
    driver = {
        "name": "kradle-ctx",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [rule(check, name, found) for check, name in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {BASE: {"description": message("The top folder of the repository.")}},
        "invocations": [invocation(report)],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def rule(check: str, name: str, found: list[Finding]) -> dict[str, Any]:
    """A check that found something."""
    first = next(finding for finding in found if finding.check == check)
    words = name.replace("-", " ")
    return {
        "id": check,
        "name": "".join(part.capitalize() for part in name.split("-")),
        "shortDescription": {"text": words},
        "fullDescription": {"text": f"kradle-ctx validate, check {check}: {words}"},
        "help": {"text": f"docs/checks/{check}.md of kradle-ctx says what it finds, why, and how to mend it."},
        "defaultConfiguration": {"level": LEVELS[first.severity]},
        "properties": {"precision": PRECISIONS[first.confidence], "tags": ["ontology"]},
    }


def result(report: Report, finding: Finding, places: dict[str, int], state: str | None) -> dict[str, Any]:
    """One finding."""
    value: dict[str, Any] = {
        "ruleId": finding.check,
        "ruleIndex": places[finding.check],
        "level": LEVELS[finding.severity],
        "message": message(f"{finding.message}. Hint: {finding.hint}"),
        "locations": [location(report, finding.path, finding.span)],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {"confidence": finding.confidence.value},
    }
    if finding.record is not None:
        value["properties"]["record"] = finding.record
    if finding.related:
        value["relatedLocations"] = [
            {**location(report, other.path, other.span), "id": number, "message": message(other.message)}
            for number, other in enumerate(finding.related, start=1)
        ]
    if state is not None:
        value["baselineState"] = state
    if finding.suppressed is not None:
        value["suppressions"] = [{"kind": "inSource", "justification": escape_line(finding.suppressed)}]
    return value


def message(text: str) -> dict[str, str]:
    """A text for a person, without what is not to be printed, and without links (SARIF 2.1.0, 3.11.6)."""
    return {"text": escape_line(text).replace("](", "] (")}


def location(report: Report, path: str, span: Span) -> dict[str, Any]:
    """A place; a region ends after its last character, and is never empty."""
    region = {"startLine": span.line, "startColumn": span.column, "endLine": span.end_line}
    empty = (span.line, span.column) == (span.end_line, span.end_column)
    region["endColumn"] = span.end_column + empty
    uri = quote(repository_path(report, path), safe="/", errors="surrogateescape")
    return {"physicalLocation": {"artifactLocation": {"uri": uri, "uriBaseId": BASE}, "region": region}}


def invocation(report: Report) -> dict[str, Any]:
    """That the run ended well, and what it could not check."""
    notifications = [
        {
            "level": "warning",
            "message": message(f"{each.check} {each.name} was not checked: {each.reason}"),
            "associatedRule": {"id": each.check},
        }
        for each in report.not_run
    ]
    return {"executionSuccessful": True, **({"toolExecutionNotifications": notifications} if notifications else {})}
