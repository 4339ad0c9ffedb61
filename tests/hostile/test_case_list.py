"""The list of hostile cases: each has to be named by a test, in its name, its docstring or the id of a parameter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

CASES = {
    "A01": "ref with NUL",
    "A02": "tag or branch that shadows another ref",
    "A03": "branch named as an object id",
    "A05": "loop of symbolic refs",
    "A06": "HEAD that leads outside",
    "A07": "no commit, or a missing one",
    "A09": "path that is not UTF-8",
    "A10": "names such as `..` and `a/b` in a tree",
    "A11": "entries that stand twice in a tree",
    "A13": "names equal but for case or Unicode form",
    "A14": "names that act on a terminal, or are endless",
    "A15": "symbolic link as a blob",
    "A17": "blob that unpacks to a gibibyte",
    "A18": "tree that multiplies itself",
    "A19": "folders thousands deep",
    "A21": "object that is damaged, or lies",
    "A22": "delta on itself, pack cut short",
    "A23": "`core.worktree` elsewhere",
    "A25": "objects of another repository",
    "A26": "programs in the configuration",
    "A27": "configuration that includes itself, or foreign files",
    "A29": "repository inside another",
    "A30": "replace refs and grafts",
    "A31": "formats that are not supported",
    "A33": "pointer to large file storage",
    "A34": "branch that moves during a run",
    "A35": "attributes that would change the bytes",
    "B01": "merge keys that multiply",
    "B02": "aliases that multiply",
    "B03": "alias of itself",
    "B05": "nesting thousands deep",
    "B06": "values that a parser stumbles over",
    "B07": "key that stands twice",
    "B09": "words and numbers that mean two things",
    "B10": "keys that are not text",
    "B11": "many documents in a file",
    "B13": "bytes that are odd, or no text",
    "B14": "directives",
    "B15": "frontmatter that is never closed",
    "B17": "output that has to read back the same",
    "C01": "end of a fence",
    "C02": "fence in a fence",
    "C03": "headings and marks of a prompt",
    "C05": "characters that cannot be seen",
    "C06": "characters that turn the direction",
    "C07": "link that carries something off",
    "C09": "file that is no text",
    "D01": "flood of private keys",
    "D02": "flood of words",
    "D03": "comment that switches a scanner off",
    "D05": "secret cut in two",
    "D06": "text that was redacted before",
    "D07": "rules that overlap",
    "D09": "marker that tells of its secret",
    "D10": "rule that fails",
    "D11": "text that only looks secret",
    "E01": "markup that ends a printer",
    "E02": "markup that makes a link",
    "E03": "markup that an escape lets through",
    "E05": "code of an emoji",
    "E06": "terminal, pipe and encoding of every kind",
    "E07": "bug with a secret at hand",
    "F01": "full disk",
    "F02": "kill in the middle of a write",
    "F03": "runs at once",
    "F05": "target that is no regular file",
    "F06": "poisoned cache",
    "F07": "secrets left on the disk",
    "F09": "no home, no folder, no room",
    "F10": "odd clock",
    "F11": "odd environment",
    "F13": "options of the search program",
}
"""Sections: A repository, B YAML, C text and fences, D redaction, E terminal and messages, F files and concurrency."""

ELSEWHERE = {"F06": "it is about the index store alone, and is tested with it"}
"""Cases that no test below these folders has to name, and why."""

PARTLY_ELSEWHERE = {
    "A15": "no work tree is ever read, so a link in one cannot be followed",
    "F03": "runs that build the index at once are tested with the index store",
}
"""Cases of which a part is left out here, and why."""

FOLDERS = ("hostile", "faults", "adapters")

NUMBER = re.compile(r"(?<![A-Z0-9])[A-F][0-9]{2}(?![A-Z0-9])")

Test = Callable[..., object]


def every_test(folders: Iterable[str]) -> Iterator[Test]:
    """Every test of some folders."""
    for folder in folders:
        for file in sorted((Path(__file__).parents[1] / folder).glob("test_*.py")):
            module = import_module(f"tests.{folder}.{file.stem}")
            yield from (value for name, value in vars(module).items() if name.startswith("test_"))


def numbers_of(test: Test) -> set[str]:
    """The cases that a test names."""
    parameters = (name for mark in getattr(test, "pytestmark", ()) for name in parameter_names(mark))
    return set(NUMBER.findall(" ".join((test.__name__.upper(), test.__doc__ or "", *parameters))))


def parameter_names(mark: Any) -> list[str]:
    """The ids that `parametrize` gives its rows; none for another mark."""
    if mark.name != "parametrize":
        return []
    ids = mark.kwargs.get("ids") or str
    return [str(name) for name in (map(ids, mark.args[1]) if callable(ids) else ids)]


def test_every_case_is_named_by_a_test() -> None:
    named = set().union(*map(numbers_of, every_test(FOLDERS)))
    assert set(CASES) - named - set(ELSEWHERE) == set()


def test_what_is_left_out_is_a_case_and_says_why() -> None:
    assert CASES.keys() >= {*ELSEWHERE, *PARTLY_ELSEWHERE}
    assert not ELSEWHERE.keys() & PARTLY_ELSEWHERE.keys()
    assert all((*ELSEWHERE.values(), *PARTLY_ELSEWHERE.values()))


@pytest.mark.parametrize("row", [("A99", 1)], ids=["C97 a row"])
@pytest.mark.parametrize("word", ["B98 a word", "x"])
def test_d96_the_number_of_a_case_is_found_in_each_place(word: str, row: tuple[str, int]) -> None:
    """E95, not in U+0F94 or FA93."""
    assert word
    assert row
    this = globals()["test_d96_the_number_of_a_case_is_found_in_each_place"]
    assert numbers_of(this) == {"B98", "C97", "D96", "E95"}
