"""One bad file takes only itself, and is named (gbrain #4543, basic-memory #368, #1188)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place, ids, paths, places, skipped

LEAKS = {
    "star": "title: *Italic title*",
    "link": "title: Links\nsee: [[Other note]] and more",
    "colon": "title: path C:\\tools: fast",
    "tab": "title: Tabbed\nx:\n\t- tab",
    "tagobj": 'title: !!python/object/apply:os.system ["touch PWNED"]',
}
"""Markdown in frontmatter, and a tag that runs a program in a careless reader."""

BAD_LINES = ["colon.md:7", "link.md:8", "star.md:7", "tab.md:9", "tagobj.md:7"]


def build(folder: Path, root: str) -> None:
    """A good page among five whose frontmatter does not parse."""
    brain = BrainBuilder.create(folder, root)
    brain.page("runbooks/good.md", "runbook:good", "Good", "bittern procedure")
    for name, leak in LEAKS.items():
        stated = f"id: runbook:{name}\nkind: Runbook\nstatus: approved\nowners: [team:core]\n"
        dated = f'updatedAt: "2026-05-01T00:00:00Z"\n{leak}\n'
        brain.write(f"runbooks/{name}.md", f"---\n{stated}{dated}---\n\nbittern body\n")
    brain.commit("markdown leaks", 2)


def test_files_that_do_not_parse_are_withheld_as_restricted_and_the_good_one_is_served(place: Place) -> None:
    answer = place.ask("--query", "bittern")

    assert ids(answer) == ["runbook:good"]
    assert paths(answer) == ["runbooks/good.md"]
    assert place.refuse("read", "runbook:star")[0] == 1


def test_files_that_do_not_parse_are_plain_text_for_who_may_see_them(place: Place) -> None:
    answer = place.ask_as_trusted("--query", "bittern")
    bad = [source for source in answer["sources"] if source["path"] != "runbooks/good.md"]

    assert ids(answer) == ["runbook:good"]
    assert sorted(source["path"] for source in bad) == sorted(f"runbooks/{name}.md" for name in LEAKS)
    for source in bad:
        assert not source.keys() & {"id", "nodeKind", "status", "owners"}
        assert source["why"]["approved"] is False


def test_files_that_do_not_parse_are_listed_by_path_and_for_who_may_see_them_with_the_line(place: Place) -> None:
    listed = skipped(place.ask("--query", "bittern"))
    assert listed == {
        f"runbooks/{line.partition(':')[0]}": "invalid frontmatter, so it counts as restricted" for line in BAD_LINES
    }

    found = skipped(place.ask_as_trusted("--query", "bittern"))
    assert sorted(found) == [f"runbooks/{line}" for line in BAD_LINES]
    assert not [reason for reason in found.values() if "PWNED" in reason or "Italic" in reason]


def test_no_program_is_run_from_a_tag(place: Place) -> None:
    place.ask("--query", "bittern")

    assert not list(place.folder.rglob("PWNED"))
    assert not list(place.line.desk.iterdir())


def test_validation_finds_each_bad_file_at_its_line_and_nothing_else(place: Place) -> None:
    assert places(place.validate()) == [f"KB003 runbooks/{line}" for line in BAD_LINES]
