"""Section E of the hostile cases: text from a brain at a terminal or in a pipe is shown or escaped, never obeyed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import stat
import struct
import termios
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import NoReturn

import pytest

from tests.cases.command_line import environment
from tests.command_server import Answer, warm
from tests.conftest import GitBuilder
from tests.hostile.desk import Desk
from tests.hostile.planted import Planted
from tests.hostile.prologues import DESCRIPTORS, ENCODING, TERMINAL
from tests.hostile.terminal_brain import LETTERS, MARKUP, build, hidden

PROLOGUES = "tests.hostile.prologues"

ODD = f"\x1b[38;5;201m\x9b31m\u202e\u200b{LETTERS}[/b]"
"""What a caller may hand over from a brain: an id, a ref, a path."""

DRAWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AGKJ]|\r\n?")
"""What rich itself sends to a terminal: colours, cursor, erasing, line ends."""

WIDTHS = (1, 20, 80, 200)


@dataclass(frozen=True, slots=True)
class Odd:
    """The brain that tries to steer a terminal, and its first commit."""

    path: Path
    first: str

    def asked(self, command: str, *options: str) -> tuple[str | Path, ...]:
        """A command's question to the brain, pinned to its past."""
        grant = ("--local-grant",) if command == "assemble" else ()
        return (command, "--brain", self.path, *grant, "--query", "petrel", "--ref", self.first, *options)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Odd:
    """The brain; no test changes it."""
    brain = GitBuilder(tmp_path_factory.mktemp("odd") / "brain")
    return Odd(brain.path, build(brain))


def shown_by(odd: Odd) -> dict[str, tuple[str | Path, ...]]:
    """Every command in every form of its output."""
    place = ("--brain", odd.path)
    return {
        "assemble": odd.asked("assemble", "--all-documents"),
        "assemble as JSON": odd.asked("assemble", "--all-documents", "--format", "json"),
        "assemble as prompt": odd.asked("assemble", "--format", "prompt"),
        "preview": odd.asked("preview"),
        "preview as Markdown": odd.asked("preview", "--format", "markdown"),
        "preview as JSON": odd.asked("preview", "--format", "json"),
        "query": odd.asked("query", "--query", f"petrel {ODD}"),
        "query as JSON": odd.asked("query", "--format", "json", "--query", f"petrel {ODD}"),
        "read": ("read", *place, f"runbook:{LETTERS}"),
        "read as JSON": ("read", *place, "notes/heading.md", "--format", "json"),
        "resolve": ("resolve", *place),
        "resolve as JSON": ("resolve", *place, "--format", "json"),
    }


def test_no_output_holds_a_character_that_acts_or_hides(odd: Odd, desk: Desk) -> None:
    for name, arguments in shown_by(odd).items():
        outcome = desk.run(*arguments)
        assert outcome.code == 0, outcome.answer.talk
        assert (hidden(outcome.answer.text), hidden(outcome.answer.talk)) == (set(), set()), name
        assert "115f" in outcome.answer.text.lower()


@pytest.mark.parametrize("command", ["preview", "query", "read"])
def test_e01_e02_e03_e05_markup_links_and_emoji_codes_are_shown_as_they_are(odd: Odd, desk: Desk, command: str) -> None:
    text = desk.run(*shown_by(odd)[command]).answer.text
    for markup in MARKUP:
        assert markup in text
    assert "\U0001f512" not in text


def test_no_message_holds_a_character_that_acts_or_hides(odd: Odd, desk: Desk) -> None:
    place = ("--brain", odd.path)
    calls = {
        0: [odd.asked("assemble", "-o", f"{ODD.replace('/', '')}.yaml")],
        1: [("read", *place, LETTERS), ("query", *place, "--query", "x", "--select", f"notes/{LETTERS}")],
        2: [
            (ODD,),
            ("query", f"--{ODD}"),
            ("query", "--mode", ODD),
            ("query", "-f", ODD),
            ("read", *place, ODD),
            ("resolve", *place, "--at", ODD),
            ("resolve", *place, "--memory-mode", ODD),
            ("query", *place, "--query", "x", "--root", LETTERS),
        ],
        3: [("resolve", *place, "--ref", ODD), ("resolve", *place, "--ref", LETTERS), ("resolve", "--brain", ODD)],
    }
    listed = [(code, command) for code, commands in calls.items() for command in commands]
    for form, (code, command) in zip(cycle(("text", "json", "text")), listed, strict=False):
        outcome = desk.run(*command, "--error-format", form)
        assert outcome.code == code, outcome.answer.talk
        assert hidden(outcome.answer.talk) == set()
        assert outcome.answer.talk.count("\n") <= 2


