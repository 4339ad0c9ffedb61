"""Memory mode: one table of what each operation touches, and one function that decides."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from kradle_ctx.errors import ErrorCode, KradleError, quoted

SHOWN_MODE = 40
"""Longest unknown mode that a message shows, in characters."""


class MemoryMode(IntEnum):
    """From the narrowest to the widest."""

    DISABLED = 0
    READ_ONLY = 1
    FULL = 2

    @property
    def label(self) -> str:
        """The word used in requests and flags."""
        return self.name.lower().replace("_", "-")


class Touch(StrEnum):
    """What an operation touches: it opens the brain, can change it, or neither."""

    READ = "read"
    WRITE = "write"
    ADMINISTRATIVE = "administrative"


OPERATIONS: dict[str, Touch] = {
    "assemble": Touch.READ,
    "index build": Touch.READ,
    "index export": Touch.READ,
    "index prune": Touch.ADMINISTRATIVE,
    "index status": Touch.READ,
    "index verify": Touch.ADMINISTRATIVE,
    "index verify --brain": Touch.READ,
    "init": Touch.ADMINISTRATIVE,
    "preview": Touch.READ,
    "query": Touch.READ,
    "read": Touch.READ,
    "redact": Touch.ADMINISTRATIVE,
    "resolve": Touch.READ,
    "validate": Touch.READ,
    "validate --fix": Touch.WRITE,
}


def parse_memory_mode(text: str) -> MemoryMode:
    """Read a memory mode; anything but `full`, `read-only` and `disabled` is an error, never `full`."""
    for mode in MemoryMode:
        if mode.label == text:
            return mode
    raise KradleError(
        ErrorCode.MEMORY_MODE_INVALID,
        f"{quoted(text, SHOWN_MODE, 'text')} is no memory mode",
        "use full, read-only or disabled",
    )


def narrowest(*modes: MemoryMode | None) -> MemoryMode:
    """The narrowest of the modes given; `full` when there is none."""
    return min((mode for mode in modes if mode is not None), default=MemoryMode.FULL)


def permits(operation: str, mode: MemoryMode) -> bool:
    """Whether a memory mode permits an operation of the table."""
    touch = OPERATIONS[operation]
    if touch is Touch.ADMINISTRATIVE:
        return True
    return mode >= (MemoryMode.READ_ONLY if touch is Touch.READ else MemoryMode.FULL)


def require_permitted(operation: str, mode: MemoryMode) -> None:
    """Raise `MEMORY_MODE_FORBIDDEN` when the mode forbids the operation."""
    if not permits(operation, mode):
        raise KradleError(
            ErrorCode.MEMORY_MODE_FORBIDDEN,
            f"memory mode {mode.label} forbids {operation}",
            "widen the memory mode where it was set (--memory-mode, KRADLE_MEMORY_MODE or the request)",
            operation=operation,
            mode=mode.label,
        )
