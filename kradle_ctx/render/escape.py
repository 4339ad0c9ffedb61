"""Making text from outside safe to print: control, bidi and invisible characters are shown, never sent."""

from __future__ import annotations

import re

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e"
    "\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"
)
"""Bidi controls, zero-width and other invisible characters of the basic plane; U+FE0F, which makes emoji, stays."""

CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
"""C0 but TAB and LF, DEL, C1, and surrogates."""

ASTRAL = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
"""Invisible controls of shorthand and music, and tag characters, which can carry hidden text."""

UNSAFE = re.compile(f"[{CONTROL}{INVISIBLE}{ASTRAL}]")


def escape_text(text: str) -> str:
    """Show unsafe characters as `\\u{hex}`; LF and TAB stay."""
    return UNSAFE.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", text)


def escape_line(text: str) -> str:
    """The same on one line: LF and TAB are shown too."""
    return escape_text(text).replace("\n", "\\n").replace("\t", "\\t")


PLAIN_NAME = re.compile(r"[\w./:@+#~-]+")


def plain(name: str) -> str:
    """A name as it is when it is a plain one, else quoted, so that it cannot pose as a line of the section."""
    if PLAIN_NAME.fullmatch(name) and not UNSAFE.search(name):
        return name
    return '"' + escape_line(name).replace('"', '\\"') + '"'
