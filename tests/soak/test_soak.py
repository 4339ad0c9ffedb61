"""A short soak, and that it notices a loss."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import GitBuilder
from tests.soak.lane import Lane

NOTES = {"README.md": "# Brain\n\nThe flaky label queue.\n", "runbooks/red.md": "# Why main is red\n\nThe clock.\n"}


def small(target: Path) -> None:
    """A brain of two notes with some history."""
    brain = GitBuilder(target)
    for day in range(1, 6):
        brain.add_commit({**NOTES, "notes/day.md": f"# Day {day}\n"}, f"2026-05-0{day}T00:00:00Z")


def test_ten_operations_lose_nothing(tmp_path: Path) -> None:
    lane = Lane(tmp_path, 7, small)
    for number in range(10):
        lane.operate(number)
    lane.close()
    assert lane.tally.losses == []
    assert set(lane.tally.disturbances) == {"calm", "kill", "killed step", "failed step", "limit", "crowd"}
    assert {0, 3} <= set(lane.tally.codes)
    assert lane.tally.moves >= 5


def test_a_file_that_another_hand_changed_is_noticed(tmp_path: Path) -> None:
    lane = Lane(tmp_path, 2, small)
    lane.operate(0)
    (lane.desk / "out" / "0").write_bytes(b"half a bun")
    (lane.desk / "out" / ".0.abc.tmp").write_bytes(b"")
    lane.operate(1)
    lane.close()
    assert any("out/0 is neither old nor new" in loss for loss in lane.tally.losses)
