"""Kradle resources as they are read: what a brain is, who may read what of it, and what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from kradle_ctx.model.access import DEFAULT_SENSITIVITIES
from kradle_ctx.model.redaction import RedactionPattern


class Resource(Struct, frozen=True):
    """What every resource has: the organisation that it belongs to, and its name among that one's of its kind."""

    organization: str
    name: str


class MemoryRepository(Resource, frozen=True):
    """A company brain of one organisation.

    `repository_ref` is the Git repository behind it, as `name` or `owner/name`; `root` is None where the brain's
    layout decides, and empty for the repository's own root. `required` is None where the resource is silent.
    `signers` are the public keys whose signatures count, each as type and base64 in OpenSSH's form.
    """

    repository_ref: str | None = None
    default_branch: str | None = None
    layout_profile: str = "company-brain-v1"
    root: str | None = None
    location: str | None = None
    index_policy: Mapping[str, Any] = field(default_factory=dict)
    required: bool | None = None
    signers: tuple[str, ...] = ()
    redaction_patterns: tuple[RedactionPattern, ...] = ()

    @property
    def known_as(self) -> frozenset[str]:
        """Every text by which a request or another resource may name this brain."""
        names = {self.name, f"{self.organization}/{self.name}", self.repository_ref}
        return frozenset(name for name in names if name)


class AppliesTo(Struct, frozen=True):
    """Whom a grant is for: an absent list (None) fits everybody, an empty one nobody."""

    repositories: tuple[str, ...] | None = None
    teams: tuple[str, ...] | None = None
    stacks: tuple[str, ...] | None = None
    triggers: tuple[str, ...] | None = None
    users: tuple[str, ...] | None = None
    runs: tuple[str, ...] | None = None


class Updates(Struct, frozen=True):
    """Where proposals may go: the branch they target (None: the default branch) and the paths they may change."""

    target_branch: str | None = None
    paths: tuple[str, ...] = ()


class MemorySource(Resource, frozen=True):
    """A read grant as written, placeholders unfilled.

    `include_paths` and `include_kinds` are None where the source does not restrict by them; both None grant
    nothing. `repository_ref` is None for any brain of the organisation.
    """

    repository_ref: str | None = None
    applies_to: AppliesTo = AppliesTo()
    include_paths: tuple[str, ...] | None = None
    include_kinds: tuple[str, ...] | None = None
    exclude_paths: tuple[str, ...] = ()
    exclude_kinds: tuple[str, ...] = ()
    sensitivities: tuple[str, ...] = DEFAULT_SENSITIVITIES
    default_query_mode: str | None = None
    max_context_bytes: int | None = None
    require_approved_commit: bool = False
    require_valid_ontology: bool = False
    allow_invalid_ontology: bool = False
    allow_on_public: bool = False
    updates: Updates = Updates()
    redaction_patterns: tuple[RedactionPattern, ...] = ()


class Association(Resource, frozen=True):
    """A tie between a record (by id, by path, or both) and something outside the brain."""

    target_kind: str
    target_name: str
    relationship: str
    memory_id: str | None = None
    memory_path: str | None = None
    repository_ref: str | None = None


class OntologyResource(Resource, frozen=True):
    """Where a brain's ontology is, and what the organisation asks beside it; `edge_kinds` None: the ontology's."""

    repository_ref: str | None = None
    ontology_path: str | None = None
    required_fields: tuple[str, ...] = ()
    edge_kinds: tuple[str, ...] | None = None
    vocabulary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class AgentStack(Resource, frozen=True):
    """An agent stack, as far as memory is concerned; `labels` are words, `key=value` where a label has a value."""

    memory_repository_refs: tuple[str, ...] = ()
    memory_snapshot_ref: str | None = None
    labels: tuple[str, ...] = ()


class ToolGrant(Resource, frozen=True):
    """Memory tools that may be called, by the grant's word (`query`, `read`, `grep`, `diff`, `propose`, `validate`).

    `allow_refresh` lets a pinned run read current memory.
    """

    applies_to: AppliesTo = AppliesTo()
    tools: tuple[str, ...] = ()
    allow_refresh: bool = False


class DispatchRun(Resource, frozen=True):
    """A dispatch run: whose it is, its name, and the whole document as read."""

    document: Mapping[str, Any]


class Resources(Struct, frozen=True):
    """Every resource given, each kind in the order read."""

    memory_repositories: tuple[MemoryRepository, ...] = ()
    memory_sources: tuple[MemorySource, ...] = ()
    associations: tuple[Association, ...] = ()
    ontologies: tuple[OntologyResource, ...] = ()
    stacks: tuple[AgentStack, ...] = ()
    tool_grants: tuple[ToolGrant, ...] = ()
    runs: tuple[DispatchRun, ...] = ()

    @property
    def organizations(self) -> frozenset[str]:
        """The organisations that any resource belongs to."""
        everything: tuple[Resource, ...] = (
            *self.memory_repositories,
            *self.memory_sources,
            *self.associations,
            *self.ontologies,
            *self.stacks,
            *self.tool_grants,
            *self.runs,
        )
        return frozenset(resource.organization for resource in everything)
