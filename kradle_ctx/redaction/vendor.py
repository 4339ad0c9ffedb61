"""Layer 2: tokens that their vendor made recognisable. Formats are from the vendors' public documentation.

Bodies are open to the right (`{30,}`), so that a longer token than documented leaves no tail behind.
"""

from __future__ import annotations

import re

from kradle_ctx.redaction.model import Rule
from kradle_ctx.redaction.validators import is_no_sample
from kradle_ctx.redaction.vendor_business import BUSINESS
from kradle_ctx.redaction.vendor_cloud import CLOUD
from kradle_ctx.redaction.vendor_code import CODE
from kradle_ctx.redaction.vendor_models import MODELS
from kradle_ctx.redaction.vendor_urls import URLS

Row = tuple[str, str, str, str]
"""Kind, prefix, pattern of the rest, template of the rest."""


_ROWS: tuple[Row, ...] = CODE + CLOUD + MODELS + BUSINESS
_first_count = re.compile(r"([^\[\](){}|\\]*(?:\[[^\]]+\]|\\d))\{(\d+)")
_open_end = re.compile(r"\{(\d+),\}$")
_ENOUGH = 6
_escapes = str.maketrans({sign: f"\\{sign}" for sign in ".+$[]()"})


def _escaped(prefix: str) -> str:
    return prefix.translate(_escapes)


def _opening(body: str) -> str:
    """The first few characters of a body, enough to look closer: long counts cost RE2 many states."""
    first = _first_count.match(body)
    return f"{first.group(1)}{{{min(_ENOUGH, int(first.group(2)))}}}" if first else _open_end.sub(r"{\1}", body)


def _rule(row: Row, number: int) -> Rule:
    kind, prefix, body, template = row
    escaped = _escaped(prefix)
    return Rule(
        id=f"{kind}-{number}",
        kind=kind,
        pattern=escaped + body,
        keywords=(prefix,),
        hits=(prefix + template, f"use `{prefix}{template}` here"),
        validator=is_no_sample,
        misses=(f"the prefix {prefix} alone", f"{prefix}{'x' * 36}"),
    )


RULES: tuple[Rule, ...] = (
    *(_rule(row, number) for number, row in enumerate(_ROWS)),
    *URLS,
)
OPENINGS: tuple[str, ...] = (
    *(_escaped(prefix) + _opening(body) for _, prefix, body, _ in _ROWS),
    *(rule.opening or rule.pattern for rule in URLS),
)
"""For each row a pattern that matches at the start of every token of the row."""
