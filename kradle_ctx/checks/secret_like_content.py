"""KB050: text that looks like a secret."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from kradle_ctx.checks.check import Check, Fault, File, at_file
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.yamldoc import shown

MOST_SECRETS = 100
"""Secrets of one document, or of what is in none, that are told."""

LONGEST_CONTEXT = 200
"""Characters before a secret that tell it apart."""


def secret_like_content(file: File, constraints: Constraints) -> Iterator[Fault]:
    """Every range that redaction hides; the value itself is in no message, nor in what the fingerprint is made from."""
    line, reached, end = 1, 0, 0
    starts = sorted(declaration.document.line_start for declaration in file.declarations)
    counts: Counter[int] = Counter()
    for secret in file.secrets:
        line += file.text.count("\n", reached, secret.start)
        line_start = file.text.rfind("\n", 0, secret.start) + 1
        # What stands before a secret on its line, other secrets aside, tells it apart when lines move.
        before = file.text[max(line_start, end, secret.start - LONGEST_CONTEXT) : secret.start].strip()
        line_end = file.text.find("\n", secret.start)
        document = bisect_right(starts, line)
        counts[document] += 1
        width = min(secret.end, line_end if line_end >= 0 else len(file.text)) - secret.start
        # Not all may show all documents of a file: one must not decide what is told of another.
        if counts[document] <= MOST_SECRETS:
            yield Fault(
                at_file(file.path, line, secret.start - line_start + 1, width),
                f"this looks like a secret, and is hidden as {shown(secret.kind)}",
                key=f"{secret.kind} {before}",
            )
        reached, end = secret.start, secret.end


CHECK = Check(
    "KB050",
    "secret-like-content",
    Severity.ERROR,
    "Text that looks like a secret",
    "take it out and make it invalid where it is used: it stays in the history; name the secret instead of its value",
    of_file=secret_like_content,
)
