"""Runs commands in this process, from a folder of their own, and keeps everything that a run wrote."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from kradle_ctx.cli.boundary import run_guarded
from tests.cases.command_line import CLOCK
from tests.command_server import Answer


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run answered, and the files that it left in its working folder and in its temporary folder."""

    answer: Answer
    files: Mapping[Path, bytes]

    @property
    def code(self) -> int:
        """The exit code."""
        return self.answer.code

    @property
    def written(self) -> tuple[bytes, ...]:
        """Every byte that the run wrote."""
        return (self.answer.stdout, self.answer.stderr, *self.files.values())


@dataclass(frozen=True, slots=True)
class Desk:
    """A folder below which each run gets an empty working folder and an empty temporary folder."""

    folder: Path
    patch: pytest.MonkeyPatch
    captured: pytest.CaptureFixture[bytes]

    def run(self, *arguments: str | Path) -> Outcome:
        """Run a command."""
        work, scratch = self.folder / "work", self.folder / "scratch"
        for place in (work, scratch):
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
        with self.patch.context() as patch:
            patch.chdir(work)
            patch.setattr(tempfile, "tempdir", str(scratch))
            patch.setenv("SOURCE_DATE_EPOCH", CLOCK)
            for variable in ("KRADLE_RESOURCES", "KRADLE_MEMORY_MODE"):
                patch.delenv(variable, raising=False)
            code = run_guarded([str(argument) for argument in arguments])
        stdout, stderr = self.captured.readouterr()
        assert b"Traceback" not in stderr
        files = [file for place in (work, scratch) for file in sorted(place.rglob("*")) if file.is_file()]
        return Outcome(Answer(code, stdout, stderr), {file: file.read_bytes() for file in files})
