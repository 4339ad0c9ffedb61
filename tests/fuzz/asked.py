"""From the records of an input to a brain, a request and an access."""

from __future__ import annotations

import re

from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.request import Filter, Limits, QueryMode, RankOrder, Request
from tests.fuzz.targets.redaction import planted

CANARY = "xyzzycanary"
"""Stands in what no grant reaches, beside the words of the query."""

DENIED = "closed/**"
CLOSED = {
    "closed/canary.md": "# {canary} {query}\n\n{canary} carriage wheel {query}\n",
    "open/restricted.md": "---\nsensitivity: restricted\n---\n# {canary}\n\n{canary} carriage wheel\n",
    "open/unreadable.md": "---\nid: [\n---\n# {canary}\n\n{canary} carriage wheel\n",
    "open/mixed.yaml": "nodeKind: Term\nid: term:canary\nsensitivity: secret-metadata\ntitle: {canary} carriage\n",
}
"""Files that the reader may not see: by path, by sensitivity, for want of readable frontmatter."""

LONGEST_FILE, LONGEST_QUERY, LONGEST_NAME = 60_000, 5_000, 253

NO_STEP = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\\\\]")
"""What no path of a listed file holds."""

MODES, ORDERS = tuple(QueryMode), tuple(RankOrder)


def brain_files(given: list[bytes], query: str, secrets: list[str]) -> dict[str, bytes]:
    """The files of an input, tokens planted, beside those that the reader may not see."""
    files: dict[str, bytes] = {}
    for number, record in enumerate(given):
        name, _, content = record[:LONGEST_FILE].partition(b"\n")
        text, made = planted(content.decode("utf-8", "surrogateescape"))
        secrets += made
        files[path_of(name.decode(errors="replace"), number)] = text.encode("utf-8", "surrogateescape")
    for path, text in CLOSED.items():
        files[path] = text.replace("{canary}", CANARY).replace("{query}", query).encode("utf-8", "replace")
    folders = {path[: found.start()] for path in files for found in re.finditer("/", path)}
    return {path: content for path, content in files.items() if path not in folders}


def path_of(name: str, number: int) -> str:
    """A path that a listing could hold, none below the denied folder."""
    steps = [step for step in NO_STEP.sub("", name[:200]).split("/") if step not in ("", ".", "..", ".git")]
    return "/".join(steps) if steps and steps[0] != "closed" and len(steps) < 9 else f"open/{number}.md"


def fields_of(asked: str) -> dict[str, str]:
    """The lines `name=value` of an input's first record; the last of a name counts."""
    pairs = (line.partition("=") for line in asked.split("\n"))
    own = ("query", "regex")  # any text; the others are lines, as schemas and flags have them
    return {name: value if name in own else NO_STEP.sub("", value) for name, equals, value in pairs if equals}


def request_of(fields: dict[str, str]) -> Request:
    """The request that an input asks."""

    def listed(name: str) -> tuple[str, ...]:
        return tuple(value[:LONGEST_NAME] for value in fields.get(name, "").split(",")[:5] if value)

    def number(name: str, default: int, most: int) -> int:
        digits = re.sub("[^0-9]", "", fields.get(name, ""))[:7]
        return min(int(digits), most) if digits else default

    return Request(
        query=fields.get("regex", fields.get("query", ""))[:LONGEST_QUERY],
        regex="regex" in fields,
        query_mode=MODES[number("mode", 2, 99) % len(MODES)],
        rank=ORDERS[number("rank", 0, 99) % len(ORDERS)],
        kinds=listed("kinds"),
        select=listed("select"),
        include_paths=listed("include"),
        exclude_paths=listed("exclude"),
        exclude_kinds=listed("excludeKinds"),
        filter=Filter(**{name: listed(name) for name in ("owners", "statuses", "tags", "edges")}),
        source_refs={"repository": listed("repository")} if listed("repository") else {},
        edge_depth=number("depth", 2, 4),
        context_lines=number("context", 2, 50),
        max_matches=number("matches", 25, 100),
        ontology_path=fields.get("ontology") or None,
        root=fields.get("root"),
        layout_profile="atlas-md-yaml-v1" if "layout" in fields else "company-brain-v1",
        limits=Limits(number("bytes", 128_000, 500_000), number("tokens", 24_000, 99_999), number("records", 40, 100)),
    )


def access_of(fields: dict[str, str]) -> Access:
    """The access that an input has: some paths and kinds, never the denied folder."""
    paths = (fields.get("allow") or "**",)
    kinds = (fields["kind"],) if fields.get("kind") else None
    return Access((Grant("given", paths=paths, kinds=kinds, exclude_paths=(DENIED,)),), "public" in fields)
