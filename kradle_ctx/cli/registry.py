"""The commands by their names; one is loaded when it is called."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kradle_ctx.cli.options import Command

COMMANDS = (
    "assemble",
    "index build",
    "index export",
    "index prune",
    "index status",
    "index verify",
    "init",
    "preview",
    "query",
    "read",
    "redact",
    "resolve",
    "validate",
)
"""Each is the function of that name in the module of that name; one of a group has the group's name before it."""


def called(arguments: Sequence[str]) -> str | None:
    """The command that the first arguments name, None where they name none."""
    names = (" ".join(arguments[:count]) for count in (1, 2))
    return next((name for name in names if name in COMMANDS), None)


def command(name: str) -> Command:
    """A command by its whole name."""
    module = import_module(f"kradle_ctx.cli.{name.replace(' ', '.')}")
    found: Command = getattr(module, name.rpartition(" ")[2])
    return found
