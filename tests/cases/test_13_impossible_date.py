"""A date that does not exist is a fault of one file, never a crash (pyyaml #382, detect-secrets #984)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place, ids, places, skipped

GRAPH = 'nodeKind: Decision\nid: decision:bad-month\nattributes:\n  title: "Bad month"\n  status: approved\n'
PAGE = '---\nid: decision:zero-date\nkind: Decision\ntitle: "Zero date"\nstatus: approved\n'


def build(folder: Path, root: str) -> None:
    """A graph record of the thirteenth month, a page of day zero, and a good page."""
    brain = BrainBuilder.create(folder, root)
    brain.write("graph/bad-month.yaml", GRAPH + "  owners: [team:core]\n  updatedAt: 2026-13-05\n")
    brain.write("decisions/zero.md", PAGE + "owners: [team:core]\nupdatedAt: 0000-00-00\n---\n\ntoucan body\n")
    brain.page("decisions/good.md", "decision:good", "Good", "toucan body", kind="Decision")
    brain.commit("dates", 2)


def test_the_good_page_is_found_and_its_neighbours_break_nothing(place: Place) -> None:
    answer = place.ask("--query", "toucan")

    assert ids(answer)[0] == "decision:good"


def test_the_files_with_impossible_dates_are_listed_with_file_and_line(place: Place) -> None:
    assert sorted(skipped(place.ask("--query", "toucan"))) == ["decisions/zero.md:7", "graph/bad-month.yaml:7"]


def test_validation_says_where_each_impossible_date_stands(place: Place) -> None:
    assert places(place.validate()) == ["KB024 decisions/zero.md:7", "KB024 graph/bad-month.yaml:7"]
