"""Reading files of a snapshot and working on each, on two cores where that is worth it."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from kradle_ctx.errors import KradleError
from kradle_ctx.ports import Snapshot

if TYPE_CHECKING:
    from concurrent.futures import Future

WORTH_PROCESSES = 2_000
"""Files below which starting processes takes longer than it saves."""

PROCESSES = 2
LOWER_PRIORITY = 5
PORTION = 250
"""Files that a process is given at a time."""

WAITING = 40
"""Portions that are read ahead of the one that is written."""


class Blob(Protocol):
    """A file to read."""

    @property
    def blob(self) -> str:
        """Its blob."""


Wanted = TypeVar("Wanted", bound=Blob)
Made = TypeVar("Made")

Work = Callable[[Sequence[tuple[Wanted, bytes]]], list[Made]]
"""What is made of some files and their bytes, one for each; it is done step by step for all of them.

A core is faster at what it has just done.
"""


def read_each(snapshot: Snapshot, files: Sequence[Wanted], work: Work[Wanted, Made]) -> Iterator[Made]:
    """What is made of each file; raises what reading the first of them that cannot be read raises.

    Many are read in the order in which the repository stores them, since most are kept as what differs from another.
    """
    if len(files) < WORTH_PROCESSES or not can_fork():
        for file in files:
            yield from work([(file, snapshot.read(file.blob))])
        return
    try:
        yield from read_by_processes(snapshot, sorted(files, key=lambda file: snapshot.place(file.blob)), work)
    except KradleError:
        for file in files:
            snapshot.read(file.blob)
        raise


def can_fork() -> bool:
    """Whether a child can go on with what this process has opened: one thread, on a system where that is sound."""
    return sys.platform == "linux" and threading.active_count() == 1


class Job(NamedTuple):
    """What children find when they begin: an opened snapshot, and what to do."""

    snapshot: Snapshot
    work: Work[Any, Any]


_jobs: list[Job] = []


def read_by_processes(snapshot: Snapshot, files: Sequence[Wanted], work: Work[Wanted, Made]) -> Iterator[Made]:
    """The same, by children that read ahead."""
    # Few files are read without them, and are not to wait for the import.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    portions = [files[at : at + PORTION] for at in range(0, len(files), PORTION)]
    _jobs.append(Job(snapshot, work))
    try:
        fork = multiprocessing.get_context("fork")
        with lifeline() as line, ProcessPoolExecutor(PROCESSES, fork, end_with_parent, line) as pool:
            running: deque[Future[tuple[list[Any], KradleError | None]]] = deque()
            try:
                for portion in portions:
                    running.append(pool.submit(read_portion, portion))
                    if len(running) > WAITING:
                        yield from finished(running.popleft())
                while running:
                    yield from finished(running.popleft())
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
    finally:
        _jobs.clear()


@contextmanager
def lifeline() -> Iterator[tuple[int, int]]:
    """A pipe whose reader learns that this process has ended, however it ended."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for descriptor in ends:
            os.close(descriptor)


def end_with_parent(reader: int, writer: int) -> None:
    """Let this child end with its parent, which alone answers to an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whoever writes has the most to do, and must not wait for who reads ahead.
    os.nice(LOWER_PRIORITY)
    gc.freeze()
    os.close(writer)

    def watch() -> None:
        os.read(reader, 1)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def read_portion(portion: Sequence[Blob]) -> tuple[list[Any], KradleError | None]:
    """What a child does: read some files, up to one that cannot be read, and work on them."""
    job, texts = _jobs[-1], list[bytes]()
    failed: KradleError | None = None
    for file in portion:
        try:
            texts.append(job.snapshot.read(file.blob))
        except KradleError as error:
            failed = error
            break
    return job.work(list(zip(portion, texts, strict=False))), failed


def finished(portion: Future[tuple[list[Any], KradleError | None]]) -> Iterator[Any]:
    """What was made of a portion when it is done."""
    made, error = portion.result()
    yield from made
    if error is not None:
        raise error
