"""The report that programs read."""

from __future__ import annotations

import json

from msgspec.structs import replace

from kradle_ctx.model.findings import Impact, NotRun
from kradle_ctx.render.findings_json import findings_json, report_value
from tests.unit.render.test_findings import CLEAN, FINDING, REPORT_OF_ONE


def test_a_finding_has_these_fields() -> None:
    value = report_value(replace(REPORT_OF_ONE, root="brain", suppressed=(replace(FINDING, suppressed="why"),)))

    (found,), (aside,) = value["findings"], value["suppressed"]
    assert found == {
        "check": "KB031",
        "name": "dangling-edge",
        "severity": "error",
        "confidence": "high",
        "path": "brain/graph/a b.yaml",
        "line": 3,
        "column": 5,
        "endLine": 3,
        "endColumn": 9,
        "message": "`depends_on` leads to `service:b`, which no record declares",
        "hint": "correct the id",
        "fingerprint": "0" * 32,
        "record": "service:a",
        "related": [
            {"path": "brain/graph/c.yaml", "line": 7, "column": 1, "endLine": 8, "endColumn": 2, "message": "here"}
        ],
    }
    assert aside == {**found, "reason": "why"}


def test_a_report_has_these_fields_and_leaves_out_what_there_is_not() -> None:
    always = {
        "apiVersion",
        "kind",
        "at",
        "root",
        "ontology",
        "counts",
        "files",
        "records",
        "findings",
        "suppressed",
        "known",
        "notRun",
    }
    assert set(report_value(replace(CLEAN, commit=None))) == always
    assert set(report_value(replace(CLEAN, base="3" * 40, impact=Impact()))) == always | {"commit", "base", "impact"}
    assert report_value(replace(CLEAN, not_run=(NotRun("KB013", "unknown-node-kind", "off"),)))["notRun"] == [
        {"check": "KB013", "name": "unknown-node-kind", "reason": "off"}
    ]


def test_the_text_is_the_value_in_ascii_on_lines_of_its_own() -> None:
    report = replace(REPORT_OF_ONE, findings=(replace(FINDING, message="ü\u202e\x1b"),))
    text = findings_json(report)

    assert text.isascii()
    assert text.endswith("}\n")
    assert json.loads(text) == report_value(report)
    assert text == json.dumps(report_value(report), indent=2) + "\n"
    assert json.loads(text)["findings"][0]["message"] == "ü\u202e\x1b"
