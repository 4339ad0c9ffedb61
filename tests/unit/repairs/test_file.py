"""Repairs of one file: the same file but for the repair, or no repair at all."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.nodes import ScalarNode

from kradle_ctx.repairs.file import Fixed, Wanted, fixed, records_out_of_order
from kradle_ctx.yamldoc import read_documents, split_frontmatter
from tests.properties.examples import examples
from tests.unit.repairs.layouts import frontmatters, graph_documents, graph_files, markdown_files

INSTANT = "2026-05-10T12:00:00Z"
FILES = st.one_of(
    graph_files().map(lambda text: ("graph/a.yaml", text)), markdown_files().map(lambda text: ("a.md", text))
)


class AsWritten(SafeConstructor):
    """Dates are texts to it, and so are numbers such as 1.10 that would be written otherwise."""

    def construct_number(self, node: ScalarNode) -> float | str:
        """A decimal number."""
        number = float(node.value)
        return number if repr(number) == node.value else str(node.value)


AsWritten.add_constructor("tag:yaml.org,2002:timestamp", SafeConstructor.construct_yaml_str)
AsWritten.add_constructor("tag:yaml.org,2002:float", AsWritten.construct_number)


def documents(path: str, text: str) -> dict[int, Any]:
    """The values of a file's documents by their first lines."""
    if path.endswith(".yaml"):
        return {found.line_start: found.value for found in read_documents(text)}
    frontmatter = split_frontmatter(text)
    assert frontmatter is not None
    return {1: frontmatter.value()}


def read_otherwise(text: str) -> list[Any]:
    """The values of a file's documents as ruamel.yaml reads them."""
    reader = YAML(typ="safe", pure=True)
    reader.Constructor = AsWritten
    return list(reader.load_all(text.removeprefix("\ufeff")))


def same(first: Any, second: Any) -> bool:
    """Whether two values are the same and of the same types."""
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def is_held(part: str, whole: str) -> bool:
    """Whether a text is another one from which characters were taken away."""
    rest = iter(whole)
    return all(character in rest for character in part)


def stated_edges(value: dict[str, Any]) -> list[tuple[str, str]]:
    """Kinds and targets of a record's edges, in whatever form they are."""
    root = value.get("edges", value.get("related"))
    if isinstance(root, list):
        return [(entry["kind"], entry["target"]) for entry in root]
    pairs = [
        (kind, target)
        for kind, targets in (root or {}).items()
        for target in (targets if isinstance(targets, list) else [targets])
    ]
    return [(kind, target["target"] if isinstance(target, dict) else target) for kind, target in pairs]


def without_edges(value: dict[str, Any]) -> dict[str, Any]:
    """A record without what it states of edges."""
    return {key: entry for key, entry in value.items() if key not in ("edges", "related")}


def is_open_block(text: str) -> bool:
    """Whether a file may end in a block of text without a line break, behind which no line can be put."""
    return not text.endswith("\n")


@settings(max_examples=examples(60), deadline=None)
@given(FILES)
def test_a_date_is_added_and_nothing_else_changes(file: tuple[str, str]) -> None:
    path, text = file
    before = documents(path, text)
    found = fixed(path, text, {line: Wanted("x:y", INSTANT) for line in before})
    after = list(documents(path, found.text).values())

    expected = copy.deepcopy(list(before.values()))
    for value, note in zip(expected, before, strict=True):
        if note in {done.line for done in found.done}:
            fields = value["attributes"] if path.endswith(".yaml") else value
            fields["updatedAt"] = INSTANT
    assert same(after, expected)
    assert is_held(text, found.text)
    assert_same_frame(text, found.text)
    assert not found.left or is_open_block(text)


@settings(max_examples=examples(60), deadline=None)
@given(FILES, st.lists(st.sampled_from(["s:1", "s:2", "s, é: 'x'", "true"]), min_size=1, unique=True))
def test_edges_are_added_and_nothing_else_changes(file: tuple[str, str], targets: list[str]) -> None:
    path, text = file
    before = documents(path, text)
    kinds = {"owned_by": targets, "contains": ["s:9"]}
    found = fixed(path, text, {line: Wanted("x:y", edges=kinds) for line in before})
    after = documents(path, found.text)

    if found.left:
        assert is_open_block(text)
        return
    assert len(found.done) == 2 * len(before)
    added = Counter((kind, target) for kind, more in kinds.items() for target in more)
    for old, new in zip(before.values(), after.values(), strict=True):
        assert Counter(stated_edges(new)) == Counter(stated_edges(old)) + added
        assert same(without_edges(new), without_edges(old))
    assert is_held(text, found.text)
    assert_same_frame(text, found.text)


