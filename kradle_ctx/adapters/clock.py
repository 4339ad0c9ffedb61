"""The time of day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from kradle_ctx.errors import ErrorCode, KradleError


class SystemClock:
    """The machine's clock, or `SOURCE_DATE_EPOCH` (https://reproducible-builds.org/specs/source-date-epoch/)."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._epoch = environment.get("SOURCE_DATE_EPOCH")

    def now(self) -> datetime:
        """The current instant in UTC, to the second."""
        if self._epoch is None:
            return datetime.now(UTC).replace(microsecond=0)
        try:
            return datetime.fromtimestamp(int(self._epoch), UTC)
        except (ValueError, OverflowError, OSError):
            raise KradleError(
                ErrorCode.USAGE, "SOURCE_DATE_EPOCH is not a number of seconds", "set it to one, or unset it"
            ) from None
