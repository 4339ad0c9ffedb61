"""Derived files as JSON: whole fields in a fixed order, and a line for each entry, so that a change is a small diff."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from kradle_ctx.characters import replace_unsafe

ROWS = 2
"""Levels of nesting whose entries have a line each; below, a value is on one line."""


def derived_json(document: Mapping[str, Any]) -> bytes:
    """A document as UTF-8 that ends in a line feed; a list may be given as an iterator, and is then never held whole.

    Characters that could act on a terminal or hide are written as `\\u` escapes, which mean the same.
    """
    data = bytearray()
    for text in pieces(document, 0):
        data += replace_unsafe(text, lambda character: json.dumps(character)[1:-1]).encode()
    return bytes(data + b"\n")


def pieces(value: Any, level: int) -> Iterator[str]:
    """A value in parts; its own lines are indented by a space for each level, but for the first."""
    if level == ROWS or not isinstance(value, Mapping | list | Iterator):
        yield json.dumps(value, ensure_ascii=False)
        return
    named = isinstance(value, Mapping)
    opening, closing = "{}" if named else "[]"
    between = opening
    for entry in value.items() if isinstance(value, Mapping) else value:
        yield f"{between}\n{' ' * (level + 1)}"
        if named:
            yield f"{json.dumps(entry[0], ensure_ascii=False)}: "
        yield from pieces(entry[1] if named else entry, level + 1)
        between = ","
    yield f"\n{' ' * level}{closing}" if between == "," else opening + closing
