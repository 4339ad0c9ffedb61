"""What a record is, put before what it says, where that stands the other way round."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.graph import Form
from kradle_ctx.repairs.layout import Layout, LeftAlone
from kradle_ctx.repairs.spelling import UNUSUAL
from kradle_ctx.suppressions import suppressions

FIRST = {
    Form.GRAPH: ("nodeKind", "id", "extendsNode"),
    Form.MARKDOWN: ("id", "kind", "title", "status", "owners", "updatedAt"),
}
"""The keys with which a record begins, in their order."""

NAMING = {Form.GRAPH: ("nodeKind", "id"), Form.MARKDOWN: ("id", "kind")}
"""The keys that tell which record it is."""

LAST = ("attributes", "edges")
"""The keys with which a graph record ends."""

KEY = lazy_expression(r"^([A-Za-z]\w*)[ \t]*:", re.MULTILINE)

LOOSE_COMMENT = "a comment stands where it may belong to either of two keys"


class Entry(Struct, frozen=True):
    """A key with its lines, among them the comments above it, and the lines before, which stay in their place."""

    key: str
    gap: tuple[str, ...]
    lines: tuple[str, ...]


def may_be_out_of_order(text: str, form: Form) -> bool:
    """Whether keys seem to stand in a wrong order, as a glance at the lines tells."""
    return is_out_of_order(dict.fromkeys(KEY.findall(text)), form)


def is_out_of_order(keys: Iterable[str], form: Form) -> bool:
    """Whether what tells which record it is comes late.

    In a graph record it comes after attributes or edges, in frontmatter after a field that does not belong to the head.
    Any other order is a matter of taste, and nobody has asked to change it.
    """
    late = False
    for key in keys:
        if late and key in NAMING.get(form, ()):
            return True
        late = late or (key in LAST if form is Form.GRAPH else key not in FIRST.get(form, ()))
    return False


def wanted_order(keys: Sequence[str], form: Form) -> list[str]:
    """Keys in their order: those that come first, the others as they were, and those of a graph record that end it."""
    first = [key for key in FIRST[form] if key in keys]
    last = [key for key in LAST if key in keys and form is Form.GRAPH]
    return [*first, *(key for key in keys if key not in first and key not in last), *last]


def in_order(text: str, form: Form) -> str:
    """A document with its keys in order, each with its comments; raises `LeftAlone`."""
    layout = Layout(text)
    if layout.is_flow(()) or not layout.is_mapping(()):
        raise LeftAlone("it is written in brackets")
    breaks = [line[len(line.rstrip("\r")) :] for line in text.split("\n")]
    entries, tail = entries_of(layout)
    keys = [entry.key for entry in entries]
    order = wanted_order(keys, form)
    require_owned(entries, tail, order)
    by_key = {entry.key: entry for entry in entries}
    lines = [line for place, key in enumerate(order) for line in (*entries[place].gap, *by_key[key].lines)] + list(tail)
    made = "\n".join(line + end for line, end in zip(lines, breaks, strict=True))
    if suppressed_in(made) != suppressed_in(text):
        raise LeftAlone("a comment would set something else aside")
    return made


def entries_of(layout: Layout) -> tuple[list[Entry], tuple[str, ...]]:
    """The entries of a document's mapping, without what breaks their lines, and the lines after the last."""
    lines = [line.rstrip("\r") for line in layout.text.split("\n")]
    starts = [0, *(found.end() for found in re.finditer("\n", layout.text))]
    found: list[Entry] = []
    done = 0
    for pointer in layout.inside(()):
        key_start = layout.places[pointer].key_start
        start = bisect_right(starts, key_start) - 1
        if starts[start] != key_start or start < done:
            raise LeftAlone(UNUSUAL)
        before, above = parted(lines[done:start])
        if any(line.startswith((" ", "\t")) for line in above):
            raise LeftAlone(LOOSE_COMMENT)
        end = bisect_right(starts, layout.end(pointer))
        while end < len(lines) and lines[end].startswith((" ", "\t")) and lines[end].lstrip().startswith("#"):
            end += 1
        found.append(Entry(str(pointer[0]), tuple(before), (*above, *lines[start:end])))
        done = end
    return found, tuple(lines[done:])


def parted(lines: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The lines between two entries: those up to the last blank one, and the comments right above the second."""
    blank = next((place for place in range(len(lines), 0, -1) if not lines[place - 1].strip()), 0)
    return lines[:blank], lines[blank:]


def require_owned(entries: Sequence[Entry], tail: Sequence[str], order: Sequence[str]) -> None:
    """Raise `LeftAlone` where it cannot be told to which key a comment belongs that stands beside one which moves."""
    moves_first, moves_last = order[0] != entries[0].key, order[-1] != entries[-1].key
    inner = any(line.strip() for entry in entries[1:] for line in entry.gap)
    head = moves_first and entries[0].lines[0].lstrip().startswith("#")
    foot = moves_last and any(line.strip() for line in tail[:1])
    if inner or head or foot:
        raise LeftAlone(LOOSE_COMMENT)


def suppressed_in(text: str) -> Counter[tuple[object, ...]]:
    """What comments set aside, and the line that each is about."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    return Counter(suppressed_lines(text, lines))


def suppressed_lines(text: str, lines: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """The checks and the reason of each comment, with the text of its line; none where it is about the whole file."""
    for each in suppressions(text, is_markdown=False):
        about = lines[each.line - 1] if 0 < each.line <= len(lines) else ""
        yield each.checks, each.reason, about
