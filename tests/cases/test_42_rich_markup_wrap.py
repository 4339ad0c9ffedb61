"""Text from the brain is never markup, and machine output is never wrapped (rich #2636, #501, prefect #20947)."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.command_line import COMMAND, TIME_LIMIT, environment
from tests.cases.place import Place, places, skipped

MARKUP = "[red]Alert[/red] [/] closing [/bold] [link=http://example.invalid]x[/link] [1] :smile:"
LONG = "fulmar-" + "long word " * 40 + "x" * 300
ASKED = ("--query", "fulmar")
SETTINGS = ({"COLUMNS": "40"}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}, {"TERM": "dumb"})


def build(folder: Path, root: str) -> None:
    """Markup in a title, a path and an id, and a title longer than any line."""
    brain = BrainBuilder.create(folder, root)
    brain.page("runbooks/a[/b].md", "runbook:markup", MARKUP, "fulmar [bold]body[/bold]")
    brain.page("runbooks/long.md", "runbook:long", LONG, "fulmar")
    brain.write("runbooks/bad.md", '---\nid: runbook:bad[/]\nkind: Runbook\ntitle: "unclosed [/green]\n---\nfulmar\n')
    brain.commit("markup", 1)


def on_terminal(place: Place, *arguments: str, talk: bool, columns: int) -> str:
    """What a command prints on a terminal, its line ends as the terminal makes them; `talk` puts stderr there too."""
    command, *rest = arguments
    master, terminal = pty.openpty()
    changes = {"TERM": "xterm-256color", "COLUMNS": str(columns)}
    with subprocess.Popen(
        [*COMMAND, command, "--brain", str(place.folder), *rest],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal if talk else subprocess.DEVNULL,
        env=environment(changes),
    ) as process:
        os.close(terminal)
        shown = read_to_end(master)
        assert process.wait(TIME_LIMIT) == 0
    os.close(master)
    return shown.decode()


def read_to_end(master: int) -> bytes:
    """Everything that comes out of a terminal until its other side is closed."""
    shown = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # how Linux says that nobody has the other side open
            return shown
        if not part:
            return shown
        shown += part


def test_titles_ids_and_paths_come_out_as_they_are(place: Place) -> None:
    memory = place.run("assemble", "--local-grant", *ASKED).bundle["spec"]["memory"]
    sources = {source["id"]: source for source in memory["sources"]}

    assert sources["runbook:markup"]["title"] == MARKUP
    assert sources["runbook:markup"]["path"] == "runbooks/a[/b].md"
    assert "fulmar [bold]body[/bold]\n" in sources["runbook:markup"]["content"]
    assert sources["runbook:long"]["title"] == LONG


def test_machine_output_is_the_same_whatever_terminal_is_claimed(place: Place) -> None:
    asked = ("assemble", "--local-grant", *ASKED)
    expected = place.run(*asked)

    assert "x" * 300 in expected.text and MARKUP in expected.text and "\x1b" not in expected.text
    for changes in place.sweep(SETTINGS):
        assert place.run(*asked, changes=changes).stdout == expected.stdout, changes


def test_the_bundle_on_a_terminal_is_the_same_but_for_line_ends(place: Place) -> None:
    expected = place.run("assemble", "--local-grant", *ASKED)
    shown = on_terminal(place, "assemble", "--local-grant", *ASKED, talk=False, columns=40)

    assert shown.replace("\r\n", "\n") == expected.text


def test_a_person_at_a_terminal_sees_brackets_and_colons_as_they_are(place: Place) -> None:
    shown = on_terminal(place, "preview", *ASKED, talk=True, columns=200)

    assert MARKUP in shown and "fulmar [bold]body[/bold]" in shown
    assert "runbooks/a[/b].md" in shown and "runbooks/bad.md" in shown
    assert "\U0001f604" not in shown and "\x1b]8;" not in shown


def test_a_narrow_terminal_loses_nothing_but_the_line(place: Place) -> None:
    shown = on_terminal(place, "assemble", "--local-grant", *ASKED, talk=True, columns=40)

    assert "title: " + MARKUP in shown or f'title: "{MARKUP}"' in shown
    assert "a[/b].md" in "".join(shown.split())
    assert "MarkupError" not in shown


def test_the_preview_in_a_pipe_needs_no_terminal(place: Place) -> None:
    answer = place.run("preview", *ASKED, changes={"COLUMNS": "40"})

    assert answer.code == 0
    assert MARKUP in answer.text and "runbooks/a[/b].md" in answer.text


def test_the_file_that_does_not_parse_is_listed_by_its_path(place: Place) -> None:
    found = skipped(place.run("assemble", "--local-grant", *ASKED).bundle["spec"]["memory"])

    assert [path.partition(":")[0] for path in found] == ["runbooks/bad.md"]
    assert "green" not in "".join(found.values())


def test_a_finding_of_the_file_that_does_not_parse_is_whole_in_a_narrow_terminal(place: Place) -> None:
    assert places(place.validate()) == ["KB003 runbooks/bad.md:5"]
    shown = place.run("validate", changes={"COLUMNS": "40", "FORCE_COLOR": "1"}).text
    assert place.in_repository("runbooks/bad.md:5:") in shown and "\x1b]8;" not in shown
    assert "MarkupError" not in shown
