"""A brain that counts what is looked up in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.adapters.surveyor import BrainSurveyor
from kradle_ctx.model.graph import Document
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.validation.brain import IndexedBrain
from tests.checks.examples import MOMENT
from tests.fakes import Content, InMemoryRepository, InMemorySearcher
from tests.pipeline import REDACTOR


class CountingBrain(IndexedBrain):
    """Counts how often names are looked up, and how many declarations that gives."""

    counts: Counter[str]

    def declaring(self, record_id: str) -> Sequence[Document]:
        """The declarations of an id."""
        return self._counted("declaring", super().declaring(record_id))

    def named(self, name: str) -> Sequence[Document]:
        """The declarations of a name."""
        return self._counted("named", super().named(name))

    def _counted(self, what: str, found: Sequence[Document]) -> Sequence[Document]:
        self.counts[what] += 1 + len(found)
        return found


def counting_brain(files: Mapping[str, Content]) -> CountingBrain:
    """A brain in memory."""
    repository = InMemoryRepository()
    commit = repository.add_commit(files, MOMENT)
    surveyor = BrainSurveyor(NoIndexStore(), InMemorySearcher(), BlobRedactor(REDACTOR))
    brain = CountingBrain(surveyor.survey(repository.snapshot(commit), "", None), datetime.fromisoformat(MOMENT))
    brain.counts = Counter()
    return brain
