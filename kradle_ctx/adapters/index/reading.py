"""Reading files of a snapshot into rows, on two cores where that is worth it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

from kradle_ctx.adapters.index.rows import FileRows, documents_in, file_rows
from kradle_ctx.errors import KradleError
from kradle_ctx.ports import Snapshot

WORTH_PROCESSES = 2_000
"""Files below which starting processes takes longer than it saves."""

PROCESSES = 2
LOWER_PRIORITY = 5
PORTION = 250
"""Files that a process is given at a time."""

WAITING = 40
"""Portions that are read ahead of the one that is written."""


class Wanted(NamedTuple):
    """A file to read, and what as."""

    path: str
    blob: str
    role: int


def read_rows(snapshot: Snapshot, files: Sequence[Wanted]) -> Iterator[FileRows]:
    """The rows of files; raises what reading the first of them that cannot be read raises.

    Many are read in the order in which the repository stores them, since most are kept as what differs from another.
    """
    if len(files) < WORTH_PROCESSES or not can_fork():
        for file in files:
            data = snapshot.read(file.blob)
            yield file_rows(*file, data, documents_in(*file, data))
        return
    try:
        yield from read_by_processes(snapshot, sorted(files, key=lambda file: snapshot.place(file.blob)))
    except KradleError:
        for file in files:
            snapshot.read(file.blob)
        raise


def can_fork() -> bool:
    """Whether a child can go on with what this process has opened: one thread, on a system where that is sound."""
    return sys.platform == "linux" and threading.active_count() == 1


_opened: list[Snapshot] = []
"""The snapshot that children find opened."""


def read_by_processes(snapshot: Snapshot, files: Sequence[Wanted]) -> Iterator[FileRows]:
    """The same, by children that read ahead."""
    portions = [files[at : at + PORTION] for at in range(0, len(files), PORTION)]
    _opened.append(snapshot)
    try:
        fork = multiprocessing.get_context("fork")
        with lifeline() as line, ProcessPoolExecutor(PROCESSES, fork, end_with_parent, line) as pool:
            running: deque[Future[tuple[list[FileRows], KradleError | None]]] = deque()
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
        _opened.clear()


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


def read_portion(portion: Sequence[Wanted]) -> tuple[list[FileRows], KradleError | None]:
    """What a child does: read some files, up to one that cannot be read."""
    texts: list[bytes] = []
    failed: KradleError | None = None
    for file in portion:
        try:
            texts.append(_opened[-1].read(file.blob))
        except KradleError as error:
            failed = error
            break
    # Step by step for all of them: a core is faster at what it has just done.
    read = list(zip(portion, texts, strict=False))
    found = [documents_in(*file, data) for file, data in read]
    return [file_rows(*file, data, inside) for (file, data), inside in zip(read, found, strict=True)], failed


def finished(portion: Future[tuple[list[FileRows], KradleError | None]]) -> Iterator[FileRows]:
    """The rows of a portion when it is done."""
    rows, error = portion.result()
    yield from rows
    if error is not None:
        raise error
