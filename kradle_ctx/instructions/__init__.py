"""Flags text that addresses an agent, so that a reader sees it marked; it promises nothing about other text."""

from __future__ import annotations

from kradle_ctx.instructions.lint import flags
from kradle_ctx.instructions.model import CHAT_MARKUP, DISGUISED_INSTRUCTION, HIDDEN_INSTRUCTION, INSTRUCTION_LIKE

__all__ = ["CHAT_MARKUP", "DISGUISED_INSTRUCTION", "HIDDEN_INSTRUCTION", "INSTRUCTION_LIKE", "flags"]
