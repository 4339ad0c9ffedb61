"""KB021: a value that is not of its attribute's type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from kradle_ctx.checks.check import Check, Fault
from kradle_ctx.checks.typed_values import TypedValue, spelled, typed_values
from kradle_ctx.documents import Declaration
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.constraints import Constraints, ValueType
from kradle_ctx.model.findings import Severity
from kradle_ctx.yamldoc import shown
from kradle_ctx.yamldoc.scalars import resolve

INTEGER = lazy_expression(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = lazy_expression(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
"""Numbers of the YAML 1.2 core schema. Those that another spelling would change, such as `0.10`, are read as text."""

SEMVER = lazy_expression(r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
URL = lazy_expression(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|mailto:)\S+")
SLUG = lazy_expression(r"[a-z0-9]++(?>(?:-++[a-z0-9]++)*)")
ID = lazy_expression(r"[^\s:]+:\S+")


def is_text(value: Any) -> bool:
    """Whether a value is text."""
    return isinstance(value, str)


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number."""
    return type(value) is int or (is_unquoted(value) and INTEGER.fullmatch(value) is not None)


def is_number(value: Any) -> bool:
    """Whether a value is a number."""
    return type(value) in (int, float) or (
        is_unquoted(value) and (FLOAT.fullmatch(value) or INTEGER.fullmatch(value)) is not None
    )


def is_unquoted(value: Any) -> bool:
    """Whether a text may have been written without quotes: a number is text only where it had them."""
    return isinstance(value, str) and isinstance(resolve(value), str)


def is_negative(value: Any) -> bool:
    """Whether a number is less than 0."""
    if isinstance(value, str):
        return value.startswith("-") and value.strip("-0.") != ""
    return bool(value < 0)


class Form(NamedTuple):
    """What values of a type are like, in words, and whether one is; `texts` tells that any text is."""

    told: str
    fits: Callable[[Any], bool]
    texts: bool = False


def matching(expression: Any) -> Callable[[Any], bool]:
    """Whether a value is a text of some form."""
    return lambda value: isinstance(value, str) and expression.fullmatch(value) is not None


TEXT = Form("text", is_text, texts=True)
FORMS: Mapping[str, Form] = {
    "string": TEXT,
    "markdown": TEXT,
    "code": TEXT,
    "versionRange": Form("a range of versions such as `>=1.2.0 <2.0.0`", is_text, texts=True),
    "bool": Form("`true` or `false`", lambda value: isinstance(value, bool)),
    "int": Form("a whole number", is_whole),
    "float": Form("a number", is_number),
    "tokens": Form("a whole number of at least 0", lambda value: is_whole(value) and not is_negative(value)),
    "cost-per-million-tokens": Form(
        "a number of at least 0", lambda value: is_number(value) and not is_negative(value)
    ),
    "semver": Form("a version such as `1.4.0`", matching(SEMVER)),
    "iso-date": Form("a date such as `2026-04-29`", is_text),
    "iso-timestamp": Form("a timestamp such as `2026-04-29T12:00:00Z`", is_text),
    "url": Form("a URL such as `https://example.org/`", matching(URL)),
    "slug": Form("small letters, digits and hyphens", matching(SLUG)),
    "id": Form("an id such as `team:platform`", matching(ID)),
    "ref": Form("the id of a record", is_text),
    "enum": Form("one of its values", lambda value: not isinstance(value, list | dict)),
    "list": Form("a list", lambda value: isinstance(value, list)),
    "set": Form("a list", lambda value: isinstance(value, list)),
    "map": Form("a mapping", lambda value: isinstance(value, dict)),
    "object": Form("a mapping", lambda value: isinstance(value, dict)),
}
"""By the names of the Atlas meta-schema, and `object`; a type of any other name takes any value.

Which dates exist is for KB024 to tell, which values an `enum` has for KB022, and which records there are for KB023.
"""


def is_judged(value_type: ValueType) -> bool:
    """Whether not every value is of a type."""
    return value_type.name != "any"


def fits_plainly(value_type: ValueType, value: Any) -> bool:
    """Whether a value is of a type that has no others inside."""
    form = FORMS.get(value_type.name) if not value_type.of else None
    return form is not None and form.fits(value)


def wrong_type(declaration: Declaration, constraints: Constraints) -> Iterator[Fault]:
    """Values that are not of their types; inside of a list or mapping, each that is not."""
    for typed in typed_values(declaration, constraints, is_judged, fits_plainly):
        form = FORMS.get(typed.type.name)
        if form is not None and not form.fits(typed.value):
            yield fault(declaration, typed, form)


def fault(declaration: Declaration, typed: TypedValue, form: Form) -> Fault:
    """What is wrong with a value; a number or boolean in place of text is often only a lack of quotes."""
    value = typed.value
    unquoted = form.texts and isinstance(value, bool | int | float)
    quoted = isinstance(value, str) and form.fits(resolve(value))
    hint = "put it in quotes" if unquoted else "take away its quotes" if quoted else None
    return Fault(
        typed.where(declaration),
        f"{typed.told} must be {form.told}, and is {described(value)}",
        key=f"{typed.key} {spelled(value)}",
        hint=hint,
        severity=Severity.WARNING if unquoted else None,
    )


def described(value: Any) -> str:
    """A value in words."""
    if isinstance(value, str):
        return f"text {shown(value)}"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a mapping"
    return "nothing" if value is None else shown(spelled(value) or "")


CHECK = Check(
    "KB021",
    "wrong-type",
    Severity.ERROR,
    "A value that is not of its attribute's type",
    "write it as the ontology asks, or correct the attribute's type there",
    of_record=wrong_type,
    needs_ontology=True,
)
