"""Edges of one kind, written into the text of a record's document in the form that is used there."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.model.graph import Form
from kradle_ctx.repairs.layout import Layout, LeftAlone
from kradle_ctx.repairs.spelling import UNUSUAL, quote_of, spell, with_entry
from kradle_ctx.yamldoc.places import Pointer

MANY = 8
"""Targets beyond which each has a line, where nothing says how they are written."""

TARGET_KEYS = ("target", "id")
"""Keys of a mapping that name the target of an edge."""


class EdgeStyle(Struct, frozen=True):
    """How targets of edges are written.

    `dash` are the blanks before the dash of a target that has its line, counted from its kind, None where a kind's
    targets stand in brackets. `key` is that of a mapping which holds a target, None for bare ids, and `in_braces` tells
    how that mapping is written. `quote` and `key_quote` stand around ids and keys, or nothing.
    """

    dash: int | None = None
    key: str | None = None
    in_braces: bool = True
    quote: str = '"'
    key_quote: str = ""

    def target(self, record_id: str, *, in_brackets: bool) -> str:
        """A target as it is written in brackets, or behind a dash."""
        spelled = spell(record_id, self.quote)
        if self.key is None:
            return spelled
        pair = f"{spell(self.key, self.key_quote)}: {spelled}"
        return f"{{{pair}}}" if in_brackets or self.in_braces else pair

    def targets(self, record_ids: Sequence[str], *, in_brackets: bool) -> list[str]:
        """The value of a kind: what stands on its line, and the lines below."""
        dash = 2 if self.dash is None and len(record_ids) > MANY else self.dash
        if in_brackets or dash is None:
            return [f"[{', '.join(self.target(each, in_brackets=True) for each in record_ids)}]"]
        return ["", *(f"{' ' * dash}- {self.target(each, in_brackets=False)}" for each in record_ids)]


def edge_style(text: str, form: Form) -> EdgeStyle | None:
    """How a document writes edges; None where it has none."""
    layout = Layout(text)
    return style_of(layout, (edges_root(layout, form),))


def edges_root(layout: Layout, form: Form) -> str:
    """Where a record states edges: in frontmatter mostly below `related`."""
    if form is Form.GRAPH or (("related",) not in layout.places and ("edges",) in layout.places):
        return "edges"
    return "related"


def style_of(layout: Layout, root: Pointer) -> EdgeStyle | None:
    """How the edges below a pointer are written: as those of the last kind, which has a list if any has."""
    kinds = layout.inside(root) if layout.is_mapping(root) else ()
    lists = [kind for kind in kinds if layout.inside(kind) and not layout.is_mapping(kind)]
    if not lists:
        stated = [kind for kind in kinds if layout.places[kind].scalar or layout.inside(kind)]
        return item_style(layout, stated[-1]) if stated else None
    item = layout.inside(lists[-1])[-1]
    before, indent = layout.before_item(item), layout.indent(layout.places[lists[-1]].key_start)
    if layout.is_flow(lists[-1]) or before is None or indent is None:
        return item_style(layout, item)
    return replace(item_style(layout, item), dash=max(0, before.index("-") - len(indent)))


def item_style(layout: Layout, item: Pointer) -> EdgeStyle:
    """How one target is written."""
    key = next((name for name in TARGET_KEYS if (*item, name) in layout.places), None)
    place = layout.places[(*item, key) if key is not None else item]
    key_quote = quote_of(layout.text, place.key_start) if key is not None else ""
    return EdgeStyle(None, key, layout.is_flow(item), quote_of(layout.text, place.start), key_quote)


def with_edges(text: str, form: Form, kind: str, record_ids: Sequence[str], style: EdgeStyle | None = None) -> str:
    """A document that states more edges of a kind, as it states others, else in a style; raises `LeftAlone`."""
    layout = Layout(text)
    root = (edges_root(layout, form),)
    style = style_of(layout, root) or style or EdgeStyle()
    if layout.is_mapping(root):
        return with_kind(layout, root, kind, record_ids, style)
    if layout.inside(root):
        return with_listed(layout, root, kind, record_ids)
    if not layout.is_mapping(()):
        raise LeftAlone(UNUSUAL)
    return with_root(layout, root, kind, record_ids, style)


def with_root(layout: Layout, root: Pointer, kind: str, record_ids: Sequence[str], style: EdgeStyle) -> str:
    """The first edges of a document, below a key that is there without a value, or is not there."""
    after = layout.last(layout.inside(()))
    quote = quote_of(layout.text, layout.places[after].key_start)
    key, name = spell(kind, quote), spell(str(root[0]), quote)
    stated = layout.places.get(root)
    braces = f"{{{key}: {style.targets(record_ids, in_brackets=True)[0]}}}"
    if stated is not None and (layout.is_flow(()) or stated.end > stated.start):
        return layout.with_value(root, braces)
    if layout.is_flow(()):
        return with_entry(layout, (), after, name, [braces])
    first, *more = style.targets(record_ids, in_brackets=False)
    lines = [step_of(layout) + line for line in (f"{key}:{' ' if first else ''}{first}", *more)]
    if stated is not None:
        indent = layout.indent(stated.key_start) or ""
        return layout.with_lines(stated.key_end, [indent + line for line in lines])
    return with_entry(layout, (), after, name, ["", *lines])


def step_of(layout: Layout) -> str:
    """The blanks by which a document indents the entries of its first inner mapping; two where it has none."""
    for pointer in layout.inside(()):
        if layout.is_mapping(pointer) and not layout.is_flow(pointer):
            found = layout.indent(layout.places[layout.inside(pointer)[0]].key_start)
            return found or "  "
    return "  "


def with_kind(layout: Layout, root: Pointer, kind: str, record_ids: Sequence[str], style: EdgeStyle) -> str:
    """More targets of a kind in a map from kinds to targets."""
    pointer = (*root, kind)
    if pointer not in layout.places:
        after = layout.last(layout.inside(root))
        key = spell(kind, quote_of(layout.text, layout.places[after].key_start))
        return with_entry(layout, root, after, key, style.targets(record_ids, in_brackets=layout.is_flow(root)))
    place = layout.places[pointer]
    if layout.is_mapping(pointer) or place.scalar:
        return with_list(layout, pointer, record_ids)
    if not layout.inside(pointer):
        return layout.with_value(pointer, style.targets(record_ids, in_brackets=True)[0])
    last = layout.inside(pointer)[-1]
    own = item_style(layout, last)
    before = layout.before_item(last)
    if layout.is_flow(pointer):
        targets = [own.target(each, in_brackets=True) for each in record_ids]
        return layout.with_items(last, layout.places[last].start, targets)
    if before is None:
        raise LeftAlone(UNUSUAL)
    lines = [before + own.target(each, in_brackets=False) for each in record_ids]
    return layout.with_lines(layout.end(last), lines)


def with_list(layout: Layout, pointer: Pointer, record_ids: Sequence[str]) -> str:
    """A list in the place of the one target that a kind has."""
    own, place = item_style(layout, pointer), layout.places[pointer]
    stated = layout.text[place.start : place.end]
    if "\n" in stated or (layout.is_mapping(pointer) and not layout.is_flow(pointer)):
        raise LeftAlone(UNUSUAL)
    targets = [stated, *(own.target(each, in_brackets=True) for each in record_ids)]
    return layout.with_value(pointer, f"[{', '.join(targets)}]")


def with_listed(layout: Layout, root: Pointer, kind: str, record_ids: Sequence[str]) -> str:
    """More edges in a list of mappings that name kind and target."""
    last = layout.inside(root)[-1]
    style = item_style(layout, last)
    if style.key is None or (*last, "kind") not in layout.places:
        raise LeftAlone(UNUSUAL)
    kind_place = layout.places[(*last, "kind")]
    kind_pair = f"{spell('kind', style.key_quote)}: {spell(kind, quote_of(layout.text, kind_place.start))}"
    pairs = [(kind_pair, replace(style, in_braces=False).target(each, in_brackets=False)) for each in record_ids]
    braced = [f"{{{', '.join(pair)}}}" for pair in pairs]
    if layout.is_flow(root):
        return layout.with_items(last, layout.places[last].start, braced)
    before = layout.before_item(last)
    if before is None:
        raise LeftAlone(UNUSUAL)
    if style.in_braces:
        return layout.with_lines(layout.end(last), [before + each for each in braced])
    lines = [line for first, second in pairs for line in (before + first, " " * len(before) + second)]
    return layout.with_lines(layout.end(last), lines)
