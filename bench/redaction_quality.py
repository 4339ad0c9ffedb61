"""Redact the rows of a seed, and hold what leaked, what was over-redacted and what was lost against the gates.

    python bench/redaction_quality.py --seed 1 [--show 20] [--rows rows.jsonl]

A secret leaks when six of its characters in a row, none of them public or found elsewhere in the text, are left. A
negative row is over-redacted when it is changed at all. Context is lost where a word of four characters outside the
secrets is gone. Exit code 1 when a gate is missed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

from redaction_rows import Row, rows, vendors  # noqa: E402

from kradle_ctx.redaction import redact  # noqa: E402

RUN = 6
"""Characters in a row that are a leak."""
MOST_LEAKED, MOST_CHANGED, MOST_LOST = 0.02, 0.01, 0.02
KEY_GROUPS = "private_key"
"""How the groups of PEM blocks begin; of these and of marked tokens nothing may leak."""

_marker = re.compile(r"\[REDACTED:[a-z\-]+\]")
_word = re.compile(r"\w{4,}")


@dataclass(slots=True)
class Tally:
    """How many there are, and which failed."""

    total: int = 0
    failed: list[Row] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The share that failed."""
        return len(self.failed) / self.total if self.total else 0.0


@dataclass(slots=True)
class Score:
    """What became of the rows: secrets by tier, negatives, words outside of secrets, leaks and changes by group."""

    core: Tally = field(default_factory=Tally)
    stretch: Tally = field(default_factory=Tally)
    sure: Tally = field(default_factory=Tally)
    negatives: Tally = field(default_factory=Tally)
    words: int = 0
    lost: int = 0
    by_group: Counter[str] = field(default_factory=Counter)

    @property
    def lost_share(self) -> float:
        """Words outside of secrets that are gone."""
        return self.lost / self.words if self.words else 0.0

    def missed_gates(self) -> list[str]:
        """The gates that were missed, each with its figure."""
        gates = (
            ("core secrets leaked", self.core.rate, MOST_LEAKED),
            ("marked tokens and keys leaked", self.sure.rate, 0.0),
            ("negative rows changed", self.negatives.rate, MOST_CHANGED),
            ("context lost", self.lost_share, MOST_LOST),
        )
        return [f"{name}: {figure:.2%} > {most:.0%}" for name, figure, most in gates if figure > most]


def score(made: Iterable[Row], redactor: Callable[[str], str]) -> Score:
    """Redact rows and count what became of them."""
    result = Score()
    marked = {vendor.group for vendor in vendors() if vendor.marked}
    for row in made:
        redacted = redactor(row.text)
        if row.label == "neg":
            _count(result, result.negatives, row, redacted != row.text)
            continue
        _count_secrets(result, row, redacted, row.group in marked or row.group.startswith(KEY_GROUPS))
        _count_words(result, row, redacted)
    return result


def _count(result: Score, tally: Tally, row: Row, failed: bool) -> None:
    tally.total += 1
    if failed:
        tally.failed.append(row)
        result.by_group[row.group] += 1


def _count_secrets(result: Score, row: Row, redacted: str, is_sure: bool) -> None:
    rest = _outside(row)
    left = _marker.sub("\0", redacted)
    for (start, end, _), public in zip(row.spans, row.pub, strict=True):
        runs = {run for run in _runs(row.text[start + public : end]) if run not in rest}
        leaked = any(run in left for run in runs)
        _count(result, result.core if row.tier == "core" else result.stretch, row, leaked)
        if is_sure and row.tier == "core":
            result.sure.total += 1
            result.sure.failed += [row] * leaked


def _count_words(result: Score, row: Row, redacted: str) -> None:
    before, after = Counter(_word.findall(_outside(row))), Counter(_word.findall(redacted))
    result.words += before.total()
    result.lost += (before - after).total()


def _outside(row: Row) -> str:
    """The text with NUL in place of its secrets."""
    text = row.text
    for start, end, _ in reversed(row.spans):
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text


def _runs(secret: str) -> set[str]:
    lines = [line.strip("> \t") for line in secret.splitlines()]
    return {line[at : at + RUN] for line in lines if line for at in range(max(1, len(line) - RUN + 1))}


def report(result: Score, show: int) -> str:
    """The figures as lines, and up to so many rows that failed."""
    names = ("core", "stretch", "negatives")
    lines = [
        f"{name:10} {len(tally.failed):4} of {tally.total:5}  {tally.rate:.2%}" for name, tally in _tallies(result)
    ]
    lines.append(f"{'context':10} {result.lost:4} of {result.words:5}  {result.lost_share:.2%}")
    lines += [f"  {group}: {count}" for group, count in sorted(result.by_group.items())]
    failed = [row for name in names for row in getattr(result, name).failed]
    return "\n".join([*lines, *(f"{row.group} | {row.note}: {row.text[:160]!r}" for row in failed[:show])])


def _tallies(result: Score) -> tuple[tuple[str, Tally], ...]:
    return (
        ("core", result.core),
        ("sure", result.sure),
        ("stretch", result.stretch),
        ("negatives", result.negatives),
    )


def _read(path: str) -> list[Row]:
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    known = Row.__dataclass_fields__
    return [Row(**{name: value for name, value in json.loads(line).items() if name in known}) for line in lines]


def main() -> int:
    """Score a seed, or rows from a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="rows that failed to print")
    parser.add_argument("--rows", help="a file of rows instead of a seed")
    arguments = parser.parse_args()
    made = _read(arguments.rows) if arguments.rows else rows(arguments.seed)
    result = score(made, lambda text: redact(text).text)
    missed = result.missed_gates()
    sys.stdout.write(report(result, arguments.show) + "\n" + "".join(f"MISSED {gate}\n" for gate in missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
