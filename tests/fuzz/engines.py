"""Where inputs come from: Hypothesis and changes of known inputs, or libFuzzer where `atheris` is installed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz.guard import Guard
from tests.fuzz.mutation import LONGEST_INPUT, mutated
from tests.fuzz.target import Target

STRUCTURED, CHANGED = 200, 600
"""Inputs of each kind in a round: structured ones cost the more to make."""

MOST_KEPT = 600
"""Inputs that are changed further; of more, the first ones stay."""

QUIET = settings(
    max_examples=STRUCTURED,
    database=None,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)

Engine = Callable[[Target, Guard, list[bytes], int], None]


def by_hypothesis(target: Target, guard: Guard, known: list[bytes], seed: int) -> None:
    """Try inputs until the guard ends the process; those that went a new way are changed further."""
    random = Random(seed)
    while True:
        hypothesis.seed(random.getrandbits(64))(QUIET(given(target.inputs)(guard.__call__)))()
        for _ in range(CHANGED):
            pool = [*known, *guard.novel][:MOST_KEPT]
            guard(mutated(random, pool, target.scraps))


def by_atheris(target: Target, guard: Guard, known: list[bytes], seed: int) -> None:
    """Let libFuzzer change inputs, guided by the lines of the product that they reach, until the guard ends it all.

    The first byte of what it makes says whether the rest is an input, or choices from which one is built.
    """
    import atheris  # type: ignore[import-untyped, unused-ignore]

    built = QUIET(given(target.inputs)(guard.__call__)).hypothesis.fuzz_one_input  # type: ignore[attr-defined]

    def one(choice: bytes) -> None:
        if choice[:1] == b"\x01":
            built(choice[1:])
        else:
            guard(choice[1:])

    def change(choice: bytes, most: int, number: int) -> bytes:
        if number % 2:
            return bytes(atheris.Mutate(choice, most))
        return choice[:1] + mutated(Random(number), [choice[1:]], target.scraps)[: most - 1]

    folder = Path(tempfile.mkdtemp())
    for number, data in enumerate(known):
        (folder / str(number)).write_bytes(b"\x00" + data)
    # Time and memory are the guard's; libFuzzer would use the same alarm.
    options = [f"-seed={seed or 1}", "-timeout=0", "-rss_limit_mb=0", f"-max_len={LONGEST_INPUT}", "-len_control=20"]
    atheris.Setup(["fuzz", *options, str(folder)], one, custom_mutator=change)
    atheris.Fuzz()


ENGINES: dict[str, Engine] = {"hypothesis": by_hypothesis, "atheris": by_atheris}
