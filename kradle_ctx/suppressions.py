"""What a file says of findings that are not to count, each with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc import split_frontmatter

MARK = "kradle-ctx:"

COMMENT = lazy_expression(
    r"(?:\#|<!--)[ \t]*+kradle-ctx:[ \t]*+ignore(?P<file>-file)?[ \t]++"
    r"(?P<checks>KB\d{3}(?>(?:[ \t]*+,[ \t]*+KB\d{3})*))"
)
BEHIND_CHECKS = lazy_expression(r"[ \t]++--(?!>)(?P<reason>)|[ \t]*+(?:-->[ \t]*+)?\r?$")
"""What may follow the checks: a reason, or the end of the comment."""

END = "-->"

MEANT = lazy_expression(r"(?:\#|<!--)[ \t]*+kradle-ctx:")

HEADING = lazy_expression(r"#{1,6}[ \t]+(?!kradle-ctx:)\S")
"""In the body of a page; elsewhere it is a comment."""

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


def suppressions(text: str, *, is_markdown: bool) -> Iterator[Suppression]:
    """Every such comment of a text; one that has its line for itself is about the next line that says something."""
    if MARK not in text:
        return
    lines = text.split("\n")
    following = lines_that_follow(lines, body_line(text) if is_markdown else len(lines) + 1)
    for number, line in enumerate(lines, start=1):
        found = comment_in(line) if MARK in line else None
        if found is None:
            continue
        comment, reason = found
        checks = tuple(check.strip() for check in comment["checks"].split(","))
        about = 0 if comment["file"] else number
        if about and not line[: comment.start()].strip():
            about = following[number]
        yield Suppression(checks, about, number, reason[:LONGEST_REASON])


def comment_in(line: str) -> tuple[re.Match[str], str] | None:
    """The first such comment of a line, and the reason that it gives."""
    for comment in COMMENT.finditer(line):
        behind = BEHIND_CHECKS.match(line, comment.end())
        if behind is not None:
            reason = line[behind.end() :].strip() if behind["reason"] is not None else ""
            return comment, reason.removesuffix(END).rstrip()
    return None


def body_line(text: str) -> int:
    """The line at which the body of a page begins."""
    frontmatter = split_frontmatter(text)
    return frontmatter.body_line if frontmatter is not None else 1


def lines_that_follow(lines: Sequence[str], body: int) -> list[int]:
    """For each line the number of the next one that is neither empty nor a comment; `body` is where headings can be."""
    following = [len(lines) + 1] * (len(lines) + 1)
    for number in range(len(lines) - 1, 0, -1):
        line = lines[number].strip()
        is_heading = number + 1 >= body and HEADING.match(line) is not None
        says_nothing = not line or line.startswith("<!--") or (line.startswith("#") and not is_heading)
        following[number] = following[number + 1] if says_nothing else number + 1
    return following


def malformed(text: str) -> Iterator[int]:
    """The lines of comments that mean to set something aside and are not written so that they do."""
    if MARK in text:
        for number, line in enumerate(text.split("\n"), start=1):
            if MARK in line and MEANT.search(line) is not None and comment_in(line) is None:
                yield number


def reason_for(check: str, line: int, stated: Sequence[Suppression]) -> str | None:
    """The reason for which a finding does not count; None where it does."""
    for suppression in stated:
        if suppression.reason and check in suppression.checks and suppression.line in (0, line):
            return suppression.reason
    return None
