"""KB070: a finding that is set aside without a reason."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Check, Fault, File, at_file
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.suppressions import suppressions

FORM = "# kradle-ctx: ignore KB031 -- the record comes with the next release"


def unexplained_suppression(file: File, constraints: Constraints) -> Iterator[Fault]:
    """Comments that mean to set findings aside and do not."""
    for suppression in suppressions(file.text):
        if not suppression.reason:
            named = ", ".join(suppression.checks)
            yield Fault(
                at_file(file.path, suppression.stated), f"{named} is set aside without a reason, so it still counts"
            )


CHECK = Check(
    "KB070",
    "unexplained-suppression",
    Severity.WARNING,
    "A comment that sets findings aside and gives no reason",
    f"say why behind two dashes: {FORM}",
    of_file=unexplained_suppression,
)
