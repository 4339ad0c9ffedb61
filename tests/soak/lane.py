"""One lane of a soak: operations one after the other on a brain of its own, each checked against undisturbed runs."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from kradle_ctx.adapters.index.checking import faults
from kradle_ctx.adapters.index.folders import store_folders
from tests.cases.command_line import environment
from tests.command_server import Answer
from tests.example import build_example
from tests.soak import brain, disturbance, operations
from tests.soak.brain import Mover, State
from tests.soak.disturbance import CALM, Disturbance
from tests.soak.operations import Operation
from tests.soak.verdict import Expected, Seen, files_below, lasting, merged

MOVES = (0, 0, 1, 1, 2)
"""Moves of a branch during one operation."""

REMEMBERED = 64
"""Undisturbed runs whose results are kept."""


@dataclass(slots=True)
class Tally:
    """What a lane counted, and what it found wrong."""

    disturbances: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    moves: int = 0
    leftovers: int = 0
    losses: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take in what another lane counted."""
        self.disturbances += other.disturbances
        self.codes.update(other.codes)
        self.moves += other.moves
        self.leftovers += other.leftovers
        self.losses += other.losses


class Lane:
    """Two copies of a brain in step: one is moved and disturbed, at the other nothing ever happens during a run."""

    def __init__(self, folder: Path, seed: int, build: Callable[[Path], object] = build_example) -> None:
        self._seed = seed
        self.desk, self._reference = folder / "desk", folder / "reference"
        self._homes = {name: str(folder / name) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME")}
        for place in (self.desk / "out", self._reference / "out", *map(Path, self._homes.values())):
            place.mkdir(parents=True)
        build(self.desk / "brain")
        brain.begin(self.desk / "brain")
        shutil.copytree(self.desk / "brain", self._reference / "brain")
        shutil.copy(self.desk / brain.SIGNERS, self._reference)
        self._environment = environment(self._homes)
        self._mover = Mover(self.desk / "brain", seed)
        self._state = brain.state(self.desk / "brain")
        self._files: dict[str, bytes] = {}
        self._expected = lru_cache(REMEMBERED)(self._undisturbed)
        self.tally = Tally()

    def close(self) -> None:
        """End the process that moves the brain, and look the indexes through that all of this has left."""
        self._mover.close()
        for folder in store_folders(self._cache / "kradle-ctx"):
            self.tally.losses += [f"the index: {fault}" for fault in faults(folder)]

    def operate(self, number: int) -> None:
        """Do the operation of that number, and check it; then once more in peace, where it was kept from its work."""
        chance = random.Random(f"operation {self._seed} {number}")
        operation = operations.drawn(chance)
        disturbed = disturbance.drawn(chance, operation)
        moves = range(self.tally.moves, self.tally.moves + chance.choice(MOVES))
        for move in moves:
            self._mover.start(move)
        answer = disturbed.run(operation, self.desk, self._environment)
        states = [self._state, *self._mover.finish()]
        self._follow(moves, states[-1])
        self.tally.disturbances[disturbed.kind] += 1
        self.tally.codes[answer.code] += 1
        if not self._check(number, operation, disturbed, answer, states):
            again = CALM.run(operation, self.desk, self._environment)
            self._check(number, operation, CALM, again, [self._state])

    def _follow(self, moves: range, reached: State) -> None:
        """Make the same moves in the copy at which nothing happens during a run."""
        for number in moves:
            brain.move(self._reference / "brain", self._seed, number, repack=False)
        assert brain.state(self._reference / "brain") == reached, "equal moves gave unequal commits"
        self._state = reached
        self.tally.moves = moves.stop

    @property
    def _cache(self) -> Path:
        return Path(self._homes["XDG_CACHE_HOME"])

    def _left(self) -> Iterator[Path]:
        """What lies in the homes, but for the indexes."""
        places = (path for home in self._homes.values() for path in Path(home).rglob("*"))
        kept = self._cache / "kradle-ctx"
        return (path for path in places if path != kept and kept not in path.parents)

    def _undisturbed(self, operation: Operation, met: State) -> Expected:
        place = self._reference / "brain"
        brain.place(place, met)
        shutil.rmtree(self._reference / "out")
        (self._reference / "out").mkdir()
        answer = CALM.run(operation, self._reference, self._environment)
        brain.place(place, self._state)
        return Expected((answer,), {name: (content,) for name, content in files_below(self._reference).items()})

    def _check(
        self, number: int, operation: Operation, disturbed: Disturbance, answer: Answer, states: list[State]
    ) -> bool:
        """Compare with undisturbed runs at the states that the operation can have met; whether it did all its work."""
        seen = Seen(answer, disturbed, self._files, files_below(self.desk))
        expected = (self._expected(operation, met) for met in met_states(states))
        wrong, complete = ["met no state"], False
        for undisturbed in [merged(expected)] if disturbed.kind == "crowd" else expected:
            wrong, complete = seen.faults(undisturbed), seen.is_complete(undisturbed)
            if complete or not wrong:
                break
        wrong += [f"{path} was left" for path in self._left()]
        self._files = dict(seen.after)
        self.tally.leftovers = len(seen.after) - len(lasting(seen.after))
        where = f"operation {number} of seed {self._seed}: {disturbed}: {' '.join(operation.arguments)}"
        self.tally.losses += [f"{where}: {fault}; exit {answer.code}: {answer.talk[:300]}" for fault in wrong]
        return complete


def met_states(states: list[State]) -> Iterator[State]:
    """The states that a run can have met, the likely ones first; it reads one branch after the other."""
    mixed = [State(one.main, other.side) for one in states for other in states]
    return iter(dict.fromkeys((states[-1], *states, *mixed)))