@settings(max_examples=examples(20), deadline=None)
@given(graph_files())
def test_another_reader_reads_what_was_repaired_alike(text: str) -> None:
    # To YAML 1.1, which is ruamel.yaml's rule for texts in quotes, this is a line break.
    text = text.replace("\u2028", " ")
    wanted = Wanted("x:y", INSTANT, {"owned_by": ["s, é: 'x'"]})
    found = fixed("graph/a.yaml", text, dict.fromkeys(documents("graph/a.yaml", text), wanted))

    assert found.done or is_open_block(text)
    assert same(read_otherwise(found.text), list(documents("graph/a.yaml", found.text).values()))


def assert_same_frame(text: str, made: str) -> None:
    """The mark, the line breaks and the end of a text are as they were."""
    assert made.startswith("\ufeff") is text.startswith("\ufeff")
    assert made.endswith("\n") is text.endswith("\n")
    if "\r\n" in text:
        assert made.count("\n") == made.count("\r\n")
    else:
        assert "\r" not in made


@st.composite
def scattered(draw: st.DrawFn) -> tuple[str, str]:
    """A file whose record tells late which it is, with comments above some keys."""
    markdown = draw(st.booleans())
    entries = {
        "id": ["id: service:a  # the id"],
        "kind" if markdown else "nodeKind": ["kind: Runbook" if markdown else "nodeKind: Service"],
        "tags": ["tags:", "  - a  # one", "    # deeper", "  - b"],
        "edges": ["edges:", "  owned_by: [team:a]"],
        "attributes": ["attributes:", "  summary: |", "    # text", "", "    more", "  title: A"],
        "title": ["title: 'A: b'"],
    }
    lines: list[str] = []
    for place, key in enumerate(draw(st.permutations(list(entries)))):
        above = draw(st.sampled_from(([], [""], [f"# about {key}"], ["", f"# about {key}", "# and more"])))
        lines += [*(above if place else []), *entries[key]]
    line_break = draw(st.sampled_from(("\n", "\r\n")))
    text = "\n".join(lines)
    return ("a.md", f"---\n{text}\n---\nBody\n") if markdown else ("a.yaml", text.replace("\n", line_break))


@settings(max_examples=examples(60), deadline=None)
@given(scattered())
def test_keys_are_put_in_order_with_their_comments(file: tuple[str, str]) -> None:
    path, text = file
    asked = list(records_out_of_order(path, text))
    found = fixed(path, text, {line: Wanted(record, order=True) for line, record in asked})
    (before,), (after,) = documents(path, text).values(), documents(path, found.text).values()

    assert same(before, after)
    assert list(records_out_of_order(path, found.text)) == []
    assert sorted(found.text.split("\n")[:-1]) == sorted(text.split("\n")[:-1]) or not text.endswith("\n")
    assert sorted(re.split(r"\r?\n", found.text)) == sorted(re.split(r"\r?\n", text))
    assert_same_frame(text, found.text)
    lines = re.split(r"\r?\n", found.text)
    for place, line in enumerate(lines):
        if line.startswith("# about "):
            following = next(each for each in lines[place:] if not each.startswith("#"))
            assert following.startswith(line.removeprefix("# about ") + ":")
    if asked:
        head = ["id", "kind"] if path.endswith(".md") else ["nodeKind", "id"]
        assert list(after)[:2] == head


TEXTS = st.text("ab*&@%`:# -\"'\\é,.", min_size=1, max_size=12).map(str.strip).filter(bool)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(("\n", "\r\n")), st.booleans())
def test_quotes_make_a_value_the_text_that_stands_there(values: list[str], line_break: str, markdown: bool) -> None:
    lines = ["id: a:b  # id", *(f"k{place}: {value}" for place, value in enumerate(values)), "z: {a: [1, 2]}  # end"]
    text = "---\n" + "".join(f"{line}\n" for line in [*lines, "---", "Body"] if markdown or line not in ("---", "Body"))
    text = text.replace("\n", line_break)
    path = "a.md" if markdown else "a.yaml"
    fault = fault_line(path, text)
    found = fixed(path, text, {}, () if fault is None else (fault,))

    if fault is None or not found.done:
        assert found.text == text
        return
    assert fault_line(path, found.text) is None
    (value,) = documents(path, found.text).values()
    assert (value["id"], value["z"]) == ("a:b", {"a": [1, 2]})
    quoted_lines = {note.line for note in found.done}
    for number, (old, new) in enumerate(zip(text.split("\n"), found.text.split("\n"), strict=True), start=1):
        if number not in quoted_lines:
            assert new == old
    for place, stated in enumerate(values):
        if place + 3 in quoted_lines:
            told = value[f"k{place}"]
            assert stated == told or re.fullmatch(r"\s+#(\s.*)?", stated.removeprefix(told))


