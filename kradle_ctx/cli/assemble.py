"""`assemble`: the main job."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from kradle_ctx.cli.options import ERROR_FORMAT, OUTPUT, QUIET, REQUEST_OPTIONS, ErrorFormat, option, switch, takes
from kradle_ctx.cli.session import STDOUT, assembled, prepared, say, write_artefact
from kradle_ctx.config import RequestFlags

if TYPE_CHECKING:
    from kradle_ctx.errors import KradleError
    from kradle_ctx.model.bundle import Bundle
    from kradle_ctx.model.request import Request


class BundleFormat(StrEnum):
    """Forms of a bundle."""

    YAML = "yaml"
    JSON = "json"
    PROMPT = "prompt"


@takes(
    REQUEST_OPTIONS,
    output=option(str, OUTPUT, "Write here instead of stdout.", "--output", "-o", metavar="FILE"),
    bundle_format=option(
        BundleFormat,
        OUTPUT,
        "The bundle as YAML or JSON, or the section for the prompt.",
        "--format",
        default=BundleFormat.YAML,
    ),
    records=option(
        str,
        OUTPUT,
        "Also write the snapshot and query records here; of a refused run, the query record.",
        metavar="DIR",
    ),
    all_documents=switch(OUTPUT, "Put the records into the same output; YAML and JSON only.", "--all-documents"),
    error_format=ERROR_FORMAT,
    quiet=QUIET,
)
def assemble(
    flags: RequestFlags,
    output: str | None,
    bundle_format: BundleFormat,
    records: str | None,
    all_documents: bool,
    error_format: ErrorFormat,
    quiet: bool,
) -> None:
    """Make the bundle for one agent run: a digest-pinned YAML document on stdout or in a file.

    Grants come only from what you give: --resources, or --local-grant on your own word. Nothing is asked, nothing is
    read from a work tree.
    """
    from kradle_ctx.errors import ErrorCode, KradleError
    from kradle_ctx.passages import BlobRedactor

    if all_documents and bundle_format is BundleFormat.PROMPT:
        raise KradleError(
            ErrorCode.USAGE, "--all-documents does not go with --format prompt", "write the records with --records DIR"
        )
    request = None
    try:
        with prepared(flags, discover=False, quiet=quiet) as run:
            request = run.request
            bundle = assembled(run, "assemble")
    except KradleError as error:
        if records is not None:
            write_blocked(getattr(error, "request", request), error, Path(records))
        raise
    if records is not None:
        write_records(bundle, Path(records))
    write_bundle(bundle, bundle_format, output, all_documents)
    if quiet:
        return
    if sys.stderr.isatty():
        show_preview(bundle, run.assumed)
    else:
        said = BlobRedactor(run.redactor).shown(
            (*run.assumed, *bundle.notes, *run.index_store.notes, told(bundle, output))
        )
        say(said, quiet)


def told(bundle: Bundle, output: str | None) -> str:
    """What was made, in one line."""
    place = f" written to {output}" if output not in (None, STDOUT) else ""
    count = len(bundle.memory["sources"])
    return f"{count} {'item' if count == 1 else 'items'}, {bundle.digest}{place}"


def write_bundle(bundle: Bundle, bundle_format: BundleFormat, output: str | None, all_documents: bool) -> None:
    """Write the artefact in its format."""
    from kradle_ctx.render.bundle_yaml import to_json, to_yaml
    from kradle_ctx.render.prompt import prompt_section

    documents = [bundle.document]
    if all_documents:
        documents += [document for document in (bundle.snapshot, bundle.query) if document]
    if bundle_format is BundleFormat.PROMPT:
        text = prompt_section(bundle.memory)
    else:
        text = to_json(documents) if bundle_format is BundleFormat.JSON else to_yaml(documents)
    write_artefact(text, output)


def write_records(bundle: Bundle, folder: Path) -> None:
    """Write the snapshot and the query record, each under its name."""
    from kradle_ctx.adapters.atomic_output import make_folder
    from kradle_ctx.render.bundle_yaml import to_yaml

    make_folder(folder)
    for document in (bundle.snapshot, bundle.query):
        if document:
            write_artefact(to_yaml([document]), str(folder / f"{document['metadata']['name']}.yaml"))


def write_blocked(request: Request | None, error: KradleError, folder: Path) -> None:
    """Write the query record of a run that was refused; it is the only document of such a run.

    Where there was no request yet there is no record; one that cannot be written is told, and the refusal stands.
    """
    from kradle_ctx.adapters.atomic_output import make_folder
    from kradle_ctx.errors import KradleError
    from kradle_ctx.passages import BlobRedactor
    from kradle_ctx.records import unanswered
    from kradle_ctx.render.bundle_yaml import to_yaml
    from kradle_ctx.wiring import redactor_for

    if request is not None:
        redactor = BlobRedactor(redactor_for(request))
        document = unanswered(redactor.shown(request), error, redactor.name(error.message))
        try:
            make_folder(folder)
            write_artefact(to_yaml([document]), str(folder / f"{document['metadata']['name']}.yaml"))
        except KradleError as failure:
            say((f"the record of this refusal is missing: {failure.message}",), quiet=False)


def show_preview(bundle: Bundle, assumed: tuple[str, ...]) -> None:
    """The preview beside the artefact, on stderr."""
    from rich.console import Console

    from kradle_ctx.render.preview import preview
    from kradle_ctx.render.summary import summarize

    Console(stderr=True, markup=False, highlight=False, emoji=False).print(preview(summarize(bundle, assumed)))
