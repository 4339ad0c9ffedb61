"""The checks of validation, one rule a file."""

from __future__ import annotations

from kradle_ctx.checks import (
    dangling_edge,
    duplicate_id,
    duplicate_key,
    invalid_frontmatter,
    invalid_yaml,
    missing_field,
    stale_index,
    unexplained_suppression,
)
from kradle_ctx.checks.check import Brain, Check, Fault, File, Reference, Secret, Where

__all__ = ["CHECKS", "Brain", "Check", "Fault", "File", "Reference", "Secret", "Where"]

CHECKS: tuple[Check, ...] = (
    invalid_yaml.CHECK,
    invalid_frontmatter.CHECK,
    duplicate_key.CHECK,
    duplicate_id.CHECK,
    missing_field.CHECK,
    dangling_edge.CHECK,
    stale_index.CHECK,
    unexplained_suppression.CHECK,
)
"""All checks in the order of their ids."""
