"""Times with an offset, without one and bare dates are compared as instants (python-frontmatter #61, mcpvault #77)."""

from __future__ import annotations

from pathlib import Path

from tests.cases.brain_builder import BrainBuilder
from tests.cases.place import Place, ids

SPELLED = {
    "late": "2026-05-10T23:30:00-05:00",
    "naive": "2026-05-11 02:00:00",
    "early": "2026-05-11T01:00:00+00:00",
    "day": "2026-05-11",
}
"""Newest instant first: 04:30Z, 02:00 and 00:00 of the 11th read as UTC, 01:00Z between them."""


def build(folder: Path, root: str) -> None:
    """The same page four times, but for its date."""
    brain = BrainBuilder.create(folder, root)
    for name, spelled in SPELLED.items():
        stated = f'id: decision:{name}\nkind: Decision\ntitle: "{name}"\nstatus: approved\nowners: [team:core]\n'
        brain.write(f"decisions/{name}.md", f"---\n{stated}updatedAt: {spelled}\n---\n\nstork body\n")
    brain.commit("offsets", 12)


def test_equal_pages_are_ordered_by_instant_the_newest_first(place: Place) -> None:
    answer = place.ask("--query", "stork", "--rank", "literal")

    assert ids(answer) == [f"decision:{name}" for name in SPELLED]


def test_dates_come_out_as_they_were_written(place: Place) -> None:
    contents = {source["title"]: source["content"] for source in place.ask("--query", "stork")["sources"]}

    assert {name: f"updatedAt: {spelled}\n" in contents[name] for name, spelled in SPELLED.items()} == dict.fromkeys(
        SPELLED, True
    )
