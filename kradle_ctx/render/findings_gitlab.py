"""A report of validation as a GitLab Code Quality report, which shows in merge requests.

The form is that of https://docs.gitlab.com/ci/testing/code_quality/ ("Code Quality report format"). GitLab takes the
line from `lines`; `positions` says the columns to whoever reads more of the form that it comes from.
"""

from __future__ import annotations

from typing import Any

from kradle_ctx.model.findings import Finding, Report, Severity
from kradle_ctx.render.escape import escape_line
from kradle_ctx.render.finding_paths import repository_path
from kradle_ctx.render.findings_json import indented

SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def findings_gitlab(report: Report) -> str:
    """The findings that count; GitLab compares fingerprints with those of the target branch by itself."""
    return indented([entry(report, finding) for finding in report.findings])


def entry(report: Report, finding: Finding) -> dict[str, Any]:
    """One finding."""
    span = finding.span
    return {
        "description": escape_line(f"{finding.message} ({finding.hint})"),
        "check_name": f"{finding.check} {finding.name}",
        "fingerprint": finding.fingerprint,
        "severity": SEVERITIES[finding.severity],
        "location": {
            "path": repository_path(report, finding.path),
            "lines": {"begin": span.line, "end": span.end_line},
            "positions": {
                "begin": {"line": span.line, "column": span.column},
                "end": {"line": span.end_line, "column": span.end_column},
            },
        },
    }
