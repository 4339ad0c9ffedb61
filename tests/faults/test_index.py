"""Every write of an index fails, or kills the run: the bundle is the same, and the next run finds a whole store.

`EVERY_ERROR=1` strikes every step with every error, and kills a build fifty times.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from kradle_ctx.adapters import reading
from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.checking import faults
from kradle_ctx.config import CACHE_VARIABLE
from tests.adapters import index_cache
from tests.adapters.index_cache import QUESTIONS, Cache
from tests.cases.command_line import environment
from tests.conftest import GitBuilder
from tests.fakes import Content
from tests.faults.harness import Command, Run, kernel_watches, run
from tests.faults.plan import DEATH, ERRORS, Fault
from tests.faults.prologues import DIE_AFTER
from tests.faults.scenario import REFUSED, THOROUGH

needs_kernel = pytest.mark.skipif(
    not kernel_watches(), reason="this machine does not let a process watch another's system calls"
)

SAMPLE = 6
"""Steps that are struck where not all of them are."""

FILES = 3_000
KILLS = 50 if THOROUGH in os.environ else 3


@dataclass(frozen=True, slots=True)
class Builds:
    """A run that writes an index, from a cache that is empty or knows another commit."""

    cache: Cache
    before: Cache | None

    def reset(self) -> None:
        """Bring the cache to the state before the run."""
        shutil.rmtree(self.cache.place, ignore_errors=True)
        if self.before is not None:
            index_cache.copied(self.before, self.cache.place)

    def run(self, fault: Fault | None = None, at: int = 0) -> Run:
        """Run, with a step struck."""
        asked = ("assemble", "--brain", self.cache.brain, "--local-grant", *QUESTIONS[0])
        values = environment({CACHE_VARIABLE: str(self.cache.place)})
        return run(Command(asked, self.cache.brain.parent, values), fault, at, mechanism="kernel")

    def steps(self, clean: Run) -> list[int]:
        """The numbers of the steps that are struck: all, else some of different kinds."""
        if THOROUGH in os.environ:
            return list(range(1, len(clean.steps) + 1))
        chance, kinds = random.Random(len(clean.steps)), defaultdict(list)
        for at, step in enumerate(clean.steps, start=1):
            kinds[step.operation, Path(step.target).name].append(at)
        return sorted(chance.choice(kinds[kind]) for kind in chance.sample(sorted(kinds), SAMPLE))

    def check(self, struck: Run) -> None:
        """A run that was struck in the cache ends as ever; afterwards the store is whole, and the next run, too."""
        assert struck.struck is not None
        if struck.killed:
            assert struck.answer.code == -9
        elif struck.fault is not None and struck.fault.lasting and struck.answer.code == REFUSED:
            # The disk is full for the text to search, too.
            assert "[OUTPUT_UNWRITABLE]" in struck.answer.talk
        elif str(self.cache.place) in struck.struck.target:
            self.cache.right(struck.answer)
        self.whole()
        assert self.cache.asked_here() == [], struck
        self.whole()

    def whole(self) -> None:
        """Each store is whole."""
        for folder in folders.store_folders(self.cache.place):
            assert list(faults(folder)) == []


@pytest.fixture(params=["cold", "incremental"])
def builds(request: pytest.FixtureRequest, known: Cache, tmp_path: Path) -> Builds:
    """A cold build, and one that adds what a commit changed."""
    cache = Cache(known.brain, tmp_path / "cache", known.expected)
    return Builds(cache, known if request.param == "incremental" else None)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """A cache that knows the first commit of a brain, and not its last."""
    folder = tmp_path_factory.mktemp("known")
    brain = index_cache.build(folder / "brain")
    cache = Cache(brain, folder / "cache", index_cache.answers(brain))
    builder, tip = GitBuilder(brain), "refs/heads/main"
    last = builder.git("rev-parse", tip)
    builder.git("update-ref", tip, "refs/tags/old")
    assert cache.ask(QUESTIONS[0]).code == 0
    builder.git("update-ref", tip, last)
    return cache


@needs_kernel
def test_a_write_of_the_index_that_fails_changes_nothing_of_the_bundle(builds: Builds) -> None:
    builds.reset()
    clean = builds.run()
    assert builds.cache.right(clean.answer) == []
    assert len([step for step in clean.steps if str(builds.cache.place) in step.target]) > 40
    for at in builds.steps(clean):
        every = THOROUGH in os.environ and clean.steps[at - 1].operation != "lock"
        for fault in ERRORS if every else (ERRORS[at % len(ERRORS)],):
            builds.reset()
            builds.check(builds.run(fault, at))


@needs_kernel
def test_a_kill_at_any_write_of_the_index_leaves_it_whole(builds: Builds) -> None:
    builds.reset()
    for at in builds.steps(builds.run()):
        builds.reset()
        builds.check(builds.run(DEATH, at))


@needs_kernel
def test_kills_amid_what_earlier_kills_left_lead_to_the_same_in_the_end(builds: Builds) -> None:
    builds.reset()
    stride = 1 if THOROUGH in os.environ else 20
    at, struck = 1, builds.run(DEATH, 1)
    while struck.killed:
        builds.whole()
        at += stride
        struck = builds.run(DEATH, at)
    assert builds.cache.right(struck.answer) == []
    assert builds.cache.asked_here() == []


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """A brain of so many files that they are read by children."""
    folder = tmp_path_factory.mktemp("large")
    files: dict[str, Content] = {
        f"notes/{n % 30}/{n}.md": f"# Note {n}\n\nThe depot of line {n % 7} opens; see note:{n + 1}.\n"
        for n in range(FILES)
    }
    brain = GitBuilder(folder / "brain")
    brain.git("config", "fastimport.unpackLimit", "0")
    brain.add_commit(files, "2026-05-01T00:00:00Z")
    cache = Cache(brain.path, folder / "cache", {})
    assert FILES > reading.WORTH_PROCESSES
    answer = cache.ask(QUESTIONS[0], "--no-index")
    return Cache(brain.path, folder / "cache", {QUESTIONS[0]: answer})


def committed(cache: Cache) -> int:
    """Files of the store that are read for good; each is there once."""
    count = 0
    for folder in folders.store_folders(cache.place):
        with closing(sqlite3.connect(folder / folders.DATABASE)) as database:
            count, distinct = database.execute(
                "SELECT count(*), count(DISTINCT path || char(0) || blob || char(0) || role) FROM files"
            ).fetchone()
            assert count == distinct
    return count


def working_in(folder: Path) -> Iterator[int]:
    """The processes whose working folder that is."""
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if entry.readlink() == folder:
                yield int(entry.parent.name)
        except OSError:
            # It has ended, or is somebody else's.
            continue


def left_over(folder: Path, seconds: float = 3) -> list[int]:
    """The processes that are still there after a while."""
    end = time.monotonic() + seconds
    while (found := list(working_in(folder))) and time.monotonic() < end:
        time.sleep(0.02)
    return found


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system cannot name a process for good")
def test_a_build_that_is_killed_again_and_again_loses_nothing(large: Cache) -> None:
    """In the end each file was read once, no child is left, and the bundle is the same."""
    shutil.rmtree(large.place, ignore_errors=True)
    started = time.monotonic()
    assert large.right(large.ask(prologue="tests.faults.prologues:small_portions")) == []
    whole = time.monotonic() - started
    shutil.rmtree(large.place)
    moments, killed, known, progress = random.Random(9), 0, 0, 0
    while killed < KILLS:
        if known == FILES:
            shutil.rmtree(large.place)
            known = 0
        changes = {DIE_AFTER: str(moments.uniform(0.1, 0.6) * whole)}
        answer = large.ask(prologue="tests.faults.prologues:small_portions_and_death", changes=changes)
        assert answer.code == -9 or large.right(answer) == []
        assert left_over(large.brain.parent) == []
        killed += answer.code == -9
        now = committed(large)
        assert now >= known
        progress += now > known
        known = now
    assert large.right(large.ask()) == []
    assert committed(large) == FILES
    assert list(faults(large.store)) == []
    assert progress > 0
