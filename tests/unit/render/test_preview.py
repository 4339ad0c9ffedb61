"""A bundle for a person, on a terminal and as Markdown."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from kradle_ctx.render.preview import code, preview, preview_markdown
from kradle_ctx.render.summary import summarize
from tests.fakes import Content
from tests.pipeline import graph_record, markdown
from tests.unit.render.memory import HOSTILE, bundle_of


def shown(files: dict[str, Content], width: int = 120, *notes: str, color: bool = False, **request: object) -> str:
    """What a terminal of that width shows."""
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=color, color_system="standard" if color else None)
    console.print(preview(summarize(bundle_of(files, **request), notes)))  # type: ignore[arg-type]
    return out.getvalue()


def hostile() -> dict[str, Content]:
    """A brain whose every name is markup."""
    return {
        "notes/[red]a[/red].md": "brake\n",
        "b.md": markdown("brake\n", id="term:[/]", kind="[bold]Term[/bold]", title=HOSTILE, status="approved"),
        "[blink]c.yaml": "nodeKind: a: b\n",
    }


@pytest.mark.parametrize("color", [True, False])
def test_markup_in_names_is_text(color: bool) -> None:
    said = shown(hostile(), 300, "a note with [bold]markup[/bold] [/]", color=color)
    text = Text.from_ansi(said).plain if color else said
    for name in ("notes/[red]a[/red].md", "term:[/]", "[blink]c.yaml", "a note with [bold]markup[/bold] [/]"):
        assert name in text
    assert "\x1b[31m" not in said
    assert "\x1b[5m" not in said


def test_a_query_that_is_markup_is_text() -> None:
    assert "[red]brake[/red] [/]" in shown({"a.md": "brake\n"}, 200, query="[red]brake[/red] [/]")


def test_no_control_character_from_outside_reaches_the_terminal() -> None:
    said = shown({"a.md": "brake\n"}, 200, "note \x1b[2J\x07\u202e", query="brake \x1b[31m\x9b")
    assert all(character == "\n" or character.isprintable() for character in said)
    assert "\\u{1b}[2J" in said


@pytest.mark.parametrize("width", [1, 2, 5, 10, 20, 40, 80, 1_000])
def test_a_terminal_of_any_width_shows_every_item(width: int) -> None:
    files: dict[str, Content] = {
        "long/" * 20 + "a.md": "brake\n",
        "日本/é😀.md": "brake\n",
        "c.yaml": graph_record("term:brake", "Term"),
    }
    said = shown(files, width)
    assert said.strip()
    if width >= 80:
        squeezed = "".join(said.split())
        for name in ("term:brake", "日本/é😀.md"):
            assert name in squeezed


def test_an_empty_bundle_says_that_nothing_answers() -> None:
    said = shown({"a.md": "brake\n"}, query="zeppelin")
    assert "no item" in said
    assert "0 of 128,000 bytes" not in shown({"a.md": "brake\n"})


def test_header_reasons_and_budget_are_there() -> None:
    files: dict[str, Content] = {
        "a.md": "brake\n",
        "bad.yaml": "nodeKind: a: b\n",
        "n.md": "the password is Tr0ub4dor&3horse, brake\n",
    }
    bundle = bundle_of(files)
    said = shown(files)
    for expected in ("local", bundle.memory["resolvedCommit"], bundle.digest, "2026-05-01T12:00:00Z", "main (current)"):
        assert expected in said
    assert "1 term matched (brake)" in said
    assert "not readable" in said
    assert "redacted" in said
    assert "Tr0ub4dor" not in said
    assert f"of {128_000:,} bytes" in said


# Markdown


def test_the_markdown_form_says_the_same() -> None:
    bundle = bundle_of(hostile())
    text = preview_markdown(summarize(bundle, ("assumed `x`",)))
    for expected in (bundle.digest, "notes/[red]a[/red].md", "term:[/]", "[blink]c.yaml", "assumed `x`"):
        assert expected in text
    assert text.endswith("\n")


@pytest.mark.parametrize("name", ["a|b.md", "`a`|b.md", "a``b.md", "<img src=x>.md", "a\\|b.md"])
def test_a_name_cannot_leave_its_cell(name: str) -> None:
    text = preview_markdown(summarize(bundle_of({name: "brake\n"})))
    (row,) = [line for line in text.splitlines() if line.startswith("| 1 |")]
    borders = [at for at, mark in enumerate(row) if mark == "|" and row[at - 1] != "\\"]
    (header,) = [line for line in text.splitlines() if line.startswith("| # |")]
    assert len(borders) == header.count("|")
    cell = row[borders[1] + 1 : borders[2]].strip()
    assert (cell[0], cell[-1]) == ("`", "`")


@pytest.mark.parametrize("text", ["plain", "`", "``", "a`b``c```d", " ", "`edge`"])
def test_a_code_span_cannot_be_ended_by_its_text(text: str) -> None:
    span = code(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    assert span.startswith(fence)
    assert span.endswith(fence)
    inner = span[len(fence) : len(span) - len(fence)]
    assert fence not in inner
    assert inner.strip() == text.strip()


def test_an_empty_bundle_is_a_table_without_rows() -> None:
    text = preview_markdown(summarize(bundle_of({"a.md": "brake\n"}, query="zeppelin")))
    assert "| 1 |" not in text
    assert "Budget: " in text
