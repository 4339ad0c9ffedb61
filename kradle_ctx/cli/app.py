"""The app: every command by its name."""

from __future__ import annotations

from typing import Annotated

import typer

from kradle_ctx import __version__
from kradle_ctx.cli import assemble, preview, query, read, redact, resolve
from kradle_ctx.cli.help import SectionedCommand

app = typer.Typer(
    name="kradle-ctx",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
    help="Turn a Git repository of company knowledge into a small, explained, redacted, digest-pinned context bundle.",
    epilog='\b\nTry it on any Git repository of Markdown:\n  kradle-ctx preview --brain . --query "how do we deploy"',
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


app.command("assemble", cls=SectionedCommand)(assemble.assemble)
app.command("preview", cls=SectionedCommand)(preview.preview)
app.command("query", cls=SectionedCommand)(query.query)
app.command("read", cls=SectionedCommand)(read.read)
app.command("redact", cls=SectionedCommand)(redact.redact)
app.command("resolve", cls=SectionedCommand)(resolve.resolve)
