"""Paths of findings as a repository names them."""

from __future__ import annotations

from kradle_ctx.model.findings import Report


def repository_path(report: Report, path: str) -> str:
    """A path below the brain's root as one below the repository's, which is where CI systems look."""
    return f"{report.root}/{path}" if report.root else path
