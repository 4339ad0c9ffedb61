"""Dates that exist, and those that do not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.checks.invalid_timestamp import DATE, LATEST, TIMESTAMP, trouble
from tests.checks.examples import MOMENT, validated

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
INSTANTS = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=ZONES)


@settings(max_examples=100, deadline=None)
@given(INSTANTS)
def test_every_timestamp_with_a_zone_is_one(instant: datetime) -> None:
    assert trouble(instant.isoformat(), TIMESTAMP) is None
    assert trouble(instant.isoformat(" "), "") is None
    assert trouble(instant.astimezone(UTC).isoformat().replace("+00:00", "Z"), TIMESTAMP) is None


@settings(max_examples=100, deadline=None)
@given(INSTANTS)
def test_a_time_without_a_zone_or_a_date_alone_is_less_than_a_timestamp(instant: datetime) -> None:
    assert trouble(instant.replace(tzinfo=None).isoformat(), TIMESTAMP) is not None
    assert trouble(instant.date().isoformat(), TIMESTAMP) is not None
    assert trouble(instant.date().isoformat(), DATE) is None
    assert trouble(instant.isoformat(), DATE) is not None


@pytest.mark.parametrize(
    "written",
    ["2026-13-05", "0000-00-00", "2026-02-30", "2025-02-29", "2026-05-01T25:00:00Z", "2026-05-01T12:60:00Z"],
)
def test_what_looks_like_a_date_and_is_none_does_not_exist(written: str) -> None:
    found = trouble(written, "")

    assert found is not None
    assert found.message == "is no date that exists"
    assert found.severity is None


@pytest.mark.parametrize("later", [LATEST, LATEST + timedelta(seconds=1)])
def test_an_update_may_be_a_day_later_than_the_commit(later: timedelta) -> None:
    stated = datetime.fromisoformat(MOMENT) + later
    report = validated({"graph/a.yaml": f"nodeKind: Team\nid: team:a\nupdatedAt: {stated.isoformat()}\n"})

    found = [finding for finding in report.findings if finding.check == "KB024"]
    assert bool(found) is (later > LATEST)


def test_an_impossible_date_is_told_once() -> None:
    report = validated({"notes/a.md": "---\nupdatedAt: 2026-13-05\n---\n"})

    assert [finding.check for finding in report.findings] == ["KB024"]


def test_a_date_that_the_ontology_types_is_told_once() -> None:
    kinds = "nodeKinds:\n  Team: {prefix: team, attributes: {updatedAt: iso-timestamp}}\n"
    for written in ("2026-13-05", "[2026]", "2026"):
        files = {"ontology/a.yaml": kinds, "graph/a.yaml": f"nodeKind: Team\nid: team:a\nupdatedAt: {written}\n"}
        report = validated(files)
        assert len([finding for finding in report.findings if finding.check in ("KB021", "KB024")]) == 1
