"""Commands run in this process, for attacks in which starting one is not the point, and under limits in a child."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.attack import Attack
from tests.hostile.desk import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Desk:
    """Runs commands."""
    return Desk(tmp_path / "desk", monkeypatch, capfdbinary)


@pytest.fixture
def attack(tmp_path: Path) -> Attack:
    """A place for attacks."""
    return Attack(tmp_path)
