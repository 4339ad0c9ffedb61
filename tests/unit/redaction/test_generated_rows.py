"""Generated rows: well-formed, the same for the same seed, and redacted within the gates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from kradle_ctx.redaction import redact

BENCH = Path(__file__).resolve().parents[3] / "bench"
SEED = 7
EVERY = 5
"""Of so many rows one is redacted here; `make eval` takes them all."""


@pytest.fixture(scope="module")
def bench(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The generator and the scorer, which are scripts outside of the package."""
    sys.path.insert(0, str(BENCH))
    request.addfinalizer(lambda: sys.path.remove(str(BENCH)))
    import redaction_quality
    import redaction_rows

    return {"rows": redaction_rows, "quality": redaction_quality}


def test_rows_have_their_secrets_where_the_spans_say(bench: dict[str, Any]) -> None:
    rows = list(bench["rows"].rows(SEED, places=1))
    assert len({row.id for row in rows}) == len(rows) > 1_500
    for row in rows:
        assert (row.label == "pos") == bool(row.spans)
        assert row.tier in ("core", "stretch") and len(row.pub) == len(row.spans)
        assert all(0 <= start < end <= len(row.text) for start, end, _ in row.spans)
        assert all(public < end - start for (start, end, _), public in zip(row.spans, row.pub, strict=True))
        assert all(a[1] <= b[0] for a, b in zip(row.spans, row.spans[1:], strict=False))
        assert not any(mark in row.text for mark in ("⟦", "⟧", "{EOF}", "{pw}", "¤"))


def test_rows_of_a_seed_are_always_the_same_and_of_another_seed_different(bench: dict[str, Any]) -> None:
    first, again, other = (list(bench["rows"].rows(seed, places=1))[:300] for seed in (SEED, SEED, SEED + 1))
    assert first == again
    secrets = [{row.text[start:end] for row in rows for start, end, _ in row.spans} for rows in (first, other)]
    assert len(secrets[0] & secrets[1]) < 3


def test_some_hundred_rows_are_redacted_within_the_gates(bench: dict[str, Any]) -> None:
    rows = list(bench["rows"].rows(SEED, places=1))[::EVERY]
    result = bench["quality"].score(rows, lambda text: redact(text).text)
    assert result.core.total > 200 and result.sure.total > 50 and result.negatives.total > 150
    assert result.missed_gates() == []


def test_the_scorer_sees_a_leak_a_change_and_a_loss(bench: dict[str, Any]) -> None:
    rows = list(bench["rows"].rows(SEED, places=1))[::50]
    untouched = bench["quality"].score(rows, lambda text: text)
    emptied = bench["quality"].score(rows, lambda text: "")
    assert untouched.core.rate == 1.0 and untouched.negatives.rate == 0.0 and untouched.lost_share == 0.0
    assert emptied.core.rate == 0.0 and emptied.negatives.rate == 1.0 and emptied.lost_share == 1.0
    assert len(untouched.missed_gates()) == 2 and len(emptied.missed_gates()) == 2
