"""Which plain scalars are more than text: the YAML 1.2 core schema, cut to what writes back unchanged.

`1.10`, `0123`, `1e3`, `0x1f`, `.nan` and timestamps stay text, as do integers beyond 2**53 - 1, which
canonical JSON (RFC 8785) cannot carry.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.values import Value

MAX_INTEGER: Final = 2**53 - 1
# Every plain scalar that is not text is one of these words or starts with one of these characters.
STARTS_NUMBER: Final = frozenset("-0123456789")
WORDS: Final[dict[str, Value]] = {"": None, "null": None, "~": None, "true": True, "false": False}
_INTEGER: Final = lazy_expression(r"-?(?:0|[1-9][0-9]{0,15})")
_FLOAT: Final = lazy_expression(r"-?(?:0|[1-9][0-9]{0,16})\.[0-9]{1,22}(?:e[+-][0-9]{2,3})?")


def resolve(text: str) -> Value:
    """The value of a plain scalar."""
    if text in WORDS:
        return WORDS[text]
    if _INTEGER.fullmatch(text):
        integer = int(text)
        return integer if abs(integer) <= MAX_INTEGER and str(integer) == text else text
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if spell_float(number) == text else text
    return text


def spell_float(number: float) -> str:
    """The shortest text that reads back as the same finite float, with the dot that YAML 1.1 asks for."""
    text = repr(number)
    return text if "." in text else text.replace("e", ".0e")


TEXT_TAG: Final = "tag:yaml.org,2002:str"
SEQUENCE_TAG: Final = "tag:yaml.org,2002:seq"
MAPPING_TAG: Final = "tag:yaml.org,2002:map"
_FITS: Final[dict[str, Callable[[Value], bool]]] = {
    TEXT_TAG: lambda value: isinstance(value, str),
    "tag:yaml.org,2002:null": lambda value: value is None,
    "tag:yaml.org,2002:bool": lambda value: isinstance(value, bool),
    "tag:yaml.org,2002:int": lambda value: type(value) is int,
    "tag:yaml.org,2002:float": lambda value: isinstance(value, float),
}
SUPPORTED_TAGS: Final = frozenset([*_FITS, SEQUENCE_TAG, MAPPING_TAG])


def fits(tag: str, value: Value) -> bool:
    """Whether a resolved scalar is of the kind its explicit tag names."""
    return tag in _FITS and _FITS[tag](value)