def test_e06_no_setting_of_a_terminal_changes_what_a_pipe_gets(
    odd: Odd, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = [{"NO_COLOR": "1", "TERM": ""}, {"TERM": "dumb"}, *({"COLUMNS": str(width)} for width in WIDTHS)]
    commands = [shown_by(odd)[name] for name in ("assemble", "preview")]
    expected = [desk.run(*command).answer for command in commands]
    for setting in settings:
        with monkeypatch.context() as patch:
            for name, value in setting.items():
                patch.setenv(name, value)
            assert [desk.run(*command).answer for command in commands] == expected, setting


def started(folder: Path, prologue: str, changes: Mapping[str, str], arguments: tuple[str | Path, ...]) -> Answer:
    """What a command answers in a child of the warm process, after a prologue."""
    return warm().run(arguments, folder=folder, environment=environment(changes), prologue=f"{PROLOGUES}:{prologue}")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "utf-16"])
def test_e06_no_encoding_of_the_streams_changes_an_artefact_or_lets_a_control_through(
    odd: Odd, desk: Desk, tmp_path: Path, encoding: str
) -> None:
    """In windows-1252, the quotation mark U+203A is the byte that begins a sequence in eight bits."""
    for arguments in (odd.asked("preview"), ("read", "--brain", odd.path, "x\u203a31m")):
        answer = started(tmp_path, "encoded", {ENCODING: encoding}, arguments)
        plain = desk.run(*arguments).answer
        assert (answer.code, answer.stdout) == (plain.code, plain.stdout)
        assert answer.stderr.isascii()
        assert hidden(answer.talk) == set()


def on_terminal(
    folder: Path, arguments: tuple[str | Path, ...], descriptors: str, width: int, changes: Mapping[str, str]
) -> tuple[Answer, str]:
    """What a command answers, and what it sends to a terminal of that width in place of these streams."""
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    parts: list[bytes] = []
    reader = threading.Thread(target=take, args=(master, parts))
    reader.start()
    places = {TERMINAL: os.ttyname(terminal), DESCRIPTORS: descriptors, "TERM": "xterm-256color"}
    answer = started(folder, "on_terminal", {**places, **changes}, arguments)
    os.close(terminal)
    reader.join()
    os.close(master)
    return answer, b"".join(parts).decode()


def take(master: int, parts: list[bytes]) -> None:
    """Read from a terminal until its other side is closed."""
    try:
        while part := os.read(master, 1 << 16):
            parts.append(part)
    except OSError:  # how Linux says that nobody has the other side open
        return


@pytest.mark.parametrize("width", WIDTHS)
def test_e06_a_terminal_of_any_width_gets_nothing_to_obey(odd: Odd, desk: Desk, tmp_path: Path, width: int) -> None:
    answer, shown = on_terminal(tmp_path, odd.asked("preview"), "1,2", width, {})
    assert answer.code == 0
    assert hidden(DRAWN.sub("\n", shown)) == set()
    assert "38;5;201m" not in shown.replace("\\u{1b}[38;5;201m", "")
    artefact = desk.run(*odd.asked("assemble")).answer.stdout
    answer, shown = on_terminal(tmp_path, odd.asked("assemble"), "2", width, {})
    assert (answer.code, answer.stdout) == (0, artefact)
    assert hidden(DRAWN.sub("\n", shown)) == set()
    if width == max(WIDTHS):
        assert "Kind\\u{115f}" in shown or "runbook:\\u{115f}" in shown


@pytest.mark.parametrize("changes", [{"NO_COLOR": "1", "TERM": "dumb"}, {"TERM": "dumb"}, {"TERM": "unknown"}])
def test_e06_a_plain_terminal_gets_plain_text(odd: Odd, tmp_path: Path, changes: dict[str, str]) -> None:
    answer, shown = on_terminal(tmp_path, odd.asked("preview"), "1,2", 80, changes)
    assert answer.code == 0
    assert changes["TERM"] != "dumb" or "\x1b" not in shown
    assert hidden(DRAWN.sub("\n", shown)) == set()


