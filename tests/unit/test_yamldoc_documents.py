from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.yamldoc import InvalidYaml, Limits, Value, YamlDocument, YamlFault, parse, read_documents
from kradle_ctx.yamldoc import events as yaml_events

SHARED = Path(os.environ.get("KRADLE_SHARED", Path(__file__).parents[3] / "shared"))


def fault_of(text: str, first_line: int = 1) -> YamlFault:
    with pytest.raises(InvalidYaml) as raised:
        parse(text, first_line=first_line)
    return raised.value.fault


def values(text: str) -> list[Value]:
    return [document.value for document in read_documents(text)]


def places(text: str) -> list[tuple[str, int, int]]:
    return [(text[one.start : one.end], one.line_start, one.line_end) for one in read_documents(text)]


def test_a_file_yields_every_document_with_its_lines() -> None:
    text = "# head\n---\nid: a\nx: 1\n\n\n---\nid: b\n...\n# between\n---\nid: c"
    assert values(text) == [{"id": "a", "x": 1}, {"id": "b"}, {"id": "c"}]
    assert places(text) == [("id: a\nx: 1\n", 3, 4), ("id: b\n", 8, 8), ("id: c", 12, 12)]


def test_content_on_the_marker_line_belongs_to_the_document() -> None:
    assert values("--- one\n--- {a: 1}\n--- |\n  two\n") == ["one", {"a": 1}, "two\n"]
    assert places("--- one\n---\ntwo") == [("--- one\n", 1, 1), ("two", 3, 3)]


def test_null_documents_are_returned() -> None:
    assert read_documents("---\n---\nnull\n") == (
        YamlDocument(None, 4, 4, 2, 2, None),
        YamlDocument(None, 8, 13, 3, 3, None),
    )


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "\ufeff", "...\n...\n"])
def test_a_text_without_content_has_no_document_and_parses_to_null(text: str) -> None:
    assert read_documents(text) == ()
    assert parse(text) is None


def test_a_bare_document_may_follow_an_end_marker() -> None:
    assert values("a: 1\n... # end\nb: 2\n") == [{"a": 1}, {"b": 2}]


def test_text_after_an_end_marker_is_a_fault_of_its_own() -> None:
    first, second = read_documents("a: 1\n... b\n")
    assert first.value == {"a": 1}
    assert second.fault == YamlFault("text after a document end marker (...)", 2, 1)


def test_a_marker_ends_a_block_scalar_but_longer_or_indented_dashes_do_not() -> None:
    assert values("a: |\n  x\n---\nb: |\n  ---\n  ...\nc: ---x\nd: x\n----: y\n") == [
        {"a": "x\n"},
        {"b": "---\n...\n", "c": "---x", "d": "x", "----": "y"},
    ]


def test_a_bad_document_takes_only_itself() -> None:
    first, bad, last = read_documents("a: 1\n---\nb: [\n---\nc: 3\n")
    assert (first.value, last.value) == ({"a": 1}, {"c": 3})
    assert (bad.value, bad.start, bad.end, bad.line_start, bad.line_end) == (None, 9, 14, 3, 3)
    assert bad.fault is not None
    assert bad.fault.line in {3, 4}


def test_a_byte_order_mark_and_crlf_are_accepted() -> None:
    text = '\ufeffnodeKind: Service\r\nid: service:bom\r\nattributes:\r\n  title: "BOM yaml"\r\n'
    expected: Value = {"nodeKind": "Service", "id": "service:bom", "attributes": {"title": "BOM yaml"}}
    assert read_documents(text) == (YamlDocument(expected, 1, len(text), 1, 4, None),)
    assert values("\ufeff---\r\na: 1\r\n---\r\nb: 2\r\n...\r\n") == [{"a": 1}, {"b": 2}]


def test_parse_takes_exactly_one_document() -> None:
    assert parse("---\na: 1\n...\n") == {"a": 1}
    assert fault_of("---\na: 1\n---\npolicy: open\n", first_line=10) == YamlFault("more than one document", 13, 1)


@pytest.mark.parametrize("lead", ["", "é😀: x\n", "# \u2028\u2029\x85\n", "a: |\n  x\u2028y\r\n"])
def test_places_count_characters_and_line_feeds_only(lead: str) -> None:
    fault = fault_of(lead + "é: 1\nok: {é😀: *gone}\n", first_line=5)
    assert (fault.line, fault.column) == (6 + lead.count("\n"), 10)


