"""The records that go beside a bundle: `AgentMemorySnapshot` and `AgentMemoryQuery`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kradle_ctx.digest import digest_value
from kradle_ctx.errors import KradleError
from kradle_ctx.model.bundle import API_VERSION
from kradle_ctx.model.request import Request


def snapshot_pins(memory: Mapping[str, Any]) -> dict[str, Any]:
    """What a snapshot pins: the commit and every digest but the bundle's own."""
    fields = (
        "repositoryRef",
        "resolvedCommit",
        "versions",
        "queryManifestDigest",
        "policyDigest",
        "ontologyDigest",
        "indexDigest",
        "selectedRecordsDigest",
        "selectedExcerptsDigest",
    )
    return {name: memory[name] for name in fields}


def metadata(name: str, request: Request, organization: str) -> dict[str, Any]:
    """Kubernetes metadata: name, namespace, and labels that queries filter by."""
    labels = {"kradle.a5c.ai/org": organization}
    if request.repository is not None:
        labels["kradle.a5c.ai/repository"] = request.repository
    return {"name": name, "namespace": request.namespace or f"kradle-org-{organization}", "labels": labels}


def snapshot_document(memory: Mapping[str, Any], request: Request, organization: str, rendered: str) -> dict[str, Any]:
    """The `AgentMemorySnapshot`."""
    spec = {"organizationRef": organization, "refResolution": memory["refResolution"], **snapshot_pins(memory)}
    return {
        "apiVersion": API_VERSION,
        "kind": "AgentMemorySnapshot",
        "metadata": metadata(memory["snapshotRef"], request, organization),
        "spec": spec | {"renderedMemoryDigest": rendered},
    }


def query_document(memory: Mapping[str, Any], request: Request, organization: str) -> dict[str, Any]:
    """The `AgentMemoryQuery` of a run that was answered."""
    spec = query_spec(request, organization) | {
        "resolvedCommit": memory["resolvedCommit"],
        "snapshotRef": memory["snapshotRef"],
        "queryManifestDigest": memory["queryManifestDigest"],
        "policyDigest": memory["policyDigest"],
        "counts": {
            "selected": len(memory["sources"]),
            "omitted": memory["omitted"]["count"],
            "denied": len(memory["denied"]),
        },
        "deniedScopes": memory["denied"],
    }
    name = f"amq-{digest_value(spec).hex[:12]}"
    return {
        "apiVersion": API_VERSION,
        "kind": "AgentMemoryQuery",
        "metadata": metadata(name, request, organization),
        "spec": spec,
        "status": {"phase": "Ready", "reason": "BundleAssembled"},
    }


def query_spec(request: Request, organization: str) -> dict[str, Any]:
    """Who asked what."""
    asked = request.requester
    requester = {"user": asked.user, "teams": list(asked.teams), "process": asked.process, "trigger": asked.trigger}
    spec: dict[str, Any] = {"organizationRef": organization, "repositoryRef": request.brain}
    if request.name is not None:
        spec["dispatchRun"] = request.name
    return spec | {
        "requester": {name: value for name, value in requester.items() if value},
        "request": request.to_json(),
    }


def unanswered(request: Request, reason: KradleError, message: str) -> dict[str, Any]:
    """The `AgentMemoryQuery` of a run that was refused: `Blocked`, or `Ready` where memory was optional.

    Request and message are as they may be shown.
    """
    organization = request.organization or "local"
    spec = query_spec(request, organization)
    return {
        "apiVersion": API_VERSION,
        "kind": "AgentMemoryQuery",
        "metadata": metadata(f"amq-{digest_value(spec).hex[:12]}", request, organization),
        "spec": spec,
        "status": {
            "phase": "Blocked" if request.required else "Ready",
            "reason": reason.code.value,
            "message": message,
        },
    }
