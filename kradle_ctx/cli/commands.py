"""The commands by their names, and an app of some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated

import typer

from kradle_ctx import __version__
from kradle_ctx.cli.help import CommandGroup, SectionedCommand

GROUPS = {"index": "What is kept of a brain in the cache folder, so that it is read once, and what is derived from it."}
"""Groups of commands, and what each is about; a group is a folder of modules."""

COMMANDS = (
    "assemble",
    "index build",
    "index export",
    "index prune",
    "index status",
    "index verify",
    "preview",
    "query",
    "read",
    "redact",
    "resolve",
)
"""Each is the function of that name in the module of that name; one of a group has the group's name before it."""

PURPOSE = "Turn a Git repository of company knowledge into a small, explained, redacted, digest-pinned context bundle."
EXAMPLE = '\b\nTry it on any Git repository of Markdown:\n  kradle-ctx preview --brain . --query "how do we deploy"'


def app_of(names: Iterable[str]) -> typer.Typer:
    """An app with these commands."""
    app = typer.Typer(
        name="kradle-ctx",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,
        help=PURPOSE,
        epilog=EXAMPLE,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(options)
    groups: dict[str, typer.Typer] = {"": app}
    for name in names:
        group, _, word = name.rpartition(" ")
        if group not in groups:
            groups[group] = typer.Typer(rich_markup_mode=None)
            app.add_typer(groups[group], name=group, help=GROUPS[group], cls=CommandGroup)
        module = import_module(f"kradle_ctx.cli.{name.replace(' ', '.')}")
        groups[group].command(word, cls=SectionedCommand)(getattr(module, word))
    return app


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The app with the one command that is called, since to set up the others takes longer than to call it.

    Where the first arguments are no command, the app has all of them.
    """
    called = [" ".join(arguments[:count]) for count in (1, 2)]
    return app_of([name for name in called if name in COMMANDS][:1] or COMMANDS)


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        typer.echo(f"kradle-ctx {__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Options of the program itself."""
