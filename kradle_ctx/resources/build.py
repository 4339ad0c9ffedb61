"""From a document that fits its schema to the resource it states."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from typing import Any

from kradle_ctx.model.access import DEFAULT_SENSITIVITIES
from kradle_ctx.model.resources import (
    AgentStack,
    AppliesTo,
    Association,
    DispatchRun,
    MemoryRepository,
    MemorySource,
    OntologyResource,
    ToolGrant,
    Updates,
)
from kradle_ctx.resources.redaction import redaction_patterns

Document = Mapping[str, Any]

TOOL_WORDS = {
    "memory.graph.search": "query",
    "memory.record.read": "read",
    "memory.docs.grep": "grep",
    "memory.snapshot.diff": "diff",
    "memory.update.propose": "propose",
    "memory.ontology.validate": "validate",
}
"""The grant's word for each memory tool."""


def normal_pattern(pattern: str) -> str:
    """A path pattern without `./`, doubled and leading slashes; a folder's trailing slash means all below it.

    Without this an exclude such as `/incidents/` would fit no path at all, and deny nothing.
    """
    normal = posixpath.normpath(pattern.lstrip("/") or ".")
    if normal == ".":
        return "**"
    return f"{normal}/**" if pattern.endswith("/") else normal


def names(value: Any) -> tuple[str, ...] | None:
    """A list of strings without repetitions, None when it is absent."""
    return None if value is None else tuple(dict.fromkeys(value))


def patterns(value: Any) -> tuple[str, ...] | None:
    """A list of path patterns in normal form, None when it is absent."""
    return None if value is None else names(normal_pattern(pattern) for pattern in value)


def memory_repository(document: Document) -> MemoryRepository:
    """Build an AgentMemoryRepository."""
    spec = document["spec"]
    behind = spec.get("repositoryRef")
    if isinstance(behind, Mapping):
        behind = "/".join(behind[part] for part in ("owner", "name") if part in behind)
    root = spec.get("root")
    return MemoryRepository(
        **owner_of(document),
        repository_ref=behind,
        default_branch=spec.get("defaultBranch"),
        layout_profile=spec.get("layoutProfile", "company-brain-v1"),
        root=None if root is None else normal_folder(root),
        location=spec.get("location"),
        index_policy=spec.get("indexPolicy", {}),
        required=spec.get("required"),
        signers=names(public_key(line) for line in spec.get("signers", ())) or (),
        redaction_patterns=redaction_patterns(spec),
    )


def public_key(line: str) -> str:
    """The type and the key of a line of a public key file; its comment, often somebody's address, is left out."""
    return " ".join(line.split(maxsplit=2)[:2])


def normal_folder(path: str) -> str:
    """A folder's path without `./`, leading and trailing slashes; empty for the top."""
    normal = posixpath.normpath(path.strip("/") or ".")
    return "" if normal == "." else normal


def memory_source(document: Document) -> MemorySource:
    """Build an AgentMemorySource, long or short form."""
    spec = document["spec"]
    include, exclude, updates = selection(spec, "include"), selection(spec, "exclude"), spec.get("updates", {})
    return MemorySource(
        **owner_of(document),
        repository_ref=spec.get("repositoryRef"),
        applies_to=applies_to(spec),
        include_paths=patterns(include.get("paths")),
        include_kinds=names(include.get("graphKinds")),
        exclude_paths=patterns(exclude.get("paths")) or (),
        exclude_kinds=names(exclude.get("graphKinds")) or (),
        sensitivities=tuple(spec.get("sensitivities", DEFAULT_SENSITIVITIES)),
        default_query_mode=spec.get("defaultQueryMode"),
        max_context_bytes=whole(spec.get("maxContextBytes")),
        require_approved_commit=spec.get("requireApprovedCommit", False),
        require_valid_ontology=spec.get("requireValidOntology", False),
        allow_invalid_ontology=spec.get("allowInvalidOntology", False),
        allow_on_public=spec.get("allowOnPublic", False),
        updates=Updates(updates.get("targetBranch"), patterns(updates.get("paths")) or ()),
        redaction_patterns=redaction_patterns(spec),
    )


