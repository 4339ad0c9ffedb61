"""Every command that writes, with each of its writes failing or killing it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.faults.conftest import BY_NAME
from tests.faults.harness import Run
from tests.faults.scenario import SCRATCH, Scenario, fail_each_step, kill_at_each_step

OLD = b"old and whole\n"

Walk = Callable[[Scenario], Run]


def operations(run: Run) -> list[str]:
    """What the steps of a run do to what."""
    return [f"{step.operation} {step.target}" for step in run.steps]


@pytest.mark.parametrize(
    ("walk", "old"),
    [(fail_each_step, {}), (fail_each_step, {"bundle.yaml": OLD}), (kill_at_each_step, {"bundle.yaml": OLD})],
    ids=["a new file, errors", "an old file, errors", "an old file, kills"],
)
def test_f01_f02_a_bundle_in_a_file_is_the_old_one_or_the_new_one(
    scenario: Callable[..., Scenario], walk: Walk, old: dict[str, bytes]
) -> None:
    clean = walk(scenario("assemble", *BY_NAME, "-o", "bundle.yaml", old=old))
    folder = [name for name in operations(clean) if name.startswith("fsync") and name.endswith("/disk")]
    assert (clean.answer.code, len(folder)) == (0, 1)
    assert operations(clean).index("rename bundle.yaml") == len(clean.steps) - 2


def test_records_and_bundle_are_each_the_old_ones_or_the_new_ones(scenario: Callable[..., Scenario]) -> None:
    clean = fail_each_step(scenario("assemble", *BY_NAME, "--records", "records"))
    assert len([name for name in operations(clean) if name.startswith("rename records/am")]) == 2
    assert operations(clean)[0] == "mkdir records"
    assert operations(clean)[-1] == "write stdout"


def test_the_text_to_search_leaves_nothing_behind(scenario: Callable[..., Scenario]) -> None:
    clean = fail_each_step(scenario("query", "--local-grant", "--query", "notes/a.md"))
    assert [step.operation for step in clean.steps[:4]] == ["memfd_create", "write", "close", "close"]
    assert operations(clean)[4:] == ["write stdout", "write stderr"]


@pytest.mark.parametrize(
    "options",
    [
        ("assemble", *BY_NAME, "--all-documents"),
        ("assemble", *BY_NAME, "--format", "prompt"),
        ("preview", *BY_NAME),
        ("read", "--local-grant", "notes/a.md"),
        ("resolve",),
    ],
    ids=lambda options: options[0],
)
def test_what_goes_to_stdout_is_whole_or_refused(scenario: Callable[..., Scenario], options: tuple[str, ...]) -> None:
    assert "write stdout" in operations(fail_each_step(scenario(*options)))


def test_the_record_of_a_refusal_never_hides_the_refusal(scenario: Callable[..., Scenario]) -> None:
    asked = ("--local-grant", "--select", "notes/absent.md", "--records", "records")
    clean = fail_each_step(
        scenario("assemble", *asked, excuse="note: the record of this refusal is missing: cannot write ")
    )
    assert clean.answer.code == 1
    assert [name for name in operations(clean) if name.startswith("rename records/amq-")]


def test_a_bug_is_told_with_its_report_or_without(scenario: Callable[..., Scenario]) -> None:
    report = re.escape(SCRATCH) + r"/kradle-ctx-crash-\w+\.txt"
    before = ("tests.faults.prologues:break_assembly",)
    broken = scenario("query", before=before, volatile=report, excuse="the crash report is in nowhere")
    clean = fail_each_step(broken)
    assert clean.answer.code == 70
    assert re.search(report, clean.steps[1].target)
