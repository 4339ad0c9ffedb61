"""A warm process that forks a child for each command.

The child is a real process with an exit code, streams, an environment and limits of its own; it saves the third of a
second that imports take. What is decided when Python or libgit2 starts (hash seed, locale, home) needs a fresh process:
see `STARTS_FRESH`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import kradle_ctx
from kradle_ctx.expressions import LazyExpression
from kradle_ctx.redaction import redact

CHECKOUT = Path(__file__).resolve().parents[1]

STARTS_FRESH = ("PYTHON", "LC_", "LANG", "HOME", "TZ", "XDG_", "GIT_")
"""Beginnings of the variables that a process reads once, when it starts."""

WARM = (
    "base64",
    "concurrent.futures.process",
    "html.entities",
    "jsonschema",
    "pygit2",
    "rich._emoji_codes",
    "rich.console",
    "rich.progress",
    "ripgrepy",
    "ssl",
    "typer",
)
"""What commands import besides the package's own modules, and not before they need it."""

SECRET = "password = 'correct-horse-7-battery'"
"""Has what redaction makes of its rules made ready."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one run gave: exit code (negative: ended by that signal) and streams.

    And what it took: wall seconds, peak memory in bytes, and seconds of processor time.
    """

    code: int
    stdout: bytes
    stderr: bytes
    seconds: float = 0.0
    peak: int = 0
    processor: float = 0.0

    @property
    def text(self) -> str:
        """Standard output."""
        return self.stdout.decode()

    @property
    def talk(self) -> str:
        """Standard error."""
        return self.stderr.decode()

    @property
    def json(self) -> dict[str, Any]:
        """Standard output of a run that succeeded, as JSON."""
        assert self.code == 0, self.talk
        value = json.loads(self.stdout)
        assert isinstance(value, dict)
        return value

    @property
    def bundle(self) -> dict[str, Any]:
        """Standard output of a run that succeeded, as YAML."""
        import yaml

        assert self.code == 0, self.talk
        value = yaml.safe_load(self.stdout)
        assert isinstance(value, dict)
        return value

    @property
    def error(self) -> dict[str, Any]:
        """The error of a run that was refused; nothing may stand on standard output then."""
        assert self.code != 0
        assert self.stdout == b""
        error = json.loads(self.stderr)["error"]
        assert error["hint"]
        assert isinstance(error, dict)
        return error


class CommandServer:
    """Runs commands one after the other, each in a child of the warm process.

    That starts in an environment of its own where one is given, and behind a prefix such as `taskset`.
    """

    def __init__(self, environment: Mapping[str, str] | None = None, prefix: Sequence[str] = ()) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="kradle-commands-")
        self._process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "tests.command_server"],
            cwd=CHECKOUT,
            env={**(environment or os.environ), "PYTHONPATH": str(CHECKOUT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(
        self,
        arguments: Sequence[str | Path],
        *,
        folder: Path,
        environment: Mapping[str, str],
        stdin: bytes = b"",
        seconds: float = 30,
        limits: Mapping[str, int] | None = None,
        prologue: str | None = None,
    ) -> Answer:
        """Run a command in a folder, with at most so many wall seconds; on the limit it is killed (code -9).

        `limits` maps names such as `RLIMIT_AS` to a number. `prologue` names a function, `module:name`, that the child
        calls before the command.
        """
        streams = {name: str(Path(self._scratch.name) / name) for name in ("stdin", "stdout", "stderr")}
        Path(streams["stdin"]).write_bytes(stdin)
        order = {
            "arguments": [os.fsdecode(argument) for argument in arguments],
            "folder": str(folder),
            "environment": dict(environment),
            "streams": streams,
            "seconds": seconds,
            "limits": dict(limits or {}),
            "prologue": prologue,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        output, talk = (Path(streams[name]).read_bytes() for name in ("stdout", "stderr"))
        return Answer(told["code"], output, talk, told["seconds"], told["peak"], told["processor"])

    def close(self) -> None:
        """End the warm process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._process.stdout.close()
        self._scratch.cleanup()


@cache
def warm() -> CommandServer:
    """The one server of this test process."""
    server = CommandServer()
    atexit.register(server.close)
    return server


def needs_fresh_process(changes: Mapping[str, str]) -> bool:
    """Whether an environment differs in what a process reads only when it starts."""
    return any(name.startswith(STARTS_FRESH) for name in changes)


def serve() -> None:
    """Import what commands need, then fork for each order that stands on a line of standard input."""
    for module in (*(found.name for found in walk_packages(kradle_ctx.__path__, "kradle_ctx.")), *WARM):
        import_module(module)
    assert SECRET not in redact(SECRET).text
    for made in gc.get_objects():
        if isinstance(made, LazyExpression):
            _ = made.pattern
    # What is frozen is not written to by the collector, so that children share it.
    gc.collect()
    gc.freeze()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(json.dumps(carried_out(json.loads(line))).encode() + b"\n")
        sys.stdout.buffer.flush()


def carried_out(order: dict[str, Any]) -> dict[str, Any]:
    """Run one order in a child; returns its exit code, and what it took of time and memory."""
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        run_child(order)
    deadline = started + float(order["seconds"])
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.kill(child, signal.SIGKILL)
            deadline = float("inf")
        time.sleep(0.002)
    code = os.waitstatus_to_exitcode(status)
    return {
        "code": code,
        "seconds": time.monotonic() - started,
        "peak": usage.ru_maxrss * 1024,
        "processor": usage.ru_utime + usage.ru_stime,
    }


def run_child(order: dict[str, Any]) -> None:
    """Become the command: its group, streams, folder, environment and limits; never returns."""
    code = 70
    try:
        os.setsid()
        for descriptor, name, mode in ((0, "stdin", os.O_RDONLY), (1, "stdout", -1), (2, "stderr", -1)):
            flags = mode if mode >= 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            opened = os.open(order["streams"][name], flags, 0o600)
            os.dup2(opened, descriptor)
            os.close(opened)
        os.environ.clear()
        os.environ.update(order["environment"])
        os.chdir(order["folder"])
        for name, most in order["limits"].items():
            resource.setrlimit(getattr(resource, name), (most, most))
        sys.argv = ["kradle-ctx", *order["arguments"]]
        if order["prologue"]:
            module, name = order["prologue"].split(":")
            getattr(__import__(module, fromlist=[name]), name)()
        code = exit_code_of_main()
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)


def exit_code_of_main() -> int:
    """Run the command line; returns the code with which it ends."""
    from kradle_ctx.cli.main import main

    try:
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


if __name__ == "__main__":
    serve()