def test_the_artefact_on_a_terminal_is_the_same_but_for_line_ends(odd: Odd, desk: Desk, tmp_path: Path) -> None:
    artefact = desk.run(*odd.asked("assemble")).answer.text
    answer, shown = on_terminal(tmp_path, odd.asked("assemble"), "1", 20, {})
    assert (answer.code, shown.replace("\r\n", "\n")) == (0, artefact)


def test_e06_a_closed_pipe_ends_every_command_quietly(odd: Odd, tmp_path: Path) -> None:
    for name in ("assemble", "assemble as prompt", "preview", "preview as Markdown", "query", "read", "resolve"):
        answer = started(tmp_path, "unread", {DESCRIPTORS: "1"}, (*shown_by(odd)[name], "--quiet"))
        assert (answer.code, answer.stderr) == (0, b""), name


def test_e06_nobody_to_talk_to_changes_neither_artefact_nor_exit_code(odd: Odd, desk: Desk, tmp_path: Path) -> None:
    for arguments in (odd.asked("assemble"), ("read", "--brain", odd.path, LETTERS)):
        answer = started(tmp_path, "unread", {DESCRIPTORS: "2"}, arguments)
        plain = desk.run(*arguments).answer
        assert (answer.code, answer.stdout) == (plain.code, plain.stdout)


def test_e06_a_reader_that_takes_one_line_ends_the_command_quietly(
    tmp_path: Path, git: Callable[..., GitBuilder]
) -> None:
    """The file is longer than any pipe is deep."""
    brain = git()
    brain.add_commit({"notes/long.md": "petrel\n" * 40_000}, "2026-05-01T00:00:00Z")
    answer = started(tmp_path, "read_for_a_line", {}, ("read", "--brain", brain.path, "notes/long.md", "--quiet"))
    assert (answer.code, answer.stderr) == (0, b"")


class UnspeakableError(Exception):
    """An exception that cannot even be shown."""

    def __str__(self) -> str:
        raise RuntimeError(*self.args)


def bugs(secret: str) -> dict[str, BaseException]:
    """Exceptions that hold a secret in every way they can."""
    noted = ValueError("noted")
    noted.add_note(secret)
    noted.__cause__ = KeyError(secret)
    return {
        "a message": RuntimeError(secret),
        "a key": KeyError({secret: secret}),
        "an encoding": UnicodeDecodeError("utf-8", secret.encode(), 0, 1, secret),
        "a group": ExceptionGroup(secret, [ValueError(secret)]),
        "a note": noted,
        "no text": UnspeakableError(secret),
        "no memory": MemoryError(secret),
        "a depth": RecursionError(secret),
        "an assertion": AssertionError(secret),
    }


PLACES = ("kradle_ctx.assemble.assemble", "kradle_ctx.render.bundle_yaml.to_yaml")
FORMS = ("text", "json")


@pytest.mark.parametrize(("name", "place", "form"), [*zip(bugs(""), cycle(PLACES), cycle(FORMS), strict=False)])
def test_e07_a_bug_tells_no_secret(
    odd: Odd, desk: Desk, monkeypatch: pytest.MonkeyPatch, name: str, place: str, form: str
) -> None:
    planted = Planted()
    bug = bugs(planted.token(name))[name]

    def broken(*arguments: object, **options: object) -> NoReturn:
        local = planted.token(name)
        raise bug from (RuntimeError(local) if bug.__cause__ is None else bug.__cause__)

    monkeypatch.setattr(place, broken)
    outcome = desk.run(*odd.asked("assemble"), "--error-format", form)
    assert (outcome.code, outcome.answer.stdout) == (70, b"")
    assert type(bug).__name__ in outcome.answer.talk
    assert outcome.answer.talk.count("\n") == (2 if form == "text" else 1)
    (report,) = outcome.files
    assert str(report) in outcome.answer.talk
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert b"in broken" in outcome.files[report]
    assert planted.shown(*outcome.written) == set()
