"""Keys and ids as the text around them writes its own."""

from __future__ import annotations

import json
from collections.abc import Sequence

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.repairs.layout import Layout, LeftAlone
from kradle_ctx.yamldoc.places import Pointer

PLAIN = lazy_expression(r"[A-Za-z][A-Za-z0-9_./@-]*(?::[A-Za-z0-9_./@-]+)*")
WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Plain words that some reader takes for more than text, in small letters."""

UNUSUAL = "it is laid out in an unusual way"


def quote_of(text: str, offset: int) -> str:
    """The quote at an offset, or nothing."""
    mark = text[offset : offset + 1]
    return mark if mark in ("'", '"') else ""


def spell(text: str, quote: str) -> str:
    """A one-line text in quotes, or without any where none are asked for and it needs none."""
    if not quote and PLAIN.fullmatch(text) and text.lower() not in WORDS:
        return text
    return f"'{text}'" if quote == "'" and "'" not in text else json.dumps(text, ensure_ascii=False)


def with_entry(layout: Layout, root: Pointer, after: Pointer, key: str, value: Sequence[str]) -> str:
    """A text with another entry in a mapping: its value on the line of the key, or on lines below an empty first one.

    Raises `LeftAlone`.
    """
    start = layout.places[after].key_start
    if layout.is_flow(root):
        return layout.with_items(after, start, [f"{key}: {value[0]}"])
    indent = layout.indent(start)
    if indent is None:
        raise LeftAlone(UNUSUAL)
    first, *more = value
    lines = [f"{indent}{key}:{' ' if first else ''}{first}", *(indent + line for line in more)]
    return layout.with_lines(layout.end(after), lines)
