"""Equal questions give equal bytes, whatever the hash seed, the locale and the CPUs (ripgrep #636, networkx #1181).

`EVERY_LAYOUT=1`, which `make conformance` sets, takes ten hash seeds instead of five.
"""

from __future__ import annotations

import os
import shutil
from itertools import pairwise
from pathlib import Path

from tests.cases.brain_builder import BrainBuilder, targets
from tests.cases.command_line import Answer
from tests.cases.place import THOROUGH, Place, ids

SEEDS = 10 if THOROUGH in os.environ else 5
PAGES, HUBS, SHOWN, DEPTH = 240, 40, 10, 3


def build(folder: Path, root: str) -> None:
    """Pages that score alike, and a graph full of cycles."""
    brain = BrainBuilder.create(folder, root)
    for number in range(PAGES):
        path = f"runbooks/d{number % 12}/r{number}.md"
        brain.page(path, f"runbook:r{number}", "Same title", "narwhal identical body")
    for number in range(HUBS):
        edges = targets("depends_on", *(f"service:s{target}" for target in next_hubs(number)))
        brain.record("Service", f"service:s{number}", f"Hub {number}", edges)
    brain.commit("ties", 2)


def next_hubs(number: int) -> tuple[int, int]:
    """The two hubs that a hub depends on."""
    return (number + 1) % HUBS, (number * 7 + 3) % HUBS


QUESTIONS = {
    "ties": ("--query", "narwhal", "--max-records", str(SHOWN)),
    "cycles": ("--service", "service:s0", "--mode", "graph-only", "--depth", str(DEPTH)),
}


def runs(place: Place, question: str) -> list[Answer]:
    """The same command over hash seeds, two locales, and one CPU or all; each process answers both questions."""
    answers = []
    for seed in place.sweep(range(SEEDS)):
        changes = {"PYTHONHASHSEED": str(seed), "LC_ALL": ("C", "C.UTF-8")[seed % 2]}
        pinned = seed % 3 == 1 and shutil.which("taskset") is not None
        prefix = ("taskset", "-c", "0") if pinned else ()
        with place.line.process(changes, prefix):
            found = {
                name: place.run("assemble", "--local-grant", *asked, changes=changes, prefix=prefix)
                for name, asked in QUESTIONS.items()
            }
        answers.append(found[question])
    return answers


def test_a_cut_among_ties_gives_one_digest(place: Place) -> None:
    answers = runs(place, "ties")
    bundle = answers[0].bundle

    assert {answer.stdout for answer in answers} == {answers[0].stdout}
    assert bundle["status"]["digest"].startswith("sha256:")
    assert len(bundle["spec"]["memory"]["sources"]) == SHOWN
    assert bundle["spec"]["memory"]["omitted"]["count"] == PAGES - SHOWN


def test_a_limit_on_matches_leaves_out_as_many(place: Place) -> None:
    answer = place.ask("--query", "narwhal", "--max-matches", str(SHOWN))

    assert len(answer["sources"]) == SHOWN
    assert answer["omitted"]["count"] == PAGES - SHOWN
    assert answer["omitted"]["reasons"] == {"over-max-matches": PAGES - SHOWN}


def test_equal_scores_are_ordered_by_the_bytes_of_their_paths(place: Place) -> None:
    sources = place.ask("--query", "narwhal", "--max-matches", "60", "--max-records", "60")["sources"]
    equal = [(before, after) for before, after in pairwise(sources) if before["why"]["score"] == after["why"]["score"]]

    assert len(equal) > SHOWN
    for before, after in equal:
        assert before["path"].encode() < after["path"].encode()


def test_a_traversal_of_cycles_gives_one_digest_and_reaches_what_is_near(place: Place) -> None:
    answers = runs(place, "cycles")
    reached = ids(answers[0].bundle["spec"]["memory"])

    assert {answer.stdout for answer in answers} == {answers[0].stdout}
    assert sorted(reached) == sorted(f"service:s{number}" for number in near(0, DEPTH))


def near(start: int, depth: int) -> set[int]:
    """The hubs within some edges of one, edges followed both ways."""
    found = {start}
    for _ in range(depth):
        ahead = {target for number in found for target in next_hubs(number)}
        behind = {number for number in range(HUBS) if found & set(next_hubs(number))}
        found |= ahead | behind
    return found
