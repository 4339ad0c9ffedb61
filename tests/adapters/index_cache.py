"""A brain and a cache for tests that damage it: what every run has to give, and what it says of the index."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.checking import faults
from kradle_ctx.adapters.index.schema import VERSION
from kradle_ctx.adapters.index.text_log import TEXT_LOG
from kradle_ctx.cli.session import assembled
from kradle_ctx.config import CACHE_VARIABLE, RequestFlags, settings_from
from kradle_ctx.render.bundle_yaml import to_yaml
from kradle_ctx.wiring import prepare
from tests.cases.command_line import environment
from tests.command_server import Answer, warm
from tests.conftest import GitBuilder
from tests.fakes import Content
from tests.pipeline import graph_record, markdown

FLAGS: tuple[dict[str, Any], ...] = (
    {"query": "depot gate"},
    {"query": "depot", "ref": "old", "mode": "graph-and-grep"},
    {"query": "gate", "select": ("term:gate",), "depth": 2},
)
QUESTIONS: tuple[tuple[str, ...], ...] = (
    ("--query", "depot gate"),
    ("--query", "depot", "--ref", "old", "--mode", "graph-and-grep"),
    ("--query", "gate", "--select", "term:gate", "--depth", "2"),
)
"""At the tip, at an older commit, and over edges and mentions."""

MOST_NOTES = 2

FILES = (folders.DATABASE, TEXT_LOG, folders.KEPT, folders.SEAL)


def files(subject: str, number: int) -> dict[str, Content]:
    """The files of a commit: records with edges, several in a file, notes with mentions, and what cannot be read."""
    found: dict[str, Content] = {
        f"notes/{subject}-{n}.md": f"# {subject.title()} {n}\n\nThe {subject} opens at {n}. See term:gate.\n"
        for n in range(6 + number)
    }
    gate = graph_record("term:gate", "Term", title=f"Gate {number}", edges={"documents": ["runbook:shut"]})
    shut = graph_record("runbook:shut", title="Shut the gate", tags=["night"], aliases=["shut"])
    found["graph/gate.yaml"] = f"---\n{gate}---\n{shut}"
    found["runbooks/open.md"] = markdown(f"Open the {subject} gate.\n", id="runbook:open", kind="Runbook")
    return found | {"broken.yaml": "nodeKind: a: b\n", "graph/é.yaml": graph_record("term:é", "Term")}


def build(target: Path, subject: str = "depot") -> Path:
    """A brain of three commits, the first of which is tagged `old`."""
    builder = GitBuilder(target)
    commits = [builder.add_commit(files(subject, n), f"2026-05-0{n + 1}T00:00:00Z") for n in range(3)]
    builder.set_tag("old", commits[0])
    return target


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache folder on a desk, and the answers without any."""

    brain: Path
    place: Path
    expected: Mapping[tuple[str, ...], Answer]
    changes: Mapping[str, str] = field(default_factory=dict)

    def ask(
        self,
        question: tuple[str, ...] = QUESTIONS[0],
        *options: str,
        prologue: str | None = None,
        limits: Mapping[str, int] | None = None,
        changes: Mapping[str, str] | None = None,
    ) -> Answer:
        """Ask with the cache."""
        values = environment({CACHE_VARIABLE: str(self.place), **self.changes, **(changes or {})})
        return warm().run(
            ("assemble", "--brain", self.brain, "--local-grant", *question, *options),
            folder=self.brain.parent,
            environment=values,
            prologue=prologue,
            limits=limits,
        )

    def right(self, answer: Answer, question: tuple[str, ...] = QUESTIONS[0]) -> list[str]:
        """What an answer says of the index, once it is known to be the one without an index."""
        expected = self.expected[question]
        assert (answer.code, answer.stdout) == (0, expected.stdout), answer.talk
        lines = answer.talk.splitlines()
        said = [line for line in lines if line not in expected.talk.splitlines()]
        assert all(line.startswith(("note: the index ", "note: an index ")) for line in said), answer.talk
        assert len(lines) - len(said) == len(expected.talk.splitlines())
        assert len(said) <= MOST_NOTES, answer.talk
        return said

    def asked(self, question: tuple[str, ...] = QUESTIONS[0], prologue: str | None = None) -> list[str]:
        """Ask, and give what is said of the index."""
        return self.right(self.ask(question, prologue=prologue), question)

    def asked_here(self, question: tuple[str, ...] = QUESTIONS[0]) -> list[str]:
        """The same in this process, which takes a third of the time."""
        flags = RequestFlags(brain=str(self.brain), local_grant=True, **FLAGS[QUESTIONS.index(question)])
        run = prepare(settings_from(flags, environment({CACHE_VARIABLE: str(self.place)}), Path("/")), discover=False)
        try:
            bundle = assembled(run, "assemble")
        finally:
            run.index_store.close()
        assert to_yaml([bundle.document]).encode() == self.expected[question].stdout
        assert len(run.index_store.notes) <= MOST_NOTES
        return list(run.index_store.notes)

    @property
    def home(self) -> Path:
        """The folder of all stores."""
        return self.place / VERSION

    @property
    def store(self) -> Path:
        """The folder of the one store."""
        (found,) = folders.store_folders(self.place)
        return found


def answers(brain: Path) -> dict[tuple[str, ...], Answer]:
    """The answers without an index."""
    nowhere = Cache(brain, brain.parent / "never made", {})
    found = {question: nowhere.ask(question, "--no-index") for question in QUESTIONS}
    assert all(answer.code == 0 and len(answer.stdout) > 3_000 for answer in found.values())
    return found


def fill(cache: Cache) -> None:
    """Ask everything, so that all commits are indexed and what can be kept is kept."""
    for question in QUESTIONS:
        assert cache.asked(question) == []
    assert {path.name for path in cache.store.iterdir()} >= {folders.DATABASE, "text.log", folders.KEPT, folders.SEAL}


def copied(cache: Cache, place: Path) -> Cache:
    """A copy of a cache, sealed as if it had been written there."""
    shutil.copytree(cache.place, place)
    found = Cache(cache.brain, place, cache.expected)
    folders.seal(found.store)
    return found


def owner_is_root() -> bool:
    """Whether this process may give files away."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def mended(cache: Cache, questions: Sequence[tuple[str, ...]] = QUESTIONS[:2]) -> None:
    """The next runs are right, say nothing, and leave stores that are whole."""
    for question in questions:
        assert cache.asked_here(question) == []
    for folder in folders.store_folders(cache.place):
        assert list(faults(folder)) == []
