"""Expressions of the code, compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from kradle_ctx import expressions
from kradle_ctx.expressions import LazyExpression, lazy_expression, lazy_linear_expression


def test_an_expression_is_compiled_once_and_not_before_it_is_used() -> None:
    made: list[re.Pattern[str]] = []

    def compiled() -> re.Pattern[str]:
        made.append(re.compile("b+"))
        return made[-1]

    lazy = LazyExpression(compiled)
    assert made == []
    assert lazy.search("abbc").span() == (1, 3)
    assert lazy.pattern == "b+"
    assert len(made) == 1


def test_a_lazy_expression_finds_what_the_expression_does() -> None:
    lazy = lazy_expression(rb"(\w)=(\d)", re.IGNORECASE)
    eager = re.compile(rb"(\w)=(\d)", re.IGNORECASE)
    assert lazy.findall(b"a=1 B=2") == eager.findall(b"a=1 B=2") == [(b"a", b"1"), (b"B", b"2")]
    assert lazy.sub(rb"\2", b"a=1") == b"1"


@pytest.mark.parametrize(("latin", "found"), [(True, b"\xc3"), (False, "é".encode())])
def test_a_linear_expression_reads_utf_8_or_bytes(latin: bool, found: bytes) -> None:
    match = lazy_linear_expression(r"[^a-z]", latin=latin).search("é".encode())
    assert match is not None and match.group() == found


def test_an_expression_that_is_not_linear_is_refused() -> None:
    assert not expressions.is_expression(r"(a)\1")
    with pytest.raises(ValueError, match=r"\S"):
        expressions.linear_expression(r"(a)\1")
