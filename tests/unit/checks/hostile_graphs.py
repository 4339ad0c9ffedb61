"""Graphs that are made to slow checks down, and a brain that counts all that is looked up in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.surveyor import BrainSurveyor
from kradle_ctx.checks import Check, Reference
from kradle_ctx.documents import Declaration
from kradle_ctx.model.graph import Document, Edge
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.validation.brain import IndexedBrain
from tests.checks.examples import MOMENT
from tests.fakes import InMemoryRepository, InMemorySearcher
from tests.pipeline import REDACTOR

Found = TypeVar("Found")

ONTOLOGY = """\
nodeKinds:
  - {name: Area, prefix: area, attributes: {near: {type: "ref<Area>"}}}
  - {name: Other, prefix: other}
edgeKinds:
  - {name: part_of, source: Area, target: Other, cardinality: "N:1", inverse: contains, requiresInverse: true}
  - {name: contains, cardinality: "1:N", inverse: part_of, requiresInverse: true}
  - {name: supersedes}
  - {name: superseded_by}
  - {name: depends_on}
"""

PER_FILE = 500
"""Documents of one file."""

KINDS = ("part_of", "contains", "supersedes", "superseded_by")


def record(number: int | str, edges: Mapping[str, Sequence[str]] | None = None, fields: str = "") -> str:
    """A record with edges."""
    stated = ", ".join(f"{kind}: [{', '.join(targets)}]" for kind, targets in (edges or {}).items())
    return f"nodeKind: Area\nid: area:{number}\nattributes: {{status: approved{fields}}}\nedges: {{{stated}}}\n"


def to_all(*targets: str) -> dict[str, Sequence[str]]:
    """Edges of every kind."""
    return dict.fromkeys(KINDS, targets)


SHAPES: Mapping[str, Callable[[int], list[str]]] = {
    "many lead to one": lambda size: [record("hub"), *(record(each, to_all("area:hub")) for each in range(size))],
    "one leads to many": lambda size: [
        record("hub", to_all(*(f"area:{each}" for each in range(size)))),
        *(record(each) for each in range(size)),
    ],
    "one leads to itself, again and again": lambda size: [record("hub", to_all(*["area:hub"] * size))],
    "one cycle": lambda size: [record(each, to_all(f"area:{(each + 1) % size}")) for each in range(size)],
    "one chain": lambda size: [record(each, to_all(f"area:{each + 1}")) for each in range(size)],
    "many small cycles": lambda size: [record(each, to_all(f"area:{each ^ 1}")) for each in range(size)],
    "one record that many extend": lambda size: [
        record("hub"),
        *(
            f"extendsNode: {{id: 'area:hub'}}\nedges: {{part_of: [area:{each}], contains: [area:hub]}}\n"
            for each in range(size)
        ),
    ],
    "one id that many declare": lambda size: [record("hub", to_all("area:hub", "area:other")) for _ in range(size)],
    "one alias that many have": lambda size: [
        record(each, to_all("everybody"), ", aliases: [everybody]") for each in range(size)
    ],
    "many that name nothing": lambda size: [record(each, fields=", near: 'area:none'") for each in range(size)],
}


class Counted(Sequence[Found]):
    """What was looked up; whoever goes through it is counted."""

    def __init__(self, found: Sequence[Found], counts: Counter[str], what: str) -> None:
        self._found = found
        self._counts = counts
        self._what = what

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Found]:
        for each in self._found:
            self._counts[self._what] += 1
            yield each

    def __getitem__(self, place: Any) -> Any:
        self._counts[self._what] += 1 if isinstance(place, int) else len(self._found[place])
        return self._found[place]


class EdgeCountingBrain(IndexedBrain):
    """Counts how often something is looked up, and how much of what was found is looked at."""

    counts: Counter[str]

    def declaring(self, record_id: str) -> Sequence[Document]:
        """The declarations of an id."""
        return self._counted("declaring", super().declaring(record_id))

    def stating(self, record_id: str) -> Sequence[Document]:
        """The documents of a record."""
        found = super().stating(record_id)
        # They are found anew each time.
        self.counts["stating"] += len(found)
        return self._counted("stating", found)

    def named(self, name: str) -> Sequence[Document]:
        """The declarations of a name."""
        return self._counted("named", super().named(name))

    def pointing(self, target: str, kinds: Collection[str] | None = None) -> Sequence[tuple[Document, Edge]]:
        """The edges that lead to an id."""
        found = super().pointing(target, kinds)
        # They are found anew each time.
        self.counts["pointing"] += len(found)
        return self._counted("pointing", found)

    def references(self, document: Document) -> Sequence[Reference]:
        """The typed attributes of a document that name records."""
        return self._counted("references", super().references(document))

    def declaration(self, document: Document) -> Declaration:
        """A document with its values."""
        self.counts["declaration"] += 1
        return super().declaration(document)

    def _counted(self, what: str, found: Sequence[Found]) -> Sequence[Found]:
        self.counts[what] += 1
        return Counted(found, self.counts, what)


def brain_of(documents: Sequence[str], *, merges: bool = False, ontology: str = ONTOLOGY) -> EdgeCountingBrain:
    """A brain in memory whose graph files hold some documents."""
    files = {"ontology/kinds.yaml": ontology}
    for start in range(0, len(documents), PER_FILE):
        files[f"graph/{start:06}.yaml"] = "---\n".join(documents[start : start + PER_FILE])
    repository = InMemoryRepository()
    commit = repository.add_commit(files, MOMENT)
    surveyor = BrainSurveyor(NoIndexStore(), InMemorySearcher(), BlobRedactor(REDACTOR))
    survey = surveyor.survey(repository.snapshot(commit), "", None)
    brain = EdgeCountingBrain(survey, datetime.fromisoformat(MOMENT), merges=merges)
    brain.counts = Counter()
    return brain


def lookups(check: Check, brain: EdgeCountingBrain) -> int:
    """How much a check looks up in a whole brain."""
    brain.counts.clear()
    if check.of_brain is not None:
        for _ in check.of_brain(brain):
            pass
    if check.of_document is not None:
        for document in brain.documents():
            for _ in check.of_document(document, brain):
                pass
    return sum(brain.counts.values())
