"""Documents of a brain in all the layouts that people write, with comments, for the tests of repairs."""

from __future__ import annotations

import json
from dataclasses import dataclass

from hypothesis import strategies as st

WORDS = ("alpha", "1.10", "true", "2026-05-10", "a:b", "-", "x y z", "don't", "né", "日本", "v1#2")

PLAIN = st.sampled_from(WORDS)
QUOTED = st.text("abc #:'\"\\,[]{}&*é日🙂\u2028-", max_size=12).map(lambda text: json.dumps(text, ensure_ascii=False))
SINGLE = st.text('abc #:",[]{}&*é-', max_size=12).map(lambda text: f"'{text}'")
SCALARS = st.one_of(PLAIN.filter(lambda word: word != "-"), QUOTED, SINGLE)
IN_BRACKETS = st.one_of(st.sampled_from(("alpha", "1.10", "true", "né")), QUOTED, SINGLE)

COMMENT_TEXTS = st.text("abc é:'\"{}[]#", max_size=10)
BEHIND = st.one_of(st.just(""), st.just(""), COMMENT_TEXTS.map(lambda text: f"  # {text}"))
NAMES = ("summary", "tags", "note", "links", "data", "z")


@dataclass(frozen=True)
class Layout:
    """How one document is laid out."""

    step: int
    dash: int


@st.composite
def entry(draw: st.DrawFn, key: str, indent: int, layout: Layout) -> list[str]:
    """A key with some value, on its lines."""
    pad, inner = " " * indent, " " * (indent + layout.step)
    dash = " " * (indent + layout.dash)
    form = draw(st.sampled_from(("scalar", "brackets", "broken", "list", "mapping", "literal", "folded", "nothing")))
    behind = draw(BEHIND)
    items = draw(st.lists(SCALARS, min_size=1, max_size=3))
    if form == "scalar":
        return [f"{pad}{key}: {draw(SCALARS)}{behind}"]
    if form == "brackets":
        return [f"{pad}{key}: [{', '.join(draw(st.lists(IN_BRACKETS, max_size=3)))}]{behind}"]
    if form == "broken":
        first, second = draw(IN_BRACKETS), draw(IN_BRACKETS)
        return [f"{pad}{key}: {{a: {first},{behind}", f"{inner}b: {second}}}{draw(BEHIND)}"]
    if form == "list":
        return [f"{pad}{key}:{behind}", *(f"{dash}- {item}{draw(BEHIND)}" for item in items)]
    if form == "mapping":
        return [f"{pad}{key}:{behind}", *(f"{inner}k{place}: {item}{draw(BEHIND)}" for place, item in enumerate(items))]
    if form == "nothing":
        return [f"{pad}{key}:{behind}"]
    mark = draw(st.sampled_from(("|", "|-") if form == "literal" else (">", ">-")))
    return [f"{pad}{key}: {mark}", f"{inner}# no comment", f"{inner}one: two", "", f"{inner}  three"]


@st.composite
def comments_above(draw: st.DrawFn, indent: int) -> list[str]:
    """A blank line, or comments, or nothing."""
    pad = " " * indent
    return draw(st.sampled_from(([], [], [""], [f"{pad}# above"], ["", f"{pad}# one", f"{pad}# two: 2"])))


LAYOUTS = st.builds(Layout, st.sampled_from((2, 4)), st.sampled_from((0, 2)))


@st.composite
def attribute_lines(draw: st.DrawFn, layout: Layout) -> list[str]:
    """The attributes of a graph record, in any layout."""
    form = draw(st.sampled_from(("block", "block", "block", "brackets", "broken")))
    if form == "brackets":
        return [f"attributes: {{title: {draw(IN_BRACKETS)}, n: [1, 2]}}{draw(BEHIND)}"]
    if form == "broken":
        comma = draw(st.sampled_from(("", ",")))
        lines = [f"  title: {draw(IN_BRACKETS)},{draw(BEHIND)}", f"  status: draft{comma}{draw(BEHIND)}"]
        return ["attributes: {", *lines, "}"]
    lines = [f"attributes:{draw(BEHIND)}"]
    for name in draw(st.permutations(("title", "owners", *NAMES)))[: draw(st.integers(1, 6))]:
        lines += draw(comments_above(layout.step))
        lines += draw(entry(name, layout.step, layout))
    return lines


