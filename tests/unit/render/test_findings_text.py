"""What a person reads of a report, in a terminal or in the log of a CI system."""

from __future__ import annotations

from hypothesis import given, settings
from msgspec.structs import replace

from kradle_ctx.model.findings import (
    Change,
    EdgeChange,
    GoldenQuery,
    Impact,
    NotRun,
    RecordChange,
    Related,
    Severity,
    Span,
)
from kradle_ctx.render.findings_text import findings_text, log_line
from tests.unit.render.log_commands import ELSEWHERE, command_in, hostile
from tests.unit.render.test_findings import FINDING, REPORT_OF_ONE


def test_a_report_is_told_in_full() -> None:
    found = replace(FINDING, message="`depends_on` leads to `service:b`")
    note = replace(found, severity=Severity.INFO, check="KB070", name="unowned", related=(), span=Span(1, 1, 1, 1))
    report = replace(
        REPORT_OF_ONE,
        root="brain",
        findings=(found, note),
        suppressed=(replace(found, suppressed="until the move is done"),),
        known=(found, found),
        not_run=(NotRun("KB013", "unknown-node-kind", "switched off"),),
    )

    assert findings_text(report).splitlines() == [
        "brain/graph/a b.yaml:3:5: error KB031 dangling-edge: `depends_on` leads to `service:b`",
        "    hint: correct the id",
        "    see brain/graph/c.yaml:7:1: here",
        "brain/graph/a b.yaml:1:1: info KB070 unowned: `depends_on` leads to `service:b`",
        "    hint: correct the id",
        "set aside: brain/graph/a b.yaml:3:5: KB031 dangling-edge, until the move is done",
        "not checked, switched off: KB013 unknown-node-kind",
        "1 error, 0 warnings, 1 note in 2 files, 3 records (1 set aside, 2 known)",
    ]


def test_findings_stand_in_the_order_in_which_they_are_given() -> None:
    later = replace(FINDING, severity=Severity.INFO, path="a.yaml", related=())
    lines = findings_text(replace(REPORT_OF_ONE, findings=(FINDING, later, FINDING))).splitlines()

    assert [line.split(":")[0] for line in lines if " KB031 " in line] == ["graph/a b.yaml", "a.yaml", "graph/a b.yaml"]


def test_of_a_large_change_fifty_records_and_fifty_edges_are_listed_and_the_rest_is_counted() -> None:
    impact = Impact(
        records=tuple(RecordChange(Change.ADDED, f"service:{n}", "Service", "a.yaml") for n in range(57)),
        edges=tuple(EdgeChange(Change.REMOVED, f"service:{n}", "depends_on", "service:0") for n in range(53)),
    )
    lines = findings_text(replace(REPORT_OF_ONE, findings=(), impact=impact)).splitlines()

    assert sum(line.startswith("    + added Service service:") for line in lines) == 50
    assert sum(line.startswith("    - service:") for line in lines) == 50
    assert lines[-2] == "    and 10 more"


def test_a_change_that_agents_do_not_notice_says_so() -> None:
    lines = findings_text(replace(REPORT_OF_ONE, findings=(), impact=Impact())).splitlines()

    assert lines[:2] == ["what agents will see differently:", "    no record and no edge"]


@settings(max_examples=200)
@given(hostile, hostile, hostile)
def test_no_line_commands_the_ci_system_that_shows_the_log(path: str, text: str, root: str) -> None:
    found = replace(FINDING, path=path, message=text, hint=text, related=(Related(text, Span(), text),))
    impact = Impact(
        records=(RecordChange(Change.RENAMED, text, text, path, text),),
        edges=(EdgeChange(Change.ADDED, text, text, text),),
        kinds={text: 1},
        repositories=(text,),
        golden_queries=(GoldenQuery(text, path, (text,), (text,)),),
    )
    report = replace(
        REPORT_OF_ONE,
        root=root,
        findings=(found,),
        suppressed=(replace(found, suppressed=text),),
        not_run=(NotRun("KB013", text, text),),
        impact=impact,
    )

    lines = findings_text(report).split("\n")
    assert len(lines) == 13
    assert [line for line in lines if command_in(line) is not None or ELSEWHERE.search(line)] == []


def test_what_would_begin_a_command_is_shown_by_its_code_point_and_nothing_else_is() -> None:
    assert log_line("::add-mask::a") == r"\u{3a}:add-mask::a"
    assert log_line("  ::add-mask::a") == r"  \u{3a}:add-mask::a"
    assert log_line("a ##[error]b ##vso[c]") == r"a \u{23}#[error]b \u{23}#vso[c]"
    assert log_line("###[error]") == r"#\u{23}#[error]"
    for text in ("std::a", ": a", "## [a](b)", "# a [b]", "#[a]", "a##"):
        assert log_line(text) == text
