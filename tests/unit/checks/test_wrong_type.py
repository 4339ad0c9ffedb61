"""What is of a type, however it is written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.checks.wrong_type import FORMS
from kradle_ctx.validation.inspection import MOST_FAULTS
from kradle_ctx.yamldoc import parse
from kradle_ctx.yamldoc.scalars import MAX_INTEGER
from tests.checks.examples import validated

KINDS = """nodeKinds:
  - name: Release
    prefix: release
    attributes: {parts: list<int>}
"""


def read(written: str) -> object:
    """What a value is read as."""
    value = parse(f"value: {written}\n")
    assert isinstance(value, dict)
    return value["value"]


@settings(max_examples=100, deadline=None)
@given(st.integers(-MAX_INTEGER * 1000, MAX_INTEGER * 1000), st.sampled_from(["{}", "00{}", "+{}"]))
def test_every_whole_number_is_one_without_quotes(number: int, form: str) -> None:
    written = form.format(abs(number)) if form != "{}" else str(number)

    assert FORMS["int"].fits(read(written))
    assert FORMS["float"].fits(read(written))


@settings(max_examples=100, deadline=None)
@given(st.floats())
def test_every_float_is_a_number(number: float) -> None:
    written = repr(number).replace("inf", ".inf").replace("nan", ".nan")

    assert FORMS["float"].fits(read(written))
    assert not FORMS["int"].fits(read(written))


@settings(max_examples=100, deadline=None)
@given(st.integers(-MAX_INTEGER, MAX_INTEGER))
def test_a_quoted_number_is_text(number: int) -> None:
    assert not FORMS["int"].fits(read(f'"{number}"'))
    assert FORMS["string"].fits(read(f'"{number}"'))


@pytest.mark.parametrize(
    ("written", "name", "fits"),
    [
        ("yes", "bool", False),
        ("True", "bool", False),
        ("false", "bool", True),
        ("-0", "tokens", True),
        ("-007", "tokens", False),
        ("-0.10", "cost-per-million-tokens", False),
        ("0.10", "cost-per-million-tokens", True),
        ("1.2.3", "semver", True),
        ("v1.2.3", "semver", False),
        ("1.2.3-rc.1+b", "semver", True),
        ("ssh://git@example.org/a", "url", True),
        ("mailto:a@example.org", "url", True),
        ("https://a b", "url", False),
        ("packages/a.ts", "url", False),
        ("a", "slug", True),
        ("a-", "slug", False),
        ("a--b", "slug", True),
        ("A", "slug", False),
        ("[1]", "set", True),
        ("{a: 1}", "list", False),
        ("null", "list", False),
    ],
)
def test_values_and_types(written: str, name: str, fits: bool) -> None:
    assert FORMS[name].fits(read(written)) is fits


def test_a_file_of_wrong_values_is_told_up_to_a_bound() -> None:
    items = "\n".join("  - x" for _ in range(MOST_FAULTS * 3))
    report = validated(
        {"ontology/a.yaml": KINDS, "graph/a.yaml": f"nodeKind: Release\nid: release:a\nparts:\n{items}\n"}
    )

    found = [finding for finding in report.findings if finding.check == "KB021"]
    assert 0 < len(found) <= MOST_FAULTS
    assert len({finding.fingerprint for finding in found}) == len(found)


def test_a_fingerprint_stays_where_items_before_it_come_and_go() -> None:
    graph = "nodeKind: Release\nid: release:a\nparts: [{}]\n"
    before = validated({"ontology/a.yaml": KINDS, "graph/a.yaml": graph.format("x")})
    after = validated({"ontology/a.yaml": KINDS, "graph/a.yaml": graph.format("y, x")})

    prints = {finding.fingerprint for finding in before.findings if finding.check == "KB021"}
    assert prints < {finding.fingerprint for finding in after.findings}
