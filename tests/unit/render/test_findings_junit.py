"""The report that nearly every CI system shows as tests."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.model.findings import NotRun, Report, Severity
from kradle_ctx.render.findings_junit import findings_junit
from tests.unit.render.test_findings import CLEAN, FINDING, REPORT_OF_ONE


def suite_of(report: Report) -> ElementTree.Element:
    """The only suite."""
    (suite,) = ElementTree.fromstring(findings_junit(report).encode())
    return suite


def test_a_finding_is_a_failed_case_of_its_file() -> None:
    (case,) = suite_of(replace(REPORT_OF_ONE, root="brain")).findall("testcase")

    assert case.get("classname") == "brain/graph/a b.yaml"
    assert case.get("name") == "KB031 dangling-edge service:a (line 3)"
    (failure,) = case
    assert failure.tag == "failure"
    assert failure.get("type") == "KB031 error"
    assert failure.get("message") == "`depends_on` leads to `service:b`, which no record declares"
    assert (failure.text or "").split("\n") == [
        "brain/graph/a b.yaml:3:5: `depends_on` leads to `service:b`, which no record declares",
        "hint: correct the id",
        "fingerprint: 00000000000000000000000000000000",
        "see brain/graph/c.yaml:7:1: here",
    ]


def test_what_need_not_be_looked_at_is_skipped_with_its_reason() -> None:
    report = replace(
        REPORT_OF_ONE,
        findings=(replace(FINDING, severity=Severity.INFO), replace(FINDING, severity=Severity.WARNING)),
        known=(FINDING,),
        suppressed=(replace(FINDING, suppressed="until June"),),
    )
    suite = suite_of(report)

    assert [case[0].tag for case in suite.findall("testcase")] == ["failure", "skipped", "skipped", "skipped"]
    assert [skipped.get("message") for skipped in suite.findall("testcase/skipped")] == [
        "`depends_on` leads to `service:b`, which no record declares",
        "known: it stands in the baseline",
        "set aside: until June",
    ]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4",
        "failures": "1",
        "errors": "0",
        "skipped": "3",
    }


def test_a_clean_run_is_one_case_that_passed() -> None:
    (case,) = suite_of(CLEAN).findall("testcase")

    assert list(case) == []


def test_what_was_not_checked_stands_in_the_output() -> None:
    suite = suite_of(replace(CLEAN, not_run=(NotRun("KB013", "unknown-node-kind", "switched off"),)))

    assert suite.findtext("system-out") == (
        "not checked, switched off: KB013 unknown-node-kind\n0 errors, 0 warnings, 0 notes in 2 files, 3 records"
    )


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("]]> <!-- &amp; <![CDATA[ \x00\x0b\x85\u2028\ufffe\uffff\r\n")
def test_any_text_gives_xml_that_a_parser_reads(text: str) -> None:
    found = replace(FINDING, path=text, message=text, hint=text, record=text, related=())
    report = replace(REPORT_OF_ONE, root=text, findings=(found,), suppressed=(replace(found, suppressed=text),))
    suite = suite_of(report)

    assert [case[0].tag for case in suite.findall("testcase")] == ["failure", "skipped"]
    assert (suite.findtext("testcase/failure") or "").count("\n") == 2
