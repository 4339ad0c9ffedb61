"""Nothing is read from stdin, whatever stands there (ripgrep #2056, #2929, #2582)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.command_line import COMMAND, environment
from tests.cases.place import Place, paths

NORMAL_TIME = 10


def build(folder: Path, root: str) -> None:
    """One page."""
    brain = BrainBuilder.create(folder, root)
    brain.page("runbooks/x.md", "runbook:x", "Gecko", "gecko restart")
    brain.commit("stdin", 2)


def in_shell(place: Place, script: str) -> bytes:
    """What a shell script prints in which `"$@"` is the query."""
    query = (*COMMAND, "query", "--brain", str(place.folder), "--query", "gecko", "--format", "json")
    command = ["sh", "-c", script, "sh", *query]
    done = subprocess.run(command, capture_output=True, env=environment(), timeout=NORMAL_TIME, check=True)
    return done.stdout


def test_the_answer_is_the_same_for_every_kind_of_stdin(place: Place) -> None:
    expected = place.run("query", "--query", "gecko", "--format", "json")

    assert paths(expected.json) == ["runbooks/x.md"]
    assert in_shell(place, 'exec "$@" < /dev/null') == expected.stdout
    assert in_shell(place, 'exec "$@" <&-') == expected.stdout
    assert in_shell(place, 'out=$("$@"); printf "%s\\n" "$out"') == expected.stdout


def test_an_open_pipe_that_never_speaks_is_not_waited_for(place: Place) -> None:
    expected = place.run("query", "--query", "gecko", "--format", "json")
    silent, mouth = os.pipe()

    try:
        command = (*COMMAND, "query", "--brain", str(place.folder), "--query", "gecko", "--format", "json")
        done = subprocess.run(
            command, stdin=silent, capture_output=True, env=environment(), timeout=NORMAL_TIME, check=True
        )
    finally:
        os.close(mouth)
        os.close(silent)

    assert done.stdout == expected.stdout
