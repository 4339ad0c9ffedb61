"""The app: every command by its name."""

from __future__ import annotations

from kradle_ctx.cli.commands import COMMANDS, app_of

app = app_of(COMMANDS)
