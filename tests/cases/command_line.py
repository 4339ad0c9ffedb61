"""The command line as a subprocess: what it answered, and proof that it left the brain as it was."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.command_server import Answer, CommandServer, needs_fresh_process, warm

CHECKOUT = Path(__file__).resolve().parents[2]

COMMAND = (sys.executable, "-m", "kradle_ctx.cli.main")

TIME_LIMIT = 30
"""Seconds in which every run has to end; a search that waits for stdin never does."""

CLOCK = "1778846400"
"""`SOURCE_DATE_EPOCH` of every run, so that equal runs give equal bytes: 2026-05-15T12:00:00Z."""

UNSET = ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TERM", "LC_ALL", "PYTHONHASHSEED")

RAW_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a run: this one, less what steers output, with a fixed clock."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KRADLE_", "GIT_"))}
    for name in UNSET:
        kept.pop(name, None)
    return {**kept, "PYTHONPATH": str(CHECKOUT), "SOURCE_DATE_EPOCH": CLOCK, **(changes or {})}


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of change of everything below a folder, Git's own files included."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            status = (Path(parent) / name).lstat()
            found[str(Path(parent) / name)] = (status.st_size, status.st_mtime_ns)
    return found


Start = tuple[tuple[tuple[str, str], ...], tuple[str, ...]]
"""What a process starts with: changes to the environment in order, and what stands before the command."""


def start_of(changes: Mapping[str, str], prefix: Sequence[str]) -> Start:
    """The same start for the same changes and prefix."""
    return tuple(sorted(changes.items())), tuple(prefix)


@dataclass(slots=True)
class CommandLine:
    """Runs commands from an empty folder, each different one once."""

    desk: Path
    answers: dict[tuple[object, ...], Answer] = field(default_factory=dict)
    processes: dict[Start, CommandServer | None] = field(default_factory=dict)

    def run(
        self,
        watched: Path,
        *arguments: str,
        changes: Mapping[str, str] | None = None,
        prefix: Sequence[str] = (),
    ) -> Answer:
        """Run a command; nothing below `watched` or in the working folder may change, and no bug may show."""
        start = start_of(changes or {}, prefix)
        key = (watched, arguments, start)
        if key not in self.answers:
            before = listing(watched)
            if start in self.processes:
                answer = self.forked(start, arguments)
            elif prefix or needs_fresh_process(changes or {}):
                answer = self.fresh([*prefix, *COMMAND, *arguments], changes)
            else:
                answer = warm().run(arguments, folder=self.desk, environment=environment(changes), seconds=TIME_LIMIT)
            self.answers[key] = self.checked(answer, watched, before)
        return self.answers[key]

    @contextmanager
    def process(self, changes: Mapping[str, str], prefix: Sequence[str] = ()) -> Iterator[None]:
        """Start one process for all the commands of a `with` that ask for these changes and this prefix."""
        start = start_of(changes, prefix)
        self.processes[start] = None
        try:
            yield
        finally:
            server = self.processes.pop(start)
            if server is not None:
                server.close()

    def forked(self, start: Start, arguments: Sequence[str]) -> Answer:
        """Run a command in a child of the process that starts so, which is started for the first of them."""
        changes, prefix = start
        settings = environment(dict(changes))
        server = self.processes[start] or CommandServer(settings, prefix)
        self.processes[start] = server
        return server.run(arguments, folder=self.desk, environment=settings, seconds=TIME_LIMIT)

    def fresh(self, command: Sequence[str], changes: Mapping[str, str] | None) -> Answer:
        """Run a command in a process of its own."""
        done = subprocess.run(
            command,
            cwd=self.desk,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment(changes),
            timeout=TIME_LIMIT,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def checked(self, answer: Answer, watched: Path, before: dict[str, tuple[int, int]]) -> Answer:
        """The answer, once it is known that the run wrote nothing and ended by design."""
        assert listing(watched) == before, "the run changed files"
        assert not list(self.desk.iterdir()), "the run wrote into the working folder"
        assert answer.code in (0, 1, 2, 3, 4, 5), answer.talk
        assert b"Traceback" not in answer.stderr
        assert not RAW_CONTROL.search(answer.talk)
        return answer
