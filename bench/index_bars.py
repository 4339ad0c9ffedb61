"""The bars of the index: brains of 100,000 and of 10,000 files, indexed once and asked again and again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bar import Bar
from brains import generated, git, write_yaml
from commands import other, product, python
from generate import MEDIUM, RARE
from measure import Command
from rich.console import Console

LARGE, SMALL = 100_000, 10_000
CHANGED = 10
"""Files that the next commit changes."""


@dataclass(frozen=True, slots=True)
class Brain:
    """A generated brain with a cache folder of its own."""

    path: Path
    cache: Path

    def assemble(self, term: str, *options: str) -> Command:
        """A bundle of 32,000 bytes for one term."""
        asked = ("--brain", str(self.path), "--query", term, "--max-bytes", "32000", *options)
        return product("assemble", "--quiet", "--local-grant", *asked, cache=self.cache)

    def build(self) -> Command:
        """The index of a brain that was never seen."""
        empty = self.cache.with_name(f"{self.cache.name}-empty")
        command = product("index", "build", "--quiet", "--brain", str(self.path), cache=empty)
        return Command(command.arguments, command.environment, lambda: shutil.rmtree(empty, ignore_errors=True))


def made(folder: Path, files: int, console: Console) -> Brain:
    """A brain of so many files."""
    console.print(f"making a brain of {files} files")
    return Brain(generated(folder / f"brain-{files}", files), folder / f"cache-{files}")


def checked_out(brain: Brain, folder: Path) -> Path:
    """The tree of a brain's branch as files."""
    folder.mkdir()
    git(brain.path, f"--work-tree={folder}", "checkout", "--quiet", "main", "--", ".")
    return folder


class NextCommit:
    """Makes a commit that changes ten files, each time it is called."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._turn = count(1)
        listed = subprocess.run(
            ["git", "-C", str(brain.path), "ls-tree", "-r", "--name-only", "main"], capture_output=True, check=True
        )
        self._paths = [path for path in listed.stdout.decode().splitlines() if path.startswith("note/")]

    def __call__(self) -> None:
        turn = next(self._turn)
        who = f"Bench <bench@example.invalid> {1_800_000_000 + turn} +0000"
        stream = f"commit refs/heads/main\ncommitter {who}\ndata 4\nnext\nfrom refs/heads/main^0\n"
        for place in range(CHANGED):
            text = f"# Changed in turn {turn}\n\nOne of ten files that a commit changes.\n"
            path = self._paths[(turn * CHANGED + place) * 7 % len(self._paths)]
            stream += f"M 100644 inline {path}\ndata {len(text)}\n{text}\n"
        subprocess.run(
            ["git", "-C", str(self._brain.path), "fast-import", "--quiet"], input=stream.encode(), check=True
        )


def index_bars(large: Brain, folder: Path, console: Console) -> list[Bar]:
    """Every bar of the index."""
    small = made(folder, SMALL, console)
    tree, texts = checked_out(large, folder / "tree"), folder / "texts-large"
    write_yaml(large.path, texts)
    events = python(str(Path(__file__).with_name("event_loop.py")), str(texts))
    ripgrep = other(str(Path(sys.executable).with_name("rg")), "-n", "-F", MEDIUM, str(tree))
    git_grep = other("git", "-C", str(large.path), "grep", "-n", "-F", MEDIUM, "main")
    warm, past = large.assemble(MEDIUM), large.assemble(MEDIUM, "--ref", "base")
    later = Command(warm.arguments, warm.environment, NextCommit(large))
    return [
        Bar(f"index build, {LARGE} files", large.build(), "YAML events", events, ratio=2.0, megabytes=600),
        Bar(f"assemble, {LARGE} files", warm, "rg over its tree", ripgrep, pairs=9, ratio=0.5, megabytes=150),
        Bar(f"assemble, {LARGE} files", warm, "git grep at the commit", git_grep, ratio=0.2, megabytes=150),
        Bar("assemble a rare term", large.assemble(RARE), f"{SMALL} files", small.assemble(RARE), pairs=9, ratio=2.0),
        Bar("assemble ten files later", later, "the same commit again", warm, pairs=9, ratio=1.5, megabytes=150),
        Bar("assemble the first commit", past, "the last one", warm, megabytes=150),
    ]
