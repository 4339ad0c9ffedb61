"""A brain whose branches move: by real commits, sometimes back, and sometimes repacked under its readers."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.adapters.signing import ed25519_key
from tests.command_server import CHECKOUT

FIRST = 1_778_630_400
"""Seconds of the first move, after the example's last commit: 2026-05-13T00:00:00Z."""

WHO = "Brain <brain@a5c.example>"
WORDS = "flaky playwright depot gateway label queue sensor cutoff clock browser runner image quarantine retry".split()
SIGNERS = "signers.yaml"
"""The file beside the brain that names who may sign."""

SIGNERS_RESOURCE = """apiVersion: kradle.a5c.ai/v1alpha1
kind: AgentMemoryRepository
metadata: {{name: signed-brain}}
spec:
  organizationRef: a5c
  signers: ["{}"]
"""

NOTES = 12
"""So many notes are written over and over."""


@dataclass(frozen=True, slots=True)
class State:
    """Where the two branches stand, as commit ids."""

    main: str
    side: str


def state(brain: Path) -> State:
    """Where the branches stand now."""
    return State(*git(brain, "rev-parse", "refs/heads/main", "refs/heads/side").split())


def place(brain: Path, at: State) -> None:
    """Put the branches somewhere."""
    lines = f"update refs/heads/main {at.main}\nupdate refs/heads/side {at.side}\n"
    git(brain, "update-ref", "--stdin", data=lines.encode())


def begin(brain: Path) -> None:
    """Give the brain its second branch, a note in a signed commit, and beside it the resource that names the signer."""
    git(brain, "update-ref", "refs/heads/side", "refs/heads/main~2")
    git(brain, "fast-import", "--quiet", "--force", data=commit(random.Random(0), "main", FIRST - 60))
    key = ed25519_key("soak")
    signed = key.signed(git(brain, "cat-file", "commit", "main").encode())
    place(
        brain, State(git(brain, "hash-object", "-t", "commit", "-w", "--stdin", data=signed).strip(), state(brain).side)
    )
    (brain.parent / SIGNERS).write_text(SIGNERS_RESOURCE.format(key.line))


def move(brain: Path, seed: int, number: int, *, repack: bool = True) -> State:
    """Make the move of that number, which depends on the seed alone; the state after it."""
    chance = random.Random(f"move {seed} {number}")
    kind = chance.choices(("main", "side", "back", "repack"), (60, 25, 10, 5))[0]
    if kind in ("main", "side"):
        git(brain, "fast-import", "--quiet", "--force", data=commit(chance, kind, FIRST + 60 * number))
    elif kind == "back":
        git(brain, "update-ref", "refs/heads/side", f"refs/heads/main~{chance.randint(0, 3)}")
    elif repack:
        git(brain, "repack", "-adq")
    return state(brain)


def commit(chance: random.Random, branch: str, time: int) -> bytes:
    """A commit that writes one note anew and takes another away, as a stream for `git fast-import`."""
    text = " ".join(chance.choices(WORDS, k=60))
    title = " ".join(chance.sample(WORDS, 3))
    note = f"---\ntitle: {title}\ntags: [ci]\n---\n# {title}\n\n{text}.\n"
    written, gone = chance.sample(range(NOTES), 2)
    lines = (
        f"commit refs/heads/{branch}",
        f"author {WHO} {time} +0000",
        f"committer {WHO} {time} +0000",
        *data(f"Write {title}"),
        f"from refs/heads/{branch}^0",
        f"M 100644 inline notes/soak/{written}.md",
        *data(note),
        f"D notes/soak/{gone}.md",
    )
    return "\n".join((*lines, "", "")).encode()


def data(text: str) -> tuple[str, str]:
    """A text as `git fast-import` takes it."""
    return f"data {len(text.encode())}", text


def git(brain: Path, *arguments: str, data: bytes = b"") -> str:
    """Run Git in the brain; what it prints."""
    return subprocess.run(["git", "-C", brain, *arguments], input=data, capture_output=True, check=True).stdout.decode()


class Mover:
    """A second process that moves a brain while others read it."""

    def __init__(self, brain: Path, seed: int) -> None:
        self._asked = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.brain", str(brain), str(seed)],
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, number: int) -> None:
        """Ask for a move, and do not wait for it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()
        self._asked += 1

    def finish(self) -> list[State]:
        """Wait for what was asked; the state after each move."""
        assert self._process.stdout is not None
        states = [State(*self._process.stdout.readline().split()) for _ in range(self._asked)]
        self._asked = 0
        return states

    def close(self) -> None:
        """End the second process."""
        self._process.communicate()


def main() -> None:
    """Move the brain that the arguments name, once for each number on standard input."""
    brain, seed = Path(sys.argv[1]), int(sys.argv[2])
    for line in sys.stdin:
        after = move(brain, seed, int(line))
        sys.stdout.write(f"{after.main} {after.side}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
