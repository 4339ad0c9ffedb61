from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import ruamel.yaml
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kradle_ctx.yamldoc import Value, emit, parse


def read_with_ruamel(text: str) -> Any:
    return ruamel.yaml.YAML(typ="safe", pure=True).load(text)


READERS: dict[str, Callable[[str], Any]] = {
    "our own": parse,
    "PyYAML": yaml.safe_load,
    "PyYAML on libyaml": lambda text: yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)),
    "ruamel.yaml": read_with_ruamel,
}

TRAPS = [
    *"yes no on off y n Yes NO true True TRUE false null Null NULL None ~ 0 -1 +1 -0 1.0 -.5 1.10 0123 0o17".split(),
    *"0x1f 0b1 1e3 1E3 1e+16 1.0e+16 0.1e3 1_000 190:20:30 1:2 .nan .inf -.inf = <<".split(),
    *"2026-01-01 2026-05-10T12:00:00Z".split(),
    *"- -- --- ... ? : ! & * | > % @ ` , [ ] { } # ' \" \\ -x !!x !x &a *a [a {a a] a} %x @x `x a,b a'b a\\nb".split(),
    *[
        "",
        " ",
        "\t",
        "\n",
        "\n\n",
        "\r",
        "\r\n",
        "- x",
        "? x",
        "# y",
        "a #b",
        "a: b",
        "a:",
        ": ",
        "--- a",
        "key: [",
        "x: |",
    ],
    *[
        "a ",
        " a",
        "a\t",
        "\ta",
        "a\rb",
        "a\r\nb",
        "a\n",
        "a\n\n",
        "z\n\n\n",
        "\na",
        "\n\na\n",
        " a\nb",
        "\ta\nb",
        "\n a",
        "\n\ta",
    ],
    *[
        "a\n\tb",
        "a\n b\n",
        "a  \nb\n",
        "a\n  \nb",
        "a\n ",
        "a\n  \n",
        "a\n---\nb",
        "a\n...\nb",
        "a\n# b",
        "# b\na",
        "- a\n- b",
    ],
    *["a\n\n b\n \n\nc", "a\n\x0bb", "a\n\x00", "a\n\u2028", "a\n\x85b", "a\n\ufeff", "k\n" * 200, "x: |\n  y\n"],
    *[
        "\x00",
        "\x07",
        "\x1b[0m",
        "\x7f",
        "\x85",
        "\x9f",
        "\xa0",
        "a\xa0",
        "\xa0\nb",
        "\u2028",
        "\u2029",
        "\ufeff",
        "\ufeffa",
    ],
    *[
        "\ufffe",
        "\uffff",
        "\ue000",
        "é",
        "日本",
        "😀",
        "😀\n🚀 x\n",
        "\U0010ffff",
        "\u202egnp",
        "٣",
        "x" * 300,
        "k" * 1100,
    ],
]

texts = st.one_of(
    st.sampled_from(TRAPS),
    st.text(max_size=12),
    st.text(alphabet=" \n\t:#-ab\r😀\u2028'\"", max_size=12),
)
numbers = st.one_of(
    st.integers(-(2**53) + 1, 2**53 - 1), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none()
)
values = st.recursive(
    texts | numbers,
    lambda items: st.lists(items, max_size=4) | st.dictionaries(texts, items, max_size=4),
    max_leaves=12,
)


def described(value: Any) -> object:
    """A value as plain data in which 1, 1.0 and True, 0.0 and -0.0, and orders of keys differ."""
    if isinstance(value, dict):
        return [(key, described(item)) for key, item in value.items()]
    if isinstance(value, list):
        return ["list", *map(described, value)]
    if isinstance(value, float):
        return ("float", value, math.copysign(1, value))
    return (type(value).__name__, value)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", TRAPS)
def test_a_trap_comes_back_whole_in_every_position(reader: str, text: str) -> None:
    value: Value = {
        "scalar": text,
        "list": [text, [text, text]],
        "nested": [{"k": text, "z": 1}],
        "keys": {text: text, "k" + text: {text: [text]}},
        "last": text,
    }
    assert described(READERS[reader](emit(value))) == described(value)
    assert described(READERS[reader](emit(text))) == described(text)


@given(values)
@example({"a": [], "b": {}, "c": [[], {}, [[]]], "": ""})
@settings(deadline=None)
def test_every_reader_gives_any_value_back(value: Value) -> None:
    text = emit(value)
    for name, read in READERS.items():
        assert described(read(text)) == described(value), name


def test_the_style_is_block_with_indented_lists_and_literal_text() -> None:
    value: Value = {
        "kind": "Bundle",
        "items": [{"id": "runbook:a", "tags": ["ci", "on"], "none": None}, [1, 2.5], []],
        "body": "# Title  \n\n\tmake 🚀\n",
        "date": "2026-05-10",
        "meta": {},
    }
    assert emit(value) == (
        "kind: Bundle\n"
        "items:\n"
        "  - id: runbook:a\n"
        "    tags:\n"
        "      - ci\n"
        '      - "on"\n'
        "    none: null\n"
        "  - - 1\n"
        "    - 2.5\n"
        "  - []\n"
        "body: |\n"
        "  # Title  \n"
        "\n"
        "  \tmake 🚀\n"
        'date: "2026-05-10"\n'
        "meta: {}\n"
    )


@pytest.mark.parametrize(
    "text", ["a\rb\nc", "a\x85b\nc", "a\u2028\nb", "a\u2029\nb", "a\x1b\nb", "a\x7f\nb", "\ufeffa\nb"]
)
def test_text_with_odd_line_breaks_or_control_characters_is_quoted_and_escaped(text: str) -> None:
    emitted = emit({"a": text})
    assert emitted.startswith('a: "')
    assert emitted.count("\n") == 1
    assert emitted[:-1].isprintable()


def test_a_long_line_is_not_wrapped() -> None:
    assert emit({"a": "word " * 20_000 + "end"}).count("\n") == 1


def test_a_value_that_occurs_twice_is_written_twice() -> None:
    shared: Value = {"k": ["v"]}
    assert emit([shared, shared]) == "- k:\n    - v\n- k:\n    - v\n"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (math.nan, "not finite"),
        (-math.inf, "not finite"),
        (2**53, "beyond"),
        (-(2**53), "beyond"),
        ({1: "x"}, "key must be text, not int"),
        (("a",), "a tuple is not"),
        ({"a": {"b"}}, "a set is not"),
        (["\ud800"], "surrogate"),
    ],
)
def test_what_no_reader_gives_back_is_refused(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        emit(value)


def test_depth_is_limited_as_in_reading() -> None:
    value: Value = "x"
    for _ in range(64):
        value = [value]
    assert parse(emit(value)) == value
    with pytest.raises(ValueError, match="deeper than 64"):
        emit([value])


@pytest.mark.parametrize("innermost", [[], {}])
def test_an_empty_collection_is_as_deep_as_a_full_one(innermost: Value) -> None:
    value = innermost
    for _ in range(63):
        value = [value]
    assert parse(emit(value)) == value
    with pytest.raises(ValueError, match="deeper than 64"):
        emit([value])


def test_a_value_that_contains_itself_is_refused() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(ValueError, match="deeper"):
        emit(value)


def test_a_large_text_and_a_large_bundle_come_back_whole() -> None:
    items: list[Value] = [
        {"id": f"runbook:{n}", "body": "## Step  \n\trun it\n" * 40, "score": 0.5} for n in range(250)
    ]
    text = emit({"items": items, "long": "é\n" * 50_000})
    assert len(text) > 250_000
    assert parse(text) == {"items": items, "long": "é\n" * 50_000}