def test_a_duplicate_key_names_both_lines() -> None:
    text = "id: x\nattributes:\n  owners: [a]\n  status: y\n  owners: [b]\n"
    assert fault_of(text) == YamlFault("duplicate key `owners` on lines 3 and 5", 5, 3, duplicate=True)
    assert fault_of("a: {b: 1, 'b': 2}").message == "duplicate key `b` on line 1"


def test_a_message_shows_a_key_short_and_without_control_characters() -> None:
    message = fault_of(f'"\\e[31m{"k" * 100}": 1\n"\\e[31m{"k" * 100}": 2\n').message
    assert message.isprintable()
    assert len(message) < 120


@pytest.mark.parametrize("key", ["1", "1.5", "true", "null", "~", "&a ", "!!int 1", "? [a]\n", "? {a: b}\n", "? "])
def test_a_key_that_is_not_text_is_refused(key: str) -> None:
    assert fault_of(f"{key}: x").message.startswith("a key that is not text")


@pytest.mark.parametrize("key", ['"1"', "'null'", "!!str 1", "on", "1.10", "2026-01-01", "-", "&a b", '"<<"', "é"])
def test_a_key_that_reads_as_text_is_accepted(key: str) -> None:
    read = parse(f"{key}: x")
    assert isinstance(read, dict)
    assert list(read.values()) == ["x"]


def test_an_alias_is_a_copy_of_what_its_anchor_names() -> None:
    read = parse("a: &a {x: [1, text]}\nb: *a\nc: &s x\nd: [*s, *s]\n")
    assert read == {"a": {"x": [1, "text"]}, "b": {"x": [1, "text"]}, "c": "x", "d": ["x", "x"]}
    assert isinstance(read, dict)
    assert read["a"] is not read["b"]


def test_an_anchor_named_again_holds_the_later_value() -> None:
    assert parse("[&a x, *a, &a y, *a]") == ["x", "x", "y", "y"]


def test_an_alias_does_not_reach_into_another_document() -> None:
    _, second = read_documents("a: &a 1\n---\nb: *a\n")
    assert second.fault is not None
    assert (second.fault.line, second.fault.column) == (3, 4)


@pytest.mark.parametrize("value", ["{k: 1}", "[{k: 1}]", "\n    k: 1", "*base", "[*base]"])
@pytest.mark.parametrize("key", ["<<", "&m <<"])
def test_a_merge_key_is_refused(key: str, value: str) -> None:
    assert "merge keys" in fault_of(f"base: &base {{k: 1}}\nuse:\n  {key}: {value}\n").message


def test_a_merge_key_that_is_only_text_is_text() -> None:
    assert parse('a: {"<<": {k: 1}}\nb: {<<: x}\n') == {"a": {"<<": {"k": 1}}, "b": {"<<": "x"}}


def test_the_depth_limit_counts_collections_and_what_aliases_add() -> None:
    assert parse("[" * 64 + "]" * 64) is not None
    assert "nested deeper than 64" in fault_of("[" * 65 + "]" * 65).message
    assert "nested deeper than 64" in fault_of(f"a: &a {'[' * 40}{']' * 40}\nb: {'[' * 40}*a{']' * 40}\n").message


def test_limits_hold_at_their_edge() -> None:
    assert parse("[" + "x," * 994 + "]", limits=Limits(nodes=1000)) == ["x"] * 994
    with pytest.raises(InvalidYaml, match="more than 1000 nodes"):
        parse("[" + "x," * 1000 + "]", limits=Limits(nodes=1000))
    with pytest.raises(InvalidYaml, match="more than 10 characters"):
        parse("abcdefghijk", limits=Limits(characters=10))


def test_past_the_limit_of_documents_one_fault_stands_for_the_rest() -> None:
    text = "---\na\n...\n" * 3
    assert [one.fault for one in read_documents(text, limits=Limits(documents=3))] == [None, None, None]
    *read, rest = read_documents(text, limits=Limits(documents=2))
    assert [one.value for one in read] == ["a", "a"]
    assert rest.fault == YamlFault("more than 2 documents in a file", 7, 1)
    assert (rest.end, rest.line_end) == (len(text), 9)


