"""Making text from outside safe to print: control, bidi and invisible characters are shown, never sent."""

from __future__ import annotations

import re

from kradle_ctx.characters import UNSAFE


def escape_text(text: str) -> str:
    """Show unsafe characters as `\\u{hex}`; LF and TAB stay."""
    return UNSAFE.sub(lambda found: escaped(found.group()), text)


def escaped(characters: str) -> str:
    """Characters by their code points."""
    return "".join(f"\\u{{{ord(character):x}}}" for character in characters)


def escape_line(text: str) -> str:
    """The same on one line: LF and TAB are shown too."""
    return escape_text(text).replace("\n", "\\n").replace("\t", "\\t")


PLAIN_NAME = re.compile(r"[\w./:@+#~-]+")


def plain(name: str) -> str:
    """A name as it is when it is a plain one, else quoted, so that it cannot pose as a line of the section."""
    if PLAIN_NAME.fullmatch(name) and not UNSAFE.search(name):
        return name
    return '"' + escape_line(name.replace("\\", "\\\\")).replace('"', '\\"') + '"'
