"""Files written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from kradle_ctx.errors import ErrorCode, KradleError

FILE_MODE = 0o600
"""A bundle is the reader's own: it holds what their grants let through."""


STREAMS = {"/dev/stdout": "/dev/fd/1", "/dev/stderr": "/dev/fd/2"}

NAME_SHARE = 40
"""Characters of the target's name in the temporary one, so that it fits where the target's does."""


class AtomicOutput:
    """Writes beside the target, syncs, then renames, so that a reader sees the old file or the new one."""

    def write(self, target: Path, data: bytes, mode: int = FILE_MODE) -> None:
        """Replace a regular file, or write straight through to a character device such as `/dev/stdout`.

        `mode` are the permission bits of the file.
        """
        try:
            existing = target.lstat().st_mode if os.path.lexists(target) else None
            if existing is not None and device(target, existing):
                write_through(target, data)
            elif existing is None or stat.S_ISREG(existing):
                replace_file(target, data, mode)
            else:
                raise unwritable(target, "not a regular file")
        except OSError as error:
            raise unwritable(target, error.strerror or "cannot be written") from error


def device(target: Path, mode: int) -> bool:
    """Whether the target is a character device, or one of the links to the process's own streams."""
    return stat.S_ISCHR(mode) or stream(target) is not None


def stream(target: Path) -> int | None:
    """The descriptor that `/dev/stdout`, `/dev/stderr` or `/dev/fd/N` stands for."""
    number = STREAMS.get(str(target), str(target)).removeprefix("/dev/fd/")
    return int(number) if number.isdecimal() and str(target).startswith("/dev/") else None


def write_through(target: Path, data: bytes) -> None:
    """Write to a device, or on to a stream: opening its link anew would empty the file that it leads to."""
    descriptor = stream(target)
    with target.open("wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb") as opened:
        opened.write(data)


def replace_file(target: Path, data: bytes, mode: int) -> None:
    """Write a temporary file in the same folder, sync it, rename it over the target, sync the folder."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:NAME_SHARE]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    sync_folder(target.parent)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; raises `OUTPUT_UNWRITABLE`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error.strerror or "cannot be made") from error


def sync_folder(folder: Path) -> None:
    """Make the rename last; some file systems cannot, and the file is whole all the same."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def unwritable(target: Path, reason: str) -> KradleError:
    """The error for a target that cannot be written."""
    return KradleError(
        ErrorCode.OUTPUT_UNWRITABLE,
        f"cannot write {target}: {reason}",
        "name a regular file in a folder that exists and can be written",
    )
