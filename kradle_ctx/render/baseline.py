"""The findings of a report as a file that later runs take as known."""

from __future__ import annotations

import json

from kradle_ctx.model.bundle import API_VERSION
from kradle_ctx.model.findings import Report

KIND = "AgentMemoryValidationBaseline"


def baseline_json(report: Report) -> str:
    """All findings that count, and those that were known before, by their fingerprints; the rest is for its readers."""
    found = sorted((*report.findings, *report.known), key=lambda finding: (finding.path, finding.fingerprint))
    rows = [
        {"fingerprint": each.fingerprint, "check": each.check, "path": each.path, "message": each.message}
        for each in found
    ]
    value = {"apiVersion": API_VERSION, "kind": KIND, "findings": rows}
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"
