"""Ask a brain many questions in one process, as a server would, and print the median and the 95th percentile.

    python bench/in_process.py BRAIN CACHE

The brain is opened once, as a server that is pinned to a commit does. Every question is asked twice; the second time
counts: what redaction hides in a text is known by then. Times are wall times in milliseconds, as JSON.
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

from kradle_ctx.assemble import answer
from kradle_ctx.config import RequestFlags, settings_from
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.stages.load import load
from kradle_ctx.stages.resolve import resolve
from kradle_ctx.wiring import Run, prepare

QUESTIONS = 60
WORDS = slice(300, 20_000)
"""Ranks of the words that are asked for: neither the most frequent nor ones that hardly stand anywhere."""


def questions() -> list[str]:
    """A rare word, one of a hundred files, and words and pairs of words of all ranks between."""
    chance, words = Random(3), Language(Random(SEED)).vocabulary[WORDS]
    return [RARE, MEDIUM, *(" ".join(chance.sample(words, chance.choice((1, 2)))) for _ in range(QUESTIONS - 2))]


def prepared(brain: str, cache: str, question: str) -> Run:
    """A question with its adapters."""
    flags = RequestFlags(brain=brain, local_grant=True, query=question, max_bytes=32_000)
    return prepare(settings_from(flags, {"KRADLE_CACHE_DIR": cache}, Path.cwd()), discover=False)


class Server:
    """A brain that is open at a commit."""

    def __init__(self, brain: str, cache: str) -> None:
        self._places = brain, cache
        self._run = prepared(brain, cache, RARE)
        self._repository = self._run.open_repository()
        self._pin = resolve(self._repository, self._run.request.ref, configured_branch=None)
        store = self._run.index_store
        self._view = load(
            self._pin, self._run.request, self._run.access, repository=self._repository, index_store=store
        )
        self._redactor = BlobRedactor(self._run.redactor, store.kept)

    def seconds(self, question: str) -> float:
        """Wall time of one bundle."""
        started = time.perf_counter()
        run = prepared(*self._places, question)
        answer(
            self._pin,
            self._view,
            run.request,
            run.access,
            repository=self._repository,
            searcher=run.searcher,
            redactor=self._redactor,
            clock=run.clock,
        )
        return time.perf_counter() - started


def main() -> None:
    """Measure every question."""
    server, asked = Server(*sys.argv[1:]), questions()
    for question in asked:
        server.seconds(question)
    cuts = quantiles([server.seconds(question) for question in asked], n=20)
    sys.stdout.write(json.dumps({"p50": round(cuts[9] * 1000, 1), "p95": round(cuts[18] * 1000, 1)}) + "\n")


if __name__ == "__main__":
    main()
