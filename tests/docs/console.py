"""The examples of a page: the files it shows, its commands, their output and their exit codes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^(?:<!-- file: (\S+) -->\n)?```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

PROMPT = "$ "
EXIT_CODE = "echo $?"
GAP = "..."
"""Stands for any text in a line of output, or alone for any lines."""

NOT_RUN = ("make ", "python3 -m pip ")
"""What sets the project up is run by its own tests."""

TIME_LIMIT = 60


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that the page shows and asks the reader to write."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command with the lines of output that the page shows and the exit code that it documents."""

    line: str
    output: tuple[str, ...]
    code: int = 0


def steps(page: str) -> Iterator[ShownFile | Command]:
    """The files and commands of a page in their order."""
    for name, language, body in BLOCK.findall(page):
        if name:
            yield ShownFile(name, body)
        elif language == "console":
            yield from commands(body)


def commands(block: str) -> Iterator[Command]:
    """The commands of one block; `echo $?` gives the one before it its exit code."""
    assert block.startswith(PROMPT), "a console block begins with a command"
    parts = [part.splitlines() for part in ("\n" + block).split("\n" + PROMPT)[1:]]
    for position, (line, *output) in enumerate(parts):
        if line == EXIT_CODE:
            continue
        following = parts[position + 1] if position + 1 < len(parts) else [""]
        code = int(following[1]) if following[0] == EXIT_CODE else 0
        yield Command(line, tuple(output), code)


@dataclass(slots=True)
class Desk:
    """Where a page's examples are run, one after the other."""

    folder: Path
    environment: Mapping[str, str]

    def follow(self, page: str) -> int:
        """Do what a page says; returns how many commands were run."""
        count = 0
        for step in steps(page):
            if isinstance(step, ShownFile):
                target = self.folder / step.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(step.text, encoding="utf-8")
            elif step.line.startswith("cd "):
                self.folder /= step.line.removeprefix("cd ")
            elif not step.line.startswith(NOT_RUN):
                self.run(step)
                count += 1
        return count

    def run(self, command: Command) -> None:
        """Run one command and compare exit code and output."""
        line = command.line.replace(".venv/bin/kradle-ctx", "kradle-ctx")
        done = subprocess.run(
            ["sh", "-c", line],
            cwd=self.folder,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIME_LIMIT,
        )
        said = done.stdout.decode() + done.stderr.decode()
        assert done.returncode == command.code, (
            f"$ {command.line}\nexit {done.returncode}, {command.code} is told\n{said}"
        )
        missing = [shown for shown in command.output if shown != GAP and not stands_in(shown, said)]
        assert not missing, f"$ {command.line}\nshown, but not said: {missing}\n{said}"


def stands_in(shown: str, said: str) -> bool:
    """Whether a line that the page shows was said; runs of blanks count as one."""
    parts = [re.escape(one_spaced(part)) for part in shown.split(GAP)]
    pattern = re.compile(r"\s*" + ".*".join(parts) + r"\s*")
    return any(pattern.fullmatch(one_spaced(line)) for line in said.splitlines())


def one_spaced(text: str) -> str:
    """A text with each run of blanks as one."""
    return re.sub(r"[ \t]+", " ", text)
