"""Emitted documents as YAML or JSON text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kradle_ctx.characters import replace_unsafe
from kradle_ctx.yamldoc import emit


def to_yaml(documents: Iterable[Mapping[str, Any]]) -> str:
    """Documents as one YAML stream, each after a marker when there are several."""
    texts = [emit(plain(document)) for document in documents]
    return texts[0] if len(texts) == 1 else "".join(f"---\n{text}" for text in texts)


def to_json(documents: Iterable[Mapping[str, Any]]) -> str:
    """One JSON document, or a list of several, indented, in the order of the fields.

    Characters that could act on a terminal or hide are written as `\\u` escapes, which mean the same.
    """
    values = list(documents)
    text = json.dumps(values[0] if len(values) == 1 else values, indent=2, ensure_ascii=False)
    return replace_unsafe(text, lambda character: json.dumps(character)[1:-1]) + "\n"


def plain(value: Any) -> Any:
    """The same value in plain dicts, lists and strings, as the YAML emitter takes them."""
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return str(value) if isinstance(value, str) else value
