"""The edges of some kinds that lead to a name, without the documents that state the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from kradle_ctx.model.graph import Edge
from kradle_ctx.ports import Index

MOST_ASKED = 8
"""Kinds by which the edges towards one name are looked up one after the other; then they are all taken at once."""

Numbered = tuple[int, Edge]
"""An edge, and the number of the document that states it."""


class Incoming:
    """The edges of an index by where they lead and by their kinds.

    A name with edges of very many kinds is looked up a few times all the same.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._asked: Counter[str] = Counter()
        self._by_kind: dict[str, Mapping[str, Sequence[Numbered]]] = {}

    def expect(self, names: Collection[str], kinds: Collection[str]) -> Iterator[int]:
        """Look up together what leads to some names; the numbers of the documents that state it."""
        for kind in kinds if len(kinds) <= MOST_ASKED else ():
            for name in self._index.with_incoming(names, kind):
                yield from (number for number, _ in self._index.incoming(name, kind))

    def towards(self, name: str, kinds: Collection[str]) -> Sequence[Numbered]:
        """The edges of some kinds that lead to a name, by document and kind."""
        self._asked[name] += len(kinds)
        lookup = self._one_kind if self._asked[name] <= MOST_ASKED else self._one_of_all
        found = (stated for kind in sorted(kinds) for stated in lookup(name, kind))
        return sorted(found, key=itemgetter(0))

    def _one_kind(self, name: str, kind: str) -> Iterable[Numbered]:
        return self._index.incoming(name, kind)

    def _one_of_all(self, name: str, kind: str) -> Iterable[Numbered]:
        if name not in self._by_kind:
            by_kind: dict[str, list[Numbered]] = defaultdict(list)
            for stated in self._index.incoming(name):
                by_kind[stated[1].kind].append(stated)
            self._by_kind[name] = dict(by_kind)
        return self._by_kind[name].get(kind, ())
