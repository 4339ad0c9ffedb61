"""Options that commands share, each declared once; a command takes them as one value."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum, StrEnum
from functools import wraps
from typing import Annotated, Any

import typer

from kradle_ctx.config import RequestFlags

BRAIN, QUESTION, TASK = "Brain and grants", "Question", "What the run is about"
NARROWING, LIMITS, OUTPUT = "Narrowing", "Limits", "Output"


class Mode(StrEnum):
    """Query modes."""

    GRAPH_ONLY = "graph-only"
    GREP_ONLY = "grep-only"
    GRAPH_AND_GREP = "graph-and-grep"
    DOCUMENT_READ = "document-read"


class Rank(StrEnum):
    """Ranking orders."""

    SCORE = "score"
    LITERAL = "literal"


class Layout(StrEnum):
    """Layout profiles."""

    COMPANY_BRAIN = "company-brain-v1"
    ATLAS = "atlas-md-yaml-v1"


class RepositoryVisibility(StrEnum):
    """Visibility of the repository worked on."""

    PUBLIC = "public"
    PRIVATE = "private"


class ErrorFormat(StrEnum):
    """How errors are printed on stderr."""

    TEXT = "text"
    JSON = "json"


def option(kind: Any, panel: str, help_text: str, *names: str, **settings: Any) -> Any:
    """An optional option of a help panel."""
    return Annotated[kind | None, typer.Option(*names, help=help_text, rich_help_panel=panel, **settings)]


def many(panel: str, help_text: str, *names: str, **settings: Any) -> Any:
    """An option that may be given several times."""
    return Annotated[list[str] | None, typer.Option(*names, help=help_text, rich_help_panel=panel, **settings)]


PATTERN_OPTION = many(
    BRAIN,
    "Hide this too: a word for what it is, and an RE2 expression. Repeatable.",
    "--redaction-pattern",
    metavar="KIND=EXPRESSION",
)

BRAIN_OPTIONS: dict[str, Any] = {
    "brain": option(str, BRAIN, "The brain's Git repository: its top folder, or a bare one.", metavar="DIR"),
    "resources": many(
        BRAIN,
        "Kradle resources and the request: YAML files or folders; - is stdin. Repeatable.",
        "--resources",
        "-f",
        metavar="PATH",
    ),
    "local_grant": Annotated[
        bool,
        typer.Option(
            "--local-grant",
            help="Read the whole brain at public and internal, on your own word.",
            rich_help_panel=BRAIN,
        ),
    ],
    "org": option(str, BRAIN, "The organisation that asks.", metavar="NAME"),
    "memory_repository": option(str, BRAIN, "Which AgentMemoryRepository to read.", metavar="NAME"),
    "root": option(str, BRAIN, "The brain's folder in the repository.", metavar="FOLDER"),
    "ontology": option(str, BRAIN, "The ontology's file or folder in the brain.", metavar="PATH"),
    "layout_profile": option(Layout, BRAIN, "How the brain is laid out."),
    "memory_mode": option(
        str,
        BRAIN,
        "full, read-only or disabled; can only narrow what the environment and the request say.",
        metavar="MODE",
    ),
    "redaction_pattern": PATTERN_OPTION,
    "no_index": Annotated[
        bool,
        typer.Option(
            "--no-index", help="Read the brain anew, without the index in the cache folder.", rich_help_panel=BRAIN
        ),
    ],
    "required": Annotated[
        bool | None,
        typer.Option(
            "--required/--optional",
            help="Whether a brain that is unavailable, denied or switched off ends the run; by default it does.",
            rich_help_panel=BRAIN,
            show_default=False,
        ),
    ],
}

REF_OPTIONS: dict[str, Any] = {
    "ref": option(str, QUESTION, "A branch, a tag or a commit id; the default branch when absent.", metavar="REF"),
    "at": option(
        str,
        QUESTION,
        "The latest approved commit at or before an instant, such as 2026-05-08T09:30:00Z.",
        metavar="TIME",
    ),
    "snapshot": option(str, QUESTION, "A tag under refs/tags/memory/snapshots/.", metavar="TAG"),
}

QUESTION_OPTIONS: dict[str, Any] = {
    "query": option(
        str,
        QUESTION,
        "What to look for, in plain words; quote a phrase to keep it whole.",
        "--query",
        "-q",
        metavar="TEXT",
    ),
    "regex": Annotated[
        bool, typer.Option("--regex", help="The query is a regular expression.", rich_help_panel=QUESTION)
    ],
    "mode": option(
        Mode, QUESTION, "How to look: by graph, by text, by both (the default), or only what --select names."
    ),
    "select": many(
        QUESTION, "An id or path that must be in; an error when it is not available. Repeatable.", metavar="ITEM"
    ),
    **REF_OPTIONS,
}

TASK_OPTIONS: dict[str, Any] = {
    "repo": option(str, TASK, "The repository that the run works on.", metavar="NAME"),
    "visibility": option(
        RepositoryVisibility,
        TASK,
        "Its visibility; for a public one only public items pass, unless a source allows more.",
    ),
    "stack": option(str, TASK, "The agent stack.", metavar="NAME"),
    "issue": many(TASK, "An issue, such as kradle/91. Repeatable.", metavar="REF"),
    "pr": many(TASK, "A pull request, such as kradle/42. Repeatable.", metavar="REF"),
    "service": many(TASK, "A service. Repeatable.", metavar="NAME"),
    "skill": many(TASK, "A skill. Repeatable.", metavar="NAME"),
    "trigger": option(str, TASK, "What triggered the run.", metavar="NAME"),
    "job": many(TASK, "A CI job. Repeatable.", metavar="NAME"),
    "path": many(TASK, "A path that the run is about. Repeatable.", metavar="PATH"),
    "task_kind": option(str, TASK, "The kind of task, such as ci-repair.", metavar="KIND"),
    "prompt": option(str, TASK, "The task's prompt; it is the query when none is given.", metavar="TEXT"),
    "user": option(str, TASK, "Who asks.", metavar="NAME"),
    "team": many(TASK, "A team of who asks. Repeatable.", metavar="NAME"),
    "process": option(str, TASK, "The process that asks.", metavar="NAME"),
    "name": option(str, TASK, "The dispatch run's name.", metavar="NAME"),
    "namespace": option(str, TASK, "The namespace of what is emitted.", metavar="NAME"),
}

NARROWING_OPTIONS: dict[str, Any] = {
    "kind": many(NARROWING, "Only records of this kind; notes, which have none, stay. Repeatable.", metavar="KIND"),
    "include": many(NARROWING, "Only items whose path fits; * ** ? are wildcards. Repeatable.", metavar="PATTERN"),
    "exclude": many(NARROWING, "No items whose path fits, not even on the way. Repeatable.", metavar="PATTERN"),
    "exclude_kind": many(NARROWING, "No records of this kind, not even on the way. Repeatable.", metavar="KIND"),
    "owner": many(NARROWING, "Only what this owner owns. Repeatable.", metavar="ID"),
    "status": many(NARROWING, "Only what has this status. Repeatable.", metavar="STATUS"),
    "tag": many(NARROWING, "Only what has this tag. Repeatable.", metavar="TAG"),
    "edge": many(NARROWING, "Only what states an edge of this kind. Repeatable.", metavar="KIND"),
}

MOST, MANY = 1_073_741_824, 10_000
"""Upper limits of sizes and of counts, as the schema of AgentDispatchRun has them."""

LIMIT_OPTIONS: dict[str, Any] = {
    "rank": option(Rank, LIMITS, "score combines the criteria; literal sorts by them, for audits."),
    "depth": option(int, LIMITS, "Edges to follow from the seeds (2).", metavar="N", min=0, max=99),
    "max_matches": option(
        int,
        LIMITS,
        "Most items by text, beside those selected or associated (25).",
        metavar="N",
        min=0,
        max=10_000,
    ),
    "context": option(int, LIMITS, "Lines around a match (2).", metavar="N", min=0, max=50),
    "max_bytes": option(int, LIMITS, "Most bytes of the rendered section (128000).", metavar="N", min=1, max=MOST),
    "max_tokens": option(int, LIMITS, "Most tokens of the rendered section (24000).", metavar="N", min=1, max=MOST),
    "max_records": option(int, LIMITS, "Most documents (40).", metavar="N", min=1, max=MANY),
}

REQUEST_OPTIONS = BRAIN_OPTIONS | QUESTION_OPTIONS | TASK_OPTIONS | NARROWING_OPTIONS | LIMIT_OPTIONS

ErrorFormatOption = Annotated[
    ErrorFormat, typer.Option("--error-format", help="How errors are printed on stderr.", rich_help_panel=OUTPUT)
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", help="No progress, no notes: errors only.", rich_help_panel=OUTPUT)
]


def takes(options: dict[str, Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the named options as keyword parameters; the command gets them as one `RequestFlags`.

    The command's first parameter is that value; its own parameters follow and keep their options.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
        shared = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=kind,
                default=False if name in ("local_grant", "regex", "no_index") else None,
            )
            for name, kind in options.items()
        ]
        placed = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]

        @wraps(command)
        def wrapper(**given: Any) -> None:
            stated = {name: plain(given.pop(name)) for name in options}
            command(RequestFlags(**{name: value for name, value in stated.items() if value is not None}), **given)

        parameters = [*shared, *placed]
        wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return wrapper

    return decorate


def plain(value: Any) -> Any:
    """An option's value as flags hold it: enums as their text, lists as tuples."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list):
        return tuple(value)
    return value
