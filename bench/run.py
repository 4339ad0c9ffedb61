"""Measure speed and memory in one go, and hold the figures against their bars.

    python bench/run.py

Prints a table and writes bench/results.json. Exit code 1 when a bar is missed. bench/README.md says how to read it.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bar import Bar
from brains import STAND_IN_FILES, atlas, generated, write_yaml
from commands import product, python
from generate import MEDIUM
from index_bars import LARGE, index_bars, made
from measure import Pairs, Spread, measure_pairs
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from validation_bars import validation_bars

RESULTS = Path(__file__).with_name("results.json")

ATLAS_QUESTION = "launch config that runs codex in the foreground and waits for readiness"

MEGABYTE = 1e6

IN_PROCESS = {"p50": 15, "p95": 60}
"""Milliseconds of a question that is asked in a process that runs already."""

PIPE_WIDTH = 180
"""Columns of the table where it does not go to a terminal."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One bar as measured, with the limits that it misses."""

    name: str
    peer: str
    pairs: int
    ratio: Spread
    cpu_ratio: Spread
    seconds: Spread
    peer_seconds: Spread
    megabytes: Spread
    missed: tuple[str, ...]


def bars(folder: Path, console: Console) -> list[Bar]:
    """Every bar, one entry each; brains are made in `folder`."""
    bare = python("-c", "pass")
    name, brain, question = first_brain(folder, console)
    texts = folder / "texts"
    write_yaml(brain, texts)
    events = python(str(Path(__file__).with_name("event_loop.py")), str(texts))
    first = product("assemble", "--no-index", "--quiet", "--local-grant", "--brain", str(brain), "--query", question)
    large = made(folder, LARGE, console)
    return [
        Bar(f"assemble without an index, {name}", first, "YAML events", events, seconds=6.0, megabytes=300),
        Bar("--version", product("--version"), "python -c pass", bare, pairs=15, ratio=3.0),
        Bar("--help", product("--help"), "python -c pass", bare, pairs=15, ratio=12.0),
        # Before the bars of the index, which make commits.
        *validation_bars(name, brain, large, folder, console),
        *index_bars(large, folder, console),
    ]


def first_brain(folder: Path, console: Console) -> tuple[str, Path, str]:
    """Atlas, or else the generated brain that stands in for it: its name, its folder, and a question to ask it."""
    brain = atlas(folder / "atlas")
    if brain is not None:
        return "Atlas", brain, ATLAS_QUESTION
    console.print(f"no Atlas archive in KRADLE_SHARED or ../shared: {STAND_IN_FILES} generated files stand in for it")
    return "generated", generated(folder / "generated", STAND_IN_FILES), MEDIUM


def measured(bar: Bar) -> Figure:
    """Measure one bar."""
    pairs = measure_pairs(bar.command, bar.peer, bar.pairs)
    seconds = Spread.of([run.wall for run in pairs.command])
    megabytes = Spread.of([run.peak / MEGABYTE for run in pairs.command])
    return Figure(
        bar.name,
        bar.peer_name,
        bar.pairs,
        pairs.ratio,
        pairs.cpu_ratio,
        seconds,
        Spread.of([run.wall for run in pairs.peer]),
        megabytes,
        missed(bar, pairs, seconds, megabytes),
    )


def missed(bar: Bar, pairs: Pairs, seconds: Spread, megabytes: Spread) -> tuple[str, ...]:
    """The limits that the medians are above; of the peaks it is the largest that counts."""
    held = (
        (f"{pairs.ratio.median:.2f} times", pairs.ratio.median, bar.ratio),
        (f"{seconds.median:.2f} s", seconds.median, bar.seconds),
        (f"{megabytes.most:.0f} MB", megabytes.most, bar.megabytes),
    )
    return tuple(text for text, value, limit in held if limit is not None and value > limit)


def limits(bar: Bar) -> str:
    """What a bar asks for, in words."""
    asked = ((bar.ratio, "times"), (bar.seconds, "s"), (bar.megabytes, "MB"))
    return ", ".join(f"<= {limit:g} {unit}" for limit, unit in asked if limit is not None)


def table(measurements: list[tuple[Bar, Figure]]) -> Table:
    """The figures, one line each."""
    made = Table(
        "what", "against", "times, wall (least-most)", "times, CPU", "wall ms (least-most)", "peer ms", box=SIMPLE
    )
    for title in ("peak MB", "must", "verdict"):
        made.add_column(title)
    for bar, figure in measurements:
        made.add_row(
            bar.name,
            bar.peer_name,
            shown(figure.ratio, 1, 2),
            f"{figure.cpu_ratio.median:.2f}",
            shown(figure.seconds, 1000, 0),
            f"{figure.peer_seconds.median * 1000:.0f}",
            f"{figure.megabytes.most:.0f}",
            limits(bar),
            "missed: " + ", ".join(figure.missed) if figure.missed else "held",
        )
    return made


def shown(spread: Spread, scale: float, digits: int) -> str:
    """A median between the least and the largest value."""
    median, least, most = (f"{value * scale:.{digits}f}" for value in (spread.median, spread.least, spread.most))
    return f"{median} ({least}-{most})"


def asked_in_process(folder: Path, console: Console) -> tuple[dict[str, float], bool]:
    """Median and 95th percentile of questions in one process, in milliseconds, and whether they are within the bars."""
    brain, cache = folder / f"brain-{LARGE}", folder / f"cache-{LARGE}"
    command = python(str(Path(__file__).with_name("in_process.py")), str(brain), str(cache))
    printed = subprocess.run(command.arguments, env=dict(command.environment), capture_output=True, check=True).stdout
    found: dict[str, float] = json.loads(printed)
    held = all(found[name] <= most for name, most in IN_PROCESS.items())
    told = ", ".join(f"{name} {found[name]:g} ms (must be <= {most})" for name, most in IN_PROCESS.items())
    console.print(f"in one process, {LARGE} files: {told}: {'held' if held else 'missed'}")
    return found, held


def write_results(figures: list[Figure], in_process: dict[str, float]) -> None:
    """Write every figure, and what it was measured on."""
    machine: dict[str, Any] = {
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
    }
    results = {"machine": machine, "figures": [asdict(figure) for figure in figures], "inProcess": in_process}
    RESULTS.write_text(json.dumps(results, indent=2) + "\n")


def main() -> int:
    """Measure everything; returns the exit code."""
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)
    measurements: list[tuple[Bar, Figure]] = []
    with tempfile.TemporaryDirectory(prefix="kradle-ctx-bench-") as folder:
        for bar in bars(Path(folder), console):
            console.print(f"measuring {bar.name}: {bar.pairs} pairs")
            measurements.append((bar, measured(bar)))
        in_process, held = asked_in_process(Path(folder), console)
    figures = [figure for _, figure in measurements]
    console.print(table(measurements))
    write_results(figures, in_process)
    return 1 if any(figure.missed for figure in figures) or not held else 0


if __name__ == "__main__":
    sys.exit(main())
