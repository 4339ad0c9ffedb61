"""Text search by ripgrep.

ripgrepy spells the flags; this adapter runs the command, because ripgrepy puts the pattern where a leading `-` makes
it an option (`--pre=PROGRAM` would run a program), drops the exit code and inherits stdin.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.search import Found, Pattern, Span

if TYPE_CHECKING:
    # Most questions ask for words, which are looked up: what runs a program is loaded for the others.
    import subprocess
    from threading import Event

TIME_LIMIT = 8.0
"""Seconds after which a search is given up; no question may take longer than ten in all."""

OUTPUT_LIMIT = 2 * 1024 * 1024
"""Bytes of ripgrep's answer that are read; a pattern that fits everything is cut there, and the cut is said."""

FOUND, NOTHING = 0, 1
"""Exit codes of ripgrep that are answers; 2 is a failure."""


@lru_cache(maxsize=1)
def ripgrep_path() -> str:
    """The ripgrep of the pinned wheel, else the one on the PATH."""
    import shutil
    import sysconfig

    installed = Path(sysconfig.get_path("scripts")) / "rg"
    found = str(installed) if installed.exists() else shutil.which("rg")
    if found is None:
        raise KradleError(ErrorCode.USAGE, "ripgrep is not installed", "reinstall kradle-ctx: its ripgrep wheel has it")
    return found


class RipgrepSearcher:
    """Runs ripgrep on one file; case never matters, and neither do ignore rules or configuration."""

    def search(self, corpus: Path, patterns: Iterable[Pattern]) -> Found:
        """All non-overlapping matches in the order of the file."""
        expressions = [argument for pattern in patterns for argument in ("-e", pattern.expression)]
        if not expressions:
            return Found()
        command = [*flags(str(corpus)), *expressions, "--", str(corpus)]
        with started(command) as process:
            output, late = answer(process)
            complaint = process.stderr.read() if process.stderr else b""
        if late.is_set():
            raise KradleError(
                ErrorCode.LIMIT_EXCEEDED,
                f"the search took longer than {TIME_LIMIT:.0f} s",
                "narrow the query or the included paths",
            )
        truncated = len(output) >= OUTPUT_LIMIT
        if not truncated and process.returncode < 0:
            raise KradleError(
                ErrorCode.LIMIT_EXCEEDED,
                f"the search was ended by signal {-process.returncode}",
                "let it have more memory, or try again",
            )
        if not truncated and process.returncode not in (FOUND, NOTHING):
            raise KradleError(ErrorCode.USAGE, f"not a regular expression: {fault(complaint)}", "mend the regex")
        return Found(tuple(spans(output)), truncated)


def started(command: list[str]) -> subprocess.Popen[bytes]:
    """The running command, without stdin and environment."""
    import subprocess

    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env={})
    except ValueError:
        fault = "holds a NUL or a lone surrogate"
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        fault = "is too long"
    raise KradleError(ErrorCode.USAGE, f"not a regular expression: it {fault}", "shorten or mend the regex")


def answer(process: subprocess.Popen[bytes]) -> tuple[bytes, Event]:
    """Read the output up to the limit, and end the process there or when its time is up."""
    from threading import Event, Timer

    late = Event()

    def give_up() -> None:
        late.set()
        process.kill()

    timer = Timer(TIME_LIMIT, give_up)
    timer.start()
    try:
        output = process.stdout.read(OUTPUT_LIMIT) if process.stdout else b""
        if len(output) >= OUTPUT_LIMIT:
            process.kill()
        process.wait()
    finally:
        timer.cancel()
    return output, late


def flags(path: str) -> list[str]:
    """The command without pattern and path: byte offsets of each match, raw bytes, no surprises."""
    from ripgrepy import Ripgrepy

    spelled = Ripgrepy("", path, rg_path=ripgrep_path())
    spelled.no_config().no_ignore().hidden().ignore_case().text().encoding("none").crlf().threads(1)
    spelled.only_matching().byte_offset().no_line_number().no_filename().no_heading()
    # Mapped, a file of a gigabyte would count as a gigabyte of memory.
    return [*spelled.command, "--no-mmap", "--no-follow", "--color=never", "--no-messages"]


def spans(output: bytes) -> Iterator[Span]:
    """Spans from `offset:match` lines; a match holds no LF. Empty matches and a cut last line are dropped.

    With `--crlf` ripgrep ends each line of its own with CR LF, so one CR before the LF is no part of the match.
    """
    lines = output.split(b"\n")
    lines.pop()
    for line in lines:
        offset, _, text = line.removesuffix(b"\r").partition(b":")
        if text:
            yield Span(int(offset), int(offset) + len(text))


def fault(complaint: bytes) -> str:
    """The fault that ripgrep names, without the pattern that it repeats."""
    last = complaint.decode(errors="replace").strip().rpartition("\n")[2].removeprefix("error: ")
    return last if last and last.isprintable() else "it does not parse"
