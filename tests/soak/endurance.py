"""Many operations in one process: its memory and its descriptors stay what they were."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.cases.command_line import environment
from tests.command_server import CHECKOUT

CYCLE = 20
"""Operations that are repeated."""

WARM = 2
"""Cycles after which everything that is kept for good has been made."""

GROWTH = 8 << 20
"""Bytes by which memory may grow in all later cycles together."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a process holds: bytes of memory, descriptors, threads."""

    memory: int
    descriptors: int
    threads: int


def footprint() -> Footprint:
    """What this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Footprint(
        pages * os.sysconf("SC_PAGE_SIZE"), len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
    )


def endure(folder: Path, seed: int, operations: int) -> tuple[Footprint, Footprint]:
    """Run operations in a process of their own, in a folder with a brain; what it held when warm, and at the end."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak.endurance", str(folder), str(seed), str(max(operations // CYCLE, WARM + 1))],
        cwd=CHECKOUT,
        env=environment(),
        capture_output=True,
        check=True,
    )
    warm, end = (Footprint(**value) for value in json.loads(done.stdout.splitlines()[-1]))
    return warm, end


def main() -> None:
    """Run the cycles, with standard output led away, and print both footprints."""
    from kradle_ctx.cli.boundary import run_guarded
    from tests.soak.operations import drawn

    folder, seed, cycles = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(f"endurance {seed}")
    chosen = [drawn(chance) for _ in range(CYCLE)]
    os.chdir(folder)
    told = os.dup(1)
    for descriptor in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
    held = []
    for _ in range(cycles):
        for operation in chosen:
            sys.stdin = io.TextIOWrapper(io.BytesIO(operation.stdin))
            run_guarded(operation.arguments)
        held.append(footprint())
    os.write(told, json.dumps([asdict(held[WARM - 1]), asdict(held[-1])]).encode() + b"\n")


if __name__ == "__main__":
    main()
