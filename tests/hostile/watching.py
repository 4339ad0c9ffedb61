"""Watches a command from inside its process; it imports nothing that a command would not."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

LOG_VARIABLE = "ATTACK_LOG"
"""The environment's name for the file that a watched run writes down in."""

STARTS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "pty.spawn"})
CHANGES = frozenset({"os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown"})
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def watch() -> None:
    """In the child of the command server: write down each process, connection and change that Python is asked for."""
    log = os.open(os.environ[LOG_VARIABLE], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if is_forbidden(event, arguments):
            os.write(log, f"{event} {arguments!r}\n".encode(errors="replace"))

    sys.addaudithook(note)


def is_cached(place: str) -> bool:
    """Whether a path is the cache folder, or in it."""
    cache = os.environ.get("KRADLE_CACHE_DIR", "")
    return bool(cache) and (place == cache or place.startswith(f"{cache}/"))


def is_forbidden(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether a command that only reads has no business with an audit event of Python."""
    if event in STARTS:
        return event != "subprocess.Popen" or Path(os.fsdecode(arguments[0] or arguments[1][0])).name != "rg"
    if event == "open":
        place, _, flags = arguments
        named = os.fsdecode(place) if isinstance(place, (str, bytes)) else os.devnull
        return bool(flags & WRITING) and not (named == os.devnull or "__pycache__" in named or is_cached(named))
    if event in CHANGES:
        return not is_cached(os.fsdecode(arguments[0]))
    return event in ("socket.connect", "socket.getaddrinfo", "socket.bind")
