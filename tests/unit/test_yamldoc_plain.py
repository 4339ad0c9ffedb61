"""What is read without a parser is what the parser reads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.yamldoc.builder import Builder
from kradle_ctx.yamldoc.events import event_reader
from kradle_ctx.yamldoc.plain import plain_mapping
from kradle_ctx.yamldoc.values import LIMITS, Expansion, Limits, Value

RECORD = """---
# A record.
nodeKind: Service
id: service:billing-7
count: 12
share: 0.5
owner: null
url: https://example.invalid/a#b
attributes:
  displayName: "The: Billing"
  quoted: 'a # b'
  tags: [payments, core]
  none: []
  empty:
  summary: |
    One line, and

      another one: deeper
  purpose: >-
    Folded into
    one line.

edges:
  depends_on:
  - target: service:ledger
    attributes:
      since: 2024-05-01
  - service:mail
"""


def parsed(text: str) -> list[Value]:
    return Builder(text, LIMITS, Expansion()).build(event_reader(text))


def test_a_record_is_read_without_a_parser() -> None:
    assert plain_mapping(RECORD, LIMITS) == {
        "nodeKind": "Service",
        "id": "service:billing-7",
        "count": 12,
        "share": 0.5,
        "owner": None,
        "url": "https://example.invalid/a#b",
        "attributes": {
            "displayName": "The: Billing",
            "quoted": "a # b",
            "tags": ["payments", "core"],
            "none": [],
            "empty": None,
            "summary": "One line, and\n\n  another one: deeper\n",
            "purpose": "Folded into one line.",
        },
        "edges": {
            "depends_on": [
                {"target": "service:ledger", "attributes": {"since": "2024-05-01"}},
                "service:mail",
            ]
        },
    }
    assert [plain_mapping(RECORD, LIMITS)] == parsed(RECORD)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "a: b: c\n",
        "a: 1\na: 2\n",
        "a: b\n  c\n",
        "a: b\n  c: d\n",
        "a:\n  - b\n  c: d\n",
        "a: &x b\nc: *x\n",
        "a: !!str 1\n",
        'a: "b\\n"\n',
        "a:\tb\n",
        "a: b\r\n",
        "a: b\x85c\n",
        "true: b\n",
        "<<: b\n",
        "a: |\n\n  b\n",
        "a: |\n    b\n  c\n",
        "a: |\n  b\n  # c",
        "a: >\n  b\n\n  c\n",
        "a: b # c\n",
        "key:\n~",
        "- a\n",
        "a\n",
    ],
)
def test_what_is_not_plain_is_left_to_the_parser(text: str) -> None:
    assert plain_mapping(text, LIMITS) is None


@pytest.mark.parametrize("limits", [Limits(nodes=40), Limits(depth=3)])
def test_what_can_be_over_a_limit_is_left_to_the_parser(limits: Limits) -> None:
    assert plain_mapping("a:\n  b:\n    - c: d\n      e: f\n", LIMITS) is not None
    assert plain_mapping("a:\n  b:\n    - c: d\n      e: f\n", limits) is None


INDENTS = st.sampled_from(["", "", "  ", "  ", "    ", " ", "      "])
KEYS = st.sampled_from(["a:", "b:", "c.d:", "e/f-g:", "null:", "_h:", "- i:", "-  j:", "- ", "-", ""])
VALUES = st.sampled_from(
    [
        *("", "", "v", "v w  x", "a:b", "a: b", "a:", "x #y", "x#y", "1", "1.50", "-3", "null", "~", "true"),
        *('"q"', "'s'", '""', '"a\\n"', "'it''s'", "[a, b]", "[]", "[a,b]", "[1]", "[null]", "{}", "é", "\xa0x"),
        *("*a", "&a b", "!t x", "<<", "=", "^x", "a\\b", "%x", "@x", "?x", "a,b", "a]", "# c", "v # c", "\u2028"),
        *("|", "|-", ">", ">-", "|+", "|2", "\ufeff", "\t", "---", "..."),
    ]
)
LINES = st.builds(lambda indent, key, value, end: f"{indent}{key} {value}{end}", INDENTS, KEYS, VALUES, INDENTS)
TEXTS = st.one_of(LINES, VALUES, st.sampled_from(["", "  text", "    more text"]))


@given(st.lists(TEXTS, max_size=8), st.sampled_from(["", "\n", "\n\n", "\n "]))
@settings(max_examples=400)
def test_whatever_is_read_is_what_the_parser_reads(lines: list[str], end: str) -> None:
    text = "\n".join(lines) + end
    found = plain_mapping(text, LIMITS)
    assert found is None or [found] == parsed(text)


@given(
    st.recursive(
        st.one_of(st.text("ab :#-|>'\"[]\n", max_size=8), st.integers(-9, 99), st.booleans(), st.none()),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abcd"), inner)),
    )
)
def test_what_the_product_writes_is_read_as_the_parser_reads_it(value: Value) -> None:
    from kradle_ctx.yamldoc import emit

    text = emit({"a": value})
    found = plain_mapping(text, LIMITS)
    assert found is None or [found] == parsed(text)
