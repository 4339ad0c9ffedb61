"""Findings in ontologies: what is told of them, and what hostile ones may cost."""

from __future__ import annotations

import pytest

from kradle_ctx.checks.inconsistent_ontology import MOST_FAULTS
from kradle_ctx.model.findings import Finding, Severity
from tests.checks.examples import place, validated
from tests.fakes import Content

TEAM = "nodeKind: Team\nid: team:depot\n"
KINDS = "nodeKinds: [{name: Team, prefix: team}]\n"


def found_in(files: dict[str, Content], check: str, base: dict[str, Content] | None = None) -> list[Finding]:
    """The findings of a check in a brain with an ontology."""
    whole = {"graph/teams.yaml": TEAM}
    report = validated(whole | files, whole | base if base is not None else None)
    return [finding for finding in report.findings if finding.check == check]


def test_an_ontology_with_very_much_wrong_is_told_up_to_a_bound() -> None:
    lines = "".join(f"  - {{name: edge_{number}, aliasOf: gone_{number}}}\n" for number in range(MOST_FAULTS + 200))

    found = found_in({"ontology/kinds.yaml": KINDS + "edgeKinds:\n" + lines}, "KB006")

    assert len(found) == MOST_FAULTS
    assert len({finding.fingerprint for finding in found}) == MOST_FAULTS


@pytest.mark.parametrize("value", ["1" * 5_000, "-1", "'1 0'", "1.", "v01.2", "[1]", "{a: 1}", ".inf", "''", "~"])
def test_any_version_can_be_judged(value: str) -> None:
    found = found_in({"ontology/kinds.yaml": f"# Form.\nmetaSchemaVersion: {value}\n{KINDS}"}, "KB007")

    is_known = value in ("1.", "v01.2", "[1]", "{a: 1}", "~")
    assert [place(finding) for finding in found] == ([] if is_known else ["ontology/kinds.yaml:2:20"])


def test_lines_that_move_leave_findings_what_they_are() -> None:
    ontology = "edgeKinds:\n  - {name: needs, aliasOf: gone, source: [Nobody]}\nmetaSchemaVersion: 2.0.0\n"
    first = found_in({"ontology/kinds.yaml": KINDS + ontology}, "KB006")
    moved = found_in({"ontology/kinds.yaml": "# Kinds.\n\n" + KINDS + ontology}, "KB006")

    assert len(first) == 2
    assert [each.fingerprint for each in first] == [each.fingerprint for each in moved]
    assert [each.span.line + 2 for each in first] == [each.span.line for each in moved]


def test_a_finding_covers_the_word_that_is_wrong() -> None:
    found = found_in({"ontology/kinds.yaml": KINDS + "edgeKinds:\n  - name: needs\n    aliasOf: gone\n"}, "KB006")

    assert [(each.span.line, each.span.column, each.span.end_column) for each in found] == [(4, 14, 18)]


def test_no_text_of_an_ontology_is_repeated_with_control_characters_or_at_length() -> None:
    long = "gone" * 40
    edges = f'  - {{name: "a\\e[31m", aliasOf: "\\u202egone"}}\n  - {{name: b, aliasOf: {long}}}\n'

    found = found_in({"ontology/kinds.yaml": KINDS + "edgeKinds:\n" + edges}, "KB006")

    assert len(found) == 2
    assert all(each.message.isprintable() and long not in each.message for each in found)


def test_what_is_gone_is_named_up_to_a_few() -> None:
    kinds = "".join(f"  - {{name: Kind{number}}}\n" for number in range(8))
    base: dict[str, Content] = {"ontology/kinds.yaml": f"version: 1.0.0\nnodeKinds:\n  - {{name: Team}}\n{kinds}"}

    (found,) = found_in({"ontology/kinds.yaml": "version: 1.1.0\nnodeKinds:\n  - {name: Team}\n"}, "KB007", base)

    assert found.severity is Severity.WARNING
    assert found.message.count("is gone") == 5
    assert found.message.endswith("; and 3 more")
    assert found.hint == "set `version` to 2.0.0, or allow again what was allowed"


def test_a_rule_can_switch_off_what_it_may_not_be_right_about() -> None:
    ontology = KINDS + "edgeKinds: [{name: needs, aliasOf: gone}]\nchecks: {KB006: info, KB999: warning}\n"

    assert [each.severity for each in found_in({"ontology/kinds.yaml": ontology}, "KB006")] == [Severity.INFO] * 2
    assert found_in({"ontology/kinds.yaml": ontology.replace("KB006: info", "KB006: off")}, "KB006") == []
