"""Lines end at LF alone, and a line need not be UTF-8 (ripgrepy #34, vulpea #434, ripgrep #2785)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place

LATIN = b"heading\nosprey caf\xe9 budget\n"
SEPARATORS = "one\nosprey\u2028split\u0085here\x0bok\nosprey again\n".encode()
BREAKS = "\u2028\u2029\u0085\x0b\x0c\x1c\r"


def build(folder: Path, root: str) -> None:
    """A note in Latin-1, one with other characters that some call line breaks, and a long one full of them."""
    brain = BrainBuilder.create(folder, root)
    brain.write("notes/latin1.md", LATIN)
    brain.write("notes/separators.md", SEPARATORS)
    lines = [f"line {number} {BREAKS}filler\n" for number in range(1, 2001)]
    lines[1233] = f"harrier{BREAKS}here\n"
    brain.write("notes/long.md", "".join(lines))
    brain.commit("bytes", 2)


def test_every_line_is_found_with_the_line_numbers_of_git(place: Place) -> None:
    sources = {source["path"]: source for source in place.ask("--query", "osprey", "--context", "0")["sources"]}

    assert sorted(sources) == ["notes/latin1.md", "notes/separators.md"]
    assert sources["notes/latin1.md"]["why"]["grep"]["matches"] == 1
    assert sources["notes/separators.md"]["why"]["grep"]["matches"] == 2
    for path, numbers in (("notes/latin1.md", [2]), ("notes/separators.md", [2, 3])):
        source = sources[path]
        shown = source["content"].split("\n")[:-1]
        committed = place.committed(path).decode(errors="replace").split("\n")[:-1]
        assert shown == committed[source["lineStart"] - 1 : source["lineEnd"]]
        assert [number for number, line in enumerate(shown, source["lineStart"]) if "osprey" in line] == numbers


def test_a_line_that_is_not_utf8_is_shown_with_a_replacement_character(place: Place) -> None:
    (source,) = place.ask("--query", "budget")["sources"]

    assert source["content"] == "heading\nosprey caf\ufffd budget\n"
    assert place.run("read", "notes/latin1.md").code == 0


def test_the_bundle_reads_back_as_it_was(place: Place) -> None:
    bundle = place.run("assemble", "--local-grant", "--query", "osprey").bundle
    contents = {source["path"]: source["content"] for source in bundle["spec"]["memory"]["sources"]}

    assert contents["notes/separators.md"].encode() == SEPARATORS
    assert contents["notes/latin1.md"] == LATIN.decode(errors="replace")
