"""KB003: frontmatter that does not parse."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Check, Fault, File, at_file
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.yamldoc import split_frontmatter

UNCLOSED = lazy_expression(r"\ufeff?---[ \t]*\r?\n(?>(?:[A-Za-z][^\n]{0,200}\n){0,30}?(?:id|kind)[ ]*:)")
"""A fence, and then at once lines of fields among which there is one that only a record has."""


def invalid_frontmatter(file: File, constraints: Constraints) -> Iterator[Fault]:
    """The frontmatter of a Markdown file that does not parse."""
    for part in file.faulty if file.is_markdown else ():
        fault = part.fault
        if not fault.duplicate:
            yield Fault(at_file(file.path, fault.line, fault.column), f"the frontmatter is not read: {fault.message}")
    if file.is_markdown and UNCLOSED.match(file.text) is not None and split_frontmatter(file.text) is None:
        yield Fault(at_file(file.path), "the frontmatter is never closed, so it is text and no record", key="unclosed")


CHECK = Check(
    "KB003",
    "invalid-frontmatter",
    Severity.ERROR,
    "Frontmatter that does not parse",
    "mend the line; until then the file is no record, and counts as restricted",
    of_file=invalid_frontmatter,
)
