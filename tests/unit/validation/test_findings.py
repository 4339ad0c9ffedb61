"""From checks to findings: their fingerprints, their severities, and what was not looked at."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

import pytest

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.surveyor import BrainSurveyor
from kradle_ctx.checks import CHECKS, Brain, Check, Fault
from kradle_ctx.checks.check import File, Where, at_field, at_file
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Confidence, Finding, Report, Severity
from kradle_ctx.model.graph import Document
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.validation.brain import IndexedBrain
from kradle_ctx.validation.findings import findings_of
from kradle_ctx.validation.inspection import MOST_FAULTS
from tests.checks.examples import MOMENT, validated
from tests.fakes import Content, InMemoryRepository, InMemorySearcher
from tests.pipeline import REDACTOR
from tests.properties.test_validation_scope import PLAIN, committed, reported
from tests.properties.validated_brains import Change

CHECKOUT = Path(__file__).parents[3]

KINDS = "requiredFields: {record: [title, status]}\nnodeKinds: [{name: Team, prefix: team}]\nedgeKinds: [knows]\n"
TEAM = "nodeKind: Team\nid: team:a\n"


def brain(files: Mapping[str, Content], rules: str = "") -> dict[str, Content]:
    """The files of a brain with a small ontology, to which rules can be added."""
    return {"ontology/kinds.yaml": KINDS + rules, **files}


def by_check(report: Report, *checks: str) -> list[Finding]:
    """The findings of some checks."""
    return [each for each in (*report.findings, *report.suppressed) if each.check in checks]


def test_a_fingerprint_is_thirty_two_hex_digits_and_no_two_are_the_same() -> None:
    files = {f"graph/{name}.yaml": TEAM + "edges: {knows: [team:b, team:c]}\n" for name in "abc"}
    files |= {
        "graph/broken.yaml": "a: b: c\n---\nd: e: f\n---\n- [\n",
        "x.yaml": "nodeKind: Team\n---\nnodeKind: Team\n",
    }
    found = validated(brain(files)).findings

    assert len(found) > 20
    assert len({each.fingerprint for each in found}) == len(found)
    assert all(len(each.fingerprint) == 32 and int(each.fingerprint, 16) >= 0 for each in found)


def test_a_fingerprint_stays_when_lines_move_or_the_record_moves_to_another_file() -> None:
    here = by_check(validated(brain({"a.yaml": TEAM})), "KB020")
    lower = by_check(validated(brain({"a.yaml": "# one\n\n" + TEAM.replace("id", "# two\nid")})), "KB020")
    elsewhere = by_check(validated(brain({"b/c.yaml": "nodeKind: Team\nid: team:b\n---\n" + TEAM})), "KB020")

    assert len(here) == 2
    assert [each.fingerprint for each in lower] == [each.fingerprint for each in here]
    assert {each.fingerprint for each in here} < {each.fingerprint for each in elsewhere}


def test_a_fingerprint_differs_by_check_record_and_field() -> None:
    found = by_check(validated(brain({"a.yaml": TEAM + "---\nnodeKind: Team\nid: team:b\n"})), "KB020", "KB062")

    assert sorted((each.record, each.check) for each in found) == [
        *[("team:a", "KB020")] * 2,
        ("team:a", "KB062"),
        *[("team:b", "KB020")] * 2,
        ("team:b", "KB062"),
    ]
    assert len({each.fingerprint for each in found}) == 6


@pytest.mark.parametrize("name", ["a.yaml", "z.yaml"])
def test_of_two_records_with_one_fault_the_one_in_the_changed_file_is_told(name: str) -> None:
    base = brain({"m.yaml": TEAM})
    found = by_check(validated({**base, name: TEAM}, base), "KB020", "KB010")

    assert {each.path for each in found} == {name}
    assert len(found) == 3


def test_a_fault_that_stays_is_not_told_of_a_change_and_one_that_comes_beside_it_is() -> None:
    base = brain({"a.yaml": TEAM + "edges: {knows: [team:gone]}\n"})
    head = {**base, "a.yaml": TEAM + "title: A\nedges: {knows: [team:lost, team:gone]}\n"}

    assert [each.message for each in validated(head, base).findings] == [
        "`knows` leads to `team:lost`, which no record declares"
    ]


def test_a_finding_that_was_set_aside_counts_when_it_is_not_any_more() -> None:
    base = brain({"a.yaml": "# kradle-ctx: ignore-file KB020 -- it comes\n" + TEAM})
    head = {**base, "a.yaml": TEAM}

    assert {each.check for each in validated(head, base).findings} == {"KB020"}
    assert validated(base, head).findings == ()


def test_what_only_grew_older_is_not_brought_in() -> None:
    old = "nodeKind: Team\nid: team:a\nattributes: {title: A, status: approved, updatedAt: 2025-05-20T00:00:00Z}\n"
    repository = committed(Change({"a.yaml": old}, {"a.yaml": f"{old}# touched\n"}))

    assert by_check(reported(repository, PLAIN, None), "KB061") != []
    assert by_check(reported(repository, PLAIN, "base"), "KB061") == []


def test_the_rules_of_the_ontology_give_severities() -> None:
    report = validated(brain({"a.yaml": TEAM}, "checks: {KB020: info, KB062: error}\n"))

    assert {each.severity for each in by_check(report, "KB020")} == {Severity.INFO}
    assert {each.severity for each in by_check(report, "KB062")} == {Severity.ERROR}
    assert report.fails(Severity.ERROR)
    assert not validated(brain({"a.yaml": TEAM}, "checks: {KB020: info}\n")).fails(Severity.WARNING)


def test_a_check_that_is_switched_off_finds_nothing_and_is_listed() -> None:
    report = validated(brain({"a.yaml": TEAM}, "checks: {KB020: off}\n"))

    assert by_check(report, "KB020") == []
    assert [(each.check, each.name) for each in report.not_run if "switched off" in each.reason] == [
        ("KB020", "missing-field")
    ]


def test_checks_that_need_the_ontology_are_listed_where_it_does_not_parse() -> None:
    files = {"ontology/kinds.yaml": "nodeKinds: [\n", "a.yaml": TEAM, "b.yaml": TEAM, "c.yaml": "a: b: c\n"}
    report = validated(files)

    found = {each.check for each in report.findings}
    assert {"KB005", "KB010", "KB002"} <= found
    assert found.isdisjoint(each.check for each in report.not_run)
    listed = {each.check: each.reason for each in report.not_run}
    assert {check.id for check in CHECKS if check.needs_ontology} <= set(listed)
    assert "does not parse" in listed["KB020"] and "ontology/kinds.yaml:2" in listed["KB020"]


def test_a_sound_ontology_leaves_no_check_out() -> None:
    assert [each for each in validated(brain({"a.yaml": TEAM})).not_run if each.check in ("KB020", "KB030")] == []


def faults_of(check: Check, files: Mapping[str, Content]) -> list[Finding]:
    """What one check of a test finds."""
    repository = InMemoryRepository()
    commit = repository.add_commit(files, MOMENT)
    surveyor = BrainSurveyor(NoIndexStore(), InMemorySearcher(), BlobRedactor(REDACTOR))
    survey = surveyor.survey(repository.snapshot(commit), "", None)
    return findings_of(IndexedBrain(survey, datetime.fromisoformat(MOMENT)), survey, [check])


def check_of(look: object, **fields: object) -> Check:
    """A check of documents or of the brain."""
    return Check("KB999", "a-check", Severity.WARNING, "Something", "do something", **{**fields, **look})  # type: ignore[dict-item, arg-type]


def of_titles(document: Document, brain: Brain) -> Iterator[Fault]:
    """A fault of each record."""
    yield Fault(at_field(document, "title"), "wrong", key="title")


def test_a_finding_takes_from_its_check_what_its_fault_does_not_say() -> None:
    (found,) = faults_of(check_of({"of_document": of_titles}), {"a.yaml": TEAM + "title: A\n"})

    assert (found.check, found.name, found.severity, found.confidence) == (
        *("KB999", "a-check"),
        Severity.WARNING,
        Confidence.HIGH,
    )
    assert (found.hint, found.record, found.path, found.span.line) == ("do something", "team:a", "a.yaml", 3)


def test_a_fault_can_say_it_otherwise() -> None:
    def look(document: Document, brain: Brain) -> Iterator[Fault]:
        yield Fault(
            at_field(document, "id"), "m", hint="h", severity=Severity.INFO, confidence=Confidence.LOW, subject="team:z"
        )

    (found,) = faults_of(check_of({"of_document": look}), {"a.yaml": TEAM})

    assert (found.hint, found.severity, found.confidence, found.record) == (
        *("h", Severity.INFO, Confidence.LOW),
        "team:z",
    )


def test_a_fault_of_a_file_is_of_no_record() -> None:
    def look(brain: Brain) -> Iterator[Fault]:
        yield Fault(at_file("a.yaml", 2, 5), "m", subject="a folder")

    (found,) = faults_of(check_of({"of_brain": look}), {"a.yaml": TEAM})

    assert (found.record, found.span.line, found.span.column) == (None, 2, 5)


def test_findings_come_by_path_bytes_then_lines_columns_and_checks() -> None:
    def look(brain: Brain) -> Iterator[Fault]:
        for path, line, column in (
            ("é.yaml", 1, 1),
            ("b.yaml", 10, 1),
            ("b.yaml", 9, 2),
            ("b.yaml", 9, 1),
            ("B", 1, 1),
        ):
            yield Fault(Where(path, line=line, column=column), "m", key=f"{line} {column}")

    found = faults_of(check_of({"of_brain": look}), {"a.yaml": TEAM})

    assert [(each.path, each.span.line, each.span.column) for each in found] == [
        ("B", 1, 1),
        ("b.yaml", 9, 1),
        ("b.yaml", 9, 2),
        ("b.yaml", 10, 1),
        ("é.yaml", 1, 1),
    ]


def test_a_file_with_very_many_faults_tells_so_many_and_that_there_are_more() -> None:
    text = "a: b: c\n---\n" * (MOST_FAULTS * 2)
    found = by_check(validated(brain({"a.yaml": text})), "KB002")

    assert len(found) == MOST_FAULTS
    assert [each for each in found if "more" in each.message] == [max(found, key=lambda each: each.span.line)]


def test_faults_of_a_file_that_holds_no_document_are_found() -> None:
    files = {"a.yaml": "nodeKind: Team\n", "b.yaml": "x: 1 # kradle-ctx: ignore KB001\n", "c.md": "---\nid: [\n---\n"}
    found = validated(brain(files)).findings

    assert {(each.path, each.check) for each in found} >= {("a.yaml", "KB020"), ("b.yaml", "KB070"), ("c.md", "KB003")}


def test_a_file_that_a_change_takes_the_last_record_from_is_checked() -> None:
    base = brain({"a.yaml": TEAM + "title: A\nstatus: x\n"})
    found = validated({**base, "a.yaml": "nodeKind: Team\ntitle: A\nstatus: x\n"}, base).findings

    assert [(each.path, each.check) for each in found if each.check == "KB020"] == [("a.yaml", "KB020")]


SCRIPT = """
import random, sys
from tests.checks.examples import validated
from tests.unit.validation.test_findings import brain, tangled
files = list(brain(tangled()).items())
random.Random(int(sys.argv[1])).shuffle(files)
for layout in (None, "atlas-md-yaml-v1"):
    report = validated(dict(files), layout=layout)
    for each in (*report.findings, *report.suppressed):
        print(each)
