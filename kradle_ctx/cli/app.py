"""The app: every command by its name."""

from __future__ import annotations

from kradle_ctx.cli.commands import app_of
from kradle_ctx.cli.registry import COMMANDS

app = app_of(COMMANDS)
