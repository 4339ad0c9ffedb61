"""Reading resource files: what `--resources`, `KRADLE_RESOURCES` and `.kradle/` name."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from kradle_ctx.documents import unreadable
from kradle_ctx.errors import ErrorCode, KradleError

SUFFIXES = (".yaml", ".yml", ".json")
DISCOVERED_FOLDER = ".kradle"
STDIN = "-"

SIZE_LIMIT = 1024 * 1024
"""Most bytes of one resource file."""

FILE_LIMIT = 1_000
"""Most resource files in one folder, subfolders included."""


def read_resource_texts(paths: Iterable[str], folder: Path) -> list[tuple[str, str]]:
    """The texts of files, of all YAML and JSON files below folders, and of stdin for `-`, each with its name."""
    return [(name, text) for path in paths for name, text in read_one(path, folder)]


def discovered(folder: Path) -> str | None:
    """The `.kradle` folder of the starting folder; None where there is none.

    Something else of that name is refused: a broken link must not widen the grants to the whole brain.
    """
    found = folder / DISCOVERED_FOLDER
    if is_folder(found):
        return str(found)
    if os.path.lexists(found):
        raise refused(DISCOVERED_FOLDER, "neither a folder nor a link to one")
    return None


def read_one(path: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The texts that one argument names."""
    if path == STDIN:
        if sys.stdin is None:
            raise refused("stdin", "it is closed")
        yield "stdin", decoded("stdin", sys.stdin.buffer.read(SIZE_LIMIT + 1))
        return
    target = folder / path
    if is_folder(target):
        files = sorted(found for found in target.rglob("*") if found.suffix in SUFFIXES and found.is_file())
        if len(files) > FILE_LIMIT:
            raise refused(path, f"more than {FILE_LIMIT} resource files")
        for file in files:
            yield shown(file, folder), read_text(file, shown(file, folder))
    else:
        yield path, read_text(target, path)


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; one that the system cannot even look up, such as an endless one, is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def read_text(file: Path, name: str) -> str:
    """One file, within the size limit; a FIFO or a device is refused, since it could block."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise refused(name, "not a regular file")
        with file.open("rb") as stream:
            return decoded(name, stream.read(SIZE_LIMIT + 1))
    except OSError as error:
        raise refused(name, error.strerror or "cannot be read") from error


def decoded(name: str, data: bytes) -> str:
    """The text of a file."""
    if len(data) > SIZE_LIMIT:
        raise refused(name, f"larger than {SIZE_LIMIT} bytes")
    reason = unreadable(data)
    if reason is not None:
        raise refused(name, reason)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refused(name, "not UTF-8") from None


def shown(file: Path, folder: Path) -> str:
    """A path as the person would type it."""
    return str(file.relative_to(folder)) if file.is_relative_to(folder) else str(file)


def refused(name: str, reason: str) -> KradleError:
    """The error for a resource file that cannot be read."""
    return KradleError(
        ErrorCode.RESOURCE_INVALID, f"{name}: {reason}", "give YAML files or folders of them with --resources"
    )
