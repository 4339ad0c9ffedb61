"""Whatever fuzzing once found is tried on every run of the tests; a new file in the corpus is a new test."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.fuzz.driver import CORPUS
from tests.fuzz.limits import SECONDS
from tests.fuzz.targets import TARGETS

FOUND = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


def name_of(path: Path) -> str:
    """An input's target and own name."""
    return path.relative_to(CORPUS).as_posix()


@pytest.mark.parametrize("path", FOUND, ids=name_of)
def test_what_was_found_is_found_no_more(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    begin = time.process_time()
    assert TARGETS[path.parent.name].check(path.read_bytes())
    assert time.process_time() - begin < SECONDS


def test_every_folder_of_the_corpus_belongs_to_a_target() -> None:
    assert {path.parent.name for path in FOUND} <= set(TARGETS)
