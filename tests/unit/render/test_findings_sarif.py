"""SARIF 2.1.0 as its standard and GitHub's code scanning ask for it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx import __version__
from kradle_ctx.model.findings import Confidence, NotRun, Report, Severity, Span
from kradle_ctx.render.findings_sarif import findings_sarif
from tests.unit.render.test_findings import CLEAN, FINDING, REPORT_OF_ONE


def run_of(report: Report) -> Any:
    """The only run of a log."""
    (run,) = json.loads(findings_sarif(report))["runs"]
    return run


def test_a_result_says_all_of_a_finding() -> None:
    (result,) = run_of(replace(REPORT_OF_ONE, root="brain"))["results"]

    place = {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9}
    other = {"startLine": 7, "startColumn": 1, "endLine": 8, "endColumn": 2}
    assert result == {
        "ruleId": "KB031",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "`depends_on` leads to `service:b`, which no record declares. Hint: correct the id"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "brain/graph/a%20b.yaml", "uriBaseId": "%SRCROOT%"},
                    "region": place,
                }
            }
        ],
        "relatedLocations": [
            {
                "id": 1,
                "message": {"text": "here"},
                "physicalLocation": {
                    "artifactLocation": {"uri": "brain/graph/c.yaml", "uriBaseId": "%SRCROOT%"},
                    "region": other,
                },
            }
        ],
        "partialFingerprints": {"kradleCtx/v1": "0" * 32},
        "properties": {"confidence": "high", "record": "service:a"},
    }


def test_the_rules_are_those_of_the_checks_that_found_something_by_id() -> None:
    note = replace(FINDING, check="KB070", name="unowned", severity=Severity.INFO, confidence=Confidence.LOW)
    aside = replace(FINDING, check="KB002", name="invalid-yaml", suppressed="why")
    run = run_of(replace(REPORT_OF_ONE, findings=(note, FINDING), suppressed=(aside,)))

    rules = run["tool"]["driver"]["rules"]
    assert [(rule["id"], rule["name"], rule["defaultConfiguration"]["level"]) for rule in rules] == [
        ("KB002", "InvalidYaml", "error"),
        ("KB031", "DanglingEdge", "error"),
        ("KB070", "Unowned", "note"),
    ]
    assert [result["ruleIndex"] for result in run["results"]] == [2, 1, 0]
    asked_by_github = ("shortDescription", "fullDescription", "help")
    assert all(rule[field]["text"] for rule in rules for field in asked_by_github)


def test_a_rule_says_the_same_whatever_was_found() -> None:
    one, other = (
        run_of(replace(REPORT_OF_ONE, findings=(replace(FINDING, message=text, hint=text),)))["tool"]
        for text in ("a", "b")
    )
    assert one == other


def test_the_tool_names_itself_and_its_version() -> None:
    run = run_of(CLEAN)

    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"], driver["rules"]) == ("kradle-ctx", __version__, [])
    assert run["columnKind"] == "unicodeCodePoints"
    assert "uri" not in run["originalUriBaseIds"]["%SRCROOT%"]


def test_all_results_have_a_baseline_state_or_none_has() -> None:
    aside = replace(FINDING, suppressed="why")
    alone = replace(REPORT_OF_ONE, suppressed=(aside,))

    def states(report: Report) -> list[str | None]:
        return [result.get("baselineState") for result in run_of(report)["results"]]

    assert states(alone) == [None, None]
    assert states(replace(alone, base="3" * 40)) == ["new", "new"]
    assert states(replace(alone, known=(FINDING,))) == ["new", "unchanged", "new"]


def test_a_check_that_was_not_made_is_a_notification_of_a_run_that_went_well() -> None:
    (invocation,) = run_of(replace(CLEAN, not_run=(NotRun("KB013", "unknown-node-kind", "off\n"),)))["invocations"]

    assert invocation == {
        "executionSuccessful": True,
        "toolExecutionNotifications": [
            {
                "level": "warning",
                "message": {"text": r"KB013 unknown-node-kind was not checked: off\n"},
                "associatedRule": {"id": "KB013"},
            }
        ],
    }
    assert run_of(CLEAN)["invocations"] == [{"executionSuccessful": True}]


def test_a_text_of_the_brain_hides_nothing_and_is_no_link() -> None:
    found = replace(FINDING, message="a\u202eb [c](https://example.invalid) [d](1)", suppressed="\x1b[31m")
    (result,) = run_of(replace(CLEAN, suppressed=(found,)))["results"]

    text = result["message"]["text"]
    assert text == r"a\u{202e}b [c] (https://example.invalid) [d] (1). Hint: correct the id"
    assert result["suppressions"] == [{"kind": "inSource", "justification": r"\u{1b}[31m"}]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_a_path_is_read_back_from_its_uri(path: str) -> None:
    (result,) = run_of(replace(REPORT_OF_ONE, findings=(replace(FINDING, path=path, related=()),)))["results"]

    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not set(uri) & set(':?#[]@ "<>\\^`{|}')
    assert unquote(uri) == path


def test_a_region_is_never_empty() -> None:
    (result,) = run_of(replace(REPORT_OF_ONE, findings=(replace(FINDING, span=Span(2, 4, 2, 4), related=()),)))[
        "results"
    ]

    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 4, "endLine": 2, "endColumn": 5}
