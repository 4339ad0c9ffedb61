"""What a preview says, as plain rows: the same facts for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kradle_ctx.model.bundle import Bundle
from kradle_ctx.render.escape import escape_line

Pairs = tuple[tuple[str, str], ...]

NOT_USED = "memory-unavailable"
"""The warning of a run that went on without memory."""

LISTED = 10
"""Omitted items shown by name; the bundle lists more."""


class Row(Struct, frozen=True):
    """One item: its kind, its id or place, its size, why it is there, its trust tier, and what is odd about it."""

    kind: str
    name: str
    place: str
    bytes: int
    tokens: int
    why: str
    trust: str
    flags: tuple[str, ...]


class Summary(Struct, frozen=True):
    """Everything a preview shows but the section itself; all texts are escaped and on one line.

    `without` says why memory was not used, where it was not.
    """

    header: Pairs
    banner: str | None
    without: str | None
    rows: tuple[Row, ...]
    omitted: Pairs
    omitted_items: Pairs
    denied: Pairs
    redacted: Pairs
    skipped: Pairs
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    used_bytes: int
    max_bytes: int
    used_tokens: int
    max_tokens: int


def summarize(bundle: Bundle, notes: tuple[str, ...] = ()) -> Summary:
    """The rows of a bundle; `notes` are what was assumed, beside what the bundle's clone gave rise to."""
    memory = bundle.memory
    warnings = memory.get("warnings", ())
    limits = memory.get("limits", {})
    omitted = memory["omitted"]
    return Summary(
        header=header(bundle),
        banner=next((line(warning["message"]) for warning in warnings if warning["code"] == "stale"), None),
        without=next(
            (f"memory was not used: {line(entry['message'])}" for entry in warnings if entry["code"] == NOT_USED), None
        ),
        rows=tuple(row(source) for source in memory["sources"]),
        omitted=pairs(omitted["reasons"].items()),
        omitted_items=pairs((entry["id"], entry["reason"]) for entry in omitted["items"][:LISTED]),
        denied=pairs((entry["pattern"], entry["reason"]) for entry in memory["denied"]),
        redacted=pairs((entry["kind"], entry["count"]) for entry in bundle.document["spec"]["redactions"]),
        skipped=pairs((entry["path"], entry["reason"]) for entry in memory.get("skipped", {}).get("items", ())),
        warnings=tuple(line(warning["message"]) for warning in warnings if warning["code"] != "stale"),
        notes=tuple(line(note) for note in (*notes, *bundle.notes)),
        used_bytes=limits.get("usedBytes", 0),
        max_bytes=limits.get("maxMemoryBytes", 0),
        used_tokens=limits.get("usedTokens", 0),
        max_tokens=limits.get("maxTokens", 0),
    )


def header(bundle: Bundle) -> Pairs:
    """Repository, ref, commit, date, and the bundle's digest."""
    memory = bundle.memory
    resolution = memory.get("refResolution", {})
    query = memory["query"].get("text", "")
    entries = [
        ("repository", memory["repositoryRef"]),
        ("ref", f"{resolution['requested']} ({resolution['mode']})" if resolution else "none"),
        ("commit", memory.get("resolvedCommit", "none")),
        ("date", resolution.get("committedAt", "none")),
        ("query", query or "none: a graph question"),
        ("bundle", bundle.digest),
    ]
    return pairs(entries)


def row(source: Mapping[str, Any]) -> Row:
    """One item's row."""
    place = f"{source['path']}:{source['lineStart']}-{source['lineEnd']}"
    kind = source["kind"].removeprefix("memory-")
    return Row(
        kind,
        line(source.get("id") or place),
        line(place),
        source["bytes"],
        source["tokens"],
        line(source["why"]["summary"]),
        source["trust"],
        (*source.get("flags", ()), *hidden_characters(source)),
    )


def hidden_characters(source: Mapping[str, Any]) -> tuple[str, ...]:
    """How many characters of an item are shown escaped; none is not worth a word."""
    count = sum(source.get("hiddenCharacters", {}).values())
    return (f"{count} hidden character{'s' if count > 1 else ''}",) if count else ()


def pairs(entries: Any) -> Pairs:
    """Pairs of escaped texts."""
    return tuple((line(name), line(value)) for name, value in entries)


def line(value: object) -> str:
    """A value as one safe line."""
    return escape_line(str(value))
