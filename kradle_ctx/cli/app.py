"""The app: every command by its name."""

from __future__ import annotations

from typing import Annotated

import typer

from kradle_ctx import __version__
from kradle_ctx.cli import assemble, preview, query, read, resolve

app = typer.Typer(
    name="kradle-ctx",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
    help="Turn a Git repository of company knowledge into a small, explained, redacted, digest-pinned context bundle.",
    epilog='Try it on any Git repository of Markdown:  kradle-ctx preview --brain . --query "how do we deploy"',
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        typer.echo(f"kradle-ctx {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Options of the program itself."""


app.command("assemble")(assemble.assemble)
app.command("preview")(preview.preview)
app.command("query")(query.query)
app.command("read")(read.read)
app.command("resolve")(resolve.resolve)
