"""A report of validation as JSON."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from kradle_ctx.model.bundle import API_VERSION
from kradle_ctx.model.findings import EdgeChange, Finding, GoldenQuery, Impact, RecordChange, Related, Report, Span
from kradle_ctx.render.finding_paths import repository_path

KIND = "AgentMemoryValidationReport"


def findings_json(report: Report) -> str:
    """The report as a JSON document."""
    return indented(report_value(report))


def indented(value: Any) -> str:
    """A value as indented JSON that ends in LF; ASCII only, so that no terminal takes a text in it for a command.

    The same text as that of `json.dumps` with an indent, which takes four times as long for it.
    """
    return msgspec.json.format(json.dumps(value), indent=2) + "\n"


def report_value(report: Report) -> dict[str, Any]:
    """The report as a JSON value; it follows from commit, base and rules alone."""
    value: dict[str, Any] = {"apiVersion": API_VERSION, "kind": KIND}
    if report.commit is not None:
        value["commit"] = report.commit
    if report.base is not None:
        value["base"] = report.base
    value |= {
        "at": report.moment,
        "root": report.root,
        "ontology": {"origin": report.ontology, "digest": report.ontology_digest},
        "counts": {**report.counts(), "suppressed": len(report.suppressed), "known": len(report.known)},
        "files": report.files,
        "records": report.records,
        "findings": [finding_value(report, finding) for finding in report.findings],
        "suppressed": [finding_value(report, finding) for finding in report.suppressed],
        "known": [finding_value(report, finding) for finding in report.known],
        "notRun": [{"check": each.check, "name": each.name, "reason": each.reason} for each in report.not_run],
    }
    return value | ({"impact": impact_value(report.impact)} if report.impact is not None else {})


def finding_value(report: Report, finding: Finding) -> dict[str, Any]:
    """A finding; paths are those of the repository."""
    value: dict[str, Any] = {
        "check": finding.check,
        "name": finding.name,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "path": repository_path(report, finding.path),
        **span_value(finding.span),
        "message": finding.message,
        "hint": finding.hint,
        "fingerprint": finding.fingerprint,
    }
    if finding.record is not None:
        value["record"] = finding.record
    if finding.related:
        value["related"] = [related_value(report, other) for other in finding.related]
    if finding.suppressed is not None:
        value["reason"] = finding.suppressed
    return value


def span_value(span: Span) -> dict[str, int]:
    """A place in a file."""
    return {"line": span.line, "column": span.column, "endLine": span.end_line, "endColumn": span.end_column}


def related_value(report: Report, related: Related) -> dict[str, Any]:
    """Another place of a finding."""
    return {"path": repository_path(report, related.path), **span_value(related.span), "message": related.message}


def impact_value(impact: Impact) -> dict[str, Any]:
    """What agents will see differently."""
    return {
        "records": [record_value(each) for each in impact.records],
        "edges": [edge_value(each) for each in impact.edges],
        "moreRecords": impact.more_records,
        "moreEdges": impact.more_edges,
        "kinds": dict(impact.kinds),
        "repositories": list(impact.repositories),
        "goldenQueries": [query_value(each) for each in impact.golden_queries],
    }


def record_value(changed: RecordChange) -> dict[str, Any]:
    """A record that a change touches."""
    value = {"change": changed.change.value, "id": changed.id, "kind": changed.kind, "path": changed.path}
    return value | ({"was": changed.was} if changed.was is not None else {})


def edge_value(changed: EdgeChange) -> dict[str, str]:
    """An edge that a change adds or removes."""
    return {
        "change": changed.change.value,
        "source": changed.source,
        "kind": changed.kind,
        "target": changed.target,
    }


def query_value(query: GoldenQuery) -> dict[str, Any]:
    """A golden query that names what a change touches."""
    value = {"name": query.name, "path": query.path, "must": list(query.must), "mustNot": list(query.must_not)}
    return value | ({"removed": True} if query.removed else {})
