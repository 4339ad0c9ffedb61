"""A report of validation as workflow commands of GitHub Actions, which show as annotations of the change.

The escapes are those of the toolkit (actions/toolkit, packages/core/src/command.ts). GitHub shows ten errors, ten
warnings and ten notices of a step, and fifty of a job (docs/problem-matchers.md there), so the heaviest findings come
first; the log has all.
"""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.model.findings import Finding, Report, Severity
from kradle_ctx.render.escape import escape_line
from kradle_ctx.render.finding_paths import repository_path
from kradle_ctx.render.findings_text import impact_lines, log_line, not_checked, summary

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}

OF_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
OF_PROPERTY = OF_DATA | str.maketrans({":": "%3A", ",": "%2C"})


def findings_github(report: Report) -> str:
    """A command for each finding, then a line for each that was set aside or not checked, and the counts."""
    found = sorted(report.findings, key=lambda finding: finding.severity.rank)
    lines = [command(report, finding) for finding in found]
    lines += map(log_line, told_lines(report))
    return "".join(f"{line}\n" for line in lines)


def told_lines(report: Report) -> Iterator[str]:
    """What stands in the log alone."""
    for finding in report.suppressed:
        path = repository_path(report, finding.path)
        yield f"set aside: {path}:{finding.span.line}: {finding.check}, {finding.suppressed}"
    yield from not_checked(report)
    if report.impact is not None:
        yield from impact_lines(report.impact)
    yield summary(report)


def command(report: Report, finding: Finding) -> str:
    """One finding; columns count only where it begins and ends on one line."""
    span = finding.span
    properties = {"file": repository_path(report, finding.path), "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        properties |= {"col": str(span.column), "endColumn": str(max(span.column, span.end_column))}
    properties["title"] = f"{finding.check} {finding.name}"
    stated = ",".join(f"{name}={escaped(value, OF_PROPERTY)}" for name, value in properties.items())
    text = "\n".join([finding.message, f"hint: {finding.hint}", *related_lines(report, finding)])
    return f"::{COMMANDS[finding.severity]} {stated}::{escaped(text, OF_DATA)}"


def related_lines(report: Report, finding: Finding) -> list[str]:
    """The other places that belong to a finding."""
    return [
        f"see {repository_path(report, other.path)}:{other.span.line}: {other.message}" for other in finding.related
    ]


def escaped(text: str, signs: dict[int, str]) -> str:
    """A text as a part of a command: lines stay, all that is not to be printed is shown escaped."""
    return "\n".join(map(escape_line, text.split("\n"))).translate(signs)
