"""The files of a repository's own folder, read only where they are what they should be.

A pipe would block its reader for ever, a file of a gigabyte would be taken into memory whole, and a link would lead to
what belongs to others; libgit2 1.9 guards against none of these.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

MAX_SIDE_FILE = 16 << 20
"""Largest `shallow` or `alternates` file that is read."""

MAX_PACKED_REFS = 32 << 20
"""Largest `packed-refs` file; about half a million refs fit, and are listed in a few seconds."""

MAX_REF_FILE = 4096
"""Largest file of one ref, HEAD included."""

MAX_CONFIGURATION = 1 << 20
"""Largest file of the configuration, as for a resource."""

SIDE_FILES = {
    "HEAD": MAX_REF_FILE,
    "commondir": MAX_REF_FILE,
    "gitdir": MAX_REF_FILE,
    "config": MAX_CONFIGURATION,
    "config.worktree": MAX_CONFIGURATION,
    "packed-refs": MAX_PACKED_REFS,
    "shallow": MAX_SIDE_FILE,
    "info/grafts": MAX_SIDE_FILE,
    "objects/info/alternates": MAX_SIDE_FILE,
    "objects/info/commit-graph": MAX_PACKED_REFS,
    "objects/pack/multi-pack-index": 1 << 30,
}
"""What libgit2 opens beside refs and objects, with the largest size; the last one is mapped, and not read whole."""

NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)


class UnsoundFile(OSError):
    """A file that is no regular one, is too large, or lies elsewhere."""


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading, without waiting and through no link; raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | NO_WAITING)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnsoundFile(f"{path.name} is not a regular file")
    return os.fdopen(descriptor, "rb")


def require_sound(path: Path, limit: int, name: str, folder: Path | None = None) -> None:
    """Raise `UnsoundFile`, which says `name`, unless a file is absent, or a regular one of at most `limit` bytes.

    With a `folder`, a link may not lead out of it. A folder in the file's place is left to who reads it.
    """
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISDIR(status.st_mode):
        return
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        raise UnsoundFile(f"{name} is not a regular file of at most {limit} bytes")
    if folder is not None and not path.resolve().is_relative_to(folder.resolve()):
        raise UnsoundFile(f"{name} is a link that leads out of the repository")


def require_sound_files(folder: Path) -> None:
    """Raise `UnsoundFile` for any file that libgit2 would open in a repository's folder and should not."""
    for name, limit in SIDE_FILES.items():
        require_sound(folder / name, limit, name, folder)


def side_file(path: Path) -> list[str]:
    """The lines of a small file of the repository; none when it does not exist."""
    if not path.is_file():
        return []
    with path.open("rb") as stream:
        data = stream.read(MAX_SIDE_FILE + 1)
    if len(data) > MAX_SIDE_FILE:
        raise UnsoundFile(f"{path.name} is too large")
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def holds_link(folder: Path) -> bool:
    """Whether anything directly below a folder is a link."""
    try:
        with os.scandir(folder) as entries:
            return any(entry.is_symlink() for entry in entries)
    except (FileNotFoundError, NotADirectoryError):
        return False
