"""Every example of a check: what is valid has no finding, and what is not has those that it expects."""

from __future__ import annotations

import pytest

from kradle_ctx.checks import CHECKS
from kradle_ctx.model.findings import Severity
from tests.checks.examples import FOLDER, MOMENT, Example, examples, place, validated

EXAMPLES = list(examples())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda case: f"{case.check}-{case.valid}-{case.name}")
def test_an_example_shows_what_it_is_to_show(example: Example) -> None:
    report = validated(
        example.files,
        example.base,
        at=example.description.get("moment", MOMENT),
        layout=example.description.get("layoutProfile"),
    )

    found = [place(finding) for finding in report.findings if finding.check == example.check]
    assert found == example.expected
    assert example.valid or found
    if example.valid:
        assert [each for each in report.findings if each.severity is not Severity.INFO] == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_a_check_has_examples_of_both_kinds_and_a_page(check) -> None:  # type: ignore[no-untyped-def]
    kinds = {example.valid for example in EXAMPLES if example.check == check.id}
    page = FOLDER.parents[1] / "docs" / "checks" / f"{check.id}.md"

    assert kinds == {True, False}
    assert page.read_text().startswith(f"# {check.id} {check.name}\n")


def test_checks_are_listed_in_the_order_of_their_ids_which_are_their_own() -> None:
    ids = [check.id for check in CHECKS]

    assert ids == sorted(set(ids))
    assert len({check.name for check in CHECKS}) == len(ids)
