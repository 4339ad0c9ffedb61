"""What a change does to what agents see: records, edges, and the golden queries that name them."""

from __future__ import annotations

from kradle_ctx.model.findings import Impact
from kradle_ctx.validation.scope import Changed
from kradle_ctx.validation.survey import Survey


def impact_of(before: Survey, after: Survey, changed: Changed) -> Impact:
    """Compare the documents of changed files."""
    return Impact()
