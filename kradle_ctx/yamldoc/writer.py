"""YAML text that our own reader, YAML 1.1 readers (PyYAML) and YAML 1.2 readers (ruamel.yaml) read alike.

What could act on a terminal or hide is written as an escape, which means the same.

Written here and not by a library's emitter because those quote whole texts for one tab, emoji or trailing
space, which Markdown is full of, and because the bytes must not depend on the build of a library.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import Final

from kradle_ctx.characters import has_unsafe, replace_unsafe
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.scalars import MAX_INTEGER, spell_float
from kradle_ctx.yamldoc.values import LIMITS, Value

_STEP: Final = 2
_LONGEST_SIMPLE_KEY: Final = 256  # readers stop looking for the colon after 1,024 characters
_STARTS_PLAIN: Final = lazy_expression(r"[^\W\d]|/")
_NEEDS_QUOTES: Final = lazy_expression(r"[\t\n]|: | #|[: ]\Z")
_WORDS: Final = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])
# What a literal block cannot hold, or readers would not give back whole: a last line of blanks, only line feeds.
_NOT_LITERAL: Final = lazy_expression(r"[ \t]\n*\Z|\A\n*\Z")


def emit(value: Value) -> str:
    """Block-style YAML for `value`, keys in their order, without anchors, tags or wrapped lines.

    Raises `ValueError` for what no reader would give back: a float that is not finite, an integer beyond
    2**53 - 1, a lone surrogate, a key that is not text, nesting deeper than `Limits.depth`.
    """
    out: list[str] = []
    _node(out, value, 0)
    out.append("\n")
    text = "".join(out)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("a lone surrogate cannot be written as YAML") from None
    return text


def _node(out: list[str], value: Value, indent: int) -> None:
    """Write `value` from here on, at column `indent`, on which its further lines also begin."""
    if indent >= _STEP * LIMITS.depth and isinstance(value, (dict, list)):
        raise ValueError(f"nested deeper than {LIMITS.depth}")
    if isinstance(value, dict) and value:
        _mapping(out, value, indent)
    elif isinstance(value, list) and value:
        _sequence(out, value, indent)
    else:
        out.append(_leaf(value, indent))


def _mapping(out: list[str], mapping: dict[str, Value], indent: int) -> None:
    line = "\n" + " " * indent
    separator = ""
    for key, value in mapping.items():
        out.append(separator)
        out.append(_key(key, line))
        separator = line
        if value and isinstance(value, (dict, list)):
            out.append(line + " " * _STEP)
        else:
            out.append(" ")
        _node(out, value, indent + _STEP)


def _sequence(out: list[str], sequence: list[Value], indent: int) -> None:
    separator = "- "
    for value in sequence:
        out.append(separator)
        separator = "\n" + " " * indent + "- "
        _node(out, value, indent + _STEP)


def _key(key: str, line: str) -> str:
    if not isinstance(key, str):
        raise ValueError(f"a key must be text, not {type(key).__name__}")
    spelled = _spelled(key)
    return f"{spelled}:" if len(spelled) <= _LONGEST_SIMPLE_KEY else f"? {spelled}{line}:"


@lru_cache(maxsize=256)
def _spelled(key: str) -> str:
    return key if _is_plain(key) else _quoted(key)


def _leaf(value: Value, indent: int) -> str:
    if isinstance(value, str):
        return _text(value, indent)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, (dict, list)):
        return "{}" if isinstance(value, dict) else "[]"
    raise ValueError(f"a {type(value).__name__} is not a YAML value")


def _integer(value: int) -> str:
    if abs(value) > MAX_INTEGER:
        raise ValueError("an integer beyond 2**53 - 1 would be read back as text")
    return str(value)


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("a number that is not finite cannot be written")
    return spell_float(value)


def _text(text: str, indent: int) -> str:
    if _is_plain(text):
        return text
    if "\n" in text and indent and not _NOT_LITERAL.search(text) and not has_unsafe(text):
        return _literal(text, indent)
    return _quoted(text)


def _is_plain(text: str) -> bool:
    return (
        _STARTS_PLAIN.match(text) is not None
        and _NEEDS_QUOTES.search(text) is None
        and not has_unsafe(text)
        and text.casefold() not in _WORDS
    )


def _literal(text: str, indent: int) -> str:
    """A literal block; its indentation is stated where the text's own blanks would hide it."""
    body = text[:-1] if text.endswith("\n") else text
    keep = "-" if body is text else "+" if body.endswith("\n") else ""
    stated = str(_STEP) if text[0] in " \t\n" else ""
    pad = "\n" + " " * indent
    lines = "".join(pad + line if line else "\n" for line in body.split("\n"))
    return f"|{stated}{keep}{lines}"


def _quoted(text: str) -> str:
    return replace_unsafe(json.dumps(text, ensure_ascii=False), _escaped)


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return character  # the caller refuses it
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
