"""Make a synthetic brain: a Git repository of as many files as you like, the same one for the same arguments.

    python bench/generate.py FOLDER --files 3000 --seed 1

Of ten files six are YAML graph records, two are Markdown records and two are notes. A file has about 1.5 KB and four
edges; a few records are hubs. Words follow Zipf's law, and two of them are planted: RARE stands in seven files, MEDIUM
in one of a hundred. The tag `base` names the first commit, which holds all files; the second one, on `main`, changes
ten of them: eight get new text, one arrives and one goes. Nothing is checked out.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from textwrap import fill, indent
from typing import IO

RARE, MEDIUM = "zephyrantine", "lumivector"
RARE_FILES, MEDIUM_SHARE = 7, 0.01

SEED = 1
VOCABULARY = 30_000
ZIPF_EXPONENT = 1.05
FUNCTION_WORDS = "the of and to in is for on with as by it that be are this from at or was not will can".split()
STARTS = "b bl c ch d f fr g h k l m n pl pr qu r s sk st t tr v w".split()
VOWELS = "a e i o ai ea oo".split()
ENDS = ["", "", "l", "m", "n", "r", "s", "t", "nd", "rt"]
NAME_RANKS = slice(100, 8_000)
"""Names are made of words that are neither the most frequent nor rare."""


FORMS = ("graph",) * 6 + ("markdown",) * 2 + ("note",) * 2
KINDS = {
    "graph": "Service Component Interface Dataset Person Team Customer Contract Project Vendor".split(),
    "markdown": "Decision Policy Runbook Incident".split(),
    "note": ["Note"],
}
EDGE_KINDS = "depends_on owned_by part_of implements documents supersedes consumes governed_by related_to".split()
STATUSES = "approved active draft proposed deprecated".split()

MEAN_BYTES = 1500
MARKUP_BYTES = 480
"""Bytes of a file that are no prose, in the mean."""

SIZE_SPREAD = 0.6
"""Sigma of the log-normal sizes."""

MEAN_EDGES, MOST_EDGES = 4.0, 24
NEIGHBOURHOOD = 200
"""How many places away a near target is at most."""

FIRST_DATE, SECOND_DATE = 1_760_000_000, 1_760_086_400
AUTHOR = "Synthetic Brain <brain@example.invalid>"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file stands and what it is called: `form` is graph, markdown or note."""

    form: str
    kind: str
    name: str
    path: str


class Language:
    """Made-up words, the frequent ones first, drawn by Zipf's law."""

    def __init__(self, random: Random) -> None:
        self._random = random
        words = dict.fromkeys(FUNCTION_WORDS)
        while len(words) < VOCABULARY:
            words["".join(self._syllable() for _ in range(2 + (len(words) > 3000)))] = None
        self._words = list(words)
        self._weights = list(accumulate(rank**-ZIPF_EXPONENT for rank in range(1, VOCABULARY + 1)))

    def _syllable(self) -> str:
        return "".join(self._random.choice(part) for part in (STARTS, VOWELS, ENDS))

    @property
    def vocabulary(self) -> list[str]:
        """All words, the most frequent ones first."""
        return list(self._words)

    def words(self, count: int) -> list[str]:
        """So many words."""
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def name(self) -> str:
        """Two words for an id and a path."""
        return "-".join(self._random.choices(self._words[NAME_RANKS], k=2))

    def prose(self, size: float) -> str:
        """Sentences of about `size` characters in all, at least one."""
        sentences: list[str] = []
        written = 0
        while written < size or not sentences:
            sentences.append(" ".join(self.words(self._random.randint(7, 18))).capitalize() + ".")
            written += len(sentences[-1]) + 1
        return " ".join(sentences)


