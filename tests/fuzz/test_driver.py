"""No target cannot fail: the driver finds a broken double of what each one tries, and minimises what it finds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.engines import by_hypothesis
from tests.fuzz.minimise import minimised
from tests.fuzz.mutation import LONGEST_INPUT, mutated
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

CHECKOUT = Path(__file__).parents[2]

SMALL = 80
"""Bytes of a minimised input; what the driver starts from has several hundred."""

ENDED = {"hang": "took longer than", "devour": "MemoryError", "crash": "ended by SIGABRT"}
"""Doubles that end or exhaust the process, and what the driver must say of them."""


def test_the_driver_finds_and_minimises_a_broken_double_of_every_target() -> None:
    command = [sys.executable, "-m", "tests.fuzz.doubles"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    found = {name: (fault, data) for name, fault, data in map(json.loads, done.stdout.splitlines())}
    assert set(found) == {*TARGETS, *ENDED}
    assert {name: fault for name, (fault, _) in found.items() if fault is None or "tried again" in fault} == {}
    assert {name: data for name, (_, data) in found.items() if len(data) > SMALL} == {}
    assert {name for name, words in ENDED.items() if found[name][0].startswith(words) and found[name][1] == "!"} == {
        *ENDED
    }


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_every_target_says_what_it_promises_and_its_seeds_hold_it(target: Target) -> None:
    assert target.promise[0].islower()
    assert {target.check(seed)[:0] for seed in target.seeds()[:3]} == {""}


def test_the_same_seed_makes_the_same_inputs() -> None:
    runs = [inputs_of(seed) for seed in (7, 7, 8)]
    assert runs[0] == runs[1] != runs[2]
    assert len(set(runs[0])) > len(runs[0]) // 2


def inputs_of(seed: int) -> list[bytes]:
    """The first inputs that the engine tries of a target."""
    tried: list[bytes] = []

    class Enough(BaseException):
        pass

    class Recorder:
        novel: tuple[bytes, ...] = ()

        def __call__(self, data: bytes) -> None:
            tried.append(data)
            if len(tried) == 150:
                raise Enough

    with pytest.raises(Enough):
        by_hypothesis(TARGETS["tokens"], Recorder(), [b"seed"], seed)  # type: ignore[arg-type]
    return tried


def test_changes_reach_every_length_up_to_the_limit_and_change_almost_every_input() -> None:
    random, pool = Random(1), [b"one two", b"", b"x" * 500]
    made = [mutated(random, pool, (b"scrap",)) for _ in range(3_000)]
    assert max(map(len, made)) <= LONGEST_INPUT
    assert sum(len(data) > 10_000 for data in made) > 3
    assert Counter(data in pool for data in made)[True] < 300
    assert any(b"scrap" in data for data in made)


def test_a_minimised_input_is_as_short_as_the_fault_allows() -> None:
    assert minimised(b"begin ((some) text) end", lambda data: data.count(b"(") >= 2 and b")" in data) in (
        b"(()",
        b"()(",
        b")((",
    )
    assert minimised(b"0123456789", lambda data: b"3" in data and len(data) >= 4) == b"aaa3"
