"""KB070: a comment that means to set findings aside, without a reason or in another form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kradle_ctx.checks.check import Check, Fault, File, at_file
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.suppressions import malformed, suppressions

MOST_COMMENTS = 100
"""Comments of one file that are told."""

FORM = "# kradle-ctx: ignore KB031 -- the record comes with the next release"


def unexplained_suppression(file: File, constraints: Constraints) -> Iterator[Fault]:
    """Comments that mean to set findings aside and do not."""
    for suppression in suppressions(file.text, is_markdown=file.is_markdown):
        if not suppression.reason:
            named = ", ".join(suppression.checks)
            yield Fault(
                at_file(file.path, suppression.stated), f"{named} is set aside without a reason, so it still counts"
            )
    for line in islice(malformed(file.text), MOST_COMMENTS):
        yield Fault(at_file(file.path, line), "this comment sets nothing aside: it is not written as it must be")


CHECK = Check(
    "KB070",
    "unexplained-suppression",
    Severity.WARNING,
    "A comment that means to set findings aside and does not",
    f"say why behind two dashes: {FORM}",
    of_file=unexplained_suppression,
)
