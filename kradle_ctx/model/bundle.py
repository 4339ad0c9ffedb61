"""The emitted documents: bundle, snapshot and query record, as the JSON values that their schemas describe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    spec: Mapping[str, Any] = document["spec"]
    memory = without(spec["memory"], OUTSIDE_DIGEST_FIELDS)
    if "refResolution" in memory:
        memory["refResolution"] = without(memory["refResolution"], ("resolvedAt",))
    if "sources" in memory:
        memory["sources"] = [without(source, OUTSIDE_DIGEST_SOURCE_FIELDS) for source in memory["sources"]]
    memory["warnings"] = [
        warning for warning in memory.get("warnings", ()) if warning["code"] not in OUTSIDE_DIGEST_WARNINGS
    ]
    return {**without(document, ("metadata", "status")), "spec": {**spec, "memory": memory}}


def without(value: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A mapping without some of its fields."""
    return {name: entry for name, entry in value.items() if name not in names}
