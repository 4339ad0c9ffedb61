"""KB003: frontmatter that does not parse."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Check, Fault, File, at_file
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity


def invalid_frontmatter(file: File, constraints: Constraints) -> Iterator[Fault]:
    """The frontmatter of a Markdown file that does not parse."""
    for part in file.faulty if file.is_markdown else ():
        fault = part.fault
        if not fault.duplicate:
            yield Fault(at_file(file.path, fault.line, fault.column), f"the frontmatter is not read: {fault.message}")


CHECK = Check(
    "KB003",
    "invalid-frontmatter",
    Severity.ERROR,
    "Frontmatter that does not parse",
    "mend the line; until then the file is no record, and counts as restricted",
    of_file=invalid_frontmatter,
)