def fault_line(path: str, text: str) -> int | None:
    """The line at which a file's only document does not parse."""
    if path.endswith(".yaml"):
        (found,) = read_documents(text)
        return found.fault.line if found.fault is not None else None
    try:
        documents(path, text)
    except ValueError as error:
        return int(error.fault.line)  # type: ignore[attr-defined]
    return None


@settings(max_examples=examples(60), deadline=None)
@given(graph_documents(), frontmatters())
def test_records_in_order_are_not_asked_about(graph: list[str], frontmatter: list[str]) -> None:
    assert list(records_out_of_order("a.yaml", "\n".join(graph))) == []
    wanted = {"id", "kind", "title", "status", "owners", "updatedAt"}
    first = frontmatter[:2]
    assert {line.partition(":")[0] for line in first} <= wanted
    assert list(records_out_of_order("a.md", "\n".join(["---", *frontmatter, "---", ""]))) == []


def repaired_graph(text: str, wanted: Wanted) -> str:
    """A file of one graph record with everything that is wanted."""
    found = fixed("a.yaml", text, {next(iter(documents("a.yaml", text))): wanted})
    assert found.left == ()
    return found.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nodeKind: T\nid: t:a\n", "nodeKind: T\nid: t:a\nupdatedAt: {}\n"),
        (
            "nodeKind: T\nid: t:a\nattributes:\n    title: A  # name\n    z: 1\n",
            "nodeKind: T\nid: t:a\nattributes:\n    title: A  # name\n    updatedAt: {}\n    z: 1\n",
        ),
        (
            "nodeKind: T\nid: t:a\nattributes:\n  owners:\n  - team:a\n  # - team:b\n  z: 1",
            "nodeKind: T\nid: t:a\nattributes:\n  owners:\n  - team:a\n  updatedAt: {}\n  # - team:b\n  z: 1",
        ),
        (
            "nodeKind: T\nid: t:a\nattributes:\n  owners:\n    - team:a\n    # - team:b\n  z: 1",
            "nodeKind: T\nid: t:a\nattributes:\n  owners:\n    - team:a\n    # - team:b\n  updatedAt: {}\n  z: 1",
        ),
        ("nodeKind: T\nid: t:a\nattributes: {title: A}", "nodeKind: T\nid: t:a\nattributes: {title: A, updatedAt: {}}"),
        (
            '{"nodeKind": "T", "id": "t:a", "attributes": {"title": "A", "n": 1}}\n',
            '{"nodeKind": "T", "id": "t:a", "attributes": {"title": "A", "updatedAt": "{}", "n": 1}}\n',
        ),
        (
            "nodeKind: T\nid: t:a\nattributes: {\n  title: A, # name\n  z: 1\n}\n",
            "nodeKind: T\nid: t:a\nattributes: {\n  title: A, # name\n  updatedAt: {},\n  z: 1\n}\n",
        ),
        ("nodeKind: T\nid: t:a\nattributes:\n  updatedAt:\n", "nodeKind: T\nid: t:a\nattributes:\n  updatedAt: {}\n"),
        ("nodeKind: T\nid: t:a\nupdatedAt: ''  # when\n", "nodeKind: T\nid: t:a\nupdatedAt: {}  # when\n"),
        ("nodeKind: T\nid: t:a\nupdatedAt: null\n", "nodeKind: T\nid: t:a\nupdatedAt: {}\n"),
        (
            "\ufeff--- # first\nid: t:a\nnodeKind: T\n...\n",
            "\ufeff--- # first\nid: t:a\nnodeKind: T\nupdatedAt: {}\n...\n",
        ),
    ],
)
def test_a_date_stands_where_people_put_it(text: str, expected: str) -> None:
    assert repaired_graph(text, Wanted("t:a", INSTANT)) == expected.replace("{}", INSTANT)


