"""What a file says of findings that are not to count, each with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kradle_ctx.expressions import lazy_expression

MARK = "kradle-ctx:"

COMMENT = lazy_expression(
    r"(?:\#|<!--)[ \t]*kradle-ctx:[ \t]*ignore(?P<file>-file)?[ \t]+(?P<checks>KB\d{3}(?:[ \t]*,[ \t]*KB\d{3})*)"
    r"(?:[ \t]+--(?!>)[ \t]*(?P<reason>[^\n]*?))?[ \t]*(?:-->[ \t]*)?\r?$"
)

MEANT = lazy_expression(r"(?:\#|<!--)[ \t]*kradle-ctx:")

HEADING = lazy_expression(r"#{1,6}[ \t]+(?!kradle-ctx:)\S")

LONGEST_REASON = 300
"""Characters of a reason that are told."""


class Suppression(NamedTuple):
    """A comment that sets findings aside: those of some checks on one line, or in the whole file where that is 0.

    `stated` is the line of the comment and `reason` empty where none is given.
    """

    checks: tuple[str, ...]
    line: int
    stated: int
    reason: str


def suppressions(text: str) -> Iterator[Suppression]:
    """Every such comment of a text; one that has its line for itself is about the next line that says something."""
    if MARK not in text:
        return
    lines = text.split("\n")
    following = lines_that_follow(lines)
    for number, line in enumerate(lines, start=1):
        found = COMMENT.search(line) if MARK in line else None
        if found is None:
            continue
        checks = tuple(check.strip() for check in found["checks"].split(","))
        about = 0 if found["file"] else number
        if about and not line[: found.start()].strip():
            about = following[number]
        yield Suppression(checks, about, number, (found["reason"] or "").strip()[:LONGEST_REASON])


def lines_that_follow(lines: Sequence[str]) -> list[int]:
    """For each line the number of the next one that is neither empty nor a comment; a heading of Markdown is none."""
    following = [len(lines) + 1] * (len(lines) + 1)
    for number in range(len(lines) - 1, 0, -1):
        line = lines[number].strip()
        says_nothing = not line or line.startswith("<!--") or (line.startswith("#") and HEADING.match(line) is None)
        following[number] = following[number + 1] if says_nothing else number + 1
    return following


def malformed(text: str) -> Iterator[int]:
    """The lines of comments that mean to set something aside and are not written so that they do."""
    if MARK in text:
        for number, line in enumerate(text.split("\n"), start=1):
            if MARK in line and MEANT.search(line) is not None and COMMENT.search(line) is None:
                yield number


def reason_for(check: str, line: int, stated: Sequence[Suppression]) -> str | None:
    """The reason for which a finding does not count; None where it does."""
    for suppression in stated:
        if suppression.reason and check in suppression.checks and suppression.line in (0, line):
            return suppression.reason
    return None
