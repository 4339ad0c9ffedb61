"""Canonical JSON: what the standard library writes of plain values is what RFC 8785 asks for."""

from __future__ import annotations

from typing import Any

import pytest
import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kradle_ctx.digest import NotPlain, canonical_bytes, digest_value, plain

NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
SHORT = st.floats(-1e6, 1e6).map(lambda number: round(number, 4))
VALUES = st.recursive(
    st.none() | st.booleans() | st.text() | NUMBERS | SHORT,
    lambda parts: st.lists(parts) | st.lists(parts).map(tuple) | st.dictionaries(st.text(), parts),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(VALUES)
@example({"b": 1.0, "a": [0.1, -0.0, 1e21, 5e-324, 1e16, 123456789012345.6]})
@example({"é": 'é\x7f\x00\n"\\/\u2028', "e": "\U00010000"})
@example({"\uffff": 1, "\U00010000": 2})
def test_every_value_is_written_as_rfc_8785_asks(value: Any) -> None:
    assert canonical_bytes(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [1e-7, 1e22, {"é": 1}, [2**53], float("nan"), {"a": {"b": (1e-9,)}}])
def test_what_json_leaves_room_for_is_not_plain(value: Any) -> None:
    with pytest.raises(NotPlain):
        plain(value)


@pytest.mark.parametrize("value", [None, True, "é", 0, -(2**53) + 1, 0.25, -0.0, {"a": ["b", [1, 2.5, 3.0]]}])
def test_what_is_usual_is_plain(value: Any) -> None:
    assert plain(value) == value


def test_the_order_of_names_does_not_matter() -> None:
    assert digest_value({"a": 1, "b": 2}) == digest_value({"b": 2, "a": 1})