HEAD = "nodeKind: T\nid: t:a\n"


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ("", 'edges:\n  part_of: ["t:b"]\n'),
        ("edges:\n", 'edges:\n  part_of: ["t:b"]\n'),
        ("edges: null\n", 'edges: {part_of: ["t:b"]}\n'),
        ("edges: {}  # none\n", 'edges: {part_of: ["t:b"]}  # none\n'),
        ("edges: {owned_by: [team:a]}\n", "edges: {owned_by: [team:a], part_of: [t:b]}\n"),
        ("edges:\n  owned_by: ['team:a']\n", "edges:\n  owned_by: ['team:a']\n  part_of: ['t:b']\n"),
        ("edges:\n  owned_by:\n  - team:a\n", "edges:\n  owned_by:\n  - team:a\n  part_of:\n  - t:b\n"),
        (
            "edges:\n    owned_by:\n      - target: team:a\n        weight: 1\n",
            "edges:\n    owned_by:\n      - target: team:a\n        weight: 1\n    part_of:\n      - target: t:b\n",
        ),
        ("edges:\n  part_of: [{id: t:c}]\n", "edges:\n  part_of: [{id: t:c}, {id: t:b}]\n"),
        ("edges:\n  part_of: t:c # one\n", "edges:\n  part_of: [t:c, t:b] # one\n"),
        ("edges:\n  part_of:\n", 'edges:\n  part_of: ["t:b"]\n'),
        ("edges:\n  part_of: []\n", 'edges:\n  part_of: ["t:b"]\n'),
        ("edges:\n  part_of: [\n    t:c # c\n  ]\n", "edges:\n  part_of: [\n    t:c, # c\n    t:b\n  ]\n"),
        ("edges:\n  part_of:\n    - t:c\n    # - t:d\n", "edges:\n  part_of:\n    - t:c\n    - t:b\n    # - t:d\n"),
        ("edges:\n- {kind: x, target: t:c}\n", "edges:\n- {kind: x, target: t:c}\n- {kind: part_of, target: t:b}\n"),
        (
            "edges:\n  - target: t:c\n    kind: x\n",
            "edges:\n  - target: t:c\n    kind: x\n  - kind: part_of\n    target: t:b\n",
        ),
    ],
)
def test_an_edge_is_written_as_others_are(edges: str, expected: str) -> None:
    assert repaired_graph(HEAD + edges, Wanted("t:a", edges={"part_of": ["t:b"]})) == HEAD + expected


def test_the_first_edge_of_a_record_is_written_as_those_of_its_file() -> None:
    text = HEAD + "---\n" + HEAD + "edges:\n  owned_by:\n    - target: 'team:a'\n"
    found = fixed("a.yaml", text, {1: Wanted("t:a", edges={"part_of": ["t:b"]})})
    assert found.text == HEAD + "edges:\n  part_of:\n    - target: 't:b'\n---\n" + text.partition("---\n")[2]


def test_many_first_edges_have_lines_of_their_own() -> None:
    ids = [f"t:{number}" for number in range(2_000)]
    found = fixed("a.yaml", HEAD, {1: Wanted("t:a", edges={"contains": ids})})
    assert found.text == HEAD + "edges:\n  contains:\n" + "".join(f'    - "{each}"\n' for each in ids)
    assert [note.what for note in found.done] == ["`contains` of `t:a` to `t:0`, `t:1`, `t:2` and 1997 more"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD + "attributes: &a {title: A}\nother: *a\n", "it is laid out in an unusual way"),
        (HEAD + "attributes: &a\n  title: A\nother: *a\n", "the file would then say something else"),
        (HEAD + "attributes:\n  title: A\n  owners: |\n    keep\n    that", "the file would then say something else"),
        ("? nodeKind\n: T\n? id\n: t:a\n", "it is laid out in an unusual way"),
    ],
)
def test_a_date_that_would_change_more_is_not_added(text: str, why: str) -> None:
    found = fixed("a.yaml", text, {1: Wanted("t:a", INSTANT)})
    assert found.text == text
    assert [(note.what, note.why) for note in found.left] == [("updatedAt of `t:a`", why)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HEAD + "edges: {  # none yet\n  }\n", 1),
        (HEAD + "edges:\n  part_of: [\n    # none yet\n  ]\n", 1),
        (HEAD.replace("\n", "\r\n") + "---\r\nid: t:a", 4),
    ],
    ids=["comment in braces", "comment in a list", "a line without a break in a file of Windows"],
)
def test_what_would_lose_a_comment_or_mix_line_breaks_is_dropped(text: str, line: int) -> None:
    found = fixed("a.yaml", text, {line: Wanted("t:a", edges={"part_of": ["t:b"]})})
    assert (found.text, found.done) == (text, ())
    assert [note.why for note in found.left] == ["the file would then say something else"]