def test_a_message_never_carries_content_of_the_file() -> None:
    canary = "c4n4ry"
    for text in [
        f"a: *{canary} b",
        f"a: !{canary} x",
        f"a: !{canary}!x y",
        f"a: @{canary}",
        f"{canary}: {canary}: x",
        f'"{canary}',
    ]:
        assert canary not in fault_of(text).message


lines = st.lists(
    st.sampled_from(["---", "...", "a: 1", "b: [", "- x", "", "# c", "--- t", "  k: v", "é: \u2028", "%YAML 1.2", "\r"])
)


@given(lines, st.sampled_from(["\n", "\r\n"]))
def test_documents_lie_in_order_on_whole_lines_and_read_the_same_on_their_own(parts: list[str], end: str) -> None:
    text = end.join(parts)
    position = 0
    for document in read_documents(text):
        assert position <= document.start <= document.end <= len(text)
        assert document.start in {0, len(text)} or text[document.start - 1] == "\n"
        assert document.line_start == 1 + text.count("\n", 0, document.start)
        assert document.line_end >= document.line_start
        position = document.end
        if document.fault is None:
            assert parse(text[document.start : document.end]) == document.value


@given(st.text(alphabet="ab:-[]{}#&*!|>'\"%@,?~ \n\r\t\ufeff\u2028é0.<\\", max_size=60))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    for document in read_documents(text):
        if document.fault is not None:
            assert 1 <= document.fault.line <= 1 + text.count("\n")
            assert document.fault.column >= 1
            assert document.fault.message.isprintable()


@given(st.text(alphabet="ab:-[]{}#&*!|>'\" \n0", max_size=40))
def test_the_pure_parser_reads_the_same_values(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fast = read_documents(text)
        patch.setattr(yaml_events, "_Parser", yaml_events.PureParser)
        pure = read_documents(text)
    for one, other in zip(fast, pure, strict=True):
        if one.fault is None and other.fault is None:
            assert one == other


@pytest.fixture(params=["the parser at hand", "pure"])
def either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        monkeypatch.setattr(yaml_events, "_Parser", yaml_events.PureParser)


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("title: *Italic title*", 6),
        ("title: Links\nsee: [[Other note]] and more", 7),
        ("title: path C:\\tools: fast", 6),
        ("title: Tabbed\nx:\n\t- tab", 8),
        ('title: !!python/object/apply:os.system ["touch PWNED"]', 6),
        ('title: "\\ud800"', 6),
    ],
)
def test_markdown_in_a_header_is_a_fault_on_its_line(header: str, line: int) -> None:
    text = f'id: runbook:x\nkind: Runbook\nstatus: approved\nupdatedAt: "2026"\n{header}\n'
    assert fault_of(text, first_line=2).line == line


def atlas_files() -> Iterator[tuple[str, str]]:
    archive = SHARED / "data" / "atlas-graph.tar.gz"
    if not archive.exists():
        pytest.skip("the Atlas graph is not at hand (set KRADLE_SHARED)")
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.name.endswith(".yaml"):
                source = tar.extractfile(member)
                assert source is not None
                yield member.name, io.TextIOWrapper(source, "utf-8", newline="").read()


def as_text(value: Value) -> object:
    if isinstance(value, dict):
        return {key: as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_text(item) for item in value]
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def blank_nulls(value: object) -> object:
    if isinstance(value, dict):
        return {key: blank_nulls(item) for key, item in value.items()}
    if isinstance(value, list):
        return [blank_nulls(item) for item in value]
    return "" if value in {"null", "~"} else value


def test_the_atlas_graph_is_read_whole_but_for_one_broken_file() -> None:
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # structure and spelling, nothing resolved
    faults = []
    count = 0
    for name, text in atlas_files():
        documents = read_documents(text)
        count += len(documents)
        faults += [(name.rpartition("/")[2], one.fault.line) for one in documents if one.fault]
        if not any(one.fault for one in documents):
            expected = [blank_nulls(one) for one in yaml.load_all(text, Loader=loader)]
            assert [blank_nulls(as_text(one.value)) for one in documents] == expected, name
    assert (count, faults) == (11_600, [("pi-issue-541.yaml", 42)])
