"""`preview`: the same path as `assemble`, shown to a person."""

from __future__ import annotations

from enum import StrEnum

from kradle_ctx.cli.options import ERROR_FORMAT, OUTPUT, QUIET, REQUEST_OPTIONS, ErrorFormat, option, switch, takes
from kradle_ctx.cli.session import assembled, draw, prepared, say, write_artefact
from kradle_ctx.config import RequestFlags


class PreviewFormat(StrEnum):
    """Forms of a preview."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


@takes(
    REQUEST_OPTIONS,
    preview_format=option(
        PreviewFormat,
        OUTPUT,
        "For the terminal, as Markdown, or the bundle as JSON.",
        "--format",
        default=PreviewFormat.TEXT,
    ),
    summary_only=switch(OUTPUT, "Leave out the prompt section, show what is in it and why.", "--summary"),
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def preview(
    flags: RequestFlags, preview_format: PreviewFormat, summary_only: bool, error_format: ErrorFormat, quiet: bool
) -> None:
    """See what an agent would get, and why: the prompt section, then every item with its reason.

    Works on any Git repository of Markdown. Without grants it takes .kradle/ of this folder, else the whole repository
    at public and internal, and says which.
    """
    from kradle_ctx.render import preview as rendering
    from kradle_ctx.render.bundle_yaml import to_json
    from kradle_ctx.render.prompt import prompt_section
    from kradle_ctx.render.summary import summarize

    with prepared(flags, discover=True, quiet=quiet) as run:
        bundle = assembled(run, "preview")
    notes = () if quiet else (*run.assumed, *advice(run.assumed))
    if preview_format is PreviewFormat.JSON:
        write_artefact(to_json([bundle.document]), None)
        say((*notes, *bundle.notes, *run.index_store.notes), quiet)
        return
    section = "" if summary_only or "resolvedCommit" not in bundle.memory else prompt_section(bundle.memory) + "\n"
    summary = summarize(bundle, notes)
    if preview_format is PreviewFormat.MARKDOWN:
        write_artefact(rendering.preview_markdown(summary) + ("\n" + section if section else ""), None)
        return
    say(tuple(run.index_store.notes), quiet)
    write_artefact(section, None)
    draw(rendering.preview(summary))


def advice(assumed: tuple[str, ...]) -> tuple[str, ...]:
    """How to make permanent what was assumed."""
    if any("--local-grant" in note for note in assumed):
        return ("to make the grant permanent, write an AgentMemorySource into .kradle/ of the folder you run this in",)
    return ()
