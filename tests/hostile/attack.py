"""A brain with something hostile in it, the commands that meet it, and what must hold of every run whatever it meets.

Each run is a child process with limits on memory and time. It has to end with a documented exit code and a clean error,
to leave every file as it was, to start nothing but ripgrep, and to show nothing of what stands in hostile files.
"""

from __future__ import annotations

import atexit
import json
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from kradle_ctx.adapters.ripgrep import ripgrep_path
from kradle_ctx.cli.exit_codes import EXIT_CODES
from kradle_ctx.config import CACHE_VARIABLE
from kradle_ctx.errors import ErrorCode
from tests.cases.command_line import environment, listing
from tests.command_server import Answer, warm
from tests.conftest import SCRATCH_HOME, GitBuilder
from tests.hostile.watching import LOG_VARIABLE

CANARY = "tatzelwurm"
"""A word that stands in hostile files; it may show only where such a file is rightly served."""

WORD = "ibis"
"""What every query asks for; it stands in the sound file of each brain, and in hostile ones."""

SOUND = f"# Sound\n\nThe {WORD} wades.\n"
SOUND_PATH = "sound.md"

HOSTILE = f"# Hostile\n\nThe {WORD} and the {CANARY}.\n"

MEMORY, PEAK, SECONDS = 1536 << 20, 512 << 20, 10
"""Address space of a run, most memory that it may take (bytes), and most processor time (seconds)."""

LIMITS = {"RLIMIT_AS": MEMORY, "RLIMIT_CPU": SECONDS, "RLIMIT_CORE": 0}

WATCH = "tests.hostile.watching:watch"
"""What the child calls before the command."""

WALL_SECONDS = 25.0
"""When a run that waits for something is ended; on a busy machine others take time, too."""

NOT_SHOWN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What never reaches a terminal raw: C0 but LF and TAB, DEL, C1, bidi controls, separators, surrogates."""

PROGRAMS = ("git", "git-lfs", "ssh", "gpg", "less", "sh", "bash", "curl", "vi", "false")
"""Programs that a hostile configuration might name; those on the PATH of a run leave a mark when they are started."""

MARK_VARIABLE = "ATTACK_MARK"


class HostileBrain(GitBuilder):
    """A repository of loose objects written without Git, so that anything may stand in it."""

    def __init__(self, path: Path, *, bare: bool = False) -> None:
        self.path = path
        folder = path if bare else path / ".git"
        for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
            (folder / name).mkdir(parents=True)
        self.write("HEAD", "ref: refs/heads/main\n")
        self.write("config", f"[core]\n\trepositoryformatversion = 0\n\tbare = {str(bare).lower()}\n")

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the repository's own folder."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def configure(self, text: str) -> None:
        """Add to the configuration."""
        with (self.folder / "config").open("a") as config:
            config.write(text)

    def blob(self, content: str | bytes = HOSTILE) -> str:
        """Write a blob; returns its id."""
        return self.add_object("blob", content.encode() if isinstance(content, str) else content)

    def tree(self, files: Mapping[str, str | bytes]) -> str:
        """Write the trees of these files; returns the top one's id."""
        here: dict[str, str | bytes] = {}
        below: dict[str, dict[str, str | bytes]] = {}
        for path, content in files.items():
            folder, _, rest = path.partition("/")
            if rest:
                below.setdefault(folder, {})[rest] = content
            else:
                here[path] = content
        rows = [("100644", name.encode(), self.blob(content)) for name, content in here.items()]
        rows += [("40000", name.encode(), self.tree(inner)) for name, inner in below.items()]
        return self.add_tree(*sorted(rows, key=lambda row: row[1] + b"/" * (row[0] == "40000")))

    def hold(self, files: Mapping[str, str | bytes], *, branch: str = "main") -> str:
        """Make a branch of one commit that holds these files and the sound one; returns the commit's id."""
        return self.add_raw_commit(self.tree({SOUND_PATH: SOUND, **files}), branch=branch)

    def hold_entries(self, *entries: tuple[str, bytes, str]) -> str:
        """Make the branch of a tree of the sound file and these (mode, name, id) rows; returns the commit's id."""
        return self.add_raw_commit(self.add_tree(("100644", SOUND_PATH.encode(), self.blob(SOUND)), *entries))

    def hold_names(self, names: Iterable[bytes], content: str | bytes = HOSTILE) -> str:
        """Make the branch of hostile files with these names."""
        blob = self.blob(content)
        return self.hold_entries(*(("100644", name, blob) for name in names))


