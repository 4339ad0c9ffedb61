"""A bundle for a person: the summary as rich renderables, or as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from kradle_ctx.render.summary import Pairs, Summary

SECTIONS = (("left out", "omitted"), ("denied", "denied"), ("redacted", "redacted"), ("not readable", "skipped"))
BAR_WIDTH = 40


def preview(summary: Summary) -> RenderableType:
    """The summary for a terminal; text from the brain is only ever a `Text`, never markup."""
    return Group(*parts(summary))


def parts(summary: Summary) -> Iterator[RenderableType]:
    """Header, banner, items, what is not there and why, warnings, and the budget."""
    yield facts(summary.header, "bold")
    if summary.banner is not None:
        yield Text(summary.banner, style="yellow")
    yield Text()
    yield items(summary)
    for title, field in SECTIONS:
        entries: Pairs = getattr(summary, field)
        if entries:
            yield Text(title, style="bold")
            yield facts(entries, "dim")
        if field == "omitted" and summary.omitted_items:
            yield facts(summary.omitted_items, "dim")
    for entry in summary.warnings:
        yield Text(f"warning: {entry}", style="yellow")
    for entry in summary.notes:
        yield Text(f"note: {entry}", style="dim")
    yield Text()
    yield budget(summary)


def facts(entries: Pairs, style: str) -> Table:
    """Names and values in two columns."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style=style, no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in entries:
        table.add_row(Text(name), Text(value))
    return table


def items(summary: Summary) -> RenderableType:
    """The items with their size and their why."""
    if not summary.rows:
        return Text(summary.without or "no item: nothing in what may be read answers this", style="bold")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("item", overflow="fold")
    table.add_column("bytes", justify="right", no_wrap=True)
    table.add_column("tokens", justify="right", no_wrap=True)
    for number, row in enumerate(summary.rows, start=1):
        item = Text(row.name, style="cyan")
        item.append(f"\n{row.kind}, {row.trust}" + (f"  {row.place}" if row.place != row.name else ""), style="dim")
        if row.flags:
            item.append(f"\n! {', '.join(row.flags)}", style="yellow")
        item.append(f"\n{row.why}", style="default")
        table.add_row(Text(str(number)), item, Text(f"{row.bytes:,}"), Text(f"{row.tokens:,}"))
    return table


def budget(summary: Summary) -> RenderableType:
    """How much of the budget is used, by the tighter limit."""
    shares = [
        used / most
        for used, most in ((summary.used_bytes, summary.max_bytes), (summary.used_tokens, summary.max_tokens))
        if most
    ]
    table = Table.grid(padding=(0, 1))
    table.add_row(
        Text("budget", style="bold"),
        ProgressBar(total=100, completed=100 * max(shares, default=0), width=BAR_WIDTH),
        Text(budget_text(summary)),
    )
    return table


def budget_text(summary: Summary) -> str:
    """The budget in words."""
    return (
        f"{summary.used_bytes:,} of {summary.max_bytes:,} bytes, "
        f"{summary.used_tokens:,} of {summary.max_tokens:,} tokens"
    )


def preview_markdown(summary: Summary) -> str:
    """The summary as Markdown."""
    lines = ["# Company brain preview", ""]
    lines += [f"- {name}: {code(value)}" for name, value in summary.header]
    if summary.banner is not None:
        lines += ["", f"> {summary.banner}"]
    lines += ["", "| # | item | place | kind | trust | bytes | tokens | why |"]
    lines.append("| --: | --- | --- | --- | --- | --: | --: | --- |")
    lines += [
        f"| {number} | {cell(row.name)} | {cell(row.place)} | {row.kind} | {row.trust} "
        f"| {row.bytes} | {row.tokens} | {cell(row.why)}{flagged(row.flags)} |"
        for number, row in enumerate(summary.rows, start=1)
    ]
    if not summary.rows:
        lines += ["", summary.without or "No item: nothing in what may be read answers this."]
    for title, field in SECTIONS:
        entries: Pairs = getattr(summary, field)
        if entries:
            lines += [
                "",
                f"## {title.capitalize()}",
                "",
                *(f"- {code(name)}: {code(value)}" for name, value in entries),
            ]
    said = [f"- warning: {code(entry)}" for entry in summary.warnings]
    said += [f"- note: {code(entry)}" for entry in summary.notes]
    if said:
        lines += ["", "## Notes", "", *said]
    return "\n".join([*lines, "", f"Budget: {budget_text(summary)}."]) + "\n"


def flagged(flags: tuple[str, ...]) -> str:
    """What is odd about an item, in bold."""
    return f" **{', '.join(flags)}**" if flags else ""


def code(text: str) -> str:
    """Text in a code span that it cannot end."""
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {text} {fence}" if "`" in text else f"`{text}`"


def cell(text: str) -> str:
    """A code span inside a table cell."""
    return code(text.replace("|", "\\|"))
