"""Kradle resources: read from text, checked against `schemas/`, and turned into a request and its access."""

from __future__ import annotations

from kradle_ctx.resources.access import access_for, applicable_associations, default_query_mode, local_access
from kradle_ctx.resources.build import normal_folder
from kradle_ctx.resources.read import read_resources
from kradle_ctx.resources.redaction import applicable_patterns
from kradle_ctx.resources.repository import applicable_ontologies, complete_request, memory_repository_for
from kradle_ctx.resources.request import request_from
from kradle_ctx.resources.scopes import denied_scopes

__all__ = [
    "access_for",
    "applicable_associations",
    "applicable_ontologies",
    "applicable_patterns",
    "complete_request",
    "default_query_mode",
    "denied_scopes",
    "local_access",
    "memory_repository_for",
    "normal_folder",
    "read_resources",
    "request_from",
]
