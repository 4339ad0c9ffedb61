"""Help as plain text in sections: no option's name is cut short, and nothing is loaded to draw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter, Parameter  # typer's own copy of click

ARGUMENTS, UNNAMED = "Arguments", "Options"

WHOLE_SENTENCE = 400
"""Characters of a command's first sentence in the list of commands: all of it, over several lines."""


class SectionedCommand(TyperCommand):
    """A command whose help lists its options under the panel that each one names."""

    def get_short_help_str(self, limit: int = WHOLE_SENTENCE) -> str:
        """The first sentence of the help, whole."""
        return super().get_short_help_str(WHOLE_SENTENCE)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the arguments, then the options' sections in the order of the options."""
        sections: dict[str, list[tuple[str, str]]] = {ARGUMENTS: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                sections.setdefault(section(parameter), []).append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class CommandGroup(TyperGroup):
    """A group of commands whose sentence is whole in the list that it stands in."""

    def get_short_help_str(self, limit: int = WHOLE_SENTENCE) -> str:
        """The first sentence of the help, whole."""
        return super().get_short_help_str(WHOLE_SENTENCE)


def section(parameter: Parameter) -> str:
    """The section of help that a parameter stands in."""
    if parameter.param_type_name == "argument":
        return ARGUMENTS
    return getattr(parameter, "rich_help_panel", None) or UNNAMED
