"""Files of findings that are known and do not count."""

from __future__ import annotations

import json
from pathlib import Path

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.render.baseline import KIND

MOST_BYTES = 64 << 20


def read_baseline(file: Path) -> frozenset[str]:
    """The fingerprints in a baseline; raises `RESOURCE_INVALID` where it cannot be read as one."""
    try:
        with file.open("rb") as stream:
            value = json.loads(stream.read(MOST_BYTES).decode())
        if value["kind"] != KIND:
            raise ValueError
        return frozenset(str(finding["fingerprint"]) for finding in value["findings"])
    except OSError as error:
        raise refused(file, error.strerror or "it does not open") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise refused(file, "it is no baseline") from error


def refused(file: Path, reason: str) -> KradleError:
    """A baseline that cannot be read."""
    return KradleError(
        ErrorCode.RESOURCE_INVALID,
        f"the baseline {file.name} is not read: {reason}",
        "make one with `kradle-ctx validate --write-baseline FILE`",
    )
