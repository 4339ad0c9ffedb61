"""Writes the generated parts of the reference: commands from the app's own help data, fields from `schemas/`.

    python docs/make_reference.py            # renews the pages in docs/reference/
    python docs/make_reference.py --check    # changes nothing, exits 1 and names the pages that are out of date

A page holds prose and, between two comments, what this script writes there:

    <!-- generated: commands -->
    <!-- end -->
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from kradle_ctx.checks import CHECKS
from kradle_ctx.cli.app import app
from kradle_ctx.cli.help import ARGUMENTS, section
from kradle_ctx.model.request import Request
from kradle_ctx.resources.overlay import FIELDS
from kradle_ctx.resources.schema import TYPE_WORDS, schema_folder

REFERENCE = Path(__file__).resolve().parent / "reference"

PART = re.compile(r"(<!-- generated: ([\w -]+) -->\n).*?(<!-- end -->)", re.DOTALL)

COMMON = ("apiVersion", "kind", "metadata", "status")
"""Fields that every resource has; they are listed once."""

READ_KINDS = (
    "AgentMemoryRepository",
    "AgentMemorySource",
    "AgentMemoryAssociation",
    "AgentMemoryOntology",
    "AgentStack",
    "AgentToolGrant",
    "AgentDispatchRun",
)

Rows = Iterable[tuple[str, ...]]
Schema = Mapping[str, Any]


def table(titles: tuple[str, ...], rows: Rows) -> str:
    """A Markdown table."""
    lines = [titles, tuple("---" for _ in titles), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


# Commands


def commands() -> str:
    """Every command with its options, by the sections of its help; a section said before is named, not repeated."""
    group: Any = typer.main.get_command(app)
    top = group.context_class(group, info_name="kradle-ctx", **group.context_settings)
    told: dict[tuple[str, str], str] = {}
    parts = [f"## kradle-ctx\n\n{group.help}\n\n{options_of(group, top, {})}"]
    for name, command in sorted(flat(group)):
        context = command.context_class(command, info_name=name, parent=top)
        usage = " ".join(("kradle-ctx", name, *command.collect_usage_pieces(context)))
        parts.append(f"## {name}\n\n```text\n{usage}\n```\n\n{paragraphs(command.help)}\n")
        parts.append(options_of(command, context, told))
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def flat(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every command by its whole name, those of groups too."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from flat(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def paragraphs(text: str) -> str:
    """A help text with each paragraph on one line."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def options_of(command: Any, context: Any, told: dict[tuple[str, str], str]) -> str:
    """The option tables of a command."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            title = section(parameter)
            shown = f"`{record[0]}`" if title != ARGUMENTS else f"`{parameter.make_metavar(context)}`"
            sections.setdefault(title, []).append((shown, " ".join(record[1].split())))
    return "\n".join(section_text(title, rows, str(context.info_name), told) for title, rows in sections.items())


def section_text(title: str, rows: list[tuple[str, str]], name: str, told: dict[tuple[str, str], str]) -> str:
    """One section as a table, or a pointer to the command that has the very same one."""
    text = table((title, "Meaning"), rows)
    first = told.setdefault((title, text), name)
    return text if first == name else f"**{title}**: as for [{first}](#{first.replace(' ', '-')}).\n"


# Fields


def common_fields(kinds: Iterable[str]) -> str:
    """The fields that all read kinds share; an error when they do not."""
    rows = [
        tuple(row for row in field_rows(load(kind), ()) if row[0].strip("`").partition(".")[0] in COMMON)
        for kind in kinds
    ]
    first = [row for row in rows[0] if row[0] != "`kind`"]
    for other in rows:
        if [row for row in other if row[0] != "`kind`"] != first:
            raise SystemExit("the kinds do not share their common fields; list them one by one")
    kind = ("`kind`", "text", "yes", "Kind of the resource.")
    return field_table([first[0], kind, *first[1:]])


def spec_fields(kind: str) -> str:
    """The fields below `spec` of a kind that is read."""
    schema = load(kind)
    return f"{schema['description']}\n\n" + field_table(
        row for row in field_rows(schema, ()) if row[0].startswith("`spec.")
    )


def all_fields(kind: str) -> str:
    """Every field of a kind that is emitted."""
    schema = load(kind)
    return f"{schema['description']}\n\n" + field_table(field_rows(schema, ()))


def field_table(rows: Rows) -> str:
    """A table of fields."""
    return table(("Field", "Value", "Required", "Meaning"), rows)


def load(kind: str) -> Schema:
    """The schema of a kind, every reference in it resolved."""
    schema = json.loads((schema_folder() / f"{kind}.schema.json").read_text(encoding="utf-8"))
    resolved: Schema = resolve(schema, schema.get("$defs", {}))
    return resolved


def resolve(value: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema with `$ref` replaced by what it names; its own words win."""
    if isinstance(value, list):
        return [resolve(entry, definitions) for entry in value]
    if not isinstance(value, dict):
        return value
    own = {name: resolve(entry, definitions) for name, entry in value.items() if name not in ("$ref", "$defs")}
    if "$ref" not in value:
        return own
    return {**resolve(definitions[value["$ref"].rpartition("/")[2]], definitions), **own}


