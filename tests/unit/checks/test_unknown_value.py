"""Long lists of values, and what a message says of them."""

from __future__ import annotations

import pytest

from kradle_ctx.checks.unknown_value import MOST_LISTED, MOST_SETS, SMALL, hint_for, is_among
from tests.checks.examples import validated


@pytest.mark.parametrize("size", [0, 1, SMALL, SMALL + 1, SMALL * 10])
def test_a_value_is_among_a_list_of_any_length(size: int) -> None:
    allowed = tuple(f"value-{number}" for number in range(size))

    assert all(is_among(allowed, value) for value in allowed)
    assert not is_among(allowed, "value")


def test_lists_are_told_apart_when_others_took_their_place_in_memory() -> None:
    for number in range(MOST_SETS + 100):
        allowed = tuple(f"{number}-{value}" for value in range(SMALL + 1))
        assert is_among(allowed, f"{number}-0")
        assert not is_among(allowed, f"{number - 1}-0")


def test_a_hint_names_some_values_and_how_many_more_there_are() -> None:
    hint = hint_for("valeu-3", [f"value-{number}" for number in range(MOST_LISTED + 5)])

    assert hint.startswith("did you mean `value-3`? it may be `value-0`, ")
    assert hint.endswith("and 5 more")


def test_a_value_that_could_be_a_secret_is_not_repeated_when_it_is_long() -> None:
    value = "x" * 61
    report = validated({"graph/a.yaml": f"nodeKind: Team\nid: team:a\nsensitivity: {value}\n"})

    (finding,) = (finding for finding in report.findings if finding.check == "KB022")
    assert value[:10] not in finding.message + finding.hint
