"""The commands as typer knows them: an app of all or some."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import update_wrapper
from inspect import Parameter, Signature
from typing import Annotated, Any

import typer

from kradle_ctx import __version__
from kradle_ctx.cli.help import CommandGroup, SectionedCommand
from kradle_ctx.cli.options import Command, Option
from kradle_ctx.cli.registry import COMMANDS, called, command

GROUPS = {"index": "What is kept of a brain in the cache folder, so that it is read once, and what is derived from it."}
"""Groups of commands, and what each is about; a group is a folder of modules."""

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
        groups[group].command(word, cls=SectionedCommand)(declared(command(name)))
    return app


def declared(command: Command) -> Callable[..., int | None]:
    """A command as a function whose signature tells typer of its options."""

    def function(**given: Any) -> int | None:
        return command(**given)

    update_wrapper(function, command.function)
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation(row), default=default(row))
        for name, row in command.options.items()
    ]
    function.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return function


def default(row: Option) -> Any:
    """What an option is when it is not given; an argument must be, unless there may be many of it."""
    return Parameter.empty if row.positional and not row.repeatable else row.default


def annotation(row: Option) -> Any:
    """The annotation by which typer knows an option."""
    kind = list[row.kind] if row.repeatable else row.kind  # type: ignore[name-defined]
    if row.positional:
        told_of = typer.Argument(help=row.help, metavar=row.metavar)
        return Annotated[kind | None if row.repeatable else kind, told_of]
    told = typer.Option(
        *row.names,
        help=row.help,
        rich_help_panel=row.panel,
        metavar=row.metavar,
        min=row.at_least,
        max=row.at_most,
        show_default=row.shows_default,
    )
    return Annotated[kind if row.default is not None else kind | None, told]


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The app with the one command that is called, since to set up the others takes longer than to call it.

    Where the first arguments are no command, the app has all of them.
    """
    name = called(arguments)
    return app_of(COMMANDS if name is None else [name])


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
