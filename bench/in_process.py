"""Ask a brain many questions in one process, as a server would, and print the median and the 95th percentile.

    python bench/in_process.py BRAIN CACHE

Every question is asked twice; the second time counts. Times are wall times in milliseconds, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from statistics import quantiles

from brains import CHECKOUT
from generate import MEDIUM, RARE, SEED, Language

sys.path.insert(0, str(CHECKOUT))

from kradle_ctx.cli.session import assembled
from kradle_ctx.config import RequestFlags, settings_from
from kradle_ctx.wiring import prepare

QUESTIONS = 60
WORDS = slice(300, 20_000)
"""Ranks of the words that are asked for: neither the most frequent nor ones that hardly stand anywhere."""


def questions() -> list[str]:
    """A rare word, one of a hundred files, and words and pairs of words of all ranks between."""
    chance, words = Random(3), Language(Random(SEED)).vocabulary[WORDS]
    return [RARE, MEDIUM, *(" ".join(chance.sample(words, chance.choice((1, 2)))) for _ in range(QUESTIONS - 2))]


def seconds(brain: str, cache: str, question: str) -> float:
    """Wall time of one bundle."""
    flags = RequestFlags(brain=brain, local_grant=True, query=question, max_bytes=32_000)
    started = time.perf_counter()
    run = prepare(settings_from(flags, {"KRADLE_CACHE_DIR": cache}, Path.cwd()), discover=False)
    assembled(run, "assemble")
    run.index_store.close()
    return time.perf_counter() - started


def main() -> None:
    """Measure every question."""
    brain, cache = sys.argv[1:]
    asked = questions()
    for question in asked:
        seconds(brain, cache, question)
    cuts = quantiles([seconds(brain, cache, question) for question in asked], n=20)
    sys.stdout.write(json.dumps({"p50": round(cuts[9] * 1000, 1), "p95": round(cuts[18] * 1000, 1)}) + "\n")


if __name__ == "__main__":
    main()