def test_a_repair_that_is_left_alone_leaves_the_others() -> None:
    text = HEAD + "attributes: &a {title: A}\nother: *a\n"
    found = fixed("a.yaml", text, {1: Wanted("t:a", INSTANT, {"part_of": ["t:b"]})})
    assert found.text == text + 'edges:\n  part_of: ["t:b"]\n'
    assert [note.what for note in found.done] == ["`part_of` of `t:a` to `t:b`"]


def test_an_id_that_says_more_in_plain_yaml_is_quoted() -> None:
    wanted = Wanted("t:a", edges={"part_of": ["no", "a, b", "x: y", 'q"u', "ends:"]})
    text = repaired_graph(HEAD + "edges:\n  part_of: [t:c]\n", wanted)
    assert text.endswith('[t:c, "no", "a, b", "x: y", "q\\"u", "ends:"]\n')


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("title: *bold* move", 'title: "*bold* move"'),
        ("title: @alice", 'title: "@alice"'),
        ("title: %d of 3", 'title: "%d of 3"'),
        ("title: `code` first", 'title: "`code` first"'),
        ("title: & sons", 'title: "& sons"'),
        ("title: Fix: the build", 'title: "Fix: the build"'),
        ("title: Fix: the build  # later", 'title: "Fix: the build"  # later'),
        ("title: Fix: issue #42 and #43", 'title: "Fix: issue #42 and #43"'),
        ("title: Fix: issue #42 # later", 'title: "Fix: issue #42" # later'),
        ('title: Say: "no"', "title: 'Say: \"no\"'"),
        ("""title: Say: "don't" """, """title: "Say: \\"don't\\"" """),
        ("title: C:\\temp: gone", "title: 'C:\\temp: gone'"),
        ("title: what\u00a0is: this\t", 'title: "what\u00a0is: this"\t'),
        ("globs:\n  - *.md\n  - '*.yaml'\n  - @x", 'globs:\n  - "*.md"\n  - \'*.yaml\'\n  - "@x"'),
        ("owners:\n- name: @x\n  n: 1", 'owners:\n- name: "@x"\n  n: 1'),
    ],
)
def test_a_value_that_needs_quotes_gets_them(line: str, expected: str) -> None:
    text = f"{HEAD}{line}\nz: 1  # end\n"
    found = fixed("a.yaml", text, {}, (fault_line("a.yaml", text),))  # type: ignore[arg-type]
    assert found.text == f"{HEAD}{expected}\nz: 1  # end\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("title: @x #now", "it can be read in two ways"),
        ("list:\n- see: this: that", "it can be read in two ways"),
        ("list:\n- @x: that", "it can be read in two ways"),
        ("a: &b x: y\nc: *b", "it can be read in two ways"),
        ("a: *b\nc: x &b", "it can be read in two ways"),
        ("a: {\n  b: @c,\n}", "it lacks more than quotes"),
        ("a: {\n  b: @c, d: e\n}", "it lacks more than quotes"),
        ("a: [\n  b: @c\n]", "it lacks more than quotes"),
        ("title: a: b\n  goes on", "it lacks more than quotes"),
        ("title: one\n  note: x: two", "it lacks more than quotes"),
        ("title: 'open", "it lacks more than quotes"),
        ("title: a: b\nother: [", "it lacks more than quotes"),
        ("title: 'a' b: c", "it lacks more than quotes"),
        ("title: a: b \x07", "it lacks more than quotes"),
        ("<<: *base", "it lacks more than quotes"),
        ("\ttitle: a", "it lacks more than quotes"),
        ("title: a: b\ntitle: c", "it lacks more than quotes"),
    ],
)
def test_what_may_mean_something_else_gets_no_quotes(text: str, why: str) -> None:
    fault = fault_line("a.yaml", f"{HEAD}{text}\n")
    assert fault is not None
    found = fixed("a.yaml", f"{HEAD}{text}\n", {}, (fault,))
    assert found.text == f"{HEAD}{text}\n"
    assert [(note.line, note.what, note.why) for note in found.left] == [(fault, "YAML that is not read", why)]