def association(document: Document) -> Association:
    """Build an AgentMemoryAssociation."""
    spec = document["spec"]
    return Association(
        **owner_of(document),
        target_kind=spec["targetRef"]["kind"],
        target_name=spec["targetRef"]["name"],
        relationship=spec["relationship"],
        memory_id=spec["memoryRef"].get("id"),
        memory_path=spec["memoryRef"].get("path"),
        repository_ref=spec.get("repositoryRef"),
    )


def ontology_resource(document: Document) -> OntologyResource:
    """Build an AgentMemoryOntology."""
    spec = document["spec"]
    return OntologyResource(
        **owner_of(document),
        repository_ref=spec.get("repositoryRef"),
        ontology_path=spec.get("ontologyPath"),
        required_fields=names(spec.get("requiredFields")) or (),
        edge_kinds=names(spec.get("edgeKinds")),
        vocabulary={field: tuple(words) for field, words in spec.get("vocabulary", {}).items()},
    )


def agent_stack(document: Document) -> AgentStack:
    """Build an AgentStack; labels come from `metadata.labels` and `spec.labels`."""
    spec = document["spec"]
    return AgentStack(
        **owner_of(document),
        memory_repository_refs=names(spec.get("memoryRepositoryRefs")) or (),
        memory_snapshot_ref=spec.get("memorySnapshotRef"),
        labels=(*label_words(document["metadata"].get("labels", {})), *label_words(spec.get("labels", {}))),
    )


def tool_grant(document: Document) -> ToolGrant:
    """Build an AgentToolGrant; tools are known by the grant's word."""
    spec = document["spec"]
    dotted = (tool.replace("_", ".") for tool in spec["tools"])
    return ToolGrant(
        **owner_of(document),
        applies_to=applies_to(spec),
        tools=names(TOOL_WORDS.get(tool, tool) for tool in dotted) or (),
        allow_refresh=spec.get("allowRefresh", False),
    )


def dispatch_run(document: Document) -> DispatchRun:
    """Build an AgentDispatchRun, kept whole."""
    return DispatchRun(**owner_of(document), document=document)


def owner_of(document: Document) -> dict[str, str]:
    """The organisation and the name of a resource."""
    return {"organization": document["spec"]["organizationRef"], "name": document["metadata"]["name"]}


def applies_to(spec: Document) -> AppliesTo:
    """Whom a grant is for, by the field names that the model and the resource share."""
    return AppliesTo(**{field: names(value) for field, value in spec.get("appliesTo", {}).items()})


def selection(spec: Document, field: str) -> Document:
    """The long form of `include` or `exclude`; the short form is a list of paths."""
    value = spec.get(field, {})
    return {"paths": value} if isinstance(value, list) else value


def label_words(labels: Any) -> tuple[str, ...]:
    """Labels as words: `key=value` of a mapping, the words themselves of a list."""
    if isinstance(labels, Mapping):
        return tuple(f"{key}={value}" for key, value in labels.items())
    return tuple(labels)


def whole(value: Any) -> int | None:
    """An integer that may be written as `2.0`, None when it is absent."""
    return None if value is None else int(value)


BUILDERS: Mapping[str, tuple[str, Callable[[Document], Any]]] = {
    "AgentMemoryRepository": ("memory_repositories", memory_repository),
    "AgentMemorySource": ("memory_sources", memory_source),
    "AgentMemoryAssociation": ("associations", association),
    "AgentMemoryOntology": ("ontologies", ontology_resource),
    "AgentStack": ("stacks", agent_stack),
    "AgentToolGrant": ("tool_grants", tool_grant),
    "AgentDispatchRun": ("runs", dispatch_run),
}
"""The kinds that are read: the field of `Resources` that holds them, and the function that builds them."""
