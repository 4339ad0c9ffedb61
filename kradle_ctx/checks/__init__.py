"""The checks of validation, one rule a file."""

from __future__ import annotations

from kradle_ctx.checks import (
    dangling_edge,
    duplicate_id,
    duplicate_key,
    invalid_frontmatter,
    invalid_yaml,
    missing_field,
)
from kradle_ctx.checks.check import Brain, Check, Fault, File, Reference, Where

__all__ = ["CHECKS", "Brain", "Check", "Fault", "File", "Reference", "Where"]

CHECKS: tuple[Check, ...] = (
    invalid_yaml.CHECK,
    invalid_frontmatter.CHECK,
    duplicate_key.CHECK,
    duplicate_id.CHECK,
    missing_field.CHECK,
    dangling_edge.CHECK,
)
"""All checks in the order of their ids."""
