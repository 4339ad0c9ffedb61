"""The request: what a dispatch asks of the brain, with every default filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kradle_ctx.model.memory_mode import MemoryMode
from kradle_ctx.model.refs import MemoryRef

LOCAL_REPOSITORY = "local"
"""`repositoryRef` of a brain that no resource names."""


class QueryMode(StrEnum):
    """How the brain is asked."""

    GRAPH_ONLY = "graph-only"
    GREP_ONLY = "grep-only"
    GRAPH_AND_GREP = "graph-and-grep"
    DOCUMENT_READ = "document-read"


class Visibility(StrEnum):
    """Visibility of the repository that the dispatch works on; unknown counts as private for brain items."""

    PUBLIC = "public"
    PRIVATE = "private"
    UNKNOWN = "unknown"


class RankOrder(StrEnum):
    """`score` combines the criteria in one documented number, `literal` sorts by them one after the other."""

    SCORE = "score"
    LITERAL = "literal"


@dataclass(frozen=True, slots=True)
class Requester:
    """Who asks: what a source's `appliesTo` can name."""

    user: str | None = None
    teams: tuple[str, ...] = ()
    process: str | None = None
    trigger: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Records are kept only when each list that is not empty names one of theirs."""

    owners: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """Hard limits of the memory section: rendered bytes, tokens, and number of items."""

    max_bytes: int = 128_000
    max_tokens: int = 24_000
    max_records: int = 40


@dataclass(frozen=True, slots=True)
class Request:
    """A dispatch's question to the brain, from a resource, from flags, or from both.

    `source_refs` maps a kind (`repository`, `pullRequest`, `issue`, `service`, `stack`, `trigger`, `skill`,
    `path`, `job`) to its values. `query` is the redacted text; it alone is searched, stored and shown.
    """

    organization: str | None = None
    name: str | None = None
    namespace: str | None = None
    repository: str | None = None
    visibility: Visibility = Visibility.UNKNOWN
    stack: str | None = None
    task_kind: str | None = None
    requester: Requester = Requester()
    source_refs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    brain: str = LOCAL_REPOSITORY
    ref: MemoryRef = MemoryRef()
    query_mode: QueryMode = QueryMode.GRAPH_AND_GREP
    query: str = ""
    query_redactions: Mapping[str, int] = field(default_factory=dict)
    regex: bool = False
    rank: RankOrder = RankOrder.SCORE
    select: tuple[str, ...] = ()
    filter: Filter = Filter()
    kinds: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    exclude_paths: tuple[str, ...] = ()
    exclude_kinds: tuple[str, ...] = ()
    edge_depth: int = 2
    max_matches: int = 25
    context_lines: int = 2
    limits: Limits = Limits()
    required: bool = True
    memory_mode: MemoryMode = MemoryMode.FULL
