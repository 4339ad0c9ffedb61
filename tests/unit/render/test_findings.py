"""Every form of a report can be read back by who reads it, whatever stands in the brain."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kradle_ctx.characters import has_unsafe
from kradle_ctx.model.findings import (
    Change,
    Confidence,
    EdgeChange,
    Finding,
    GoldenQuery,
    Impact,
    NotRun,
    RecordChange,
    Related,
    Report,
    Severity,
    Span,
)
from kradle_ctx.render.baseline import baseline_json
from kradle_ctx.render.findings import FORMATS
from tests.properties.examples import examples

HERE = Path(__file__).parent
SARIF = jsonschema.Draft202012Validator(json.loads((HERE / "sarif.schema.json").read_text()))
JUNIT = xmlschema.XMLSchema(HERE / "junit.xsd")
REPORT = jsonschema.Draft202012Validator(
    json.loads((HERE.parents[2] / "schemas" / "AgentMemoryValidationReport.schema.json").read_text())
)

HOSTILE = "a::error file=x::b, c: d\n]]> <!-- & \x1b[31m \u202e \ufffe \x00 \r\u2028[red]%0A"

FINDING = Finding(
    check="KB031",
    name="dangling-edge",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    path="graph/a b.yaml",
    span=Span(3, 5, 3, 9),
    message="`depends_on` leads to `service:b`, which no record declares",
    hint="correct the id",
    fingerprint="0" * 32,
    record="service:a",
    related=(Related("graph/c.yaml", Span(7, 1, 8, 2), "here"),),
)
REPORT_OF_ONE = Report(
    moment="2026-05-01T00:00:00Z",
    commit="1" * 40,
    base=None,
    root="",
    ontology="ontology/",
    ontology_digest="sha256:" + "2" * 64,
    files=2,
    records=3,
    findings=(FINDING,),
)
CLEAN = replace(REPORT_OF_ONE, findings=())

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from([HOSTILE, "x" * 3000, ""])
spans = st.builds(
    lambda line, column, lines, columns: Span(line, column, line + lines, columns + (0 if lines else column)),
    *[st.integers(1, 9_999), st.integers(1, 999), st.integers(0, 3), st.integers(1, 999)],
)
related = st.builds(Related, texts.filter(bool), spans, texts.filter(bool))


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    """A finding that says anything."""
    return Finding(
        check=draw(st.from_regex(r"KB0[0-7][0-9]", fullmatch=True)),
        name="some-check",
        severity=draw(st.sampled_from(Severity)),
        confidence=draw(st.sampled_from(Confidence)),
        path=draw(texts.filter(bool)),
        span=draw(spans),
        message=draw(texts.filter(bool)),
        hint=draw(texts.filter(bool)),
        fingerprint=draw(st.from_regex(r"[0-9a-f]{32}", fullmatch=True)),
        record=draw(st.none() | texts),
        related=tuple(draw(st.lists(related, max_size=3, unique=True))),
    )


many = st.lists(findings(), max_size=4).map(tuple)
reports = st.builds(
    lambda found, aside, known, texts, root, base: replace(
        REPORT_OF_ONE,
        findings=found,
        suppressed=tuple(replace(each, suppressed=texts) for each in aside),
        known=known,
        root=root,
        base=base,
        not_run=(NotRun("KB013", "unknown-node-kind", texts),),
    ),
    many,
    many,
    many,
    texts,
    st.sampled_from(["", ".company-brain"]),
    st.sampled_from([None, "3" * 40]),
)


few = settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A report takes long to draw, and each form goes through the same few functions."""


def github_commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """What the runner of GitHub Actions takes a log for: the rules of its own reader, written down anew."""
    found = []
    for line in text.split("\n"):
        if not line.lstrip().startswith("::"):
            continue
        head, _, data = line.lstrip()[2:].partition("::")
        name, _, stated = head.partition(" ")
        pairs = [part.partition("=") for part in stated.split(",") if part]
        values = {key: unescaped(value, "%25", "%0D", "%0A", "%3A", "%2C") for key, _, value in pairs}
        found.append((name, values, data))
    return [(name, stated, unescaped(data, "%25", "%0D", "%0A")) for name, stated, data in found]


def unescaped(text: str, *codes: str) -> str:
    """A text without the escapes of a workflow command."""
    signs = {"%25": "%", "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}
    return re.sub("|".join(codes), lambda found: signs[found.group()], text)


@few
@given(reports)
def test_sarif_fits_its_schema_with_one_result_for_each_finding(report: Report) -> None:
    value = json.loads(FORMATS["sarif"](report))
    results = value["runs"][0]["results"]

    SARIF.validate(value)
    assert len(results) == len(report.findings) + len(report.known) + len(report.suppressed)
    rules = value["runs"][0]["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in results)
    assert sum("suppressions" in result for result in results) == len(report.suppressed)


@few
@given(reports)
def test_junit_fits_its_schema_and_counts_what_is_in_it(report: Report) -> None:
    text = FORMATS["junit"](report)
    JUNIT.validate(text)
    suite = ElementTree.fromstring(text.encode())[0]

    cases = suite.findall("testcase")
    assert int(suite.attrib["tests"]) == len(cases)
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
    assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))
    failing = sum(finding.severity is not Severity.INFO for finding in report.findings)
    assert len(suite.findall("testcase/failure")) == failing


