"""The commands that are measured."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from brains import CHECKOUT
from measure import Command


def python(*arguments: str) -> Command:
    """This interpreter, in an environment that is the same for every command."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return Command([sys.executable, *arguments], kept | {"PYTHONPATH": str(CHECKOUT)})


def product(*arguments: str, cache: Path | None = None, before: Callable[[], None] = lambda: None) -> Command:
    """The installed command beside the interpreter, else the checkout's own."""
    command = python("-m", "kradle_ctx.cli.main", *arguments)
    environment = dict(command.environment) | ({"KRADLE_CACHE_DIR": str(cache)} if cache is not None else {})
    installed = Path(sys.executable).with_name("kradle-ctx")
    started = [str(installed), *arguments] if installed.exists() else command.arguments
    return Command(started, environment, before)


def other(*arguments: str) -> Command:
    """Another program, in the same environment."""
    return Command(arguments, python().environment)
