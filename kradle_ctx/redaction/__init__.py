"""Finds secrets in text and replaces them by `[REDACTED:kind]`."""

from __future__ import annotations

from kradle_ctx.redaction.model import Redaction, RedactionFailed, Span
from kradle_ctx.redaction.redactor import ExtraPattern, Redactor, redact

__all__ = ["ExtraPattern", "Redaction", "RedactionFailed", "Redactor", "Span", "redact"]
