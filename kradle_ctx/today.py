"""The brain at the access commit: what a pin may show is judged by what stands there, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kradle_ctx.model.access import Access, Rules, sensitivity_rank
from kradle_ctx.model.graph import Document, Outline
from kradle_ctx.ports import Index

UNREADABLE = "restricted"
"""What a file counts as that cannot be read today."""


class Today:
    """The brain at the access commit, so that an old pin revives nothing that was closed since.

    It is looked at below the pin's root and below today's: a brain that moved must not look as if it were gone.
    """

    def __init__(self, indexes: Sequence[Index], access: Access) -> None:
        self._indexes = indexes
        self._rules = Rules(access)
        self._unread = [frozenset(entry.path for entry in index.skipped if not entry.read) for index in indexes]
        self._all: tuple[dict[str, str], dict[str, str]] | None = None

    @property
    def name(self) -> list[str]:
        """What it follows from."""
        return [index.name for index in self._indexes]

    def expect_all(self) -> None:
        """Hear that very many documents will be asked for: to look at all at once takes less time then."""
        by_id: dict[str, str] = {}
        by_path: dict[str, str] = {}
        for index, unread in zip(self._indexes, self._unread, strict=True):
            for outline in index.outlines():
                if outline.id is not None and not outline.extends:
                    by_id[outline.id] = stricter(by_id.get(outline.id), outline.sensitivity)
                by_path[outline.path] = stricter(by_path.get(outline.path), outline.sensitivity)
            by_path |= {path: stricter(by_path.get(path), UNREADABLE) for path in unread}
        self._all = by_id, by_path

    def sensitivity(self, document: Document | Outline) -> str | None:
        """The strictest sensitivity that the record, else the path, has today; None when it is gone.

        A note, and an addition of edges, has no id of its own: its path stands for it, so that it is judged by itself
        and not by the record it extends.
        """
        if self._all is not None:
            by_id, by_path = self._all
            own = by_id.get(document.id) if document.id is not None and not document.extends else None
            return own if own is not None else by_path.get(document.path)
        found: list[str] = []
        if document.id is not None and not document.extends:
            found = [entry.sensitivity for entry in self._declaring(document.id)]
        if not found:
            for index, unread in zip(self._indexes, self._unread, strict=True):
                found += [index.outline(number).sensitivity for number in index.at_path(document.path)]
                found += [UNREADABLE] if document.path in unread else []
        return max(found, key=sensitivity_rank, default=None)

    def holds(self, blob: str) -> bool:
        """Whether a text stands today where the reader may see it: else it could be compared with a denied one."""
        documents = (index.outline(number) for index in self._indexes for number in index.holding(blob))
        return any(self._rules.allows(each.path, each.kind, each.sensitivity) is not None for each in documents)

    def _declaring(self, record_id: str) -> Iterator[Outline]:
        for index in self._indexes:
            outlines = (index.outline(number) for number in index.named(record_id))
            yield from (outline for outline in outlines if outline.id == record_id and not outline.extends)


def stricter(first: str | None, second: str) -> str:
    """The stricter of two sensitivities, the first of which may be unknown."""
    return second if first is None else max(first, second, key=sensitivity_rank)
