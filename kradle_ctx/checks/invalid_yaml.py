"""KB002: YAML that does not parse."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Check, Fault, File, at_file
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity


def invalid_yaml(file: File, constraints: Constraints) -> Iterator[Fault]:
    """Each document of a YAML file that does not parse; the others are read all the same."""
    for part in () if file.is_markdown else file.faulty:
        fault = part.fault
        if not fault.duplicate:
            yield Fault(at_file(file.path, fault.line, fault.column), f"this YAML is not read: {fault.message}")


CHECK = Check(
    "KB002",
    "invalid-yaml",
    Severity.ERROR,
    "YAML that does not parse",
    "mend the line; the document is left out of every answer until then",
    of_file=invalid_yaml,
)