@dataclass(slots=True)
class Attack:
    """A folder with brains, a desk to run commands from, a home and a place for temporary files, all of it watched."""

    folder: Path
    made: int = field(default=0)

    def __post_init__(self) -> None:
        for name in ("desk", "home", "tmp"):
            (self.folder / name).mkdir()

    @property
    def mark(self) -> Path:
        """The file that a hostile program would leave."""
        return self.folder / "PWNED"

    @property
    def cache(self) -> Path:
        """The one folder that a run may write into: the index of a brain is kept there."""
        return self.folder / "cache"

    @property
    def program(self) -> str:
        """A command line for a hostile configuration."""
        return f"touch {self.mark}"

    def brain(self) -> HostileBrain:
        """A brain that holds the sound file."""
        self.made += 1
        brain = HostileBrain(self.folder / f"brain{self.made}")
        brain.hold({})
        return brain

    def run(
        self,
        *arguments: str | Path,
        served: bool = False,
        stdin: bytes = b"",
        folder: Path | None = None,
        ignoring: Sequence[Path] = (),
        prologue: str = WATCH,
    ) -> Answer:
        """Run a command from the desk or another folder.

        `served` says that content of hostile files may stand in what it prints on stdout; `ignoring` names files that
        others change meanwhile; a `prologue` of one's own has to watch, too.
        """
        before = listing(self.folder)
        answer = warm().run(
            arguments,
            folder=folder or self.folder / "desk",
            environment=environment(self._environment()),
            stdin=stdin,
            seconds=WALL_SECONDS,
            limits=LIMITS,
            prologue=prologue,
        )
        log = self.folder / "log"
        noted = log.read_text() if log.exists() else ""
        log.unlink(missing_ok=True)
        assert not noted, f"the run did what a reader may not: {noted}"
        after = listing(self.folder)
        changed = {place for place in before | after if before.get(place) != after.get(place)}
        changed -= set(map(str, ignoring))
        changed = {place for place in changed if self.cache not in (Path(place), *Path(place).parents)}
        assert not changed, f"the run changed {changed}"
        check(answer, served=served)
        return answer

    def assemble(self, brain: Path, *arguments: str | Path, **options: Any) -> Answer:
        """Run `assemble` on a brain, as JSON."""
        given = ("--brain", brain, "--local-grant", "--query", WORD, "--format", "json", "--error-format", "json")
        return self.run("assemble", *given, *arguments, **options)

    def refuse(self, *arguments: str | Path, **options: Any) -> dict[str, Any]:
        """Run a command that must be refused; returns the error."""
        answer = self.run(*arguments, "--error-format", "json", **options)
        assert answer.code != 0, "nothing was refused"
        return answer.error

    def _environment(self) -> dict[str, str]:
        folders = {"HOME": "home", "TMPDIR": "tmp", LOG_VARIABLE: "log", MARK_VARIABLE: self.mark.name}
        folders[CACHE_VARIABLE] = self.cache.name
        return {"PATH": str(programs())} | {name: str(self.folder / place) for name, place in folders.items()}


@cache
def programs() -> Path:
    """A folder of programs that leave a mark when they are started, and of ripgrep."""
    folder = SCRATCH_HOME.with_name(f"{SCRATCH_HOME.name}-programs")
    folder.mkdir()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in PROGRAMS:
        program = folder / name
        program.write_text(f'#!/bin/sh\n: > "${MARK_VARIABLE}"\n')
        program.chmod(0o755)
    (folder / "rg").symlink_to(shutil.which(ripgrep_path()) or "rg")
    return folder


def check(answer: Answer, *, served: bool) -> None:
    """What holds of every run: R1 exit code and error, R2 memory and time, R4 nothing that must not be said."""
    assert answer.code in {0, *EXIT_CODES.values()} - {EXIT_CODES[ErrorCode.INTERNAL]}, (answer.code, answer.talk)
    assert answer.peak <= PEAK
    assert not NOT_SHOWN.search(answer.talk)
    assert not NOT_SHOWN.search(answer.text)
    assert "Traceback" not in answer.talk
    assert CANARY not in answer.talk
    assert served or CANARY not in answer.text
    if answer.code:
        check_error(answer)


def check_error(answer: Answer) -> None:
    """An error is one line with its code and one with a hint, or one line of JSON; its code gives the exit code."""
    assert answer.stdout == b""
    lines = [line for line in answer.talk.splitlines() if not line.startswith("note: ")]
    if lines[0].startswith("{"):
        (line,) = lines
        error = json.loads(line)["error"]
        assert error["message"]
        assert error["hint"]
        code = error["code"]
    else:
        message, hint = lines
        assert message.startswith("error: ")
        assert hint.startswith("hint: ")
        code = message.rpartition("[")[2].rstrip("]")
    assert EXIT_CODES[ErrorCode(code)] == answer.code


def memory(answer: Answer) -> dict[str, Any]:
    """The memory of a bundle."""
    found = answer.json["spec"]["memory"]
    assert isinstance(found, dict)
    return found


def served_paths(answer: Answer) -> list[str]:
    """Paths of the items of a bundle."""
    return [source["path"] for source in memory(answer)["sources"]]


def withheld(answer: Answer) -> dict[str, str]:
    """What a bundle lists as not read as written, with the reason."""
    return {entry["path"]: entry["reason"] for entry in memory(answer).get("skipped", {}).get("items", ())}
