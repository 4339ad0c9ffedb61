"""A report of validation for a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.findings import Change, Finding, Impact, Report, Severity
from kradle_ctx.render.escape import escape_line, escaped
from kradle_ctx.render.finding_paths import repository_path

SIGNS = {
    Change.ADDED: "+",
    Change.REMOVED: "-",
    Change.RENAMED: ">",
    Change.EDITED: "~",
    Change.WITHHELD: "!",
    Change.RECLASSIFIED: "!",
}

COMMAND = lazy_expression(r"^(\s*):(?=:)|#(?=#\w*\[)")
"""Where a log could be taken for a command: `::` that begins a line, and `##[`, `##vso[` and the like anywhere in one.

GitHub's runner (actions/runner, ActionCommand.cs) obeys the first and `##[`, Azure Pipelines `##vso[`, TeamCity
`##teamcity[`.
"""

MOST_LISTED = 50
"""Records, and edges, of a change that are listed; JSON has more."""


def findings_text(report: Report) -> str:
    """A line or more for each finding, then what was set aside, what a change does, and the counts.

    Nothing is wrapped or coloured. What stands in the brain is escaped, and commands no CI system that shows the log.
    """
    lines = [line for finding in report.findings for line in finding_lines(report, finding)]
    lines += suppressed_lines(report)
    lines += not_checked(report)
    if report.impact is not None:
        lines += impact_lines(report.impact)
    return "".join(f"{log_line(line)}\n" for line in [*lines, summary(report)])


def log_line(text: str) -> str:
    """A line of a log: what is not to be printed is shown by code points, and so is what would begin a command."""
    return COMMAND.sub(command_shown, escape_line(text))


def command_shown(found: re.Match[str]) -> str:
    """What begins a command, with its first sign by its code point; the space before it stays."""
    space = found[1] or ""
    return space + escaped(found.group().removeprefix(space))


def not_checked(report: Report) -> Iterator[str]:
    """The checks that were not made, together where the reason is the same."""
    by_reason: dict[str, list[str]] = {}
    for each in report.not_run:
        by_reason.setdefault(each.reason, []).append(f"{each.check} {each.name}")
    for reason, checks in by_reason.items():
        yield f"not checked, {reason}: {', '.join(checks)}"


def finding_lines(report: Report, finding: Finding) -> Iterator[str]:
    """A finding, what to do, and the other places that belong to it."""
    yield f"{place(report, finding)}: {finding.severity.value} {finding.check} {finding.name}: {finding.message}"
    yield f"    hint: {finding.hint}"
    for other in finding.related:
        span = other.span
        yield f"    see {repository_path(report, other.path)}:{span.line}:{span.column}: {other.message}"


def place(report: Report, finding: Finding) -> str:
    """`path:line:column`, which terminals and editors make a link of."""
    return f"{repository_path(report, finding.path)}:{finding.span.line}:{finding.span.column}"


def suppressed_lines(report: Report) -> Iterator[str]:
    """What the files set aside, with the reasons."""
    for finding in report.suppressed:
        yield f"set aside: {place(report, finding)}: {finding.check} {finding.name}, {finding.suppressed}"


def impact_lines(impact: Impact) -> Iterator[str]:
    """What agents will see differently."""
    yield "what agents will see differently:"
    if not (impact.records or impact.edges):
        yield "    no record and no edge"
    for record in impact.records[:MOST_LISTED]:
        was = f" (was {record.was})" if record.was is not None else ""
        yield f"    {SIGNS[record.change]} {record.change.value} {record.kind} {record.id}{was}"
    for edge in impact.edges[:MOST_LISTED]:
        yield f"    {SIGNS[edge.change]} {edge.source} -{edge.kind}-> {edge.target}"
    rest = impact.more_records + impact.more_edges
    rest += max(0, len(impact.records) - MOST_LISTED) + max(0, len(impact.edges) - MOST_LISTED)
    if rest:
        yield f"    and {rest} more"
    if impact.kinds:
        yield f"    kinds: {', '.join(f'{kind} {number}' for kind, number in impact.kinds.items())}"
    if impact.repositories:
        yield f"    repositories: {', '.join(impact.repositories)}"
    for query in impact.golden_queries:
        named = [*query.must, *(f"not {name}" for name in query.must_not)]
        what = "removed golden query" if query.removed else "golden query"
        yield f"    {what} {query.name} ({query.path}) names {', '.join(named)}"


def summary(report: Report) -> str:
    """The counts, in one line."""
    found = Counter(finding.severity for finding in report.findings)
    parts = [
        counted(found[Severity.ERROR], "error"),
        counted(found[Severity.WARNING], "warning"),
        counted(found[Severity.INFO], "note"),
    ]
    apart = ((report.suppressed, "set aside"), (report.known, "known"))
    aside = [f"{len(chosen)} {word}" for chosen, word in apart if chosen]
    looked_at = f"{counted(report.files, 'file')}, {counted(report.records, 'record')}"
    scope = " that the change touches" if report.base is not None else ""
    beside = f" ({', '.join(aside)})" if aside else ""
    return f"{', '.join(parts)} in {looked_at}{scope}{beside}"


def counted(number: int, word: str) -> str:
    """A number of things."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
