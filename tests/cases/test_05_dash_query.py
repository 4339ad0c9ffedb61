"""Text that looks like an option stays text, and runs nothing (pi #4018, obsidian-web-mcp #51, git-mcp-server #53)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place, paths


def build(folder: Path, root: str) -> None:
    """A program that leaves a mark when it is run, and a note with the options that would run it."""
    brain = BrainBuilder.create(folder, root)
    program = folder / "evil.sh"
    brain.place("", "evil.sh", f'#!/bin/sh\ntouch "{folder}/PWNED"\ncat "$1"\n')
    program.chmod(0o755)
    note = f"use rg --pre={program} only in a sandbox\npass --files to list; -e sets a pattern\n"
    brain.write("notes/flags.md", note)
    brain.commit("flags", 2)


def trick_texts(place: Place) -> list[str]:
    """Options of the programs that a careless tool would hand the text to."""
    return [f"--pre={place.folder}/evil.sh", "--files", "-e", "-", f"--output={place.folder}/X"]


def assert_nothing_ran(place: Place) -> None:
    """No mark of the program, no output file."""
    assert not (place.folder / "PWNED").exists()
    assert not (place.folder / "X").exists()


def test_an_option_as_the_query_finds_the_note_that_holds_it(place: Place) -> None:
    for query in trick_texts(place)[:3]:
        assert paths(place.ask("--query", query)) == ["notes/flags.md"]
    assert paths(place.ask("--query", trick_texts(place)[0], "--mode", "grep-only")) == ["notes/flags.md"]
    assert_nothing_ran(place)


def test_a_lone_dash_is_looked_for_as_it_is(place: Place) -> None:
    assert "notes/flags.md" in paths(place.ask("--query", "-"))
    assert_nothing_ran(place)


def test_an_option_as_a_regular_expression_runs_nothing(place: Place) -> None:
    assert paths(place.ask("--regex", f"--query=--pre={place.folder}/evil.sh")) == ["notes/flags.md"]
    assert_nothing_ran(place)


def test_an_option_as_a_ref_is_an_unknown_ref(place: Place) -> None:
    for ref in place.sweep(trick_texts(place)):
        code, error = place.refuse("query", "--query", "flags", f"--ref={ref}")
        assert (code, error["code"]) == (3, "MEMORY_REF_UNRESOLVED")
    assert_nothing_ran(place)


def test_options_as_path_filters_fit_no_path(place: Place) -> None:
    includes = [f"--include={text}" for text in trick_texts(place)]
    others = [f"--{name}={text}" for name in ("exclude", "path") for text in trick_texts(place)]

    assert place.ask("--query", "sandbox", *includes)["sources"] == []
    assert paths(place.ask("--query", "sandbox", *others)) == ["notes/flags.md"]
    assert_nothing_ran(place)


def test_an_option_as_an_item_is_an_absent_item(place: Place) -> None:
    for text in trick_texts(place)[::4]:
        code, error = place.refuse("query", f"--select={text}")
        assert (code, error["code"]) == (1, "MEMORY_ITEM_UNAVAILABLE")
    assert_nothing_ran(place)
