"""Commands run in this process, for tests in which starting one is not the point."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kradle_ctx.cli.boundary import run_guarded
from tests.cases.command_line import CLOCK, Answer
from tests.cli.validating import CLEAN, DANGLING, NAMELESS
from tests.conftest import GitBuilder
from tests.pipeline import FIRST_DAY, SECOND_DAY, graph_record


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


@pytest.fixture
def brain(git: Callable[..., GitBuilder]) -> GitBuilder:
    """A clean brain of one commit on `main`, checked out."""
    builder = git("brain")
    builder.add_commit(CLEAN, FIRST_DAY)
    builder.git("checkout", "--quiet", "--force", "main")
    return builder


@pytest.fixture
def validate(here: Callable[..., Answer], brain: GitBuilder) -> Callable[..., Answer]:
    """Validates the brain, in JSON unless another form is asked for."""

    def run(*arguments: str | Path) -> Answer:
        form = () if "--format" in arguments else ("--format", "json")
        return here("validate", "--brain", brain.path, *form, *arguments)

    return run


@pytest.fixture
def change(brain: GitBuilder) -> dict[str, str]:
    """A base with a fault of its own, a branch that adds another, and a base that went on; ids by name."""
    base = {**CLEAN, "graph/store.yaml": NAMELESS}
    commits = {"base": brain.add_commit(base, SECOND_DAY)}
    brain.set_tag("v1", commits["base"])
    commits["head"] = brain.add_commit(
        {**base, "graph/web.yaml": DANGLING}, "2026-05-05T00:00:00Z", branch="side", parents=[commits["base"]]
    )
    mended = {**CLEAN, "graph/store.yaml": graph_record("service:store", "Service", title="Store")}
    commits["tip"] = brain.add_commit(mended, "2026-05-06T00:00:00Z")
    brain.git("checkout", "--quiet", "--force", "side")
    return commits


@pytest.fixture
def faulty(brain: GitBuilder) -> GitBuilder:
    """A brain with a fault in each of three folders."""
    places = ("graph/web.yaml", "graph-b/web2.yaml", "other/graph/web3.yaml")
    files = {path: DANGLING.replace(":web", f":web{place}") for place, path in enumerate(places)}
    brain.add_commit({**CLEAN, **files}, SECOND_DAY)
    brain.git("checkout", "--quiet", "--force", "main")
    return brain
