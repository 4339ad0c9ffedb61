"""The report that GitLab shows in merge requests."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from kradle_ctx.model.findings import Severity
from kradle_ctx.render.findings_gitlab import findings_gitlab
from tests.unit.render.test_findings import FINDING, REPORT_OF_ONE


def test_an_entry_has_what_gitlab_asks_for_and_the_columns() -> None:
    report = replace(REPORT_OF_ONE, root="brain", suppressed=(replace(FINDING, suppressed="x"),), known=(FINDING,))

    assert json.loads(findings_gitlab(report)) == [
        {
            "description": "`depends_on` leads to `service:b`, which no record declares (correct the id)",
            "check_name": "KB031 dangling-edge",
            "fingerprint": "0" * 32,
            "severity": "major",
            "location": {
                "path": "brain/graph/a b.yaml",
                "lines": {"begin": 3, "end": 3},
                "positions": {"begin": {"line": 3, "column": 5}, "end": {"line": 3, "column": 9}},
            },
        }
    ]


@pytest.mark.parametrize(
    ("severity", "word"), [(Severity.ERROR, "major"), (Severity.WARNING, "minor"), (Severity.INFO, "info")]
)
def test_severities_are_those_of_gitlab(severity: Severity, word: str) -> None:
    report = replace(REPORT_OF_ONE, findings=(replace(FINDING, severity=severity),))

    assert [entry["severity"] for entry in json.loads(findings_gitlab(report))] == [word]


def test_hidden_characters_are_shown_to_who_reads_the_merge_request() -> None:
    report = replace(REPORT_OF_ONE, findings=(replace(FINDING, message="a\u202eb\x1b[31mc\nd"),))

    assert json.loads(findings_gitlab(report))[0]["description"] == r"a\u{202e}b\u{1b}[31mc\nd (correct the id)"
