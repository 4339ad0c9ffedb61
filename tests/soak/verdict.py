"""Whether what a run gave is what an undisturbed run gives, or what its disturbance allows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.command_server import Answer
from tests.faults.scenario import LEFTOVER, REFUSED, TALK
from tests.soak.disturbance import Disturbance

CUT = 1_000
"""Bytes of a limit on files below which not even an error message may get through."""

REFUSAL = re.compile(r"out/records/amq-[0-9a-f]+\.yaml")
"""A record that a refused run may write."""

UNTOLD = "the record of this refusal is missing"

Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Expected:
    """What undisturbed runs give: their answers, and for each file that they write its possible contents."""

    answers: tuple[Answer, ...]
    files: Mapping[str, tuple[bytes, ...]]


def merged(expected: Iterable[Expected]) -> Expected:
    """What a crowd may give, whose members can have met different states."""
    every = list(expected)
    names = {name for one in every for name in one.files}
    files = {name: tuple(content for one in every for content in one.files.get(name, ())) for name in names}
    return Expected(tuple(answer for one in every for answer in one.answers), files)


def files_below(desk: Path) -> dict[str, bytes]:
    """The output files of a desk."""
    paths = (path for path in (desk / "out").rglob("*") if path.is_file())
    return {str(path.relative_to(desk)): path.read_bytes() for path in paths}


def lasting(files: Files) -> dict[str, bytes]:
    """The files without temporary ones."""
    return {name: content for name, content in files.items() if not LEFTOVER.fullmatch(name)}


@dataclass(frozen=True, slots=True)
class Seen:
    """A run, with the files before and after it."""

    answer: Answer
    disturbed: Disturbance
    before: Files
    after: Files

    def is_complete(self, expected: Expected) -> bool:
        """Whether the run did all that an undisturbed one does."""
        answered = [(answer.code, answer.stdout) for answer in expected.answers]
        written = all(self.after.get(name) in contents for name, contents in expected.files.items())
        return written and (self.answer.code, self.answer.stdout) in answered

    def faults(self, expected: Expected) -> list[str]:
        """What is wrong with the run, if that was to be expected."""
        return [*self._faults_of_files(expected), *self._faults_of_answer(expected)]

    def _faults_of_files(self, expected: Expected) -> Iterator[str]:
        """Each file is what it was before, or what the run writes; a temporary one comes from a kill alone."""
        yield from (f"{name} is gone" for name in lasting(self.before).keys() - self.after.keys())
        for name, content in self.after.items():
            if content in (self.before.get(name), *expected.files.get(name, ())):
                continue
            if LEFTOVER.fullmatch(name):
                if self.answer.code != -9:
                    yield f"{name} was left"
            elif self.answer.code != REFUSED or not REFUSAL.fullmatch(name):
                yield f"{name} is neither old nor new"

    def _faults_of_answer(self, expected: Expected) -> Iterator[str]:
        """It is that of an undisturbed run; or the run was killed, or refused for a fault that was put in."""
        kind, code = self.disturbed.kind, self.answer.code
        if kind == "calm":
            told = self.answer.stderr in [answer.stderr for answer in expected.answers]
            if not (told and self.is_complete(expected)):
                yield "is not what an undisturbed run gives"
        elif self.is_complete(expected):
            return
        elif kind in ("kill", "killed step"):
            if code != -9:
                yield "failed although it was not killed"
        elif kind in ("failed step", "limit"):
            if not (self._is_refused() or self._is_refusal_untold(expected)):
                yield "failed otherwise than by refusing"
        else:
            yield "failed in a crowd"

    def _is_refused(self) -> bool:
        """Whether it says in due form that it could not write, where it can say anything."""
        silenced = self.disturbed.limits.get("RLIMIT_FSIZE", CUT) < CUT
        told = all(TALK.fullmatch(line) for line in self.answer.talk.splitlines())
        return self.answer.code == REFUSED and (told or silenced)

    def _is_refusal_untold(self, expected: Expected) -> bool:
        """Whether it was refused as ever, and only the record of that is missing."""
        return UNTOLD in self.answer.talk and self.answer.code in [answer.code for answer in expected.answers]
