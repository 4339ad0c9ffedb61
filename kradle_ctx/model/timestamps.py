"""Instants: strict for what a person asks, lenient for what records say, one form for output."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from kradle_ctx.errors import ErrorCode, KradleError, quoted
from kradle_ctx.expressions import lazy_expression

INSTANT = lazy_expression(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[Tt ](?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?P<fraction>\.[0-9]{1,9})?"
    r"(?P<zone>[Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
)
"""RFC 3339, section 5.6, with the seconds and the zone optional, or a date alone."""

SHOWN_TEXT = 60
"""Longest refused timestamp that a message shows, in characters."""

MICROSECOND_DIGITS = 6


def parse_instant(text: str) -> datetime:
    """Read an RFC 3339 timestamp with a zone, as UTC.

    Raises `TIMESTAMP_AMBIGUOUS` for a date alone or a time without a zone, with the two readings it could have in
    `details`, and `USAGE` for anything else that is no instant.
    """
    found = INSTANT.fullmatch(text)
    instant = None if found is None else _instant(found)
    if found is None or instant is None:
        raise KradleError(
            ErrorCode.USAGE,
            f"{quoted(text, SHOWN_TEXT, 'text')} is not a timestamp",
            "write it as in RFC 3339, with a zone: 2026-05-03T12:00:00Z or 2026-05-03T14:00:00+02:00",
        )
    if found["zone"] is None:
        raise _ambiguous(text, found, instant)
    return instant


@lru_cache(maxsize=4096)
def lenient_instant(text: str) -> datetime | None:
    """Read the timestamp of a record as UTC, None when it is none or impossible.

    Without a zone it is read as UTC, and a date alone as the beginning of that day in UTC.
    """
    found = INSTANT.fullmatch(text.strip())
    return None if found is None else _instant(found)


def format_instant(instant: datetime) -> str:
    """An instant in UTC to the second, as in `2026-05-03T12:00:00Z`."""
    return instant.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def format_age(age: timedelta) -> str:
    """A duration in its two largest units, as in `2d3h`, `5m` or `40s`."""
    sign = "-" if age < timedelta(0) else ""
    seconds = int(abs(age).total_seconds())
    parts = [(seconds // 86400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s")]
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    shown = [f"{count}{unit}" for count, unit in parts[first : first + 2] if count]
    return sign + "".join(shown) if shown else "0s"


def _instant(found: re.Match[str]) -> datetime | None:
    zone = (found["zone"] or "Z").upper().replace("Z", "+00:00")
    fraction = (found["fraction"] or ".")[1:][:MICROSECOND_DIGITS].ljust(MICROSECOND_DIGITS, "0")
    try:
        local = datetime.fromisoformat(f"{found['day']}T{found['time'] or '00:00'}{zone}")
        return local.replace(microsecond=int(fraction)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _ambiguous(text: str, found: re.Match[str], instant: datetime) -> KradleError:
    """Name both readings: the first and last second of a day, or UTC and this machine's own zone (or some other)."""
    if found["time"] is None:
        reason = "is a date, not an instant"
        readings = [format_instant(instant), f"{found['day']}T23:59:59Z"]
    else:
        reason = "names no zone"
        readings = [format_instant(instant), _local(instant).isoformat(timespec="seconds")]
    return KradleError(
        ErrorCode.TIMESTAMP_AMBIGUOUS,
        f"{text!r} {reason}: it could mean {readings[0]} or {readings[1]}",
        "write the one that is meant",
        readings=readings,
    )


def _local(instant: datetime) -> datetime:
    """The same clock time in this machine's own zone, or in some other where that is UTC or has no such time."""
    try:
        local = instant.replace(tzinfo=None).astimezone()
    except (ValueError, OverflowError):  # the first and the last day of all
        local = instant
    return local if local.utcoffset() else instant.replace(tzinfo=timezone(timedelta(hours=2)))
