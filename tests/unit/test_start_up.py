"""What the program loads before it has to: start-up time is the sum of its imports."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kradle_ctx.cli.registry import COMMANDS
from tests.conftest import GitBuilder

CHECKOUT = Path(__file__).resolve().parents[2]

HEAVY = {"cryptography", "jsonschema", "networkx", "pygit2", "re2", "ripgrepy", "ruamel", "Stemmer", "yaml"}
"""Libraries that only a command which reads the brain needs."""

BESIDE_THE_WARM_PATH = {
    *("yaml", "cryptography", "jsonschema", "networkx", "rich", "multiprocessing", "pygit2", "ssl", "re2", "typer"),
    *("inspect", "dataclasses", "copy", "difflib", "tempfile", "random", "ast"),
}
"""What a question loads only where a repository, a command line or a text is out of the ordinary, if ever."""

RULES_ON_TEXT = {"kradle_ctx.redaction.scanning"}


def run(*arguments: str) -> tuple[str, set[str]]:
    """Run the command line in a fresh interpreter: its stdout, and the full names of the modules it imported."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "kradle_ctx.cli.main", *arguments],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT), "COLUMNS": "80"},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return done.stdout, {row.rpartition("|")[2].strip() for row in rows}


def packages(modules: set[str]) -> set[str]:
    """The top packages of some modules."""
    return {module.partition(".")[0] for module in modules}


def test_the_version_is_said_without_loading_typer_or_any_other_library() -> None:
    stdout, modules = run("--version")
    assert stdout.startswith("kradle-ctx ")
    assert "kradle_ctx" in modules
    assert packages(modules).isdisjoint(HEAVY | {"typer", "click", "rich"})
    own = {module for module in modules if module.startswith("kradle_ctx.")}
    assert own <= {"kradle_ctx.cli", "kradle_ctx.cli.main"}


@pytest.mark.parametrize("command", [(), *(tuple(name.split()) for name in COMMANDS)])
def test_help_loads_nothing_that_reads_the_brain_and_nothing_that_draws(command: tuple[str, ...]) -> None:
    stdout, modules = run(*command, "--help")
    assert stdout.startswith(" ".join(("Usage: kradle-ctx", *command)))
    assert "typer" in packages(modules)
    assert packages(modules).isdisjoint(HEAVY | {"rich", "markdown_it", "pygments"})
    assert {"kradle_ctx.wiring", "kradle_ctx.assemble", "kradle_ctx.redaction", "tempfile"}.isdisjoint(modules)


def test_help_names_every_option_whole_and_every_command_with_its_whole_sentence() -> None:
    root, _ = run("--help")
    assemble, _ = run("assemble", "--help")
    commands = root.partition("\nCommands:\n")[2]
    assert commands
    assert "..." not in commands
    assert "  --memory-repository NAME " in assemble
    assert assemble.index("\nBrain and grants:\n") < assemble.index("\nQuestion:\n") < assemble.index("\nOutput:\n")


def test_a_warm_run_loads_nothing_that_only_builds_an_index_checks_resources_or_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRADLE_CACHE_DIR", str(tmp_path / "cache"))
    brain = GitBuilder(tmp_path / "brain")
    brain.add_commit({"a.md": "# Brake\n\nHow to brake.\n"}, "2026-05-01T00:00:00Z")
    asked = ("assemble", "--brain", str(brain.path), "--local-grant", "--query", "brake", "--quiet")
    _, built = run(*asked)
    warm, modules = run(*asked)
    assert {"yaml", "re2"} <= packages(built)
    assert "How to brake." in warm
    assert packages(modules).isdisjoint(BESIDE_THE_WARM_PATH)
    assert modules.isdisjoint({"kradle_ctx.adapters.index.building", "kradle_ctx.instructions", *RULES_ON_TEXT})


def test_what_is_out_of_the_ordinary_loads_what_knows_about_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRADLE_CACHE_DIR", str(tmp_path / "cache"))
    brain = GitBuilder(tmp_path / "brain")
    commit = brain.add_commit({"a.md": "# Brake\n\nHow to brake.\n"}, "2026-05-01T00:00:00Z")
    asked = ("assemble", "--brain", str(brain.path), "--local-grant", "--quiet")
    _, plain = run(*asked, "--query", "brake")
    _, odd = run(*asked, "-qthe token of v2", "--ref", commit[:8])
    assert {"typer", "pygit2"}.isdisjoint(packages(plain))
    assert {"typer", "pygit2"} <= packages(odd)
    assert odd >= RULES_ON_TEXT
