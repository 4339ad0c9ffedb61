"""The redaction patterns that resources and a request add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kradle_ctx.expressions import is_expression
from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.model.request import Request
from kradle_ctx.model.resources import MemoryRepository, MemorySource, Resources

FIELD = "redactionPatterns"

HOLDERS = {
    "AgentMemoryRepository": ("spec",),
    "AgentMemorySource": ("spec",),
    "AgentDispatchRun": ("spec", "memory"),
}
"""Where resources have the field; in others it is a foreign one, which may hold anything."""


def redaction_patterns(holder: Mapping[str, Any]) -> tuple[RedactionPattern, ...]:
    """The patterns of a `spec`, or of a run's `memory`."""
    return tuple(RedactionPattern(entry["kind"], entry["pattern"]) for entry in holder.get(FIELD, ()))


def applicable_patterns(resources: Resources, request: Request) -> tuple[RedactionPattern, ...]:
    """Those of the request and of every memory repository and source that is given, in text order.

    Whether a source applies, and whose it is, does not matter: a misspelt organisation must show nothing.
    """
    holders: tuple[MemoryRepository | MemorySource, ...] = (*resources.memory_repositories, *resources.memory_sources)
    stated = {pattern for holder in holders for pattern in holder.redaction_patterns}
    return tuple(sorted(stated.union(request.redaction_patterns)))


def faulty_patterns(document: Mapping[str, Any]) -> Iterator[tuple[str | int, ...]]:
    """Where a document that fits its schema has a pattern that RE2 does not take."""
    path, holder = HOLDERS.get(document["kind"], ()), document
    for step in path:
        holder = holder.get(step, {})
    for number, entry in enumerate(holder.get(FIELD, ()) if path else ()):
        if not is_expression(entry["pattern"]):
            yield (*path, FIELD, number, "pattern")
