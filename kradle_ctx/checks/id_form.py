"""KB014: an id that has not the form of its kind."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.characters import has_unsafe
from kradle_ctx.checks.check import Check, Fault, at_field
from kradle_ctx.checks.missing_field import EMPTY
from kradle_ctx.documents import NAME_LIMIT, Declaration
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.constraints import Constraints, KindConstraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.yamldoc import shown

TYPED_SLUG = lazy_expression(r"[a-z0-9]++(?>(?:(?:-++|\.)[a-z0-9]++)*)")
"""What the Atlas meta-schema has for the type `id`; the ids of its own node-kind specifications also join such parts
with dots, as in `lifecycle-state:run.created`.
"""


def id_form(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """The first thing that is wrong with the id that a record states."""
    stated = declaration.value.get("id")
    if stated in EMPTY or "extendsNode" in declaration.value:
        return
    kind = constraints.kinds.get(declaration.document.kind or "")
    found = trouble(stated, kind)
    if found is not None:
        message, severity = found
        yield Fault(
            at_field(declaration.document, "id"),
            message,
            subject=declaration.document.id,
            hint=f"write {form_of(kind)}, {REST}",
            severity=severity,
        )


REST = (
    "with small letters, digits and hyphens in the slug; where records name the old id, keep it in `aliases`,"
    " so that they still find this one"
)

LONGEST_PREFIX = 50
"""Characters of a prefix that a hint repeats."""


def form_of(kind: KindConstraints | None) -> str:
    """The form of the ids of a kind; one that is only called a version may have one in its id."""
    is_shown = kind is not None and kind.prefix and len(kind.prefix) <= LONGEST_PREFIX
    slug = f"{kind.prefix if kind is not None and is_shown else '<prefix>'}:<slug>"
    if kind is None or not (kind.versioned or kind.name.endswith("Version")):
        return f"`{slug}`"
    return f"`{slug}@<version>`" if kind.versioned else f"`{slug}`, or `{slug}@<version>`"


def trouble(stated: object, kind: KindConstraints | None) -> tuple[str, Severity | None] | None:
    """What is wrong with an id, and how much that weighs where it is less than usual."""
    if isinstance(stated, bool) or not isinstance(stated, str | int | float):
        return "the id is no text", None
    text = str(stated)
    if has_unsafe(text) or not text.isprintable():
        return f"the id {shown(text)} holds a character that cannot be seen", None
    if len(text) > NAME_LIMIT:
        return f"the id has more than {NAME_LIMIT} characters", None
    prefix, colon, slug = text.partition(":")
    if not (prefix and colon and slug):
        return f"the id {shown(text)} has not the form `<prefix>:<slug>`", None
    if kind is None:
        return None
    if kind.prefix is not None and prefix != kind.prefix:
        wanted = shown(kind.prefix + ":")
        return f"the id {shown(text)} must begin with {wanted}, like that of every {shown(kind.name)}", None
    return trouble_of_slug(text, slug, is_typed=is_typed(kind))


def is_typed(kind: KindConstraints) -> bool:
    """Whether the ontology gives the id the type `id`, which has a form of its own."""
    attribute = kind.attributes.get("id")
    return attribute is not None and attribute.type is not None and attribute.type.name == "id"


def trouble_of_slug(text: str, slug: str, *, is_typed: bool) -> tuple[str, Severity | None] | None:
    """What is wrong with what follows the prefix; a version behind `@` is not looked at."""
    if text.split() != [text]:
        return f"the id {shown(text)} has a blank", None
    name = slug.partition("@")[0] if not slug.startswith("@") else slug
    if is_typed and TYPED_SLUG.fullmatch(name) is None:
        return f"the id {shown(text)} has {trouble_of_letters(name)} behind its prefix", None
    if name != name.lower():
        return f"the id {shown(text)} has capital letters", Severity.WARNING
    return None


def trouble_of_letters(name: str) -> str:
    """What a slug of the type `id` has that it may not have."""
    if name != name.lower():
        return "capital letters"
    other = next((sign for sign in name if sign not in SLUG_SIGNS), None)
    return shown(other) if other is not None else "a hyphen or dot that joins nothing"


SLUG_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")

CHECK = Check(
    "KB014",
    "id-form",
    Severity.ERROR,
    "An id that has not the form of its kind",
    f"write `<prefix>:<slug>`, {REST}",
    of_record=id_form,
    needs_ontology=True,
)
