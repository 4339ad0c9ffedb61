"""Workflow commands of GitHub Actions: the runner reads what was found, and no command that stands in the brain."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.model.findings import NotRun, Severity, Span
from kradle_ctx.render.escape import escape_line
from kradle_ctx.render.findings_github import findings_github
from tests.unit.render.log_commands import command_in, hostile
from tests.unit.render.test_findings import FINDING, REPORT_OF_ONE


@settings(max_examples=200)
@given(path=hostile.filter(bool), message=hostile, hint=hostile)
def test_the_runner_reads_back_what_was_found(path: str, message: str, hint: str) -> None:
    found = replace(FINDING, path=path, message=message, hint=hint, related=())
    line, summary, rest = findings_github(replace(REPORT_OF_ONE, findings=(found,))).split("\n")

    read = command_in(line)
    assert read is not None
    name, properties, data = read
    assert name == "error"
    assert properties == {
        "file": "\n".join(map(escape_line, path.split("\n"))),
        "line": "3",
        "endLine": "3",
        "col": "5",
        "endColumn": "9",
        "title": "KB031 dangling-edge",
    }
    assert data == "\n".join(map(escape_line, f"{message}\nhint: {hint}".split("\n")))
    assert command_in(summary) is None
    assert rest == ""


@settings(max_examples=200)
@given(path=hostile, reason=hostile, root=hostile)
def test_what_is_told_beside_the_findings_commands_nothing(path: str, reason: str, root: str) -> None:
    aside = replace(FINDING, path=path, suppressed=reason)
    not_run = (NotRun("KB013", "unknown-node-kind", reason),)
    text = findings_github(replace(REPORT_OF_ONE, root=root, findings=(), suppressed=(aside,), not_run=not_run))

    assert len(text.splitlines()) == 3
    assert [command_in(line) for line in text.splitlines()] == [None, None, None]


def test_the_heaviest_come_first_since_github_shows_ten_of_a_kind() -> None:
    severities = [Severity.INFO, Severity.WARNING, Severity.ERROR, Severity.WARNING, Severity.ERROR]
    found = tuple(
        replace(FINDING, severity=each, span=Span(line, 1, line, 2)) for line, each in enumerate(severities, start=1)
    )
    lines = findings_github(replace(REPORT_OF_ONE, findings=found)).splitlines()

    read = [command_in(line) for line in lines]
    assert [(each[0], each[1]["line"]) for each in read if each is not None] == [
        ("error", "3"),
        ("error", "5"),
        ("warning", "2"),
        ("warning", "4"),
        ("notice", "1"),
    ]
    assert lines[-1] == "2 errors, 2 warnings, 1 note in 2 files, 3 records"


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2), st.integers(1, 9))
def test_lines_and_columns_are_such_that_the_runner_drops_none(line: int, column: int, lines: int, end: int) -> None:
    found = replace(FINDING, span=Span(line, column, line + lines, end))
    read = command_in(findings_github(replace(REPORT_OF_ONE, findings=(found,))).splitlines()[0])

    assert read is not None
    stated = {name: int(value) for name, value in read[1].items() if value.isdecimal()}
    assert stated["endLine"] == line + lines
    if lines:
        assert not {"col", "endColumn"} & set(stated)
    else:
        assert stated["col"] == column <= stated["endColumn"]
