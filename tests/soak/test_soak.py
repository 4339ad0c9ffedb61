"""A short soak, and that it notices a loss."""

from __future__ import annotations

import random
from pathlib import Path

from tests.conftest import GitBuilder
from tests.soak.brain import SIGNERS
from tests.soak.lane import Lane
from tests.soak.operations import PATTERNS, TEXTS, drawn

NOTES = {"README.md": "# Brain\n\nThe flaky label queue.\n", "runbooks/red.md": "# Why main is red\n\nThe clock.\n"}


def small(target: Path) -> None:
    """A brain of two notes with some history."""
    brain = GitBuilder(target)
    for day in range(1, 6):
        brain.add_commit({**NOTES, "notes/day.md": f"# Day {day}\n"}, f"2026-05-0{day}T00:00:00Z")


def test_every_kind_of_operation_is_drawn() -> None:
    chance = random.Random(1)
    operations = [drawn(chance) for _ in range(400)]
    arguments: dict[str, set[str]] = {operation.arguments[0]: set() for operation in operations}
    for operation in operations:
        arguments[operation.arguments[0]] |= {*operation.arguments}
    assert arguments.keys() == {"assemble", "preview", "query", "read", "resolve", "redact"}
    assert {operation.stdin for operation in operations} == {*TEXTS}
    for command in ("assemble", "preview", "query", "redact"):
        assert {pattern for _, pattern in PATTERNS} <= arguments[command]
    assert all(SIGNERS in arguments[command] for command in ("assemble", "preview", "query", "read"))


def test_ten_operations_lose_nothing(tmp_path: Path) -> None:
    lane = Lane(tmp_path, 214, small)
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
