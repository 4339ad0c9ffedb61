"""Flags laid over a dispatch run, so that a request from flags and one from YAML take the same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kradle_ctx.config import RequestFlags
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.expressions import is_expression, lazy_expression

FIELDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("org", ("organizationRef",)),
    ("repo", ("repository", "name")),
    ("visibility", ("repository", "visibility")),
    ("stack", ("agentStack",)),
    ("task_kind", ("taskKind",)),
    ("prompt", ("task", "prompt")),
    ("user", ("requester", "user")),
    ("team", ("requester", "teams")),
    ("process", ("requester", "process")),
    ("trigger", ("requester", "trigger")),
    ("issue", ("sourceRefs", "issue")),
    ("pr", ("sourceRefs", "pullRequest")),
    ("service", ("sourceRefs", "service")),
    ("skill", ("sourceRefs", "skill")),
    ("job", ("sourceRefs", "job")),
    ("path", ("sourceRefs", "path")),
    ("memory_repository", ("memory", "repositoryRef")),
    ("ref", ("memory", "requestedRef")),
    ("at", ("memory", "refAt")),
    ("snapshot", ("memory", "snapshotTag")),
    ("mode", ("memory", "queryMode")),
    ("query", ("memory", "queryText")),
    ("select", ("memory", "select")),
    ("owner", ("memory", "filter", "owners")),
    ("status", ("memory", "filter", "statuses")),
    ("tag", ("memory", "filter", "tags")),
    ("edge", ("memory", "filter", "edges")),
    ("exclude", ("memory", "exclude", "paths")),
    ("exclude_kind", ("memory", "exclude", "kinds")),
    ("kind", ("memory", "graph", "kinds")),
    ("depth", ("memory", "graph", "edgeDepth")),
    ("include", ("memory", "grep", "paths")),
    ("max_matches", ("memory", "grep", "maxMatches")),
    ("context", ("memory", "grep", "contextLines")),
    ("max_bytes", ("memory", "limits", "maxMemoryBytes")),
    ("max_tokens", ("memory", "limits", "maxTokens")),
    ("max_records", ("memory", "limits", "maxRecords")),
    ("required", ("memory", "required")),
)
"""Each flag of a request's field, and the field's place below `spec`."""

TEXT_LENGTH, QUERY_LENGTH, VALUES = 4_096, 1_000_000, 1_000
"""Most characters of a flag's text, of the query's, and most values of a repeatable flag."""

NAME = (
    lazy_expression(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?"),
    "a name of letters, digits, '.', '_' and '-'",
)
REFERENCE = lazy_expression(r"[^\s*?\[\]\x00-\x1f\x7f]{1,253}"), "a name without spaces, wildcards and brackets"
SHORT_LINE = lazy_expression(r"[^\x00-\x1f\x7f]{1,253}"), "one short line of text"
LINE = lazy_expression(r"[^\x00-\x1f\x7f]+"), "one line of text"
RELATIVE = lazy_expression(r"(?!(?:[^/]*/)*\.\.(?:/|$))[^\x00-\x1f\x7f]+"), "a path pattern without '..'"
SHAPES = {
    **dict.fromkeys(("org", "stack", "name", "namespace"), NAME),
    **dict.fromkeys(("repo", "memory_repository"), REFERENCE),
    **dict.fromkeys(("task_kind", "user", "team", "process", "trigger"), SHORT_LINE),
    **dict.fromkeys(("include", "exclude"), RELATIVE),
}
"""What a flag's text must look like, as the schema of AgentDispatchRun has it; another is a `LINE`."""

FREE_FLAGS = ("query", "prompt")

PATTERN_KIND, PATTERN_LENGTH = lazy_expression(r"[a-z][a-z0-9-]{0,39}"), 1_000
"""As the schema has them."""

SURROGATE = lazy_expression(r"[\ud800-\udfff]")
"""What Python makes of a byte of an argument that is not UTF-8."""

REF_FLAGS = ("ref", "at", "snapshot")
LOCAL_ORGANIZATION = "local"
UNNAMED_RUN = "local"


