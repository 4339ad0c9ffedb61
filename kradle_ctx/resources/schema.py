"""Checks a resource against its JSON Schema and says what is wrong in field names, never in values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kradle_ctx.expressions import lazy_expression

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

FieldPath = tuple[str | int, ...]

MOST_FAULTS = 20
"""More faults of one document than this are not looked for."""

LONGEST_FIELD = 40

FIELD_NAME = lazy_expression(rf"[A-Za-z]{{1,{LONGEST_FIELD}}}")
"""Names that are shown; a key of another shape could be a value in the wrong place."""

TYPE_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}


class SchemaFault(Struct, frozen=True):
    """One thing wrong with a document, said without any value of it.

    `path` leads to the field that the message is about, `line_path` to what should be looked at, such as an unknown
    field in it.
    """

    path: FieldPath
    message: str
    line_path: FieldPath

    @property
    def field(self) -> str:
        """The path as text, such as `spec.include.paths[2]`; empty for the document itself."""
        return field_name(self.path)


def field_name(path: FieldPath) -> str:
    """A path as text, such as `spec.include.paths[2]`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{shown_name(step)}" for step in path)
    return text.removeprefix(".")


def schema_folder() -> Path:
    """Where the schemas are: inside the package when it is installed, else at the checkout's top."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "schemas"
    return installed if installed.is_dir() else package.parent / "schemas"


def schema_faults(kind: str, document: Mapping[str, Any]) -> tuple[SchemaFault, ...]:
    """What is wrong with a document of a known kind, in the order of the schema.

    The search ends at `MOST_FAULTS`, and at a list or mapping that is too long, whose entries are not looked at.
    """
    faults: list[SchemaFault] = []
    for error in validator(kind).iter_errors(document):
        faults.append(fault_of(error))
        if len(faults) == MOST_FAULTS or error.validator in ("maxItems", "maxProperties"):
            break
    return tuple(faults)


@lru_cache(maxsize=16)
def validator(kind: str) -> Draft202012Validator:
    """The validator of a kind; jsonschema takes a tenth of a second to import, so only a first use does."""
    from jsonschema import Draft202012Validator

    text = (schema_folder() / f"{kind}.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def fault_of(error: ValidationError) -> SchemaFault:
    """Say what a field must be; jsonschema's own messages quote the value."""
    path, schema, keyword = tuple(error.absolute_path), error.schema, str(error.validator)
    speak = MESSAGES.get(keyword)
    if speak is not None:
        message = speak(error.validator_value, error.instance)
    elif keyword == "additionalProperties":
        unknown, message = unknown_field(schema, error.instance)
        return SchemaFault(path, message, (*path, unknown))
    else:
        title = schema.get("title") if isinstance(schema, Mapping) else None
        message = f"must be {title}" if title else f"does not fit the schema ({keyword})"
    return SchemaFault(path, message, path)


def type_message(wanted: Any, value: Any) -> str:
    """`must be a list`, or any of several types."""
    words = [TYPE_WORDS[name] for name in ([wanted] if isinstance(wanted, str) else wanted)]
    return f"must be {' or '.join(words)}" + (", and is empty" if value is None else "")


def required_message(required: Any, value: Any) -> str:
    """The first required field that is missing."""
    missing = next(name for name in required if name not in value)
    return f"the field {missing} is missing"


def unknown_field(schema: Any, value: Any) -> tuple[str, str]:
    """The first unknown field, and what to say of it: the known field that it resembles, else all known ones."""
    known = sorted(schema.get("properties", {}))
    unknown: str = next(name for name in value if name not in known)
    near = get_close_matches(unknown, known, n=1) if len(unknown) <= LONGEST_FIELD else []
    advice = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return unknown, f"unknown field {shown_name(unknown)}; {advice}"


def shown_name(name: object) -> str:
    """A field name as it may stand in a message."""
    return name if isinstance(name, str) and FIELD_NAME.fullmatch(name) else "(not a field name)"


MESSAGES: Mapping[str, Callable[[Any, Any], str]] = {
    "type": type_message,
    "required": required_message,
    "enum": lambda words, _: f"must be one of {', '.join(words)}",
    "const": lambda word, _: f"must be {word}",
    "maxLength": lambda most, _: f"is longer than {most} characters",
    "minLength": lambda _, __: "must not be empty",
    "maxItems": lambda most, _: f"has more than {most} entries",
    "maxProperties": lambda most, _: f"has more than {most} fields",
    "minProperties": lambda _, __: "must have at least one field",
    "minimum": lambda least, _: f"must be at least {least}",
    "maximum": lambda most, _: f"must be at most {most}",
}
"""What to say of a keyword, from what the schema asks and the value (which is never quoted)."""
