"""From an AgentDispatchRun to a request with every default filled in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.memory_mode import MemoryMode, parse_memory_mode
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import (
    LOCAL_REPOSITORY,
    Filter,
    Limits,
    QueryMode,
    Request,
    Requester,
    Visibility,
)
from kradle_ctx.model.timestamps import parse_instant
from kradle_ctx.resources.build import names, patterns
from kradle_ctx.resources.redaction import redaction_patterns

REF_FIELDS = {
    "requestedRef": RefMode.EXPLICIT,
    "refAt": RefMode.AT_TIME,
    "snapshotTag": RefMode.SNAPSHOT_TAG,
}

MODE_WORD = lazy_expression(r"[A-Za-z-]{1,30}")
"""What an unknown memory mode must look like to be named in a message."""


def request_from(run: Mapping[str, Any]) -> Request:
    """Build the request of a dispatch run that fits its schema.

    The query is `memory.queryText`, else the task's prompt, as it was given: the caller redacts it. The run's
    repository, stack and trigger are source refs unless `sourceRefs` says otherwise. More than one of `requestedRef`,
    `refAt` and `snapshotTag` raises `RESOURCE_INVALID`, an unreadable mode `MEMORY_MODE_INVALID`.
    """
    spec = run["spec"]
    memory = spec.get("memory", {})
    return Request(
        **dispatch_fields(run),
        ref=memory_ref(memory),
        brain=memory.get("repositoryRef", LOCAL_REPOSITORY),
        query_mode=QueryMode(memory.get("queryMode", QueryMode.GRAPH_AND_GREP)),
        query=query_text(spec),
        required=memory.get("required", True),
        memory_mode=memory_mode(memory),
        limits=limits(memory.get("limits", {})),
        redaction_patterns=redaction_patterns(memory),
        **search_fields(memory),
    )


def dispatch_fields(run: Mapping[str, Any]) -> dict[str, Any]:
    """Who asks, and about what."""
    metadata, spec = run["metadata"], run["spec"]
    repository = spec.get("repository", {})
    if isinstance(repository, str):
        repository = {"name": repository}
    requester = spec.get("requester", {})
    return {
        "organization": spec["organizationRef"],
        "name": metadata["name"],
        "namespace": metadata.get("namespace"),
        "repository": repository.get("name"),
        "visibility": Visibility(repository.get("visibility", Visibility.UNKNOWN)),
        "stack": spec.get("agentStack"),
        "task_kind": spec.get("taskKind"),
        "requester": Requester(
            user=requester.get("user"),
            teams=names(requester.get("teams")) or (),
            process=requester.get("process"),
            trigger=requester.get("trigger"),
        ),
        "source_refs": source_refs(spec, repository.get("name")),
    }


def source_refs(spec: Mapping[str, Any], repository: str | None) -> dict[str, tuple[str, ...]]:
    """Source refs by kind; a value may be one text or a list."""
    own = {
        "repository": repository,
        "stack": spec.get("agentStack"),
        "trigger": spec.get("requester", {}).get("trigger"),
    }
    given = {**{kind: value for kind, value in own.items() if value}, **spec.get("sourceRefs", {})}
    return {kind: texts(value if isinstance(value, list) else [value]) for kind, value in given.items()}


def search_fields(memory: Mapping[str, Any]) -> dict[str, Any]:
    """What narrows and bounds the search; the defaults are those of `Request`."""
    wanted, exclude, graph, grep = (memory.get(field, {}) for field in ("filter", "exclude", "graph", "grep"))
    counts = {
        "edge_depth": graph.get("edgeDepth"),
        "max_matches": grep.get("maxMatches"),
        "context_lines": grep.get("contextLines"),
    }
    return {
        "regex": memory.get("regex", False),
        "select": names(memory.get("select")) or (),
        "filter": Filter(**{field: names(values) or () for field, values in wanted.items()}),
        "kinds": names(graph.get("kinds")) or (),
        "include_paths": patterns(grep.get("paths")) or (),
        "exclude_paths": patterns(exclude.get("paths")) or (),
        "exclude_kinds": names(exclude.get("kinds")) or (),
        **{field: int(value) for field, value in counts.items() if value is not None},
    }


def limits(given: Mapping[str, Any]) -> Limits:
    """Limits of the memory section; the defaults are those of `Limits`."""
    fields = {"maxMemoryBytes": "max_bytes", "maxTokens": "max_tokens", "maxRecords": "max_records"}
    return Limits(**{fields[field]: int(value) for field, value in given.items()})


def query_text(spec: Mapping[str, Any]) -> str:
    """The question as given, a number as it was written."""
    text = spec.get("memory", {}).get("queryText")
    if text is None:
        text = spec.get("task", {}).get("prompt", "")
    return str(text).strip()


def memory_ref(memory: Mapping[str, Any]) -> MemoryRef:
    """The one memory ref that is asked for; `current` when there is none."""
    given = [field for field in REF_FIELDS if field in memory]
    if len(given) > 1:
        raise KradleError(
            ErrorCode.RESOURCE_INVALID,
            f"spec.memory names more than one memory ref: {', '.join(given)}",
            "keep one of them",
        )
    if not given:
        return MemoryRef()
    mode, text = REF_FIELDS[given[0]], str(memory[given[0]])
    if mode is RefMode.AT_TIME:
        return MemoryRef(mode, at=parse_instant(text), at_text=text)
    return MemoryRef(mode, name=text)


def memory_mode(memory: Mapping[str, Any]) -> MemoryMode:
    """The memory mode; absent means `full`, anything unreadable is an error."""
    if "mode" not in memory:
        return MemoryMode.FULL
    mode = memory["mode"]
    readable = isinstance(mode, str) and MODE_WORD.fullmatch(mode)
    return parse_memory_mode(mode if readable else "(not a word)")


def texts(values: Iterable[object]) -> tuple[str, ...]:
    """Values as texts without repetitions; an issue number may be written as a number."""
    return tuple(dict.fromkeys(str(value) for value in values))
