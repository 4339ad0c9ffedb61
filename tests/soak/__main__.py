"""The command `python -m tests.soak`."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.command_server import warm
from tests.soak.endurance import GROWTH, Footprint, endure
from tests.soak.lane import Lane, Tally

PROGRESS = 50
"""Operations after which a lane says how far it is."""

SHOWN = 10
"""Losses that are shown in full."""

ENDURED = 0.25
"""Share of the operations that run in one process."""


def main() -> int:
    """Soak, print the summary; 1 where something was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--operations", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lanes", type=int, default=2)
    given = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        tally = soak(Path(folder), given.seed, given.operations, given.lanes)
        held = endure(Path(folder) / "0" / "desk", given.seed, int(given.operations * ENDURED))
    tally.losses += grown(*held)
    summarize(tally, held, given.seed, time.monotonic() - started)
    return 1 if tally.losses else 0


def soak(folder: Path, seed: int, operations: int, lanes: int) -> Tally:
    """Run operations in several lanes at once; what they counted together."""
    shares = [len(range(lane, operations, lanes)) for lane in range(lanes)]
    total = Tally()
    with ProcessPoolExecutor(lanes) as pool:
        jobs = [pool.submit(run_lane, folder / str(n), seed * 1_000 + n, share) for n, share in enumerate(shares)]
        for job in jobs:
            total.add(job.result())
    return total


def run_lane(folder: Path, seed: int, operations: int) -> Tally:
    """Run one lane."""
    lane = Lane(folder, seed)
    for number in range(operations):
        lane.operate(number)
        if (number + 1) % PROGRESS == 0:
            say(f"lane {folder.name}: {number + 1} of {operations} operations, {len(lane.tally.losses)} losses")
    lane.close()
    warm().close()
    return lane.tally


def grown(warm: Footprint, end: Footprint) -> list[str]:
    """What a process must not do that runs one operation after the other."""
    losses = []
    if end.memory - warm.memory > GROWTH:
        losses.append(f"memory grew from {warm.memory} to {end.memory} bytes")
    if (end.descriptors, end.threads) != (warm.descriptors, warm.threads):
        losses.append(f"descriptors or threads grew from {warm} to {end}")
    return losses


def summarize(tally: Tally, held: tuple[Footprint, Footprint], seed: int, seconds: float) -> None:
    """Say what was done and what was lost."""
    disturbances = ", ".join(f"{kind} {count}" for kind, count in tally.disturbances.most_common())
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(tally.codes.items()))
    say(f"{tally.disturbances.total()} operations in {seconds:.0f} s, seed {seed}: {disturbances}")
    say(f"exit codes {codes}; {tally.moves} moves of the branches; {tally.leftovers} temporary files left by kills")
    say(f"in one process: {held[0].memory >> 20} MiB when warm, {held[1].memory >> 20} MiB at the end, {held[1]}")
    for loss in tally.losses[:SHOWN]:
        say(f"LOST {loss}")
    say(f"{len(tally.losses)} losses" if tally.losses else "nothing lost")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if shutil.which("git") is None:
        sys.exit("git is not installed")
    sys.exit(main())
