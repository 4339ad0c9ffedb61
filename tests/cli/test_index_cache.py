"""`index build`, `status`, `prune` and `verify`: what the cache folder holds, and what goes."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kradle_ctx.adapters.index.lock import writing
from kradle_ctx.adapters.index.schema import VERSION
from tests.cases.command_line import Answer
from tests.conftest import GitBuilder
from tests.pipeline import FIRST_DAY, SECOND_DAY, graph_record

Here = Callable[..., Answer]

DAY = 86400
FILES = {"graph/a.yaml": graph_record("service:web", "Service", title="Web"), "notes/a.md": "# A note\n"}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own; it is not there yet."""
    monkeypatch.setenv("KRADLE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def brain(git: Callable[..., GitBuilder]) -> GitBuilder:
    """A brain of one commit."""
    made = git("brain")
    made.add_commit(FILES, FIRST_DAY)
    return made


def aged(store: Path, days: float) -> Path:
    """Let a store have been used so long ago; a file in it says when."""
    (store / "used").touch()
    os.utime(store / "used", (time.time() - days * DAY,) * 2)
    return store


def made_store(cache: Path, number: int, days: float, size: int = 1000, version: str = VERSION) -> Path:
    """A folder that looks like a store."""
    store = cache / version / f"brain-{number:016x}"
    store.mkdir(parents=True, mode=0o700)
    (store / "index.sqlite").write_bytes(b"x" * size)
    return aged(store, days)


def names(cache: Path) -> set[str]:
    """Everything in the cache folder."""
    return {str(entry.relative_to(cache)) for entry in cache.rglob("*")}


def test_build_says_what_it_made_and_that_it_was_there(here: Here, brain: GitBuilder, cache: Path) -> None:
    first = here("index", "build", "--brain", brain.path, "--format", "json").json
    assert (first["documents"], first["files"], first["skipped"], first["built"]) == (2, 2, 0, True)
    assert first["tree"] == brain.git("rev-parse", "main^{tree}")
    assert first["commit"] == brain.git("rev-parse", "main")
    assert Path(first["store"]).parent.parent == cache
    assert first["bytes"] >= (Path(first["store"]) / "index.sqlite").stat().st_size
    again = here("index", "build", "--brain", brain.path)
    assert again.text.splitlines()[-1].split() == ["built", "already", "there"]
    assert again.talk == ""


def test_status_says_before_and_after_and_builds_nothing(here: Here, brain: GitBuilder, cache: Path) -> None:
    before = here("index", "status", "--brain", brain.path, "--format", "json").json
    assert (before["indexed"], before["others"], before["version"]) == (False, [], VERSION)
    assert not cache.exists()
    here("index", "build", "--brain", brain.path)
    old = made_store(cache, 1, 3, version="v0.1")
    after = here("index", "status", "--brain", brain.path, "--format", "json").json
    assert (after["indexed"], after["store"]["documents"], after["store"]["views"]) == (True, 2, 1)
    assert [(other["folder"], other["bytes"], other["version"]) for other in after["others"]] == [
        (str(old), 1000, "v0.1")
    ]
    brain.add_commit({**FILES, "notes/b.md": "# B\n"}, SECOND_DAY)
    assert here("index", "status", "--brain", brain.path).text.splitlines()[2] == "indexed     no"


@pytest.mark.parametrize("command", ["build", "status"])
def test_the_memory_mode_gates_what_opens_the_brain(here: Here, brain: GitBuilder, cache: Path, command: str) -> None:
    answer = here("index", command, "--brain", brain.path, "--memory-mode", "disabled", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (4, "MEMORY_MODE_FORBIDDEN")
    assert not cache.exists()


def test_without_a_brain_prune_and_verify_open_none_and_no_mode_gates_them(
    here: Here, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRADLE_MEMORY_MODE", "disabled")
    assert here("index", "prune").text == "freed 0 bytes\n"
    assert here("index", "verify").code == 0
    gated = here("index", "verify", "--brain", "absent", "--error-format", "json")
    assert (gated.code, gated.error["code"]) == (4, "MEMORY_MODE_FORBIDDEN")


def test_build_fails_where_the_cache_cannot_be_used(here: Here, brain: GitBuilder, cache: Path) -> None:
    cache.write_text("no folder")
    answer = here("index", "build", "--brain", brain.path, "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE")
    assert "the index is not used" in answer.error["message"]


def test_build_fails_where_nothing_names_a_cache(
    here: Here, brain: GitBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOME")
    answer = here("index", "build", "--brain", brain.path, "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (3, "OUTPUT_UNWRITABLE")
    assert "KRADLE_CACHE_DIR" in answer.error["hint"]


def test_prune_removes_what_is_old_and_what_another_version_made(here: Here, cache: Path) -> None:
    fresh, old = made_store(cache, 1, 1), made_store(cache, 2, 31)
    other = made_store(cache, 3, 0, version="v0.9")
    assert here("index", "prune", "--dry-run").text.splitlines()[-1] == "would free 2000 bytes"
    assert fresh.exists() and old.exists() and other.exists()
    value = here("index", "prune", "--format", "json").json
    assert {(row["folder"], row["reason"]) for row in value["removed"]} == {
        (str(old), "unused"),
        (str(other), "another version"),
    }
    assert (value["freedBytes"], value["kept"]) == (2000, [])
    assert not old.exists()
    assert not other.parent.exists()
    assert fresh.exists()


def test_prune_by_size_keeps_those_used_last(here: Here, cache: Path) -> None:
    stores = [made_store(cache, number, days) for number, days in enumerate((5, 1, 3))]
    assert here("index", "prune", "--max-bytes", "2500").code == 0
    assert [store.exists() for store in stores] == [False, True, True]
    assert here("index", "prune", "--older-than", "48h").code == 0
    assert [store.exists() for store in stores] == [False, True, False]
    assert here("index", "prune", "--all").code == 0
    assert names(cache) == set()


def test_prune_leaves_alone_what_is_no_store_or_is_being_written(here: Here, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "index.sqlite").write_text("mine")
    used, mixed = made_store(cache, 1, 99), made_store(cache, 2, 99)
    (mixed / "letter.txt").write_text("mine")
    for other in (cache / "photos" / "brain-1", cache / VERSION / "brain-short", cache / "v1.2x" / f"brain-{3:016x}"):
        other.mkdir(parents=True)
        (other / "index.sqlite").write_text("mine")
    (cache / VERSION / f"brain-{4:016x}").symlink_to(tmp_path / "elsewhere")
    with writing(used, 0):
        answer = here("index", "prune", "--all")
    assert answer.code == 0
    assert f"{used} stays: process {os.getpid()} is using it" in answer.talk
    assert f"{mixed} stays: its folder holds something that is none of its files" in answer.talk
    assert (used / "index.sqlite").exists()
    assert [entry.name for entry in mixed.iterdir()] == ["letter.txt"]
    assert {"photos/brain-1/index.sqlite", "v1.2x/brain-0000000000000003/index.sqlite"} <= names(cache)
    assert (cache / VERSION / "brain-short" / "index.sqlite").exists()
    assert (tmp_path / "elsewhere" / "index.sqlite").read_text() == "mine"


@pytest.mark.parametrize("age", ["30", "d", "-1d", "1.5d", "٣d", "999999d", "30d\n"])
def test_what_is_no_age_is_refused(here: Here, cache: Path, age: str) -> None:
    answer = here("index", "prune", f"--older-than={age}", "--error-format", "json")
    assert (answer.code, answer.error["code"]) == (2, "USAGE")


def test_verify_finds_what_was_changed_and_repair_removes_it(here: Here, brain: GitBuilder, cache: Path) -> None:
    store = Path(here("index", "build", "--brain", brain.path, "--format", "json").json["store"])
    sound = here("index", "verify")
    assert (sound.code, sound.text, sound.talk) == (0, "", "note: 1 index was checked\n")
    with sqlite3.connect(store / "index.sqlite") as connection:
        connection.execute("UPDATE documents SET sensitivity = 'public'")
    connection.close()
    damaged = here("index", "verify", "--brain", brain.path)
    assert damaged.code == 1
    assert damaged.text.startswith(f"{store}: ")
    found = json.loads(here("index", "verify", "--format", "json").text)
    assert (found["sound"], len(found["stores"][0]["faults"])) == (False, len(damaged.text.splitlines()))
    assert here("index", "verify", "--repair").code == 0
    assert here("index", "status", "--brain", brain.path, "--format", "json").json["indexed"] is False
    assert here("index", "build", "--brain", brain.path).code == 0
    assert here("index", "verify").talk == "note: 1 index was checked\n"


def test_verify_of_a_brain_looks_at_its_index_alone_and_at_what_cannot_tell(
    here: Here, brain: GitBuilder, cache: Path
) -> None:
    here("index", "build", "--brain", brain.path)
    other = GitBuilder(brain.path.parent / "other")
    other.add_commit({"notes/z.md": "# Z\n"}, FIRST_DAY)
    here("index", "build", "--brain", other.path)
    assert here("index", "verify").talk == "note: 2 indexes were checked\n"
    assert here("index", "verify", "--brain", other.path).talk == "note: 1 index was checked\n"
    broken = made_store(cache, 9, 0)
    answer = here("index", "verify", "--brain", other.path)
    assert (answer.code, answer.text.split(": ")[0]) == (1, str(broken))


def test_verify_says_which_index_it_could_not_look_at(here: Here, brain: GitBuilder, cache: Path) -> None:
    store = Path(here("index", "build", "--brain", brain.path, "--format", "json").json["store"])
    with writing(store, 0):
        answer = here("index", "verify")
    assert answer.code == 0
    assert f"{store} was not checked: process {os.getpid()} is using it" in answer.talk