def field_rows(schema: Schema, place: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Rows of all fields below a schema: path, value, whether it is required, meaning."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        path = (*place, name)
        needed = "yes" if name in required else ""
        yield (f"`{'.'.join(path)}`", value_words(field), needed, field.get("description", ""))
        yield from field_rows(field, path)
        yield from field_rows(field.get("items", {}), (*path[:-1], f"{name}[]"))
        if isinstance(entry := field.get("additionalProperties"), dict):
            yield from field_rows(entry, (*path, "*"))


def value_words(field: Schema) -> str:
    """What a field's value must be, in words."""
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{word}`" for word in field["enum"])
    if "title" in field:
        return str(field["title"]) + bounds(field)
    if field.get("type") == "array":
        return f"a list of: {value_words(field['items'])}" if "items" in field else "a list"
    entry = field.get("additionalProperties")
    if field.get("type") == "object" and isinstance(entry, dict) and "properties" not in field:
        return f"a mapping to: {value_words(entry)}"
    return type_words(field.get("type", ())) + bounds(field)


def type_words(types: str | list[str] | tuple[()]) -> str:
    """One type or several, in words."""
    words = [TYPE_WORDS[name] for name in ([types] if isinstance(types, str) else types)]
    return " or ".join(words) or "any"


def bounds(field: Schema) -> str:
    """The range of a number."""
    if "maximum" in field:
        return f", {field.get('minimum', 0)} to {field['maximum']}"
    return f", at least {field['minimum']}" if field.get("minimum", 0) else ""


# Flags


def flags() -> str:
    """Each flag with the field it sets and what holds when neither is given."""
    said = defaults()
    rows = [
        (f"`--{flag.replace('_', '-')}`", f"`spec.{'.'.join(place)}`", said.get(flag, ""))
        for flag, place in (*FIELDS, ("regex", ("memory", "regex")))
    ]
    return table(("Flag", "Field", "When neither is given"), rows)


def defaults() -> dict[str, str]:
    """What a request says where nobody does, by flag."""
    request = Request()
    values = {
        "mode": request.query_mode.value,
        "depth": request.edge_depth,
        "max_matches": request.max_matches,
        "context": request.context_lines,
        "max_bytes": request.limits.max_bytes,
        "max_tokens": request.limits.max_tokens,
        "max_records": request.limits.max_records,
        "memory_mode": request.memory_mode.label,
        "required": str(request.required).lower(),
        "regex": str(request.regex).lower(),
    }
    return {flag: f"`{value}`" for flag, value in values.items()}


# Pages


def generated(name: str) -> str:
    """What belongs between the comments of a part."""
    what, _, kind = name.partition(" ")
    makers = {"spec": spec_fields, "document": all_fields}
    if what in makers:
        return makers[what](kind)
    makers_of_one = {
        "commands": commands,
        "common": lambda: common_fields(READ_KINDS),
        "flags": flags,
        "checks": checks,
    }
    return makers_of_one[what]()


def renewed(text: str) -> str:
    """A page with its generated parts written anew."""
    return PART.sub(lambda found: f"{found[1]}\n{generated(found[2])}\n{found[3]}", text)


def checks() -> str:
    """Every check, with a link to its page."""
    rows = (
        (f"[{check.id}](../checks/{check.id}.md)", f"`{check.name}`", check.severity.value, check.title)
        for check in CHECKS
    )
    return table(("Id", "Name", "Severity", "Finds"), rows)


def main(arguments: list[str]) -> int:
    """Renew the pages, or check them."""
    pages = {page: page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md"))}
    stale = {page: new for page, old in pages.items() if (new := renewed(old)) != old}
    for page, text in stale.items():
        if "--check" not in arguments:
            page.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{'out of date' if '--check' in arguments else 'renewed'}: {page.name}\n")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
