"""What validation says of a brain, as context for an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kradle_ctx.digest import digest_text
from kradle_ctx.model.findings import Finding, Report
from kradle_ctx.render.escape import escape_line
from kradle_ctx.render.fence import fenced

VALIDATION_HEADING = "### Validation"


def validation_entry(report: Report, room: int) -> dict[str, Any]:
    """`memory.validation`: a report's counts, and as many of its findings, the heaviest first, as fit some bytes."""
    found = sorted(report.findings, key=lambda finding: finding.severity.rank)
    entry: dict[str, Any] = {
        "counts": report.counts(),
        "suppressed": len(report.suppressed),
        "notRun": [{"check": each.check, "reason": each.reason} for each in report.not_run],
        "findings": [],
        "omitted": len(found),
    }
    used = size_of(entry)
    for finding in found:
        row = finding_row(finding)
        used += len(finding_line(row).encode()) + 1
        if used > room:
            break
        entry["findings"].append(row)
        entry["omitted"] -= 1
    return entry


def finding_row(finding: Finding) -> dict[str, Any]:
    """A finding as it stands in a bundle."""
    row: dict[str, Any] = {
        "check": finding.check,
        "name": finding.name,
        "severity": finding.severity.value,
        "path": finding.path,
        "line": finding.span.line,
        "column": finding.span.column,
        "message": finding.message,
        "hint": finding.hint,
    }
    return row | ({"record": finding.record} if finding.record is not None else {})


def finding_line(row: Mapping[str, Any]) -> str:
    """A finding for reading, on one line."""
    place = f"{row['path']}:{row['line']}:{row['column']}"
    return escape_line(f"{place}: {row['severity']} {row['check']} {row['name']}: {row['message']}")


def validation_lines(entry: Mapping[str, Any]) -> list[str]:
    """The part of a prompt section: counts, and the findings inside a fence, since they repeat what the brain says."""
    told = counts_in_words(entry)
    lines = ["", VALIDATION_HEADING, f"- {told}"]
    if entry["suppressed"]:
        lines.append(f"  set aside in the files: {entry['suppressed']}")
    if entry["omitted"]:
        lines.append(f"  not listed: {entry['omitted']}")
    lines += [f"  not checked: {escape_line(each['check'])}, {escape_line(each['reason'])}" for each in entry["notRun"]]
    text = "".join(f"{finding_line(row)}\n" for row in entry["findings"])
    return [*lines, *fenced(text, digest_text(text))] if text else lines


def counts_in_words(entry: Mapping[str, Any]) -> str:
    """How many findings there are of each severity."""
    words = {"error": "error", "warning": "warning", "info": "note"}
    counted = ((entry["counts"][severity], word) for severity, word in words.items())
    return ", ".join(f"{number} {word}{'' if number == 1 else 's'}" for number, word in counted)


def size_of(entry: Mapping[str, Any]) -> int:
    """UTF-8 bytes of the part of a prompt section."""
    return sum(len(line.encode()) + 1 for line in validation_lines(entry))
