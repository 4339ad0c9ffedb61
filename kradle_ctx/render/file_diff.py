"""How files would change, as a unified diff for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kradle_ctx.render.escape import escape_text
from kradle_ctx.render.findings_text import COMMAND, command_shown

CONTEXT = 3
"""Unchanged lines around a change."""

MOST_COMPARED = 4_000_000
"""Pairs of lines that are compared; between larger texts all lines count as changed."""

NO_END = "\\ No newline at end of file\n"


def file_diff(path: str, old: str, new: str) -> str:
    """A file as it is and as it would be, both redacted; what is not to be printed is escaped.

    Lines are split at LF alone, and the CR of Windows before it is not shown.
    """
    import difflib

    before, after = lines_of(old), lines_of(new)
    if len(before) * len(after) <= MOST_COMPARED:
        found: Iterator[str] = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", n=CONTEXT)
    else:
        found = replaced(path, before, after)
    return "".join(shown(line) for line in found)


def lines_of(text: str) -> list[str]:
    """The lines of a text with what ends them."""
    lines = text.replace("\r\n", "\n").split("\n")
    return [f"{line}\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]


def replaced(path: str, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """A diff in which all lines between the first and the last that differ are replaced."""
    shorter = min(len(before), len(after))
    pairs = enumerate(zip(before, after, strict=False))
    first = next((at for at, (old, new) in pairs if old != new), shorter)
    last, most = 0, shorter - first
    while last < most and before[-1 - last] == after[-1 - last]:
        last += 1
    top, below = max(0, first - CONTEXT), min(last, CONTEXT)
    ends = [(len(lines) - last, len(lines) - last + below) for lines in (before, after)]
    yield f"--- a/{path}\n"
    yield f"+++ b/{path}\n"
    yield f"@@ -{top + 1},{ends[0][1] - top} +{top + 1},{ends[1][1] - top} @@\n"
    yield from (f" {line}" for line in before[top:first])
    yield from (f"-{line}" for line in before[first : ends[0][0]])
    yield from (f"+{line}" for line in after[first : ends[1][0]])
    yield from (f" {line}" for line in before[ends[0][0] : ends[0][1]])


def shown(line: str) -> str:
    """A line of a diff as it may be printed, be it in a log that obeys commands."""
    whole = line if line.endswith("\n") else f"{line}\n{NO_END}"
    return COMMAND.sub(command_shown, escape_text(whole))
