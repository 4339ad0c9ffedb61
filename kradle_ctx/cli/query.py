"""`query`: one ad-hoc retrieval."""

from __future__ import annotations

from enum import StrEnum

from kradle_ctx.cli.options import ERROR_FORMAT, OUTPUT, QUIET, REQUEST_OPTIONS, ErrorFormat, option, takes
from kradle_ctx.cli.session import assembled, prepared, say, write_artefact
from kradle_ctx.config import RequestFlags


class AnswerFormat(StrEnum):
    """Forms of an answer."""

    TEXT = "text"
    JSON = "json"


@takes(
    REQUEST_OPTIONS,
    answer_format=option(AnswerFormat, OUTPUT, "For reading, or for machines.", "--format", default=AnswerFormat.TEXT),
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def query(flags: RequestFlags, answer_format: AnswerFormat, error_format: ErrorFormat, quiet: bool) -> None:
    """Ask the brain one question in any mode: the items that answer it, each with its reason and its text.

    Without grants it takes .kradle/ of this folder, else the whole repository at public and internal, and says which.
    """
    from kradle_ctx.render.answer import answer_json, answer_text
    from kradle_ctx.render.bundle_yaml import to_json

    with prepared(flags, discover=True, quiet=quiet) as run:
        bundle = assembled(run, "query")
    memory = bundle.memory
    text = to_json([answer_json(memory)]) if answer_format is AnswerFormat.JSON else answer_text(memory)
    write_artefact(text, None)
    warnings = tuple(warning["message"] for warning in memory["warnings"])
    nothing = () if memory["sources"] or "validation" in memory else ("nothing in what may be read answers this",)
    say((*run.assumed, *bundle.notes, *run.index_store.notes, *warnings, *nothing), quiet)