def test_a_document_that_parses_and_one_that_nobody_asks_about_stay() -> None:
    bad = "a: @x\n"
    text = f"--- # one\n{bad}---\n{HEAD}---\n{bad}...\n"
    found = fixed("a.yaml", text, {}, (2,))
    assert found.text == f'--- # one\na: "@x"\n---\n{HEAD}---\n{bad}...\n'


def test_very_many_values_without_quotes_are_given_up_in_time() -> None:
    text = "".join(f"k{number}: @x\n" for number in range(60_000))
    found = fixed("a.yaml", text, {}, (1,))
    assert found.text == text
    assert [note.why for note in found.left] == ["it takes too long to find all values that lack quotes"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("attributes: {}\nid: t:a # a\n# kind\nnodeKind: T", "# kind\nnodeKind: T\nid: t:a # a\nattributes: {}"),
        ("edges: {}\nattributes: {}\nnodeKind: T\nid: t:a\n", "nodeKind: T\nid: t:a\nattributes: {}\nedges: {}\n"),
        ("# head\n\nx: 1\nedges: {}\nnodeKind: T\nid: t:a\n", "# head\n\nnodeKind: T\nid: t:a\nx: 1\nedges: {}\n"),
        ("edges: {}\nid: t:a\nnodeKind: T\n\n# foot\n", "nodeKind: T\nid: t:a\nedges: {}\n\n# foot\n"),
    ],
)
def test_what_a_record_is_comes_first(text: str, expected: str) -> None:
    assert repaired_graph(text, Wanted("t:a", order=True)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "# head or edges?\nedges: {}\nid: t:a\nnodeKind: T\n",
        "edges: {}\n# loose\n\nid: t:a\nnodeKind: T\n",
        "edges:\n  a: [b]\n\n  # inner\nid: t:a\nnodeKind: T\n",
        "edges: {}\nid: t:a\nnodeKind: T\n# foot or kind?\n",
    ],
)
def test_a_comment_that_may_belong_to_two_keys_keeps_all_in_their_place(text: str) -> None:
    ((line, record),) = records_out_of_order("a.yaml", text)
    found = fixed("a.yaml", text, {line: Wanted(record, order=True)})
    assert found.text == text
    assert [note.why for note in found.left] == ["a comment stands where it may belong to either of two keys"]


def test_an_alias_stays_behind_its_anchor() -> None:
    text = "attributes: {a: &x t:a}\nnodeKind: T\nid: *x\n"
    found = fixed("a.yaml", text, {1: Wanted("t:a", order=True)})
    assert found.text == text
    assert [note.why for note in found.left] == ["the file would then say something else"]


@pytest.mark.parametrize(
    "text",
    [
        "id: t:a\nnodeKind: T\nattributes: {}\n",
        "id: t:a\nnodeKind: T\nedges: {}\nattributes: {}\n",
        "title: A\nid: t:a\nnodeKind: T\n",
        "edges: {}\nextendsNode: {id: t:a}\n",
        "attributes: {}\nid: t:a\n",
        "- attributes: {}\n- id: t:a\n",
        "a: @x\nid: t:a\nnodeKind: T\n",
    ],
)
def test_an_order_that_hides_nothing_is_a_matter_of_taste(text: str) -> None:
    assert list(records_out_of_order("a.yaml", text)) == []


def test_a_comment_that_sets_aside_goes_with_its_line() -> None:
    aside = "# kradle-ctx: ignore KB020 -- no date is known"
    text = f"attributes: {{}}\n{aside}\nid: t:a\nnodeKind: T\n"
    assert repaired_graph(text, Wanted("t:a", order=True)) == f"nodeKind: T\n{aside}\nid: t:a\nattributes: {{}}\n"


def test_a_comment_that_would_set_something_else_aside_keeps_all_in_their_place() -> None:
    text = "edges:\n  a: [b]\n  # kradle-ctx: ignore KB014 -- an old id\nid: t:a\nnodeKind: T\n"
    found = fixed("a.yaml", text, {1: Wanted("t:a", order=True)})
    assert found.text == text
    assert [note.why for note in found.left] == ["a comment would set something else aside"]


def test_a_markdown_file_without_frontmatter_has_nothing_to_repair() -> None:
    assert fixed("a.md", "# Title\n", {1: Wanted("t:a", INSTANT)}, (1,)) == Fixed("# Title\n")
