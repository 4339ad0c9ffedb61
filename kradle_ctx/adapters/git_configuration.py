"""What a repository's configuration would include, found before libgit2 follows it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kradle_ctx.adapters.git_files import MAX_CONFIGURATION, UnsoundFile, require_sound
from kradle_ctx.expressions import lazy_expression

MOST_FILES = 50
"""So many files of configuration are looked at; libgit2 itself follows includes ten deep."""

INCLUDING = lazy_expression(rb"\[\s*include", re.IGNORECASE)
PATH = lazy_expression(rb"(?:^|\])[^\S\n]*path[^\S\n]*=([^\n]*)", re.IGNORECASE | re.MULTILINE)
CONTINUED = lazy_expression(rb"\\\r?\n")
CHARACTER = lazy_expression(rb"\\(.)|(.)", re.DOTALL)
ESCAPED = {b"n": b"\n", b"t": b"\t", b"b": b"\b"}


def require_sound_configuration(repository: Path) -> None:
    """Raise `UnsoundFile` when a repository's configuration includes, itself or further on, no small regular file."""
    seen: set[Path] = set()
    waiting = [repository / "config", repository / "config.worktree"]
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        if len(seen) > MOST_FILES:
            raise UnsoundFile(f"the configuration includes more than {MOST_FILES} files")
        require_sound(file, MAX_CONFIGURATION, "a file that the configuration includes")
        if file.is_file():
            waiting.extend(included(file.read_bytes(), file.parent))


def included(text: bytes, folder: Path) -> Iterator[Path]:
    """Every file that a configuration file may include, by gitconfig(5), and perhaps some that it does not.

    Which section a `path` belongs to, and whether a line goes on, is not decided: each reading counts.
    """
    if INCLUDING.search(text):
        for spelled in (text, CONTINUED.sub(b"", text)):
            for found in PATH.finditer(spelled):
                yield located(os.fsdecode(plain_value(found[1])), folder)


def located(name: str, folder: Path) -> Path:
    """Where a path of the configuration lies: below the home where it begins with `~/`, and there is a home."""
    with suppress(RuntimeError):
        return folder / (Path(name).expanduser() if name.startswith("~/") else name)
    return folder / name


def plain_value(value: bytes) -> bytes:
    """A value without its quotes, escapes, comment and surrounding blanks."""
    plain, quoted = bytearray(), False
    for escaped, character in (found.groups() for found in CHARACTER.finditer(value)):
        if character == b'"':
            quoted = not quoted
        elif character in (b"#", b";") and not quoted:
            break
        else:
            plain += ESCAPED.get(escaped, escaped) or character
    return bytes(plain).strip()