class Brain:
    """The files of a brain, by number."""

    def __init__(self, files: int, seed: int) -> None:
        self._random = Random(seed)
        self._language = Language(self._random)
        self._rare = {files * (2 * part + 1) // (2 * RARE_FILES) for part in range(RARE_FILES)}
        self._places = [self._place(number) for number in range(files)]

    def _place(self, number: int) -> Place:
        form = FORMS[number % len(FORMS)]
        kind = self._random.choice(KINDS[form])
        name = f"{self._language.name()}-{number}"
        path = f"{form}/{kind.lower()}/{number // 500:03d}/{name}{'.yaml' if form == 'graph' else '.md'}"
        return Place(form, kind, f"{kind.lower()}:{name}", path)

    def path(self, number: int) -> str:
        """The path of a file."""
        return self._places[number].path

    def text(self, number: int) -> str:
        """The text of a file; asked again, it is another text of the same record."""
        place = self._places[number]
        edges = [(self._random.choice(EDGE_KINDS), self._target(number)) for _ in range(self._edge_count())]
        writers: dict[str, Callable[[Place, str, list[tuple[str, str]]], str]] = {
            "graph": self._graph,
            "markdown": self._markdown,
            "note": self._note,
        }
        return writers[place.form](place, self._prose(number), sorted(edges))

    def _prose(self, number: int) -> str:
        spread = self._random.lognormvariate(-(SIZE_SPREAD**2) / 2, SIZE_SPREAD)
        prose = self._language.prose((MEAN_BYTES - MARKUP_BYTES) * spread)
        planted = [RARE] * (number in self._rare) + [MEDIUM] * (self._random.random() < MEDIUM_SHARE)
        return " ".join([prose, *(f"See {word}." for word in planted)])

    def _edge_count(self) -> int:
        return min(MOST_EDGES, int(self._random.expovariate(1 / (MEAN_EDGES + 0.5))))

    def _target(self, number: int) -> str:
        """Half of the targets are near, two in five anywhere, and the rest hubs: the lower the number, the larger."""
        count = len(self._places)
        draw = self._random.random()
        if draw < 0.5:
            reached = number + self._random.randint(-NEIGHBOURHOOD, NEIGHBOURHOOD)
        elif draw < 0.9:
            reached = self._random.randrange(count)
        else:
            reached = int(count ** self._random.random())
        return self._places[reached % count].name

    def _graph(self, place: Place, prose: str, edges: list[tuple[str, str]]) -> str:
        lines = [f"nodeKind: {place.kind}", f"id: {place.name}", "attributes:"]
        lines += [f"  {line}" for line in self._attributes()]
        lines += ["  description: |", indent(fill(prose, 92), "    ")]
        lines += ["edges:"] * bool(edges)
        for kind in dict.fromkeys(kind for kind, _ in edges):
            lines.append(f"  {kind}:")
            lines += [f"    - target: {target}" for other, target in edges if other == kind]
        return "\n".join(lines) + "\n"

    def _markdown(self, place: Place, prose: str, edges: list[tuple[str, str]]) -> str:
        lines = ["---", f"id: {place.name}", f"kind: {place.kind}", *self._attributes()]
        lines += ["related:"] * bool(edges)
        lines += [f"  - kind: {kind}\n    target: {target}" for kind, target in edges]
        return "\n".join([*lines, "---", "", f"# {self._title()}", "", fill(prose, 92)]) + "\n"

    def _note(self, place: Place, prose: str, edges: list[tuple[str, str]]) -> str:
        links = "\n".join(f"- see [[{target}]]" for _, target in edges)
        return f"# {self._title()}\n\n{fill(prose, 92)}\n\n{links}\n"

    def _attributes(self) -> Iterator[str]:
        random = self._random
        yield f'title: "{self._title()}"'
        yield f"status: {random.choice(STATUSES)}"
        yield f'updatedAt: "202{random.randint(1, 5)}-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"'
        yield f"confidence: {random.random():.2f}"
        yield f"tags: [{', '.join(self._language.words(3))}]"

    def _title(self) -> str:
        return " ".join(self._language.words(4)).title()


def changes(brain: Brain, files: int, edits: int) -> Iterator[tuple[str, str | None]]:
    """The second commit: of each ten changes eight are new texts, one is a new file and one a removal (text None)."""
    for edit in range(edits):
        number = files * edit // edits
        if edit % 10 == 8:
            yield f"note/added/arrived-{edit}.md", brain.text(number)
        else:
            yield brain.path(number), brain.text(number) if edit % 10 != 9 else None


def write_commit(stream: IO[bytes], date: int, message: str, files: Iterable[tuple[str, str | None]]) -> None:
    """Write one commit on main in the language of `git fast-import`; a text of None removes the file."""
    said = f"{message}\n".encode()
    stream.write(f"commit refs/heads/main\ncommitter {AUTHOR} {date} +0000\ndata {len(said)}\n".encode() + said)
    for path, text in files:
        if text is None:
            stream.write(f"D {path}\n".encode())
        else:
            data = text.encode()
            stream.write(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")


def make(folder: Path, files: int, seed: int = SEED, edits: int = 10) -> None:
    """Make the repository; the folder must not exist, or be empty."""
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty")
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(folder)], check=True)
    command = ["git", "-C", str(folder), "fast-import", "--quiet", "--date-format=raw"]
    brain = Brain(files, seed)
    with subprocess.Popen(command, stdin=subprocess.PIPE) as importer:
        assert importer.stdin is not None
        everything = ((brain.path(number), brain.text(number)) for number in range(files))
        write_commit(importer.stdin, FIRST_DATE, f"Hold {files} files", everything)
        importer.stdin.write(b"reset refs/tags/base\nfrom refs/heads/main\n\n")
        write_commit(importer.stdin, SECOND_DATE, f"Change {edits} files", changes(brain, files, edits))
    if importer.returncode:
        raise SystemExit(f"git fast-import failed with exit code {importer.returncode}")


def main() -> None:
    """Read the arguments and make the brain."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--edits", type=int, default=10)
    given = parser.parse_args()
    if given.files < 100 or not 0 <= given.edits <= given.files // 2:
        parser.error("--files must be at least 100, and --edits at most half of that")
    make(given.folder, given.files, given.seed, given.edits)


if __name__ == "__main__":
    main()
