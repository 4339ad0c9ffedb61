"""Paths that only some systems can hold."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterable
from itertools import product

import pytest

from kradle_ctx.checks.path_policy import MOST_PATTERNS, compiled, files_and_folders, forbidden
from kradle_ctx.model.findings import Finding, Severity
from tests.checks.examples import validated

COMPOSED, APART = (unicodedata.normalize(form, "notes/köln.md") for form in ("NFC", "NFD"))


def found_at(paths: Iterable[str]) -> list[Finding]:
    """The findings of the check for files of these paths."""
    report = validated(dict.fromkeys(paths, "# A note\n"))
    return [finding for finding in report.findings if finding.check == "KB051"]


@pytest.mark.parametrize(
    ("paths", "place"),
    [
        (("notes/Plan.md", "notes/plan.md"), "notes/plan.md"),
        ((COMPOSED, APART), COMPOSED),
        (("Notes/a.md", "notes/b.md"), "notes/b.md"),
        (("Notes/a.md", "notes/a.md"), "notes/a.md"),
        (("Notes/a.md", "Notes/b.md", "notes/a.md", "notes/b.md"), "notes/a.md"),
    ],
)
def test_twins_are_told_once_on_the_later_one(paths: tuple[str, ...], place: str) -> None:
    (finding,) = found_at(paths)

    assert (finding.path, finding.severity) == (place, Severity.WARNING)
    assert [other.path for other in finding.related] == [min(paths, key=str.encode)]


def test_names_that_differ_in_more_than_case_are_no_twins() -> None:
    assert found_at(["notes/plan.md", "notes/plans.md", "Notes2/plan.md", "meetings/Plan.md"]) == []


@pytest.mark.parametrize(
    "path",
    [
        "notes/aux.md",
        "notes/CON.d/a.md",
        "notes/com1.tar.md",
        "notes/LPT\N{SUPERSCRIPT TWO}.md",
        "notes /a.md",
        "notes./a.md",
        "notes/what?.md",
        "notes/a:b.md",
        "notes/[red]*.md",
        f"notes/{'x' * 253}.md",
        f"notes/{'ö' * 127}.md",
    ],
)
def test_a_name_that_some_system_cannot_hold_is_told(path: str) -> None:
    (finding,) = found_at([path])

    assert (finding.path, finding.severity) == (path, Severity.INFO)


@pytest.mark.parametrize(
    "path", ["notes/auxiliary.md", "notes/com0.md", "notes/a. b.md", f"notes/{'x' * 252}.md", "notes/[a].md", ".x/a.md"]
)
def test_a_name_that_every_system_can_hold_is_not(path: str) -> None:
    assert found_at([path]) == []


def test_a_folder_is_told_once() -> None:
    assert len(found_at([f"aux/{number}.md" for number in range(5)])) == 1


def test_every_folder_is_looked_at_once() -> None:
    paths = [f"a/b/{folder}/{number}.md" for folder in range(100) for number in range(100)]

    assert sum(1 for _ in files_and_folders(paths)) == 100 * 100 + 100 + 2


def test_a_pattern_that_is_no_expression_is_left_out() -> None:
    endless = "*?" * 100_000

    assert [pattern for pattern, _ in compiled([endless, "a/**"])] == ["a/**"]


def test_no_more_patterns_are_looked_at_than_honest_rules_have() -> None:
    stated = [f"a{number}/**" for number in range(MOST_PATTERNS * 2)]

    assert len(list(compiled(stated))) == MOST_PATTERNS
    assert len(list(forbidden([f"a{MOST_PATTERNS - 1}/b", f"a{MOST_PATTERNS}/b"], stated))) == 1


def test_many_twins_in_one_folder_take_no_longer_than_they_are() -> None:
    names = ["".join(letters) for letters in product(*(f"{letter}{letter.upper()}" for letter in "abcdefghijklm"))]
    begin = time.process_time()
    found = found_at([f"{name}.md" for name in names])

    assert time.process_time() - begin < 10
    assert len(found) == len(names) - 1 == 8_191
    assert {other.path for finding in found for other in finding.related} == {"ABCDEFGHIJKLM.md"}


def test_a_twin_that_a_change_adds_is_told_wherever_its_name_sorts() -> None:
    base = {"notes/plan.md": "# A note\n", "folder/a.md": "# A note\n"}
    head = {**base, "notes/Plan.md": "# A note\n", "Folder/b.md": "# A note\n"}
    found = [each for each in validated(head, base).findings if each.check == "KB051"]

    assert [(each.path, each.related[0].path) for each in found] == [
        ("Folder/b.md", "folder/a.md"),
        ("notes/Plan.md", "notes/plan.md"),
    ]


def test_twins_that_were_there_are_no_news_whatever_is_added_to_them() -> None:
    base = {"folder/a.md": "# A note\n", "Folder/b.md": "# A note\n", "aux/a.md": "# A note\n"}
    head = {**base, "Folder/0.md": "# A note\n", "folder/0.md": "# A note\n", "aux/0.md": "# A note\n"}

    assert [each for each in validated(head, base).findings if each.check == "KB051"] == []
