"""Traversal ends on cycles and sees each record once, at its least distance (networkx #3924, #6653)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder, targets
from tests.cases.place import Place, ids, places

DISTANCES = {"service:a": 0, "service:b": 1, "service:c": 1, "service:d": 2}
"""From service:a, edges followed both ways."""


def build(folder: Path, root: str) -> None:
    """A cycle of three with a self loop, a doubled edge and a leaf, and two decisions that replace each other."""
    brain = BrainBuilder.create(folder, root)
    brain.record("Team", "team:core", "Core team", targets("owned_by", "team:core"))
    brain.record("Service", "service:a", "Alpha hub", targets("depends_on", "service:b", "service:a", "service:b"))
    brain.record("Service", "service:b", "Beta", targets("depends_on", "service:c"))
    brain.record("Service", "service:c", "Gamma", targets("depends_on", "service:a", "service:d"))
    brain.record("Service", "service:d", "Delta leaf")
    brain.record("Decision", "decision:x", "Ex", targets("supersedes", "decision:y"))
    brain.record("Decision", "decision:y", "Why", targets("supersedes", "decision:x"))
    brain.commit("cycles", 1)


def test_each_depth_reaches_what_is_so_near_and_each_record_once(place: Place) -> None:
    for depth in place.sweep((0, 1, 2, 3, 99)):
        answer = place.ask("--service", "a", "--mode", "graph-only", "--depth", str(depth))
        expected = sorted(name for name, distance in DISTANCES.items() if distance <= depth)
        assert sorted(ids(answer)) == expected, depth


def test_each_record_has_its_least_distance_and_one_breadcrumb(place: Place) -> None:
    sources = place.ask("--service", "a", "--mode", "graph-only", "--depth", "99")["sources"]
    reasons = {source["id"]: source["why"] for source in sources}

    assert {name: why["distance"] for name, why in reasons.items()} == DISTANCES
    assert reasons["service:b"]["breadcrumb"] == ["service:a", "-depends_on->", "service:b"]
    assert reasons["service:c"]["breadcrumb"] == ["service:a", "<-depends_on-", "service:c"]
    assert len(reasons["service:d"]["breadcrumb"]) == 5


def test_of_two_decisions_that_replace_each_other_neither_is_retired(place: Place) -> None:
    sources = place.ask("--select", "decision:x", "--select", "decision:y", "--query", "ex")["sources"]

    assert sorted(source["id"] for source in sources) == ["decision:x", "decision:y"]
    for source in sources:
        assert "supersededBy" not in source["why"]
        assert "superseded" not in source["why"]["summary"]


def test_validation_tells_of_the_cycle_that_must_not_be_and_not_of_that_which_may(place: Place) -> None:
    (finding,) = place.validate()

    assert places([finding]) == ["KB041 graph/decision-x.yaml:10"]
    assert [other["path"] for other in finding["related"]] == ["graph/decision-y.yaml"]
