"""The place of each case: its brain, made once a session in each layout, and the command line to ask it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import CommandLine
from tests.cases.place import LAYOUTS, Place

Build = Callable[[Path, str], None]
"""Fills a folder with the repositories of a case; the text is the brain's folder in each of them."""

Places = Callable[[str, str, Build, bool], Place]


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """Gives the place of a case by name and layout; the first time it is asked for, it is built."""
    line = CommandLine(tmp_path_factory.mktemp("desk"))
    made: dict[tuple[str, str], Place] = {}

    def place(case: str, layout: str, build: Build, thorough: bool) -> Place:
        if (case, layout) not in made:
            folder = tmp_path_factory.mktemp("case") / "target"
            folder.mkdir()
            build(folder, LAYOUTS[layout])
            made[case, layout] = Place(folder, LAYOUTS[layout], line, thorough)
        return made[case, layout]

    return place


@pytest.fixture(params=LAYOUTS)
def place(request: pytest.FixtureRequest, places: Places) -> Place:
    """The project's own brain of the test's case, as the `build` of its module makes it."""
    module = sys.modules[request.function.__module__]
    return places(module.__name__, request.param, module.build, not LAYOUTS[request.param])
