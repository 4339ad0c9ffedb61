"""Expected failures: a stable code, what is wrong, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class ErrorCode(StrEnum):
    """Every code a caller may rely on; the exit code of each stands in `cli/exit_codes.py`."""

    USAGE = "USAGE"
    RESOURCE_INVALID = "RESOURCE_INVALID"
    MEMORY_MODE_INVALID = "MEMORY_MODE_INVALID"
    TIMESTAMP_AMBIGUOUS = "TIMESTAMP_AMBIGUOUS"
    MEMORY_ITEM_UNAVAILABLE = "MEMORY_ITEM_UNAVAILABLE"
    MEMORY_REF_UNRESOLVED = "MEMORY_REF_UNRESOLVED"
    MEMORY_REF_AMBIGUOUS = "MEMORY_REF_AMBIGUOUS"
    MEMORY_HISTORY_INCOMPLETE = "MEMORY_HISTORY_INCOMPLETE"
    MEMORY_REPOSITORY_UNAVAILABLE = "MEMORY_REPOSITORY_UNAVAILABLE"
    MEMORY_OBJECT_MISSING = "MEMORY_OBJECT_MISSING"
    ONTOLOGY_INVALID = "ONTOLOGY_INVALID"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    OUTPUT_UNWRITABLE = "OUTPUT_UNWRITABLE"
    MEMORY_PERMISSION_DENIED = "MEMORY_PERMISSION_DENIED"
    CROSS_ORG_REF_DENIED = "CROSS_ORG_REF_DENIED"
    MEMORY_MODE_FORBIDDEN = "MEMORY_MODE_FORBIDDEN"
    REDACTION_TOO_BROAD = "REDACTION_TOO_BROAD"
    REDACTION_FAILED = "REDACTION_FAILED"
    INTERNAL = "INTERNAL"


def quoted(text: str, most: int, what: str) -> str:
    """A text as a message may repeat it, or how long it is: a cut could leave a part of a secret that no rule knows."""
    return repr(text) if len(text) <= most else f"a {what} of {len(text)} characters"


class KradleError(Exception):
    """An expected failure.

    `message` names what is wrong (file, line, ref) and `hint` says what to do next; neither holds file
    content or a secret. `details` are JSON values for machines.
    """

    def __init__(self, code: ErrorCode, message: str, hint: str, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.details: Mapping[str, object] = details

    def __reduce__(self) -> tuple[Any, ...]:
        """How it comes out of another process: an exception is made again from its message alone."""
        return made_again, (self.code, self.message, self.hint, dict(self.details))


def made_again(code: ErrorCode, message: str, hint: str, details: Mapping[str, object]) -> KradleError:
    """An error from its parts."""
    return KradleError(code, message, hint, **details)
