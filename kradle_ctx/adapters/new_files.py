"""Files that are added to a folder: each whole or not at all, none over another, none through a link."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from kradle_ctx.adapters.atomic_output import AtomicOutput, make_folder, unwritable
from kradle_ctx.errors import ErrorCode, KradleError


def absent(folder: Path, paths: Iterable[str]) -> list[str]:
    """The paths at which there is nothing yet.

    Raises `OUTPUT_UNWRITABLE` where a file stands in place of a folder, or a link: Git has nothing behind a link, and
    it may lead anywhere.
    """
    if os.path.lexists(folder) and not folder.is_dir():
        raise unwritable(folder, "not a folder")
    wanted = list(paths)
    for place in dict.fromkeys(str(parent) for path in wanted for parent in PurePosixPath(path).parents):
        require_folder(folder, place)
    return [path for path in wanted if not os.path.lexists(folder / path)]


def require_folder(folder: Path, path: str) -> None:
    """Raise `OUTPUT_UNWRITABLE` where something other than a folder has that path."""
    place = folder / path
    if path == "." or not os.path.lexists(place):
        return
    if place.is_symlink() or not place.is_dir():
        kind = "a link" if place.is_symlink() else "not a folder"
        raise KradleError(
            ErrorCode.OUTPUT_UNWRITABLE,
            f"cannot write into {path}: it is {kind}",
            "put a folder in its place, or name another folder",
        )


def add_files(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Write the files whose paths are free, and the folders that they need; returns their paths.

    Nothing is written where a file or a link stands in the way. What fails later, such as a full disk, leaves whole
    files, and the next call adds the others. Modes are by the umask, since others work with these files, too.
    """
    added = absent(folder, files)
    mode = file_mode()
    for path in added:
        target = folder / path
        make_folder(target.parent)
        AtomicOutput().write(target, files[path])
        target.chmod(mode)
    return added


def file_mode() -> int:
    """The mode of a new file by the umask, which is only told when it is set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
