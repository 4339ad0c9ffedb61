"""The answer of an ad-hoc query, for a person: each item with its why and its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import indent
from typing import Any

from kradle_ctx.render.escape import escape_line, escape_text
from kradle_ctx.render.validation import counts_in_words, finding_line


def answer_text(memory: Mapping[str, Any]) -> str:
    """Items in order, one after the other, each headed by its name, place and why, after what validation finds."""
    validation = memory.get("validation")
    found = [told(validation)] if validation is not None else []
    return "\n".join([*found, *(entry for source in memory["sources"] for entry in item_text(source))])


def told(validation: Mapping[str, Any]) -> str:
    """What validation finds, a line each, and the counts."""
    counts = counts_in_words(validation)
    rest = f", {validation['omitted']} of them not listed" if validation["omitted"] else ""
    return "\n".join([*map(finding_line, validation["findings"]), f"== validation: {counts}{rest}", ""])


def item_text(source: Mapping[str, Any]) -> Iterator[str]:
    """One item."""
    place = f"{source['path']}:{source['lineStart']}-{source['lineEnd']}"
    name = f"{source['id']}  {place}" if "id" in source else place
    yield f"== {escape_line(name)}"
    yield f"   {escape_line(source['why']['summary'])}; {', '.join((source['trust'], *source.get('flags', ())))}"
    # Indented, so that no text can pass for the head of an item.
    yield indent(escape_text(source["content"]), "  ", lambda line: not line.isspace())


def answer_json(memory: Mapping[str, Any]) -> dict[str, Any]:
    """What a machine needs of an answer: the pins, the items, and what is not there."""
    fields = (
        "repositoryRef",
        "resolvedCommit",
        "refResolution",
        "queryManifestDigest",
        "selectedRecordsDigest",
        "selectedExcerptsDigest",
        "query",
        "validation",
        "sources",
        "omitted",
        "denied",
        "skipped",
        "limits",
        "warnings",
    )
    return {name: memory[name] for name in fields if name in memory}
