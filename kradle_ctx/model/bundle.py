"""The emitted documents: bundle, snapshot and query record, as the JSON values that their schemas describe."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from enum import StrEnum
from typing import Any

from msgspec import Struct

API_VERSION = "kradle.a5c.ai/v1alpha1"


class WarningCode(StrEnum):
    """Every warning a bundle can carry."""

    REF = "ref"
    STARTER_ONTOLOGY = "starter-ontology"
    ONTOLOGY_FAULT = "ontology-fault"
    RETRIEVAL = "retrieval"
    SKIPPED = "skipped"
    MEMORY_UNAVAILABLE = "memory-unavailable"
    STALE = "stale"
    GONE_TODAY = "gone-today"


OUTSIDE_DIGEST_WARNINGS = frozenset({WarningCode.STALE, WarningCode.GONE_TODAY})
"""Warnings about the branch's position: the same commit must give the same digest."""

OUTSIDE_DIGEST_FIELDS = ("currentCommitAtDispatch", "staleBy", "accessCommit")
"""Fields of `spec.memory` that follow from where the default branch is now."""

OUTSIDE_DIGEST_SOURCE_FIELDS = ("lastChanged", "trust")
"""Fields of an entry of `sources` that follow from history and from where the default branch is now."""


class Bundle(Struct, frozen=True):
    """An `AgentContextBundle` with the two records that go beside it.

    `notes` are about this clone alone (that it is shallow, say): they are told to the person, and stand nowhere in the
    documents, so that every clone of a commit gives the same bytes.
    """

    document: Mapping[str, Any]
    snapshot: Mapping[str, Any]
    query: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The bundle's own digest."""
        return str(self.document["status"]["digest"])

    @property
    def memory(self) -> Mapping[str, Any]:
        """`spec.memory`."""
        memory: Mapping[str, Any] = self.document["spec"]["memory"]
        return memory


def covered(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the digest of a bundle covers: all but `metadata`, `status`, and what the branch's position decides."""
    value = {name: deepcopy(value) for name, value in document.items() if name not in ("metadata", "status")}
    memory: dict[str, Any] = value["spec"]["memory"]
    for name in OUTSIDE_DIGEST_FIELDS:
        memory.pop(name, None)
    memory.get("refResolution", {}).pop("resolvedAt", None)
    for source in memory.get("sources", ()):
        for name in OUTSIDE_DIGEST_SOURCE_FIELDS:
            source.pop(name, None)
    memory["warnings"] = [
        warning for warning in memory.get("warnings", ()) if warning["code"] not in OUTSIDE_DIGEST_WARNINGS
    ]
    return value
