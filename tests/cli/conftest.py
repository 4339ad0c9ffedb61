"""Commands run in this process, for tests in which starting one is not the point."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kradle_ctx.cli.boundary import run_guarded
from tests.cases.command_line import CLOCK, Answer


@pytest.fixture
def here(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Answer]:
    """Runs a command in this process, from an empty folder `desk`."""
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")
    for variable in ("KRADLE_RESOURCES", "KRADLE_MEMORY_MODE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", CLOCK)

    def run(*arguments: str | Path) -> Answer:
        code = run_guarded([str(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        return Answer(code, captured.out, captured.err)

    return run
