"""The edges that lead to a name, by their kinds: the same however they are looked up, and looked up a few times."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kradle_ctx.model.graph import Edge
from kradle_ctx.validation.incoming import MOST_ASKED, Incoming
from tests.unit.checks.hostile_graphs import brain_of, record

KINDS = [f"kind_{number:02}" for number in range(3 * MOST_ASKED)]

BACKWARD = {kind: ["area:hub"] for kind in reversed(KINDS)}


class CountingIndex:
    """An index of which only the edges are looked up, each time anew."""

    def __init__(self, *documents: str) -> None:
        self._index = brain_of([*documents])._index
        self.counts: Counter[str | None] = Counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def incoming(self, target: str, kind: str | None = None) -> Any:
        self.counts[kind] += 1
        return self._index.incoming(target, kind)


def index() -> Any:
    """Two records with edges of every kind to a third, which are stated against the order of their names."""
    return CountingIndex(record("hub"), record("a", BACKWARD), record("b", BACKWARD))


def test_very_many_kinds_are_looked_up_a_few_times() -> None:
    counted = index()
    incoming = Incoming(counted)

    for kind in KINDS:
        assert [edge for _, edge in incoming.towards("area:hub", [kind])] == [
            Edge("area:a", kind, "area:hub"),
            Edge("area:b", kind, "area:hub"),
        ]

    assert counted.counts == {**dict.fromkeys(KINDS[:MOST_ASKED], 1), None: 1}


def test_they_come_by_document_and_kind_whether_looked_up_one_by_one_or_together() -> None:
    few, many = Incoming(index()), Incoming(index())
    many.towards("area:hub", KINDS)
    wanted = {KINDS[5], KINDS[2]}

    found = few.towards("area:hub", wanted)

    assert found == many.towards("area:hub", wanted)
    assert [(number, edge.source, edge.kind) for number, edge in found] == [
        (1, "area:a", KINDS[2]),
        (1, "area:a", KINDS[5]),
        (2, "area:b", KINDS[2]),
        (2, "area:b", KINDS[5]),
    ]


def test_of_no_kind_there_is_none() -> None:
    assert Incoming(index()).towards("area:hub", ()) == []
