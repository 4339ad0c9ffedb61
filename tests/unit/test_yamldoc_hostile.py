"""Inputs made to hang, crash or deceive a YAML reader; the ceilings are far above what was measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from kradle_ctx.yamldoc import InvalidYaml, YamlFault, parse, read_documents, split_frontmatter


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds


def fault_of(text: str) -> YamlFault:
    with pytest.raises(InvalidYaml) as raised:
        parse(text)
    return raised.value.fault


def merge_bomb() -> str:
    lines = [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 8)}], k{n}: 1}}" for n in range(1, 9)]
    return "\n".join(["a0: &a0 {k: 1}", *lines])


def laughs(first: str, count: int) -> str:
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * count)}]" for n in range(1, 9)]
    return "\n".join([f"a0: &a0 {first}", *lines])


def test_a_merge_bomb_is_refused_at_its_first_merge_key() -> None:
    with within(1):
        assert fault_of(merge_bomb()) == YamlFault("merge keys (<<) are not supported", 2, 10)


@pytest.mark.parametrize("first", ["[x]", "x", "{k: v}", "[]"])
def test_a_billion_laughs_are_refused_by_the_count_with_expansion(first: str) -> None:
    with within(1):
        assert "aliases expand to more than 10000 nodes" in fault_of(laughs(first, 9)).message


def test_many_aliases_of_one_big_collection_are_refused() -> None:
    with within(5):
        big = f"a: &a [{'x,' * 40_000}]\n" + "".join(f"k{n}: *a\n" for n in range(10_000))
        assert "aliases expand" in fault_of(big).message


def test_aliases_are_counted_over_all_documents_of_a_file() -> None:
    small = f"a: &a [{', '.join('x' * 98)}]\nb: [{', '.join(['*a'] * 10)}]\n"
    documents = read_documents("---\n".join([small] * 20 + ["c: 1\n"]))
    faults = [document.fault is not None for document in documents]
    assert faults == [False] * 10 + [True] * 10 + [False]
    assert documents[10].fault is not None
    assert "aliases expand to more than 10000 nodes" in documents[10].fault.message
    assert parse(small) == documents[0].value


@pytest.mark.parametrize("text", ["a: &a [*a]", "&a {b: *a}", "a: &a {b: {c: [*a]}}"])
def test_an_alias_inside_its_own_anchor_is_refused(text: str) -> None:
    assert fault_of(text).message == "an alias inside its own anchor"


@pytest.mark.parametrize(
    "text",
    [
        "".join(" " * depth + "a:\n" for depth in range(3000)),
        "- " * 5000,
        "[" * 200_000,
        "{" * 200_000,
        "{a: " * 50_000,
    ],
)
def test_deep_nesting_is_refused_without_a_recursion_error(text: str) -> None:
    with within(5):
        assert "nest" in fault_of(text).message


@pytest.mark.parametrize(
    "text", ["a: 2001-99-99", "a: 2001-01-01 10:99:99", "a: 2001-01-01T10:99:99+99:99", f"a: {'1' * 5000}"]
)
def test_what_makes_other_readers_raise_a_value_error_is_text(text: str) -> None:
    assert parse(text) == {"a": text[3:]}


def test_a_set_is_refused() -> None:
    assert fault_of("a: !!set {x, y}") == YamlFault("unsupported tag", 1, 4)


@pytest.mark.parametrize(
    ("read", "text"),
    [(read_documents, unit * 100_000) for unit in ["---\n", "...\n", "---\n...\n", "--- *a\n", "%YAML 1.2\n---\n"]],
)
def test_a_hundred_thousand_documents_are_bounded(read: Callable[[str], object], text: str) -> None:
    with within(8):
        documents = read_documents(text)
    assert len(documents) <= 10_001
    assert documents[-1].fault is not None


def test_a_second_document_cannot_redefine_the_first() -> None:
    assert fault_of("policy: deny\n---\npolicy: allow\n").message == "more than one document"


@pytest.mark.parametrize("break_", ["\r", "\r\r"])
def test_a_marker_hidden_behind_a_lone_carriage_return_is_refused(break_: str) -> None:
    assert "line break that is not LF" in fault_of(f"policy: deny{break_}---{break_}policy: allow").message


@pytest.mark.parametrize(
    "mark",
    ["\0", "\x01", "\x08", "\x0b", "\x0c", "\x1b", "\x7f", "\x80", "\x9f", "\ufffe", "\uffff", "\ud800", "\udfff"],
)
@pytest.mark.parametrize("form", ["é: 1\na: x{}", 'é: 1\na: "{}"', "é: 1\n# {}\n"])
def test_a_control_character_or_surrogate_is_refused_at_its_place(mark: str, form: str) -> None:
    text = form.format(mark)
    fault = fault_of(text)
    assert fault.message.startswith(f"character U+{ord(mark):04X} is not allowed")
    assert (fault.line, fault.column) == (2, text.index(mark) - text.index("\n"))


def test_utf_16_is_named_as_such() -> None:
    assert "UTF-16" in fault_of("a: 1\n".encode("utf-16-le").decode("latin-1")).message


def test_an_escaped_surrogate_is_refused() -> None:
    assert fault_of('a: 1\nb: "\\ud800"').line == 2


def test_tabs_and_no_break_spaces_do_not_separate_a_key() -> None:
    assert parse("a:\xa0b") == "a:\xa0b"
    assert fault_of("a:\n\tb: 1").line == 2


@pytest.mark.parametrize(
    "text",
    [
        "%YAML 9.9\n---\na: 1",
        "%YAML 1.1\n---\na: 1",
        "# c\n%TAG !! tag:evil,1:\n---\na: 1",
        "# c\r%YAML 1.1\r---\ra: 1",
    ],
)
def test_directives_are_refused(text: str) -> None:
    assert fault_of(text).message == "directives (%) are not supported"


def test_a_directive_takes_only_the_document_it_belongs_to() -> None:
    first, second, third = read_documents("a: 1\n...\n%YAML 1.2\n---\nb: 2\n---\nc: 3\n")
    assert (first.value, third.value) == ({"a": 1}, {"c": 3})
    assert second.fault == YamlFault("directives (%) are not supported", 3, 1)


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        '"',
        "'",
        "- ",
        "? ",
        "&a ",
        "!",
        "#",
        " ",
        "\n",
        ",",
        "a:\n",
        '"\\x41',
        "\r",
        "\u2028",
        "\ufeff",
        "...\n",
        " a\n",
        "'a\n",
    ],
)
def test_a_megabyte_of_one_token_is_read_in_linear_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    with within(8):
        read_documents(text)
        split_frontmatter("---\n" + text)


@pytest.mark.parametrize("filler", ["x", "e", "e0", "\u2028"])
def test_a_choice_of_stand_ins_that_a_megabyte_exhausts_is_a_fault_at_once(filler: str) -> None:
    every_code = " ".join(f"{code:x}" for code in range(0xE000, 0xF900))
    text = f"a: {filler * (1_000_000 // len(filler))} {every_code} \u2028"
    begin = time.process_time()
    assert "private-use" in fault_of(text).message
    assert time.process_time() - begin < 2


def test_an_exhausted_choice_of_stand_ins_is_a_fault() -> None:
    every_private_use_character = "".join(map(chr, range(0xE000, 0xF900)))
    with within(8):
        assert "private-use" in fault_of(f"a: {every_private_use_character}\u2028").message
