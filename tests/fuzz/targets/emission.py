"""The YAML writer: what it writes is read back alike by our reader, PyYAML and ruamel.yaml."""

from __future__ import annotations

import zlib
from typing import Any

import ruamel.yaml
import yaml
from hypothesis import strategies as st

from kradle_ctx.yamldoc import LIMITS, emit, parse
from tests.fuzz.target import RECORD_MARK, Target, bytes_of, require, text_of

FAST_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

REFUSED = ("beyond", "not finite", "surrogate", "deeper", "a key must")
"""What the writer says when no reader would give a value back."""

TEXTS = [
    *["", " ", "\n", "a\n", "\n a\n\n", "a: b", "- x", "# y", "y", "No", "null", "~", "1e3", "0x1f", "1_000", "<<"],
    *["=", ".", "---", "...", "\t", "a\tb\n", "\r\n", "\x85", "\u2028", "\ufeff", "\x7f", "\x00", "😀", "é", "'", '"'],
    *["\\", "|", "?x", "2026-01-01", "190:20:30", "!!x", "&a", "*a", "%", "@", "`", "{", "[", "x" * 1030, "a\n  \nb"],
    *["\ud800", "\ufffe"],
]
SIGNS = [
    "[",
    "{",
    "]",
    "null",
    "true",
    "=1.5",
    "=-0.0",
    "=nan",
    "=1e300",
    "#0",
    "#-9007199254740991",
    "#9007199254740992",
]
TOKENS = st.sampled_from(TEXTS) | st.sampled_from(SIGNS) | st.text(max_size=8)
SCRAPS = (RECORD_MARK, *map(bytes_of, TEXTS), *(RECORD_MARK + sign.encode() for sign in SIGNS))
SEEDS = (
    "{|kind|Bundle|items|[|{|id|a|tags|[|on|yes|]|]|[|#1|=2.5|]|[|]|]|body|# T  \n\n\tx\n|none|null|x|{|]",
    "[|- a\n- b|{|k: v|{||null|]|]|true|=-0.0|=1e300|\x85\n|[|[|[|{|]|]|]|]",
)


def check(data: bytes) -> str:
    """Write a value, and read it with every reader."""
    tokens = (text_of(data) if b"\xff" in data else data.decode(errors="replace")).split(RECORD_MARK.decode())
    value = value_of(tokens)
    try:
        text = emit(value)
    except ValueError as error:
        word = next((refused for refused in REFUSED if refused in str(error)), "")
        require(word, "the writer refuses what no reader gives back, and nothing else")
        return f"refused: {word}"
    require(repr(yaml.load(text, Loader=FAST_LOADER)) == repr(value), "libyaml gives back what is written")
    if len(tokens) < LIMITS.nodes // 2:
        require(text.endswith("\n") and repr(parse(text)) == repr(value), "our reader gives back what is written")
    if len(text) < 4_000 and zlib.crc32(data) % 8 == 0:
        require_read_by_others(text, value)
    return f"{type(value).__name__}{' block' if '|' in text else ''}{' quoted' if chr(34) in text else ''}"


def value_of(tokens: list[str]) -> Any:
    """The value that tokens spell: `[` and `{` open, `]` closes, and in a mapping every second one is a key."""
    top: list[Any] = []
    waiting: list[Any] = [top]
    keys: list[str | None] = [None]
    for token in tokens:
        if token == "]" and len(waiting) > 1:
            waiting.pop()
            keys.pop()
        elif isinstance(waiting[-1], dict) and keys[-1] is None:
            keys[-1] = token
        else:
            value = leaf_of(token)
            put(waiting[-1], keys, value)
            if isinstance(value, dict | list):
                waiting.append(value)
                keys.append(None)
    return top[0] if len(top) == 1 else top


def put(container: Any, keys: list[str | None], value: Any) -> None:
    """Put a value into a list, or into a mapping under the key that waits for it."""
    if isinstance(container, dict):
        container[keys[-1]] = value
        keys[-1] = None
    else:
        container.append(value)


def leaf_of(token: str) -> Any:
    """What one token stands for; a number begins with `=` or `#`, and what is no number is text."""
    try:
        if token[:1] in "=#" and token[:1]:
            return float(token[1:]) if token[0] == "=" else int(token[1:21])
    except ValueError:
        return token
    plain: dict[str, Any] = {"[": [], "{": {}, "null": None, "true": True}
    return plain.get(token, token)


def require_read_by_others(text: str, value: Any) -> None:
    """Check that the slow readers give a value back, 1, 1.0 and True told apart, and -0.0 and 0.0."""
    require(repr(yaml.safe_load(text)) == repr(value), "PyYAML gives back what is written")
    reader = ruamel.yaml.YAML(typ="safe", pure=True)
    require(repr(reader.load(text)) == repr(value), "ruamel.yaml gives back what is written")


TARGET = Target(
    name="emission",
    promise="what is written is read back alike by our reader, PyYAML and ruamel.yaml, or refused",
    check=check,
    inputs=st.lists(TOKENS, max_size=30).map(lambda tokens: bytes_of("\x1e".join(tokens))),
    seeds=lambda: [bytes_of(seed.replace("|", "\x1e")) for seed in SEEDS],
    scraps=SCRAPS,
)
