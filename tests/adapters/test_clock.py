"""The time of day."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kradle_ctx.adapters.clock import SystemClock
from kradle_ctx.errors import ErrorCode, KradleError


def test_the_clock_tells_the_instant_in_utc_to_the_second() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    now = SystemClock({}).now()
    assert before <= now <= datetime.now(UTC)
    assert (now.tzinfo, now.microsecond) == (UTC, 0)


@pytest.mark.parametrize(
    ("seconds", "instant"),
    [
        ("0", datetime(1970, 1, 1, tzinfo=UTC)),
        ("1777593600", datetime(2026, 5, 1, tzinfo=UTC)),
        ("4102444799", datetime(2099, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_source_date_epoch_stands_in_for_the_clock(seconds: str, instant: datetime) -> None:
    assert SystemClock({"SOURCE_DATE_EPOCH": seconds}).now() == instant


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/St_Johns", "UTC"])
def test_the_time_zone_of_the_machine_changes_nothing(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    assert SystemClock({"SOURCE_DATE_EPOCH": "1777593600"}).now().isoformat() == "2026-05-01T00:00:00+00:00"


@pytest.mark.parametrize("text", ["", "now", "1.5", "2026-05-01", "9" * 30, "9" * 5000, "0x10", "-" + "9" * 20])
def test_what_is_no_number_of_seconds_is_a_usage_error(text: str) -> None:
    with pytest.raises(KradleError) as caught:
        SystemClock({"SOURCE_DATE_EPOCH": text}).now()
    assert caught.value.code is ErrorCode.USAGE
    assert "SOURCE_DATE_EPOCH" in caught.value.message


def test_only_the_given_environment_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert SystemClock({}).now().year > 2000