@st.composite
def edge_lines(draw: st.DrawFn, layout: Layout) -> list[str]:
    """The edges of a graph record, in any form."""
    pad = " " * layout.step
    dash = " " * (layout.step + layout.dash)
    form = draw(
        st.sampled_from(("none", "empty", "braces", "lists", "single", "targets", "block", "mappings", "listed", "one"))
    )
    behind = draw(BEHIND)
    spelled = draw(st.sampled_from(("team:a", '"team:a"', "'team:a'")))
    return {
        "none": [],
        "empty": [f"edges:{draw(st.sampled_from(('', ' {}')))}{behind}"],
        "braces": [f"edges: {{owned_by: [{spelled}], part_of: [a:b]}}{behind}"],
        "lists": ["edges:", f"{pad}owned_by: [{spelled}]{behind}", f"{pad}part_of: []{behind}"],
        "single": ["edges:", f"{pad}owned_by: {spelled}{behind}", f"{pad}part_of: {spelled}"],
        "targets": ["edges:", f"{pad}owned_by: [{{target: {spelled}, weight: 1.5}}]{behind}"],
        "block": ["edges:", f"{pad}owned_by:{behind}", f"{dash}- {spelled}{behind}", f"{dash}- c:d{behind}"],
        "mappings": ["edges:", f"{pad}owned_by:", f"{dash}- target: {spelled}{behind}", f"{dash}  weight: 2{behind}"],
        "listed": ["edges:", f"{dash}- kind: owned_by{behind}", f"{dash}  target: {spelled}{behind}"],
        "one": ["edges:", f"{pad}owned_by: {{target: {spelled}}}{behind}"],
    }[form]


@st.composite
def graph_documents(draw: st.DrawFn) -> list[str]:
    """The lines of one graph record."""
    layout = draw(LAYOUTS)
    lines = list(draw(st.sampled_from(([], ["# head"], ["# head", ""]))))
    lines += [f"nodeKind: Service{draw(BEHIND)}", *draw(comments_above(0)), f"id: service:a{draw(BEHIND)}"]
    lines += [*draw(comments_above(0)), *draw(attribute_lines(layout))]
    return [*lines, *draw(comments_above(0)), *draw(edge_lines(layout)), *draw(st.sampled_from(([], ["# foot"])))]


@st.composite
def frontmatters(draw: st.DrawFn) -> list[str]:
    """The lines of the frontmatter of one Markdown record."""
    layout = draw(LAYOUTS)
    lines = [f"id: runbook:a{draw(BEHIND)}", f"kind: Runbook{draw(BEHIND)}"]
    for name in draw(st.permutations(("title", "owners", *NAMES)))[: draw(st.integers(0, 5))]:
        lines += [*draw(comments_above(0)), *draw(entry(name, 0, layout))]
    return lines + [line.replace("edges:", "related:", 1) for line in draw(edge_lines(layout))]


@st.composite
def graph_files(draw: st.DrawFn) -> str:
    """The text of a YAML file of one or more graph records, with any line breaks, mark and end."""
    documents = draw(st.lists(graph_documents(), min_size=1, max_size=3))
    text = "\n---\n".join("\n".join(lines) for lines in documents)
    return framed(draw, text + draw(st.sampled_from(("", "\n", "\n\n"))))


@st.composite
def markdown_files(draw: st.DrawFn) -> str:
    """The text of a Markdown file of one record."""
    body = draw(st.sampled_from(("", "# Title\n\n- item: [x]\n", "no end")))
    return framed(draw, "\n".join(("---", *draw(frontmatters()), "---", body)))


def framed(draw: st.DrawFn, text: str) -> str:
    """A text with its line breaks and its mark."""
    text = text.replace("\n", draw(st.sampled_from(("\n", "\n", "\r\n"))))
    return draw(st.sampled_from(("", "", "\ufeff"))) + text