@few
@given(reports)
def test_github_reads_one_command_for_each_finding_and_nothing_else(report: Report) -> None:
    commands = github_commands(FORMATS["github"](report))
    ordered = sorted(report.findings, key=lambda finding: finding.severity.rank)

    assert [name for name, _, _ in commands] == [
        {"error": "error", "warning": "warning", "info": "notice"}[finding.severity] for finding in ordered
    ]
    for (_, stated, _), finding in zip(commands, ordered, strict=True):
        assert int(stated["line"]) == finding.span.line
        assert int(stated["endLine"]) >= int(stated["line"])
        assert ("col" in stated) is (finding.span.line == finding.span.end_line)


@few
@given(reports)
def test_gitlab_reads_one_entry_for_each_finding_that_counts(report: Report) -> None:
    entries = json.loads(FORMATS["gitlab"](report))

    assert [entry["fingerprint"] for entry in entries] == [finding.fingerprint for finding in report.findings]
    assert all(entry["location"]["lines"]["begin"] >= 1 for entry in entries)
    assert {entry["severity"] for entry in entries} <= {"info", "minor", "major"}


@few
@given(reports)
def test_json_fits_its_schema(report: Report) -> None:
    REPORT.validate(json.loads(FORMATS["json"](report)))


@few
@given(reports, st.sampled_from(sorted(FORMATS)))
def test_no_form_sends_a_control_character_to_a_terminal(report: Report, form: str) -> None:
    text = FORMATS[form](report)

    assert text.endswith("\n")
    assert not has_unsafe(text)
    assert text == FORMATS[form](report)


@few
@given(reports)
def test_a_person_reads_a_line_for_each_finding(report: Report) -> None:
    lines = FORMATS["text"](report).splitlines()
    numbers = [f":{finding.span.line}:{finding.span.column}: {finding.severity}" for finding in report.findings]

    headed = [line for line in lines if not line.startswith("    ")]
    assert all(number in line for number, line in zip(numbers, headed, strict=False))


@pytest.mark.parametrize("form", ["json", "sarif", "gitlab", "github", "junit", "text"])
def test_paths_are_those_of_the_repository(form: str) -> None:
    text = FORMATS[form](replace(REPORT_OF_ONE, root=".company-brain"))

    assert (".company-brain/graph/a%20b.yaml" if form == "sarif" else ".company-brain/graph/a b.yaml") in text


def test_a_clean_run_says_so_in_every_form() -> None:
    assert FORMATS["text"](CLEAN) == "0 errors, 0 warnings, 0 notes in 2 files, 3 records\n"
    assert json.loads(FORMATS["gitlab"](CLEAN)) == []
    assert json.loads(FORMATS["sarif"](CLEAN))["runs"][0]["results"] == []
    suite = ElementTree.fromstring(FORMATS["junit"](CLEAN).encode())[0]
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("1", "0")
    assert github_commands(FORMATS["github"](CLEAN)) == []


def test_what_is_known_is_unchanged_and_what_is_set_aside_says_why() -> None:
    aside = replace(FINDING, suppressed="comes with the next release")
    report = replace(REPORT_OF_ONE, known=(FINDING,), suppressed=(aside,))
    results = json.loads(FORMATS["sarif"](report))["runs"][0]["results"]

    assert [result["baselineState"] for result in results] == ["new", "unchanged", "new"]
    assert results[2]["suppressions"] == [{"kind": "inSource", "justification": "comes with the next release"}]
    assert "set aside: graph/a b.yaml:3:5: KB031 dangling-edge, comes with the next release" in FORMATS["text"](report)
    assert FORMATS["text"](report).endswith("(1 set aside, 1 known)\n")


def test_an_impact_is_told_by_its_signs() -> None:
    impact = Impact(
        records=(
            RecordChange(Change.ADDED, "service:b", "Service", "graph/b.yaml"),
            RecordChange(Change.RENAMED, "service:a", "Service", "graph/a.yaml", "Old name"),
        ),
        edges=(EdgeChange(Change.REMOVED, "service:a", "depends_on", "service:c"),),
        more_edges=7,
        kinds={"Service": 2},
        repositories=("repository:kradle",),
        golden_queries=(
            GoldenQuery("flaky", "evals/flaky.yaml", ("service:a",), ("service:b",)),
            GoldenQuery("gate", "evals/gate.yaml", ("service:a",), removed=True),
        ),
    )
    report = replace(CLEAN, base="3" * 40, impact=impact)
    lines = FORMATS["text"](report).splitlines()

    assert lines[1:] == [
        "    + added Service service:b",
        "    > renamed Service service:a (was Old name)",
        "    - service:a -depends_on-> service:c",
        "    and 7 more",
        "    kinds: Service 2",
        "    repositories: repository:kradle",
        "    golden query flaky (evals/flaky.yaml) names service:a, not service:b",
        "    removed golden query gate (evals/gate.yaml) names service:a",
        "0 errors, 0 warnings, 0 notes in 2 files, 3 records that the change touches",
    ]
    value: Mapping[str, Any] = json.loads(FORMATS["json"](report))
    REPORT.validate(value)
    assert value["impact"]["goldenQueries"][0]["mustNot"] == ["service:b"]
    assert value["impact"]["goldenQueries"][1]["removed"]
    assert (value["impact"]["moreRecords"], value["impact"]["moreEdges"]) == (0, 7)


def test_a_baseline_holds_what_counts_and_what_was_known() -> None:
    other = replace(FINDING, fingerprint="1" * 32)
    value = json.loads(baseline_json(replace(REPORT_OF_ONE, known=(other,))))

    assert [row["fingerprint"] for row in value["findings"]] == ["0" * 32, "1" * 32]
