"""Command lines that are plain: options by their whole names, each with a value that fits.

They are read here, by the table that typer is told of as well, since to load typer takes longer than many an answer.
All others are left to it, and with them every word about a command line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from kradle_ctx.cli.options import Option
from kradle_ctx.cli.registry import called, command

COMPLETION = "_KRADLE_CTX_COMPLETE"
"""The variable by which a shell asks what could be typed next."""

MOST_DIGITS = 10


class NotPlain(Exception):
    """typer has to read the command line."""


def plain_call(arguments: Sequence[str]) -> Callable[[], int | None] | None:
    """The call that a plain command line makes; None for any other."""
    name = called(arguments)
    if name is None or COMPLETION in os.environ:
        return None
    wanted = command(name)
    try:
        return partial(wanted, **plain_values(wanted.options, arguments[len(name.split()) :]))
    except NotPlain:
        return None


def plain_values(options: Mapping[str, Option], arguments: Sequence[str]) -> dict[str, Any]:
    """The value of each option by its parameter, as typer gives it; raises `NotPlain`."""
    names = {name: (parameter, meaning) for parameter, name, meaning in names_of(options)}
    values: dict[str, Any] = {}
    rest = next((parameter for parameter, row in options.items() if row.positional), None)
    waiting = iter(arguments)
    for argument in waiting:
        if rest is not None and not argument.startswith("-"):
            values.setdefault(rest, []).append(argument)
            continue
        name, equals, text = argument.partition("=") if argument.startswith("--") else (argument, "", "")
        parameter, meaning = names.get(name, (None, False))
        if parameter is None or (parameter in values and not options[parameter].repeatable):
            raise NotPlain
        if options[parameter].kind is bool:
            if equals:
                raise NotPlain
            values[parameter] = meaning
            continue
        value = plain_value(options[parameter], text if equals else next(waiting, ""))
        if options[parameter].repeatable:
            values.setdefault(parameter, []).append(value)
        else:
            values[parameter] = value
    return {parameter: row.default for parameter, row in options.items()} | values


def names_of(options: Mapping[str, Option]) -> Iterator[tuple[str, str, bool]]:
    """Parameter and name of each option as it is typed, and what a name alone means; of `--a/--b` the second means no.

    Raises `NotPlain` for a command that must be given more than options.
    """
    for parameter, row in options.items():
        if row.positional and row.repeatable:
            continue
        if row.positional:
            raise NotPlain
        for names in row.names or (f"--{parameter.replace('_', '-')}",):
            for place, name in enumerate(names.split("/")):
                yield parameter, name, place == 0


def plain_value(row: Option, text: str) -> Any:
    """The value that a text stands for; raises `NotPlain` unless it fits beyond doubt."""
    if not text or text.startswith("-"):
        raise NotPlain
    if row.kind is str:
        return text
    if row.kind is not int:
        try:
            return row.kind(text)
        except ValueError:
            raise NotPlain from None
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise NotPlain
    number = int(text)
    if (row.at_least is not None and number < row.at_least) or (row.at_most is not None and number > row.at_most):
        raise NotPlain
    return number
