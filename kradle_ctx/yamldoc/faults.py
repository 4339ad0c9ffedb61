"""From a broken rule or an error of PyYAML to a fault: one line, no content of the file but a key, a place."""

from __future__ import annotations

from typing import Final

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.values import YamlFault

_NOT_ALLOWED: Final = lazy_expression("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_QUOTED_CONTENT: Final = lazy_expression(r" ?(?:'[^']{2,}'|\"[^\"]{2,}\")")
_EXPLANATIONS: Final = {
    "mapping values are not allowed": "a value that contains ': ' needs quotes",
    "cannot start any token": "indent with spaces, and quote a value that starts with @, %, ` or a tab",
    "alphabetic or numeric character": "a value that starts with * or & needs quotes",
}

LONGEST_SHOWN: Final = 60
"""Longest key that a message shows, in characters."""


class Refused(Exception):
    """What is wrong with a text at a character `index`; `earlier` is where the other half of a conflict is."""

    def __init__(self, message: str, index: int, earlier: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.index = index
        self.earlier = earlier


def shown(key: str) -> str:
    """A key as a message may carry it: without control characters, and of a long one the length alone.

    A cut could leave a part of a secret that no rule knows.
    """
    if len(key) > LONGEST_SHOWN:
        return f"of {len(key)} characters"
    return "`" + "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in key) + "`"


def fault_at(refused: Refused, text: str, first_line: int) -> YamlFault:
    """The fault of a text whose first line is line `first_line` of its file."""
    line = first_line + text.count("\n", 0, refused.index)
    message = refused.message
    if refused.earlier is not None:
        earlier = first_line + text.count("\n", 0, refused.earlier)
        message += f" on line {line}" if earlier == line else f" on lines {earlier} and {line}"
    column = refused.index - text.rfind("\n", 0, refused.index)
    return YamlFault(message, line, column, duplicate=refused.earlier is not None)


def translated(error: Exception, text: str, reached: int) -> Refused:
    """Any error of PyYAML, or of Python beneath it, as a refusal of `text`; `reached` is the last known index."""
    import yaml
    from yaml.reader import ReaderError

    if isinstance(error, (ReaderError, UnicodeEncodeError)):
        return _unacceptable_character(text, reached)
    if isinstance(error, yaml.MarkedYAMLError) and error.problem is not None:
        mark = error.problem_mark or error.context_mark
        return Refused(_explained(error.problem), reached if mark is None else min(mark.index, len(text)))
    return Refused(f"not readable as YAML ({type(error).__name__})", reached)


def _unacceptable_character(text: str, reached: int) -> Refused:
    found = _NOT_ALLOWED.search(text)
    if found is None:
        return Refused("an escape for a character that is not Unicode text", reached)
    hint = " (is the file UTF-16?)" if found.group() == "\0" else ""
    return Refused(f"character U+{ord(found.group()):04X} is not allowed{hint}", found.start())


def _explained(problem: str) -> str:
    message = _QUOTED_CONTENT.sub("", problem)
    hints = [hint for part, hint in _EXPLANATIONS.items() if part in problem]
    return f"{message} ({hints[0]})" if hints else message
