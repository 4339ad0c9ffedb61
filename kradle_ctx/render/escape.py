"""Making text from outside safe to print: control, bidi and invisible characters are shown, never sent."""

from __future__ import annotations

from kradle_ctx.characters import has_unsafe, replace_unsafe
from kradle_ctx.expressions import lazy_expression


def escape_text(text: str) -> str:
    """Show unsafe characters as `\\u{hex}`; LF and TAB stay."""
    return replace_unsafe(text, escaped)


def escaped(characters: str) -> str:
    """Characters by their code points."""
    return "".join(f"\\u{{{ord(character):x}}}" for character in characters)


def escape_line(text: str) -> str:
    """The same on one line: LF and TAB are shown too."""
    return escape_text(text).replace("\n", "\\n").replace("\t", "\\t")


PLAIN_NAME = lazy_expression(r"[\w./:@+#~-]+")


def plain(name: str) -> str:
    """A name as it is when it is a plain one, else quoted, so that it cannot pose as a line of the section."""
    if PLAIN_NAME.fullmatch(name) and not has_unsafe(name):
        return name
    return '"' + escape_line(name.replace("\\", "\\\\")).replace('"', '\\"') + '"'
