"""Finds secrets in text and replaces them by `[REDACTED:kind]`."""

from __future__ import annotations

from kradle_ctx.redaction.model import Redaction, RedactionFailed, Span
from kradle_ctx.redaction.redactor import Redactor, redact
from kradle_ctx.redaction.spans import marker

__all__ = ["Redaction", "RedactionFailed", "Redactor", "Span", "marker", "redact"]
