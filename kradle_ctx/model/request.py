"""The request: what a dispatch asks of the brain, with every default filled in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from kradle_ctx.model.memory_mode import MemoryMode
from kradle_ctx.model.redaction import RedactionPattern
from kradle_ctx.model.refs import MemoryRef

LOCAL_REPOSITORY = "local"
"""`repositoryRef` of a brain that no resource names."""


class QueryMode(StrEnum):
    """How the brain is asked."""

    GRAPH_ONLY = "graph-only"
    GREP_ONLY = "grep-only"
    GRAPH_AND_GREP = "graph-and-grep"
    DOCUMENT_READ = "document-read"
    ONTOLOGY_VALIDATION = "ontology-validation"


WHOLE_MODES = frozenset({QueryMode.DOCUMENT_READ, QueryMode.ONTOLOGY_VALIDATION})
"""Modes that show what is selected, whole, and look for nothing."""


class Visibility(StrEnum):
    """Visibility of the repository that the dispatch works on; unknown counts as private for brain items."""

    PUBLIC = "public"
    PRIVATE = "private"
    UNKNOWN = "unknown"


class RankOrder(StrEnum):
    """`score` combines the criteria in one documented number, `literal` sorts by them one after the other."""

    SCORE = "score"
    LITERAL = "literal"


class Requester(Struct, frozen=True):
    """Who asks: what a source's `appliesTo` can name."""

    user: str | None = None
    teams: tuple[str, ...] = ()
    process: str | None = None
    trigger: str | None = None


class Filter(Struct, frozen=True):
    """Records are kept only when each list that is not empty names one of theirs."""

    owners: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()


class Limits(Struct, frozen=True):
    """Hard limits of the memory section: rendered bytes, tokens, and number of items."""

    max_bytes: int = 128_000
    max_tokens: int = 24_000
    max_records: int = 40


class Request(Struct, frozen=True):
    """A dispatch's question to the brain, from a resource, from flags, or from both.

    `source_refs` maps a kind (`repository`, `pullRequest`, `issue`, `service`, `stack`, `trigger`, `skill`,
    `path`, `job`) to its values. `brain` is the memory repository's name; `root`, `ontology_path` and `layout_profile`
    come from its resource or from flags, and `root` is None for the default rule. `query` is the redacted text; it
    alone is searched, stored and shown. `redaction_patterns` are those of the organisation too; no document holds them,
    since a pattern can name what it hides.
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
    root: str | None = None
    ontology_path: str | None = None
    layout_profile: str = "company-brain-v1"
    ref: MemoryRef = field(default_factory=MemoryRef)
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
    redaction_patterns: tuple[RedactionPattern, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The normal form that the query manifest holds: what decides the selection, and nothing else.

        Lists whose order means nothing are sorted; what was not asked for is left out.
        """
        value: dict[str, Any] = {
            "mode": self.query_mode.value,
            "text": self.query,
            "regex": self.regex,
            "rank": self.rank.value,
            "edgeDepth": self.edge_depth,
            "maxMatches": self.max_matches,
            "contextLines": self.context_lines,
            "limits": {
                "maxMemoryBytes": self.limits.max_bytes,
                "maxTokens": self.limits.max_tokens,
                "maxRecords": self.limits.max_records,
            },
            "layoutProfile": self.layout_profile,
        }
        optional = {
            "redactions": dict(sorted(self.query_redactions.items())),
            "ontologyPath": self.ontology_path,
            "taskKind": self.task_kind,
            "sourceRefs": {kind: sorted(values) for kind, values in sorted(self.source_refs.items()) if values},
            "select": sorted(self.select),
            "kinds": sorted(self.kinds),
            "includePaths": sorted(self.include_paths),
            "excludePaths": sorted(self.exclude_paths),
            "excludeKinds": sorted(self.exclude_kinds),
            "owners": sorted(self.filter.owners),
            "statuses": sorted(self.filter.statuses),
            "tags": sorted(self.filter.tags),
            "edges": sorted(self.filter.edges),
        }
        if self.root is not None:
            value["root"] = self.root
        if self.visibility is Visibility.PUBLIC:
            value["visibility"] = self.visibility.value
        return value | {name: stated for name, stated in optional.items() if stated}
