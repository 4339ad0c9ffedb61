"""The tests of every case once more, on the brains that the shared cases' own scripts make.

Every other case stands in the first layout and the rest in the second; `EVERY_LAYOUT=1`, which `make conformance` sets,
puts all of them in both. Each case's own brain is asked in both layouts anyway.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.command_line import CHECKOUT
from tests.cases.conftest import Places
from tests.cases.place import LAYOUTS, THOROUGH, Place

SHARED = Path(os.environ.get("KRADLE_SHARED", CHECKOUT.parent / "shared")) / "cases"

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("test_[0-9][0-9]_*.py"))

PLACES = [
    (module, layout)
    for at, module in enumerate(MODULES)
    for number, layout in enumerate(LAYOUTS)
    if THOROUGH in os.environ or at % len(LAYOUTS) == number
]
"""The cases, each with a layout that its brain is asked in."""


def number(name: str) -> str:
    """The number of a case, in a module's or a folder's name."""
    found = re.search(r"(?<![0-9])[0-9]{2}(?=_)", name)
    assert found is not None
    return found[0]


def case_tests(name: str) -> list[Callable[[Place], None]]:
    """The tests in a case's module."""
    module = importlib.import_module(f"tests.cases.{name}")
    return [function for title, function in inspect.getmembers(module, inspect.isfunction) if title.startswith("test_")]


@pytest.fixture
def folders() -> dict[str, Path]:
    """The shared cases by their number."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared cases are not at {SHARED}; set KRADLE_SHARED to the folder that has them")
    return {number(folder.name): folder for folder in SHARED.iterdir() if (folder / "setup.sh").is_file()}


@pytest.mark.parametrize(("module", "layout"), PLACES)
def test_the_shared_brain_passes_every_test_of_its_case(
    module: str, layout: str, folders: dict[str, Path], places: Places
) -> None:
    script = folders[number(module)] / "setup.sh"

    def build(target: Path, root: str) -> None:
        environment = {**os.environ, **({"BRAIN_ROOT": root} if root else {})}
        subprocess.run(["sh", str(script), str(target)], check=True, capture_output=True, env=environment)

    place = places(f"shared {module}", layout, build, False)
    for case_test in case_tests(module):
        case_test(place)


def test_every_shared_case_has_tests(folders: dict[str, Path]) -> None:
    assert sorted(folders) == [number(name) for name in MODULES]
