"""The ontology report: what validation finds in what the grants show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kradle_ctx.model.findings import Report, Severity
from kradle_ctx.model.versions import CHECKS_VERSION, INDEXER_VERSION, RULES_VERSION
from kradle_ctx.render.findings_json import finding_value


def ontology_report(head: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """The document; `head` are the fields that all derived files begin with, `report` has passed the redactor."""
    found = {severity.value: sum(each.severity is severity for each in report.findings) for severity in Severity}
    return {
        "apiVersion": head["apiVersion"],
        "kind": "AgentMemoryOntologyReport",
        **{name: value for name, value in head.items() if name != "apiVersion"},
        "versions": {"checks": CHECKS_VERSION, "indexer": INDEXER_VERSION, "rules": RULES_VERSION},
        "ontology": report.ontology,
        "counts": {**found, "suppressed": len(report.suppressed)},
        "records": report.records,
        "findings": [finding_value(report, finding) for finding in report.findings],
        "suppressed": [finding_value(report, finding) for finding in report.suppressed],
        "notRun": [{"check": each.check, "name": each.name, "reason": each.reason} for each in report.not_run],
    }
