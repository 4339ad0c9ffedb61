"""Characters that act on a terminal, reorder text or cannot be seen, and where they are ordinary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
"""C0 but TAB and LF, DEL, C1, and surrogates."""

BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Bidi_Control of Unicode's PropList.txt."""

INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2028\u2029\u2060-\u2065\u206a-\u206f\u2800\u3164"
    "\ufdd0-\ufdef\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"
    "\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
)
"""Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt but for bidi controls and joiners, further format
controls, separators of lines and paragraphs, blank letters, and noncharacters."""

_EMOJI = (
    "\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2934\u2935\u2b00-\u2bff\u3030\u303d\u3297"
    "\u3299\U0001f000-\U0001faff"
)
_SELECTABLE = _EMOJI + "0-9#*\u00a9\u00ae"
_JOINING = "\u0600-\u06ff\u0710-\u07ff\u0840-\u0dff\u1780-\u17b3\u17b6-\u17ff\u1807-\u180a\u1810-\u18af"
"""Scripts in which joiners change how letters are written: Arabic to Sinhala, Khmer, Mongolian."""

# A joiner is ordinary between letters of such a script, and ZWJ between parts of an emoji; U+FE0F after its base.
_JOINER = (
    f"(?<![{_JOINING}])\u200c|\u200c(?![{_JOINING}])"
    f"|(?<![{_JOINING}{_EMOJI}\ufe0f])\u200d|\u200d(?![{_JOINING}{_EMOJI}])"
    f"|(?<=[{_JOINING}])\u200d(?=[{_EMOJI}])|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_JOINING}])"
)


def has_unsafe(text: str) -> bool:
    """Whether a text has a character that is escaped before it is shown."""
    return _unsafe(text.isascii()).search(text) is not None


def replace_unsafe(text: str, escaped: Callable[[str], str]) -> str:
    """A text with `escaped` of each such character in its place."""
    return _unsafe(text.isascii()).sub(lambda found: escaped(found.group()), text)


@lru_cache(maxsize=128)
def unsafe_counts(text: str) -> Mapping[str, int]:
    """How many characters of a text are unsafe, by kind: `bidi`, `control`, `invisible`; kinds that occur, in order."""
    counts = Counter(_kind(found.group()) for found in _unsafe(text.isascii()).finditer(text))
    return dict(sorted(counts.items()))


def _kind(character: str) -> str:
    return next((kind for kind, of_kind in _kinds() if of_kind.match(character)), "invisible")


@cache
def _unsafe(in_ascii: bool) -> re.Pattern[str]:
    """Compiled when it is first needed: the one for all of Unicode takes milliseconds, and much text is ASCII."""
    if in_ascii:
        return re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
    return re.compile(f"[{CONTROL}{BIDI}{INVISIBLE}]|{_JOINER}|(?<![{_SELECTABLE}])\ufe0f")


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return ("bidi", re.compile(f"[{BIDI}]")), ("control", re.compile(f"[{CONTROL}]"))
