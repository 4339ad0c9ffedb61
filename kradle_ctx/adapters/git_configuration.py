"""What a repository's configuration would include, found before libgit2 follows it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from kradle_ctx.adapters.git_files import MAX_CONFIGURATION, UnsoundFile, require_sound

MOST_FILES = 50
"""So many files of configuration are looked at; libgit2 itself follows includes ten deep."""

INCLUDING = re.compile(rb"\[\s*include", re.IGNORECASE)
PATH = re.compile(rb"(?:^|\])[ \t]*path[ \t]*=([^\n]*)", re.IGNORECASE | re.MULTILINE)
CONTINUED = re.compile(rb"\\\r?\n")
CHARACTER = re.compile(rb"\\(.)|(.)", re.DOTALL)
ESCAPED = {b"n": b"\n", b"t": b"\t", b"b": b"\b"}


def require_sound_configuration(config: Path) -> None:
    """Raise `UnsoundFile` when a configuration includes, itself or further on, what is no small regular file."""
    seen: set[Path] = set()
    waiting = [config]
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        if len(seen) > MOST_FILES:
            raise UnsoundFile(f"the configuration includes more than {MOST_FILES} files")
        require_sound(file, MAX_CONFIGURATION, "config" if file == config else "a file that the configuration includes")
        if file.is_file():
            waiting.extend(included(file.read_bytes(), file.parent))


def included(text: bytes, folder: Path) -> Iterator[Path]:
    """Every file that a configuration file may include, by gitconfig(5), and perhaps some that it does not.

    Which section a `path` belongs to, and whether a line goes on, is not decided: each reading counts.
    """
    if INCLUDING.search(text):
        for spelled in (text, CONTINUED.sub(b"", text)):
            for found in PATH.finditer(spelled):
                name = os.fsdecode(plain_value(found[1]))
                yield folder / (os.environ.get("HOME", "") + name[1:] if name.startswith("~/") else name)


def plain_value(value: bytes) -> bytes:
    """A value without its quotes, escapes, comment and surrounding blanks."""
    plain, quoted = bytearray(), False
    for escaped, character in CHARACTER.findall(value):
        if character == b'"':
            quoted = not quoted
        elif character in (b"#", b";") and not quoted:
            break
        else:
            plain += ESCAPED.get(escaped, escaped) or character
    return bytes(plain).strip()
