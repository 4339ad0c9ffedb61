"""The rest of a token that was wrapped onto the next line, or put together from strings."""

from __future__ import annotations

import re

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.model import Extent
from kradle_ctx.redaction.randomness import looks_random

_REST = rb"([\w\-]{8,200}+)"
_wrapped = lazy_expression(rb"(?:\r\n?|\n)[ \t>]*+" + _REST + rb"[\"']?[ \t]*+(?:[\r\n]|\Z)|<br[ ]?/?>" + _REST)
_next_cell = lazy_expression(rb"[ \t]*+\|[ \t]*+" + _REST + rb"[ \t]*+(?:[|\r\n]|\Z)")
_joined = lazy_expression(
    rb"[\"'][ \t]*+[+.&]?[ \t]*+(?:\\?\r?\n[ \t]*+)?[+.&]?[ \t]*+[bfru]?[\"']" + _REST + rb"[\"']"
)
_next_variable = lazy_expression(
    rb"[\"'];?[ \t]*+\r?\n[ \t]*+(?:(?:const|let|var|my|local)[ \t]++)?([\w$]{1,40}+)[ \t]*+:?=[ \t]*+[\"']"
    + _REST
    + rb"[\"']"
)
_SHORT = 28
"""Characters of a token that may be half of one."""
_NEAR = 300
"""Bytes within which two variables are put together."""


def rest_of_token(data: bytes, start: int, position: int) -> Extent | None:
    """The random run that continues the token between the two places; a short token may go on in the next cell."""
    for pattern in (_wrapped, _joined) if position - start > _SHORT else (_wrapped, _joined, _next_cell):
        found = pattern.match(data, position)
        if found and looks_random(found.group(found.lastindex or 0).decode("ascii")):
            return found.span(found.lastindex or 0)
    other = _next_variable.match(data, position)
    if other and looks_random(other.group(2).decode("ascii")) and _is_added(other.group(1), data, other.end()):
        return other.span(2)
    return None


def _is_added(name: bytes, data: bytes, position: int) -> bool:
    """Whether something is put together with the variable soon after the position."""
    sum_with = rb"[+&.,][ \t]*+\$?" + re.escape(name) + rb"\b"
    return re.search(sum_with, data[position : position + _NEAR]) is not None