"""


def tangled() -> dict[str, Content]:
    """Cycles, twins, duplicates and dangling edges, in several files."""
    names = "abcdefg"
    files: dict[str, Content] = {}
    for place, name in enumerate(names):
        following = names[(place + 1) % len(names)]
        edges = (
            f"edges: {{supersedes: [team:{following}], part_of: [team:{names[place - 2]}], knows: [team:x{name}]}}\n"
        )
        files[f"graph/{name}.yaml"] = f"nodeKind: Team\nid: team:{name}\naliases: [other]\nowners: [{name}]\n{edges}"
        files[f"graph/{name.upper()}.yaml"] = f"nodeKind: Team\nid: team:{name}\nnodeKinds: 1\n"
    return files


@pytest.mark.parametrize("seed", ["1", "2"])
def test_findings_do_not_depend_on_the_hash_seed_or_on_the_order_of_files(seed: str) -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, seed],
            env={"PYTHONPATH": str(CHECKOUT), "PYTHONHASHSEED": hash_seed, "HOME": "/nonexistent"},
            capture_output=True,
            check=True,
            text=True,
            timeout=120,
        ).stdout
        for hash_seed in ("0", seed)
    ]

    assert told[0] == told[1]
    assert len(told[0].splitlines()) > 60


def test_a_check_of_files_sees_whether_they_are_pages() -> None:
    seen: dict[str, bool] = {}

    def look(file: File, constraints: Constraints) -> Iterator[Fault]:
        seen[file.path] = file.is_markdown
        yield from ()

    from kradle_ctx.validation.inspection import Inspector

    inspector = Inspector(Constraints(), lambda blob, data: (), [check_of({"of_file": look})])
    for path in ("a.md", "b.yaml", "c.yml"):
        inspector(path, "0" * 40, b"x\n")

    assert seen == {"a.md": True, "b.yaml": False, "c.yml": False}
