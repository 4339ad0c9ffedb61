"""What stands in the place of a record that is superseded."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from kradle_ctx.model.graph import APPROVED_STATUSES, RETIRED_STATUSES
from kradle_ctx.view import View

SUPERSEDES = "supersedes"

CHAIN_LIMIT = 64
"""Records that are looked at along a chain of supersession; an honest one is far shorter."""


class Replacements:
    """Finds, for records of a view, the approved ones that supersede them."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._known: dict[str, str | None] = {}

    def expect(self, record_ids: Iterable[str]) -> None:
        """Look up together what supersedes some records, and what supersedes that; nothing does most of them."""
        asked = [record_id for record_id in record_ids if record_id not in self._known]
        superseded = self._view.with_incoming(dict.fromkeys(asked), SUPERSEDES)
        self._known |= dict.fromkeys(set(asked).difference(superseded))
        superseding = dict.fromkeys(source for record_id in superseded for source in self._sources(record_id))
        self._view.expect(superseding)
        self._view.with_incoming(superseding, SUPERSEDES)

    def of(self, record_id: str) -> str | None:
        """The approved record of the view that supersedes the given one, over any retired ones between them.

        None within a cycle of supersession, where no record can be called current.
        """
        if record_id not in self._known:
            self._known[record_id] = self._find(record_id)
        return self._known[record_id]

    def _find(self, record_id: str) -> str | None:
        seen, pending = {record_id}, [record_id]
        behind = Behind(self._view)
        while pending and len(seen) <= CHAIN_LIMIT:
            replaced = pending.pop(0)
            sources = self._sources(replaced)
            if sources:
                behind.begin(replaced)
            for source in sources:
                # What nothing supersedes is behind nothing.
                if source in seen or (self._sources(source) and source in behind.records()):
                    continue
                if self._has_status(source, APPROVED_STATUSES):
                    return source
                seen.add(source)
                if self._has_status(source, RETIRED_STATUSES):
                    pending.append(source)
        return None

    def _sources(self, record_id: str) -> Sequence[str]:
        return sorted(edge.source for edge in self._view.incoming(record_id, SUPERSEDES))

    def _has_status(self, record_id: str, statuses: Container[str | None]) -> bool:
        return any(self._view.outline(number).status in statuses for number in self._view.records(record_id))


class Behind:
    """What some records supersede, themselves or over others; followed only where it is asked for."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._waiting: list[str] = []
        self._found: set[str] = set()

    def begin(self, record_id: str) -> None:
        """Go on from another record."""
        self._waiting.append(record_id)

    def records(self) -> set[str]:
        """All that is behind, up to the limit of a chain."""
        while self._waiting and len(self._found) <= CHAIN_LIMIT:
            stated = self._view.outgoing(self._waiting.pop(0))
            targets = {edge.target for edge in stated if edge.kind == SUPERSEDES}
            self._waiting.extend(sorted(targets - self._found))
            self._found |= targets
        return self._found
