"""Walks through all steps of a command, strikes each in turn, and looks at what is left."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.command_server import Answer
from tests.faults.harness import Command, Run, forked, run
from tests.faults.plan import DEATH, ERRORS, Fault

Files = Mapping[str, bytes]

SCRATCH = "scratch"
"""The folder for temporary files, on the disk of the scenario."""

LEFTOVER = re.compile(r"(.*/)?(\..+\.tmp|kradle-ctx-[^/]+)")
"""Names of temporary files, which may stay behind after a kill."""

TALK = re.compile(r"(error|hint|note): \S.*")

REFUSED = 3

THOROUGH = "EVERY_ERROR"
"""The variable that asks for every error at each step."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A command, and the one folder that it may write to, with the files that lie there before.

    `volatile` fits names of files that differ from run to run, and are left to the caller's own check. `excuse` is what
    the command says when it ends as ever although an artefact is missing. For `mechanism` see `harness.run`.
    """

    command: Command
    disk: Path
    old: Files = field(default_factory=dict)
    volatile: str = r"(?!)"
    excuse: str = ""
    mechanism: str | None = None

    def reset(self) -> None:
        """Bring the disk to the state before the command."""
        shutil.rmtree(self.disk, ignore_errors=True)
        (self.disk / SCRATCH).mkdir(parents=True)
        for name, content in self.old.items():
            (self.disk / name).parent.mkdir(parents=True, exist_ok=True)
            (self.disk / name).write_bytes(content)

    def run(self, fault: Fault | None = None, at: int = 0) -> Run:
        """Run the command on the disk as it is."""
        return run(self.command, fault, at, mechanism=self.mechanism)

    def unwatched(self) -> Answer:
        """Run the command on the disk as it is, with no step watched."""
        return forked(self.command, self.command.environment, prologue=None)

    def files(self) -> dict[str, bytes]:
        """The files on the disk, but for those that differ from run to run."""
        paths = (path for path in self.disk.rglob("*") if path.is_file())
        found = {str(path.relative_to(self.disk)): path.read_bytes() for path in paths}
        return {name: content for name, content in found.items() if not re.fullmatch(self.volatile, name)}


Integrity = Callable[[Scenario, Run, Files], None]
"""Checks the disk after a run that was struck, knowing the files of a clean run."""


def errors_at(at: int) -> tuple[Fault, ...]:
    """One error at each step and another at the next; all of them at each step of a thorough run."""
    return ERRORS if THOROUGH in os.environ else (ERRORS[at % len(ERRORS)],)


def fail_each_step(scenario: Scenario, integrity: Integrity | None = None) -> Run:
    """Let step 1, 2, 3 and so on fail, until a run ends before; check each, and give the clean run."""
    clean, new = clean_run(scenario)
    for at in range(1, len(clean.steps) + 1):
        for fault in errors_at(at):
            scenario.reset()
            struck = scenario.run(fault, at)
            assert struck.struck is not None, struck
            assert_ended_by_design(scenario, struck, clean, new)
            (integrity or whole)(scenario, struck, new)
    scenario.reset()
    unstruck = scenario.run(DEATH, len(clean.steps) + 1)
    assert unstruck.struck is None
    assert_same(scenario, unstruck, clean, new)
    return clean


def kill_at_each_step(scenario: Scenario, integrity: Integrity | None = None) -> Run:
    """Kill the command at step 1, 2, 3 and so on, amid what the kills before left, until a run ends before.

    That last run has to give what the clean one gave, which is returned.
    """
    clean, new = clean_run(scenario)
    scenario.reset()
    for at in count(1):
        struck = scenario.run(DEATH, at)
        if not struck.killed:
            break
        assert struck.answer.code == -9, struck
        (integrity or whole)(scenario, struck, new)
    assert_same(scenario, struck, clean, new)
    return clean


def clean_run(scenario: Scenario) -> tuple[Run, Files]:
    """An undisturbed run and the files after it."""
    scenario.reset()
    return scenario.run(), scenario.files()


def assert_ended_by_design(scenario: Scenario, struck: Run, clean: Run, new: Files) -> None:
    """It did all of its work, or it says in one line what it could not do, with the right code."""
    answer, usual = struck.answer, clean.answer
    if struck.struck is not None and struck.struck.target == "stderr":
        assert (answer.code, answer.stdout) == (usual.code, usual.stdout), struck
        return
    lines = answer.talk.splitlines()
    assert all(TALK.fullmatch(line) for line in lines), struck
    assert [line[:5] for line in lines].count("error") == (answer.code != 0), struck
    complete = answer.stdout == usual.stdout and new.items() <= scenario.files().items()
    if answer.code == usual.code:
        assert complete or (scenario.excuse and scenario.excuse in answer.talk), struck
    else:
        assert answer.code == REFUSED, struck
        assert not complete, struck
        assert usual.stdout.startswith(answer.stdout), struck


def whole(scenario: Scenario, struck: Run, new: Files) -> None:
    """Each file is the old one or the new one; another is there only after a kill, or when it could not be removed."""
    assert struck.struck is not None
    found = scenario.files()
    for name, content in found.items():
        if name in new or name in scenario.old:
            assert content in (scenario.old.get(name), new.get(name)), (name, struck)
        else:
            assert LEFTOVER.fullmatch(name), (name, struck)
            assert struck.killed or struck.struck.operation == "unlink", (name, struck)
    assert scenario.old.keys() <= found.keys(), struck


def assert_same(scenario: Scenario, other: Run, clean: Run, new: Files) -> None:
    """A run gave what the clean one gave; what a kill left behind is still there and disturbs nothing."""
    assert (other.answer.code, other.answer.stdout) == (clean.answer.code, clean.answer.stdout), other
    found = scenario.files()
    assert new.items() <= found.items(), other
    assert all(LEFTOVER.fullmatch(name) for name in found.keys() - new.keys()), other
