"""Options that commands share, each declared once; a command takes them as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, StrEnum
from typing import Any

from msgspec import Struct

from kradle_ctx.config import RequestFlags

BRAIN, QUESTION, TASK = "Brain and grants", "Question", "What the run is about"
NARROWING, LIMITS, OUTPUT = "Narrowing", "Limits", "Output"


class Mode(StrEnum):
    """Query modes."""

    GRAPH_ONLY = "graph-only"
    GREP_ONLY = "grep-only"
    GRAPH_AND_GREP = "graph-and-grep"
    DOCUMENT_READ = "document-read"
    ONTOLOGY_VALIDATION = "ontology-validation"


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


class Option(Struct, frozen=True):
    """One option of a command, as a row that says all there is to say of it.

    `kind` is str, int, bool or an enum; without `names` it is called as its parameter is. A `repeatable` one gives all
    its values, `at_least` and `at_most` are limits of a number, and a `positional` one is an argument without a name.
    """

    kind: Any
    panel: str
    help: str
    names: tuple[str, ...] = ()
    default: Any = None
    metavar: str | None = None
    repeatable: bool = False
    positional: bool = False
    at_least: int | None = None
    at_most: int | None = None
    shows_default: bool = True


def option(kind: Any, panel: str, help_text: str, *names: str, **settings: Any) -> Option:
    """An option with a value."""
    return Option(kind, panel, help_text, names, **settings)


def many(panel: str, help_text: str, *names: str, **settings: Any) -> Option:
    """An option that may be given several times."""
    return Option(str, panel, help_text, names, repeatable=True, **settings)


def switch(panel: str, help_text: str, name: str) -> Option:
    """An option that is given or not."""
    return Option(bool, panel, help_text, (name,), default=False)


def count(help_text: str, at_least: int, at_most: int) -> Option:
    """A limit that is a number."""
    return Option(int, LIMITS, help_text, metavar="N", at_least=at_least, at_most=at_most)


PATTERN_OPTION = many(
    BRAIN,
    "Hide this too: a word for what it is, and an RE2 expression. Repeatable.",
    "--redaction-pattern",
    metavar="KIND=EXPRESSION",
)

BRAIN_OPTIONS: dict[str, Option] = {
    "brain": option(str, BRAIN, "The brain's Git repository: its top folder, or a bare one.", metavar="DIR"),
    "resources": many(
        BRAIN,
        "Kradle resources and the request: YAML files or folders; - is stdin. Repeatable.",
        "--resources",
        "-f",
        metavar="PATH",
    ),
    "local_grant": switch(BRAIN, "Read the whole brain at public and internal, on your own word.", "--local-grant"),
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
    "no_index": switch(BRAIN, "Read the brain anew, without the index in the cache folder.", "--no-index"),
    "required": option(
        bool,
        BRAIN,
        "Whether a brain that is unavailable, denied or switched off ends the run; by default it does.",
        "--required/--optional",
        shows_default=False,
    ),
}

REF_OPTIONS: dict[str, Option] = {
    "ref": option(str, QUESTION, "A branch, a tag or a commit id; the default branch when absent.", metavar="REF"),
    "at": option(
        str,
        QUESTION,
        "The latest approved commit at or before an instant, such as 2026-05-08T09:30:00Z.",
        metavar="TIME",
    ),
    "snapshot": option(str, QUESTION, "A tag under refs/tags/memory/snapshots/.", metavar="TAG"),
}

QUESTION_OPTIONS: dict[str, Option] = {
    "query": option(
        str,
        QUESTION,
        "What to look for, in plain words; quote a phrase to keep it whole.",
        "--query",
        "-q",
        metavar="TEXT",
    ),
    "regex": switch(QUESTION, "The query is a regular expression.", "--regex"),
    "mode": option(
        Mode,
        QUESTION,
        "How to look: by graph, by text, by both (the default), or only what --select names; the last mode adds what "
        "validation finds.",
    ),
    "select": many(
        QUESTION, "An id or path that must be in; an error when it is not available. Repeatable.", metavar="ITEM"
    ),
    **REF_OPTIONS,
}

TASK_OPTIONS: dict[str, Option] = {
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

NARROWING_OPTIONS: dict[str, Option] = {
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

LIMIT_OPTIONS: dict[str, Option] = {
    "rank": option(Rank, LIMITS, "score combines the criteria; literal sorts by them, for audits."),
    "depth": count("Edges to follow from the seeds (2).", 0, 99),
    "max_matches": count("Most items by text, beside those selected or associated (25).", 0, MANY),
    "context": count("Lines around a match (2).", 0, 50),
    "max_bytes": count("Most bytes of the rendered section (128000).", 1, MOST),
    "max_tokens": count("Most tokens of the rendered section (24000).", 1, MOST),
    "max_records": count("Most documents (40).", 1, MANY),
}

REQUEST_OPTIONS = BRAIN_OPTIONS | QUESTION_OPTIONS | TASK_OPTIONS | NARROWING_OPTIONS | LIMIT_OPTIONS

ERROR_FORMAT = option(
    ErrorFormat, OUTPUT, "How errors are printed on stderr.", "--error-format", default=ErrorFormat.TEXT
)
QUIET = switch(OUTPUT, "No progress, no notes: errors only.", "--quiet")


class Command(Struct, frozen=True):
    """A command: the function that runs it, the options that it gets as one `RequestFlags`, and its own options."""

    function: Callable[..., int | None]
    shared: Mapping[str, Option]
    own: Mapping[str, Option]

    @property
    def options(self) -> dict[str, Option]:
        """All options by their parameters."""
        return {**self.shared, **self.own}

    def __call__(self, **given: Any) -> int | None:
        """Run the command with values of its options; returns the exit code, None for the usual one."""
        if not self.shared:
            return self.function(**given)
        stated = {name: plain(given.pop(name)) for name in self.shared}
        return self.function(
            RequestFlags(**{name: value for name, value in stated.items() if value is not None}), **given
        )


def takes(shared: Mapping[str, Option], **own: Option) -> Callable[[Callable[..., int | None]], Command]:
    """Make a function a command with these options; `shared` ones reach it together, as its first parameter."""

    def decorate(function: Callable[..., int | None]) -> Command:
        return Command(function, shared, own)

    return decorate


def plain(value: Any) -> Any:
    """An option's value as flags hold it: enums as their text, lists as tuples."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list):
        return tuple(value)
    return value