def overlay(run: Mapping[str, Any] | None, flags: RequestFlags) -> dict[str, Any]:
    """A dispatch run with the flags laid over it; a run of flags alone is named `local`.

    One of `--ref`, `--at` and `--snapshot` replaces whichever the run has; two of them are refused.
    """
    laid = copy_of(run) if run is not None else empty_run()
    spec = laid["spec"]
    given = [name for name in REF_FLAGS if getattr(flags, name) is not None]
    if len(given) > 1:
        raise KradleError(
            ErrorCode.USAGE, f"--{given[0]} and --{given[1]} name two different commits", "give one of them"
        )
    if given:
        for field in ("requestedRef", "refAt", "snapshotTag"):
            spec.get("memory", {}).pop(field, None)
    if isinstance(spec.get("repository"), str):
        spec["repository"] = {"name": spec["repository"]}
    for name, place in FIELDS:
        value = getattr(flags, name)
        if value is not None and value != ():
            check_value(name, value)
            put(spec, place, list(value) if isinstance(value, tuple) else value)
    if flags.redaction_pattern:
        stated = spec.get("memory", {}).get("redactionPatterns", [])
        put(spec, ("memory", "redactionPatterns"), [*stated, *map(stated_pattern, flags.redaction_pattern)])
    if flags.regex:
        put(spec, ("memory", "regex"), True)
    for field in ("name", "namespace"):
        if getattr(flags, field) is not None:
            check_value(field, getattr(flags, field))
            laid["metadata"][field] = getattr(flags, field)
    return laid


def copy_of(run: Mapping[str, Any]) -> dict[str, Any]:
    """A dispatch run that may be changed."""
    from copy import deepcopy

    return deepcopy(dict(run))


def check_value(name: str, value: Any) -> None:
    """Refuse a flag's text that is longer than any resource could hold, or of another shape."""
    most = QUERY_LENGTH if name in FREE_FLAGS else TEXT_LENGTH
    values = value if isinstance(value, tuple) else (value,)
    texts = [text for text in values if isinstance(text, str)]
    option = f"--{name.replace('_', '-')}"
    if len(values) > VALUES or any(len(text) > most for text in texts):
        raise KradleError(
            ErrorCode.USAGE, f"{option} is too long", f"give at most {VALUES} values of {most} characters"
        )
    if SURROGATE.search("".join(texts)):
        raise KradleError(ErrorCode.USAGE, f"{option} is not UTF-8", f"give {option} in UTF-8")
    if name in FREE_FLAGS or name in REF_FLAGS:
        return
    shape, words = SHAPES.get(name, LINE)
    if not all(shape.fullmatch(text) for text in texts):
        raise KradleError(ErrorCode.USAGE, f"{option} is not {words}", f"give {option} {words}")


def stated_pattern(text: str) -> dict[str, str]:
    """A redaction pattern from a flag, `KIND=EXPRESSION`."""
    kind, equals, pattern = text.partition("=")
    if not equals or not PATTERN_KIND.fullmatch(kind) or len(pattern) > PATTERN_LENGTH or not is_expression(pattern):
        raise KradleError(
            ErrorCode.USAGE,
            "--redaction-pattern is not KIND=EXPRESSION",
            "give a word of small letters and an RE2 expression, such as --redaction-pattern 'ticket=T-[0-9]+'",
        )
    return {"kind": kind, "pattern": pattern}


def empty_run() -> dict[str, Any]:
    """A dispatch run that asks nothing yet."""
    return {
        "apiVersion": "kradle.a5c.ai/v1alpha1",
        "kind": "AgentDispatchRun",
        "metadata": {"name": UNNAMED_RUN},
        "spec": {"organizationRef": LOCAL_ORGANIZATION},
    }


def put(spec: dict[str, Any], place: tuple[str, ...], value: Any) -> None:
    """Set a nested field, making the mappings on the way."""
    *folders, last = place
    for name in folders:
        spec = spec.setdefault(name, {})
    spec[last] = value
