"""KB052: a committed index that is not of its commit."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.checks.check import Brain, Check, Fault, at_file
from kradle_ctx.model.findings import Severity


def stale_index(brain: Brain) -> Iterator[Fault]:
    """The files below `indexes/` that were made from another commit, or lack one of those beside them."""
    for path, reason in brain.stale_indexes:
        yield Fault(at_file(path), reason)


CHECK = Check(
    "KB052",
    "stale-index",
    Severity.WARNING,
    "A committed index that is not of its commit",
    "write it anew with `kradle-ctx index export -o indexes`, and commit it",
    of_brain=stale_index,
)
"""What a file would hold byte by byte is told by `index status --check`, which takes longer."""
