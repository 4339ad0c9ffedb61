"""The desk on which the examples of the documentation are run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.console import Desk

CHECKOUT = Path(__file__).resolve().parents[2]

NOTE = """# How we deploy

Every merge to main builds an image.

## Roll back

Run `deploy rollback web` and wait for the health check. A rollback takes three minutes.
"""

IDENTITY = {
    f"GIT_{role}_{name}": value
    for role in ("AUTHOR", "COMMITTER")
    for name, value in (("NAME", "Writer"), ("EMAIL", "writer@example.invalid"), ("DATE", "2026-05-12T10:00:00Z"))
}


@pytest.fixture(scope="session")
def example_brain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example brain, built once."""
    target = tmp_path_factory.mktemp("example") / "brain"
    build = [sys.executable, str(CHECKOUT / "fixtures" / "build_brain.py"), str(target)]
    subprocess.run(build, check=True, capture_output=True)
    return target


@pytest.fixture
def desk(tmp_path: Path, example_brain: Path) -> Desk:
    """A folder like a checkout after `make demo`: `.demo/brain`, `fixtures`, and a home with a repository of notes."""
    folder = tmp_path / "desk"
    shutil.copytree(example_brain, folder / ".demo" / "brain")
    (folder / "fixtures").symlink_to(CHECKOUT / "fixtures")
    return Desk(folder, environment(tmp_path))


def environment(place: Path) -> dict[str, str]:
    """The environment of the examples; `kradle-ctx` and `python` are those of the tests."""
    programs, home = place / "bin", place / "home"
    write_program(programs / "kradle-ctx", f'exec "{sys.executable}" -m kradle_ctx.cli.main "$@"')
    write_program(programs / "python", f'exec "{sys.executable}" "$@"')
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KRADLE_")}
    made = {**kept, **IDENTITY, "PYTHONPATH": str(CHECKOUT), "HOME": str(home), "SOURCE_DATE_EPOCH": "1778846400"}
    made["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    for name in ("COLUMNS", "FORCE_COLOR"):
        made.pop(name, None)
    make_notes(home / "notes", made)
    return made


def write_program(file: Path, command: str) -> None:
    """A program that does nothing but run another."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    file.chmod(0o755)


def make_notes(folder: Path, variables: dict[str, str]) -> None:
    """A small repository of Markdown."""
    folder.mkdir(parents=True)
    (folder / "deploy.md").write_text(NOTE, encoding="utf-8")
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
        subprocess.run(["git", *words], cwd=folder, env=variables, check=True, capture_output=True)


@pytest.fixture
def documents(desk: Desk) -> Callable[[], list[dict[str, object]]]:
    """Makes the three documents of a run on the example brain."""

    def make() -> list[dict[str, object]]:
        words = "kradle-ctx assemble --brain .demo/brain -f fixtures/brain-repo/.kradle/a5c"
        words += " -f fixtures/requests/time-travel.yaml --quiet --all-documents --format json"
        done = subprocess.run(
            ["sh", "-c", words], cwd=desk.folder, env=dict(desk.environment), check=True, capture_output=True
        )
        value: list[dict[str, object]] = json.loads(done.stdout)
        return value

    return make
