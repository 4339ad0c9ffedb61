"""Commands run in this process, for attacks in which starting one is not the point."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.desk import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Desk:
    """Runs commands."""
    return Desk(tmp_path / "desk", monkeypatch, capfdbinary)
