"""Instants: strict reading, lenient reading, and the one written form."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.timestamps import format_age, format_instant, lenient_instant, parse_instant


def refusal(text: str) -> KradleError:
    with pytest.raises(KradleError) as caught:
        parse_instant(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-03T12:00:00Z", datetime(2026, 5, 3, 12, tzinfo=UTC)),
        ("2026-05-03t12:00:00z", datetime(2026, 5, 3, 12, tzinfo=UTC)),
        ("2026-05-03 12:00:00+02:00", datetime(2026, 5, 3, 10, tzinfo=UTC)),
        ("2026-05-03T12:00Z", datetime(2026, 5, 3, 12, tzinfo=UTC)),
        ("2026-05-03T23:30:00-05:30", datetime(2026, 5, 4, 5, tzinfo=UTC)),
        ("2026-05-03T12:00:00.123456789Z", datetime(2026, 5, 3, 12, 0, 0, 123456, tzinfo=UTC)),
        ("2024-02-29T00:00:00-00:00", datetime(2024, 2, 29, tzinfo=UTC)),
    ],
)
def test_a_timestamp_with_a_zone_is_read_as_utc(text: str, expected: datetime) -> None:
    assert parse_instant(text) == expected
    assert parse_instant(text).tzinfo is UTC


def test_a_date_alone_is_refused_with_the_ends_of_that_day() -> None:
    error = refusal("2026-05-03")
    assert error.code is ErrorCode.TIMESTAMP_AMBIGUOUS
    assert error.details["readings"] == ["2026-05-03T00:00:00Z", "2026-05-03T23:59:59Z"]
    assert "2026-05-03T23:59:59Z" in error.message


def test_a_time_without_a_zone_is_refused_with_utc_and_local_time(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        error = refusal("2026-05-03T12:00:00")
    finally:
        monkeypatch.undo()
        time.tzset()
    assert error.code is ErrorCode.TIMESTAMP_AMBIGUOUS
    assert error.details["readings"] == ["2026-05-03T12:00:00Z", "2026-05-03T12:00:00+05:30"]


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "0001-01-01", "9999-12-31"])
def test_a_time_at_the_border_of_all_times_is_ambiguous_like_any_other(text: str) -> None:
    assert refusal(text).code is ErrorCode.TIMESTAMP_AMBIGUOUS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "yesterday",
        "1777593600",
        "2026-05",
        "2026-02-30T00:00:00Z",
        "2026-13-01",
        "2026-05-03T25:00:00Z",
        "2026-05-03T12:00:00+25:00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-01:00",
        "20260503T120000Z",
        "2026-W18-7",
        "2026-05-03T12:00:00Z\n",
        " 2026-05-03T12:00:00Z",
        "٢٠٢٦-05-03T12:00:00Z",
        "\x1b[31m",
        "9" * 5000,
    ],
)
def test_anything_else_is_a_usage_error_in_one_short_line(text: str) -> None:
    error = refusal(text)
    assert error.code is ErrorCode.USAGE
    assert len(error.message) < 120
    assert error.message.isprintable()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-10T23:30:00-05:00", datetime(2026, 5, 11, 4, 30, tzinfo=UTC)),
        ("2026-05-11 02:00:00", datetime(2026, 5, 11, 2, tzinfo=UTC)),
        ("2026-05-11T02:00:00", datetime(2026, 5, 11, 2, tzinfo=UTC)),
        ("2026-05-11T01:00:00Z", datetime(2026, 5, 11, 1, tzinfo=UTC)),
        ("2026-05-11", datetime(2026, 5, 11, tzinfo=UTC)),
        (" 2026-05-11T03:00:00+0200 ", datetime(2026, 5, 11, 1, tzinfo=UTC)),
    ],
)
def test_records_are_read_leniently(text: str, expected: datetime) -> None:
    assert lenient_instant(text) == expected


@pytest.mark.parametrize(
    "text", ["", "soon", "2001-99-99", "2026-05-11T99:00:00Z", "0001-01-01T00:00:00+14:00", "2026"]
)
def test_an_impossible_time_of_a_record_is_none(text: str) -> None:
    assert lenient_instant(text) is None


@given(st.text(max_size=40) | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]{0,12}[Z+-]?[0-9:]{0,6})?"))
def test_lenient_reading_never_raises(text: str) -> None:
    found = lenient_instant(text)
    assert found is None or found.utcoffset() == timedelta(0)


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)), st.integers(-14 * 60, 14 * 60))
def test_what_is_written_reads_back_to_the_second(naive: datetime, minutes: int) -> None:
    instant = naive.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    written = format_instant(instant)
    assert len(written) == len("2026-05-03T12:00:00Z")
    assert parse_instant(written) == instant.astimezone(UTC).replace(microsecond=0)


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (timedelta(days=2, hours=3, minutes=50), "2d3h"),
        (timedelta(days=400), "400d"),
        (timedelta(days=1, minutes=5), "1d"),
        (timedelta(hours=5, minutes=7), "5h7m"),
        (timedelta(minutes=5), "5m"),
        (timedelta(seconds=40), "40s"),
        (timedelta(0), "0s"),
        (timedelta(milliseconds=-3), "0s"),
        (timedelta(hours=-25), "-1d1h"),
    ],
)
def test_an_age_is_shown_in_its_two_largest_units(age: timedelta, expected: str) -> None:
    assert format_age(age) == expected
