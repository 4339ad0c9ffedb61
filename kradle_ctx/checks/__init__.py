"""The checks of validation, one rule a file."""

from __future__ import annotations

from kradle_ctx.checks import (
    dangling_edge,
    duplicate_id,
    duplicate_key,
    id_form,
    invalid_frontmatter,
    invalid_owner,
    invalid_timestamp,
    invalid_yaml,
    missing_field,
    no_owner,
    path_policy,
    secret_like_content,
    stale_approved,
    stale_index,
    unexplained_suppression,
    unknown_node_kind,
    unknown_value,
    unreadable_file,
    unversioned_id,
    wrong_type,
)
from kradle_ctx.checks.check import Brain, Check, Fault, File, Reference, Secret, Where

__all__ = ["CHECKS", "Brain", "Check", "Fault", "File", "Reference", "Secret", "Where"]

CHECKS: tuple[Check, ...] = (
    unreadable_file.CHECK,
    invalid_yaml.CHECK,
    invalid_frontmatter.CHECK,
    duplicate_key.CHECK,
    duplicate_id.CHECK,
    unknown_node_kind.CHECK,
    id_form.CHECK,
    unversioned_id.CHECK,
    missing_field.CHECK,
    wrong_type.CHECK,
    unknown_value.CHECK,
    invalid_timestamp.CHECK,
    invalid_owner.CHECK,
    dangling_edge.CHECK,
    secret_like_content.CHECK,
    path_policy.CHECK,
    stale_index.CHECK,
    no_owner.CHECK,
    stale_approved.CHECK,
    unexplained_suppression.CHECK,
)
"""All checks in the order of their ids."""
