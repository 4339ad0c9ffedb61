"""`read`: one record or document at the pinned commit."""

from __future__ import annotations

from enum import StrEnum

from msgspec.structs import replace

from kradle_ctx.cli.options import (
    BRAIN_OPTIONS,
    ERROR_FORMAT,
    OUTPUT,
    QUIET,
    REF_OPTIONS,
    TASK_OPTIONS,
    ErrorFormat,
    Option,
    option,
    takes,
)
from kradle_ctx.cli.session import assembled, prepared, say, write_artefact
from kradle_ctx.config import RequestFlags

WHOLE = 700_000
"""Bytes, tokens and documents of the budget: whatever a bundle could hold."""


class DocumentFormat(StrEnum):
    """Forms of a document."""

    TEXT = "text"
    JSON = "json"


@takes(
    BRAIN_OPTIONS | REF_OPTIONS | TASK_OPTIONS,
    item=Option(str, OUTPUT, "An id such as runbook:deploy, or a path in the brain.", metavar="ITEM", positional=True),
    document_format=option(
        DocumentFormat, OUTPUT, "The text alone, or with its pins.", "--format", default=DocumentFormat.TEXT
    ),
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def read(
    flags: RequestFlags, item: str, document_format: DocumentFormat, error_format: ErrorFormat, quiet: bool
) -> None:
    """Read one record or document by id or path, at the pinned commit, redacted as in a bundle.

    Without grants it takes .kradle/ of this folder, else the whole repository at public and internal, and says which.
    """
    from kradle_ctx.errors import ErrorCode, KradleError
    from kradle_ctx.render.answer import answer_json
    from kradle_ctx.render.bundle_yaml import to_json
    from kradle_ctx.render.escape import escape_line, escape_text

    asked = replace(flags, select=(item,), mode="document-read", max_bytes=WHOLE, max_tokens=WHOLE, max_records=WHOLE)
    with prepared(asked, discover=True, quiet=quiet) as run:
        memory = assembled(run, "read").memory
    if memory["omitted"]["count"]:
        raise KradleError(
            ErrorCode.LIMIT_EXCEEDED,
            f"{escape_line(item)} is larger than a bundle may be",
            "query it for the part you need, with --select and --query",
        )
    if document_format is DocumentFormat.JSON:
        write_artefact(to_json([answer_json(memory)]), None)
    else:
        write_artefact("".join(escape_text(source["content"]) for source in memory["sources"]), None)
    say(run.assumed, quiet)
