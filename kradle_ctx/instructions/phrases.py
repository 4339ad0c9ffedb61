"""The notation of the rule table.

In a pattern a blank (outside brackets) stands for whatever separates two words inside a sentence: blanks, line ends,
comment signs, emphasis, quotes, digits. ` ~3 ` stands for up to three words between two others. `…` stands for up to
ten characters, for scripts that write no blanks. Everything else is RE2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.instructions.reading import unaccented

_LETTERS = r"[A-Za-z\x80-\xff]+"
_SEPARATOR = r"(?:[^A-Za-z.!?]+)"
_SEPARATOR_OF_OTHER_SCRIPTS = r"(?:[^A-Za-z.!?\x80-\xff]+)"
_ANYTHING = r"[^\n.!?]{0,30}"
_BETWEEN = rb"[^A-Za-z0-9.!?\x80-\xff]+"
_OTHER_SCRIPTS = frozenset({"ar", "hi", "ja", "ko", "ru", "uk", "zh"})
_word = lazy_expression(rb"[A-Za-z0-9\x80-\xff]+")
_notation = lazy_expression(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| ~(\d+) | |…|([^\x00-\x7f])(?=[?*+])")


def expression(pattern: str, language: str) -> bytes:
    """The RE2 expression of a pattern, for small letters in UTF-8 in Latin-1 mode: every byte is a character."""
    separator = _SEPARATOR_OF_OTHER_SCRIPTS if language in _OTHER_SCRIPTS else _SEPARATOR

    def spelled_out(sign: re.Match[str]) -> str:
        if sign.group(1):
            return f"{separator}(?:{_LETTERS}{separator}){{0,{sign.group(1)}}}"
        if sign.group(2):
            return f"(?:{sign.group(2)})"
        return {" ": separator, "…": _ANYTHING}.get(sign.group(), sign.group())

    return f"(?:{_notation.sub(spelled_out, unaccented(pattern, 'NFD'))})".encode()


def keyword_expression(keywords: Iterable[str]) -> bytes:
    """The RE2 expression that finds the keywords where a word begins, whatever stands between their words."""
    latin: list[bytes] = []
    others: list[bytes] = []
    for keyword in sorted(keywords):
        words = re.escape(unaccented(keyword, "NFD").encode()).replace(rb"\ ", _BETWEEN)
        (latin if keyword[0].isascii() and keyword[0].isalnum() else others).append(words)
    return rb"\b(?:" + b"|".join(latin) + b")|" + b"|".join(others)


def words_of(keywords: str) -> tuple[str, ...]:
    """Keywords that are written in a row, with commas."""
    return tuple(keywords.split(", "))


def spelling(keyword: str | bytes) -> bytes:
    """The words of a keyword as the table knows them, or of the text that `keyword_expression` found for it."""
    data = keyword if isinstance(keyword, bytes) else unaccented(keyword, "NFD").encode()
    return b" ".join(_word.findall(data.lower()))
