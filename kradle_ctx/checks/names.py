"""What the names that records state stand for, and how names are told."""

from __future__ import annotations

from functools import lru_cache
from heapq import nsmallest

from kradle_ctx.checks.check import Brain
from kradle_ctx.yamldoc import shown
from kradle_ctx.yamldoc.faults import LONGEST_SHOWN

MOST_TOLD = 5
"""Names that one message lists."""


class Names:
    """The records behind names; each name is looked up once."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._kinds: dict[str, frozenset[str]] = {}
        self._records: dict[str, str | None] = {}

    def kinds(self, name: str) -> frozenset[str]:
        """The kinds of the records that are declared under a name; none where no record is."""
        found = self._kinds.get(name)
        if found is None:
            stated = self._brain.named(name)
            found = frozenset(document.kind for document in stated if document.kind is not None)
            self._kinds[name] = found
        return found

    def record(self, name: str) -> str | None:
        """The id of the record, or the path of the note, that a name stands for: an alias only where it is of one."""
        if name not in self._records:
            keys = {document.key for document in self._brain.named(name)}
            alone = next(iter(keys)) if len(keys) == 1 else None
            self._records[name] = name if name in keys else alone
        return self._records[name]


def quoted(name: str) -> str:
    """A name as a noun in a message; one that is too long to be shown is told by its length."""
    return shown(name) if len(name) <= LONGEST_SHOWN else f"a name {shown(name)}"


@lru_cache(maxsize=1024)
def listed(names: frozenset[str]) -> str:
    """Names in words and in text order, as in `a`, `b` or `c`; of many the first and how many more there are."""
    stated = [quoted(name) for name in nsmallest(MOST_TOLD, names)]
    if len(names) > MOST_TOLD:
        return f"{', '.join(stated)} or {len(names) - MOST_TOLD} more"
    return " or ".join([", ".join(stated[:-1]), stated[-1]] if len(stated) > 1 else stated)
