"""Measure redaction: its speed on prose, and how time grows on texts that are made to slow it down.

    python bench/redaction.py [--only NAME ...]

Times are CPU times of this process. Exit code 1 when a bar is missed. bench/README.md says how to read it.
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

import re2
from brains import CHECKOUT
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(CHECKOUT))

from kradle_ctx.redaction import redact
from tests.redaction_shapes import SHAPES, Shape

MEGABYTE = 1e6
MEBIBYTE = 1 << 20
PIPE_WIDTH, NAME_WIDTH = 140, 60

LEAST_ON_PROSE = 5.0
"""Megabytes a second."""

MOST_GROWTH = 6.0
"""Times the time of a text that four times as much of it may take."""

MOST_SECONDS = 10.0
"""For a mebibyte of the slowest shape."""

DOCUMENTS, DOCUMENT_BYTES = 100, 20_000
"""Of prose: what a folder of notes is like."""

SHAPE_BYTES = 16_000
CLEAR_SECONDS = 0.004
"""A time so long says something; a shape that is faster is measured on more text."""
MOST_BYTES = 512_000
REPEATS = 5
SLOWEST = 3
WORDS = 200


@dataclass(frozen=True, slots=True)
class Growth:
    """A shape as measured: times for n and for 4n bytes in turns, and megabytes a second for the larger."""

    name: str
    size: int
    growth: float
    rate: float


def prose() -> list[str]:
    """The paragraphs of the documents and of the example brain, in an order drawn from a seed."""
    sources = sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md"), *CHECKOUT.glob("fixtures/**/*.md")])
    paragraphs = [part for source in sources for part in source.read_text().split("\n\n")]
    chance = Random(1)
    return ["\n\n".join(until(DOCUMENT_BYTES, paragraphs, chance)) for _ in range(DOCUMENTS)]


def until(size: int, paragraphs: Sequence[str], chance: Random) -> Iterator[str]:
    """Paragraphs until there are so many bytes."""
    length = 0
    while length < size:
        paragraph = chance.choice(paragraphs)
        length += len(paragraph.encode()) + 2
        yield paragraph


def reference(text: str) -> re2._Regexp:
    """An expression for words that are not in the text.

    One pass of such an automaton is the least that a scanner of many words on RE2 has to pay for a look at each byte.
    """
    chance, present = Random(2), set(re.findall(r"[a-z]+", text.lower()))
    words = {"".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(WORDS)} - present
    return re2.compile("(?i)\\b(?:" + "|".join(sorted(words)) + ")\\b")


def seconds(*texts: str) -> float:
    """CPU time to redact some texts."""
    started = time.process_time()
    for text in texts:
        redact(text)
    return time.process_time() - started


def searched(expression: re2._Regexp, data: bytes) -> float:
    """CPU time of one pass of an expression."""
    started = time.process_time()
    expression.search(data)
    return time.process_time() - started


def measured_prose(console: Console) -> bool:
    """Measure prose against one pass of RE2, in turns; whether the bar is held."""
    texts = prose()
    whole = "\n\n".join(texts)
    data, expression = whole.encode(), reference(whole)
    seconds(*texts), searched(expression, data)
    pairs = [(seconds(*texts), searched(expression, data)) for _ in range(REPEATS)]
    rate = len(data) / MEGABYTE / median(ours for ours, _ in pairs)
    ratio = median(ours / theirs for ours, theirs in pairs)
    held = rate >= LEAST_ON_PROSE
    console.print(
        f"prose: {rate:.1f} MB/s (must be >= {LEAST_ON_PROSE:g}: {'held' if held else 'missed'}), "
        f"{ratio:.0f} times one pass of RE2 for {WORDS} words"
    )
    return held


def grown(name: str, shape: Shape) -> Growth:
    """Measure a shape on n and 4n bytes in turns, on new text each time."""
    size = SHAPE_BYTES
    seconds(shape(size // 4, Random(0)))
    while size < MOST_BYTES and seconds(shape(size, Random(0))) < CLEAR_SECONDS:
        size *= 2
    pairs = []
    for turn in range(1, REPEATS + 1):
        small, large = shape(size, Random(turn)), shape(4 * size, Random(-turn))
        gc.collect()
        pairs.append((seconds(small), seconds(large), len(large.encode("utf-8", "replace"))))
    growth = median(large / small for small, large, _ in pairs)
    return Growth(name, size, growth, median(length / MEGABYTE / large for _, large, length in pairs))


def whole_files(slowest: Sequence[Growth], console: Console) -> bool:
    """Measure a mebibyte of the slowest shapes; whether each is within the limit."""
    spent = {each.name: seconds(SHAPES[each.name](MEBIBYTE, Random(7))[:MEBIBYTE]) for each in slowest}
    for name, took in spent.items():
        console.print(f"a mebibyte of {name}: {took:.1f} s (must be <= {MOST_SECONDS:g})")
    return max(spent.values()) <= MOST_SECONDS


def short(name: str) -> str:
    """A name that leaves room for the figures."""
    return name if len(name) <= NAME_WIDTH else f"{name[:NAME_WIDTH]}..."


def table(shapes: Sequence[Growth]) -> Table:
    """Every shape, the slowest first."""
    made = Table("shape", "n, kB", "t(4n) / t(n)", "MB/s", "verdict", box=SIMPLE)
    for each in shapes:
        verdict = "held" if each.growth <= MOST_GROWTH else f"missed: > {MOST_GROWTH:g}"
        made.add_row(short(each.name), f"{each.size / 1000:.0f}", f"{each.growth:.1f}", f"{each.rate:.2f}", verdict)
    return made


def main() -> int:
    """Measure everything; returns the exit code."""
    parser = argparse.ArgumentParser(description="Measure redaction.")
    parser.add_argument("--only", nargs="+", choices=SHAPES, metavar="NAME", help="only these shapes")
    only = parser.parse_args().only
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False, markup=False)
    held = measured_prose(console)
    shapes = sorted((grown(name, SHAPES[name]) for name in only or SHAPES), key=lambda each: each.rate)
    console.print(table(shapes))
    console.print(f"worst: {shapes[0].rate:.2f} MB/s, growth {max(each.growth for each in shapes):.1f}")
    held &= all(each.growth <= MOST_GROWTH for each in shapes)
    return 0 if whole_files(shapes[:SLOWEST], console) and held else 1


if __name__ == "__main__":
    sys.exit(main())
