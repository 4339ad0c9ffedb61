"""Runs one target in a child process with limits, and makes what it finds small."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import re
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.fuzz import limits
from tests.fuzz.engines import ENGINES
from tests.fuzz.guard import Figures, Find, Guard, attempt
from tests.fuzz.limits import Note, limit_process
from tests.fuzz.minimise import MOST_SECONDS, minimised
from tests.fuzz.target import Target

CORPUS = Path(__file__).parent / "corpus"
"""A folder for each target, with every input that ever broke it."""

GRACE = 90.0
"""Seconds beyond its time after which a child is ended that no limit has ended."""

FORKING = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Result:
    """What a run came to; without figures the child was ended from outside. `coverage` is libFuzzer's own count."""

    find: Find | None
    figures: Figures | None
    coverage: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a child sent, None where it was ended, and by what; and what it wrote on stderr."""

    answer: Any
    reason: str
    said: str


def corpus_of(target: Target) -> list[bytes]:
    """What was found for a target before."""
    return [path.read_bytes() for path in sorted((CORPUS / target.name).glob("*"))]


def fuzz(target: Target, seconds: float, seed: int, engine: str) -> Result:
    """Run a target for some seconds, or until it breaks; a find is tried again, alone, and minimised."""
    note = Note()

    def child(channel: Connection) -> None:
        limit_process(seconds)
        known = [*target.seeds(), *corpus_of(target)]
        ENGINES[engine](target, Guard(target, note, channel, seconds), known, seed)

    ended = in_scratch(child, seconds + GRACE)
    find, figures = ended.answer or (Find(note.get(), ended.reason), None)
    said = re.findall(r"cov: \d+ ft: \d+", ended.said)
    return Result(find and smallest(target, find), figures, f", {said[-1]}" if said else "")


def smallest(target: Target, find: Find) -> Find:
    """A find made small; one that does not break the promise again is given back as it is, and says so."""
    again = replay(target, find.data)
    if again is None:
        return replace(find, fault=f"{find.fault} (not when tried again)")

    def child(channel: Connection) -> None:
        limit_process(MOST_SECONDS)
        channel.send(minimised(find.data, lambda smaller: fault_in(attempt(target, smaller)) == again.fault))

    data = in_scratch(child, MOST_SECONDS + GRACE).answer
    if data is None:  # an input has ended the process, so each gets one of its own
        data = minimised(find.data, lambda smaller: fault_in(replay(target, smaller)) == again.fault)
    return replay(target, data) or again


def fault_in(outcome: str | Find | None) -> str:
    """The fault of a find; empty for what is none."""
    return outcome.fault if isinstance(outcome, Find) else ""


def replay(target: Target, data: bytes) -> Find | None:
    """Try one input in a child of its own; the find that it is, or None."""

    def child(channel: Connection) -> None:
        limit_process(limits.SECONDS)
        channel.send(attempt(target, data))

    ended = in_scratch(child, limits.SECONDS + GRACE)
    if ended.answer is None:
        return Find(data, ended.reason)
    return ended.answer if isinstance(ended.answer, Find) else None


def in_scratch(child: Callable[[Connection], None], most_seconds: float) -> Ended:
    """Run a function in a fork of this process whose files land in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="kradle-fuzz-") as scratch:
        said = Path(scratch, "stderr")

        def entered(channel: Connection) -> None:
            os.dup2(os.open(said, os.O_CREAT | os.O_WRONLY | os.O_APPEND), 2)
            tempfile.tempdir = scratch
            os.chdir(scratch)
            child(channel)

        answer, reason = run_child(entered, most_seconds)
        return Ended(answer, reason, said.read_text(errors="replace"))


def run_child(child: Callable[[Connection], None], most_seconds: float) -> tuple[Any, str]:
    """Run a function in a fork of this process: what it sent, None where it was ended, and by what."""
    receiver, sender = FORKING.Pipe(duplex=False)
    process = FORKING.Process(target=child, args=(sender,))
    process.start()
    sender.close()
    try:
        answer = receiver.recv() if receiver.poll(most_seconds) else None
    except EOFError:
        answer = None
    if answer is None:
        process.join(1)
        process.kill()
    process.join()
    return answer, ending(process.exitcode or 0)


def ending(exit_code: int) -> str:
    """Why a child sent nothing, by its exit code."""
    if exit_code in (-signal.SIGPROF, -signal.SIGALRM, -signal.SIGXCPU):
        return f"took longer than {limits.SECONDS:.0f} s"
    return f"ended by {signal.Signals(-exit_code).name}" if exit_code < 0 else f"exit code {exit_code}"


def write_find(target: Target, find: Find, folder: Path) -> Path:
    """Write a find among those of its target, where a test tries it from then on."""
    path = folder / target.name / f"found-{hashlib.sha256(find.data).hexdigest()[:12]}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(find.data)
    return path
