"""Exit codes: "no" and "could not" are different answers."""

from __future__ import annotations

from kradle_ctx.errors import ErrorCode

DONE = 0
NO = 1
USAGE = 2
BLOCKED = 3
DENIED = 4
UNSAFE = 5
INTERNAL = 70
INTERRUPTED = 130

EXIT_CODES: dict[ErrorCode, int] = {
    ErrorCode.MEMORY_ITEM_UNAVAILABLE: NO,
    ErrorCode.USAGE: USAGE,
    ErrorCode.RESOURCE_INVALID: USAGE,
    ErrorCode.MEMORY_MODE_INVALID: USAGE,
    ErrorCode.TIMESTAMP_AMBIGUOUS: USAGE,
    ErrorCode.MEMORY_REF_UNRESOLVED: BLOCKED,
    ErrorCode.MEMORY_REF_AMBIGUOUS: BLOCKED,
    ErrorCode.MEMORY_HISTORY_INCOMPLETE: BLOCKED,
    ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE: BLOCKED,
    ErrorCode.MEMORY_OBJECT_MISSING: BLOCKED,
    ErrorCode.ONTOLOGY_INVALID: BLOCKED,
    ErrorCode.LIMIT_EXCEEDED: BLOCKED,
    ErrorCode.OUTPUT_UNWRITABLE: BLOCKED,
    ErrorCode.MEMORY_PERMISSION_DENIED: DENIED,
    ErrorCode.CROSS_ORG_REF_DENIED: DENIED,
    ErrorCode.MEMORY_MODE_FORBIDDEN: DENIED,
    ErrorCode.REDACTION_TOO_BROAD: UNSAFE,
    ErrorCode.REDACTION_FAILED: UNSAFE,
    ErrorCode.INTERNAL: INTERNAL,
}
"""The exit code of every error code."""
