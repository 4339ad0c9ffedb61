"""Many runs at the same moment, and runs that are killed at any moment."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest

from tests.command_server import Answer, warm
from tests.faults.conftest import BY_NAME
from tests.faults.crowd import PLACE, SIZE
from tests.faults.prologues import DIE_AFTER
from tests.faults.scenario import LEFTOVER, Scenario

CROWD = 20
SLOWEST = 0.08
"""Seconds within which a run is killed; most take less."""


def crowded(scenario: Scenario) -> Answer:
    """Run a command many times at once."""
    environment = {**scenario.command.environment, SIZE: str(CROWD)}
    return warm().run(
        scenario.command.arguments,
        folder=scenario.disk,
        environment=environment,
        prologue="tests.faults.crowd:gather",
    )


def test_f03_twenty_runs_into_one_file_leave_one_that_is_whole(scenario: Callable[..., Scenario]) -> None:
    alone = scenario("assemble", "--local-grant", "--query", "depot", "--quiet", "-o", "bundle.yaml")
    alone.reset()
    assert alone.unwatched().code == 0
    expected = alone.files()
    assert list(expected) == ["bundle.yaml"]
    alone.reset()
    answer = crowded(alone)
    assert (answer.code, answer.talk, alone.files()) == (0, "", expected)


def test_f03_twenty_runs_into_files_of_their_own_give_the_same(scenario: Callable[..., Scenario]) -> None:
    target = f"bundle-{PLACE}.yaml"
    asked = scenario("assemble", *BY_NAME, "--records", "records", "-o", target)
    asked.reset()
    answer = crowded(asked)
    assert (answer.code, answer.talk) == (0, "")
    bundles = {name: content for name, content in asked.files().items() if name.startswith("bundle-")}
    records = [name for name in asked.files() if name.startswith("records/")]
    assert sorted(bundles) == sorted(f"bundle-{number}.yaml" for number in range(CROWD))
    assert len(set(bundles.values())) == 1
    assert len(records) == 2


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system cannot name a process for good")
def test_f02_a_kill_at_any_moment_leaves_the_old_file_or_the_new_one(scenario: Callable[..., Scenario]) -> None:
    asked = scenario("assemble", *BY_NAME, "-o", "bundle.yaml", old={"bundle.yaml": b"old and whole\n"})
    asked.reset()
    assert asked.unwatched().code == 0
    new = asked.files()
    asked.reset()
    moments, codes = random.Random(1), set()
    for _ in range(12):
        answer = doomed(asked, moments.uniform(0.0, SLOWEST))
        codes.add(answer.code)
        files = asked.files()
        assert files.pop("bundle.yaml") in (asked.old["bundle.yaml"], new["bundle.yaml"])
        assert all(LEFTOVER.fullmatch(name) for name in files)
    assert -9 in codes
    assert codes <= {0, -9}
    assert asked.unwatched().code == 0
    assert asked.files()["bundle.yaml"] == new["bundle.yaml"]


def doomed(scenario: Scenario, seconds: float) -> Answer:
    """Run a command that is killed after so many seconds."""
    return warm().run(
        scenario.command.arguments,
        folder=scenario.disk,
        environment={**scenario.command.environment, DIE_AFTER: str(seconds)},
        prologue="tests.faults.prologues:die_soon",
    )
