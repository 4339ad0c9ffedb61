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


class AtomicOutput:
    """Writes beside the target, syncs, then renames, so that a reader sees the old file or the new one."""

    def write(self, target: Path, data: bytes) -> None:
        """Replace a regular file, or write straight through to a character device such as `/dev/stdout`."""
        try:
            existing = target.lstat().st_mode if os.path.lexists(target) else None
            if existing is not None and device(target, existing):
                write_through(target, data)
            elif existing is None or stat.S_ISREG(existing):
                replace_file(target, data)
            else:
                raise unwritable(target, "not a regular file")
        except OSError as error:
            raise unwritable(target, error.strerror or "cannot be written") from error


def device(target: Path, mode: int) -> bool:
    """Whether the target is a character device, or one of the links to the process's own streams."""
    if stat.S_ISCHR(mode):
        return True
    return str(target) in ("/dev/stdout", "/dev/stderr") or str(target).startswith("/dev/fd/")


def write_through(target: Path, data: bytes) -> None:
    """Write to a device."""
    with target.open("wb") as stream:
        stream.write(data)


def replace_file(target: Path, data: bytes) -> None:
    """Write a temporary file in the same folder, sync it, rename it over the target, sync the folder."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(FILE_MODE)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    sync_folder(target.parent)


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
