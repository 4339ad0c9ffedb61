"""Layer 2: tokens that their vendor made recognisable. Formats are from the vendors' public documentation.

Bodies are open to the right (`{30,}`), so that a longer token than documented leaves no tail behind.
"""

from __future__ import annotations

from kradle_ctx.redaction.model import Rule
from kradle_ctx.redaction.validators import is_no_sample
from kradle_ctx.redaction.vendor_business import BUSINESS
from kradle_ctx.redaction.vendor_cloud import CLOUD
from kradle_ctx.redaction.vendor_code import CODE
from kradle_ctx.redaction.vendor_models import MODELS
from kradle_ctx.redaction.vendor_urls import URLS

Row = tuple[str, str, str, str]
"""Kind, prefix, pattern of the rest, template of the rest."""


def _rule(row: Row, number: int) -> Rule:
    kind, prefix, body, template = row
    escaped = "".join("\\" + c if c in ".+$[]()" else c for c in prefix)
    return Rule(
        id=f"{kind}-{number}",
        kind=kind,
        pattern=escaped + body,
        keywords=(prefix,),
        hits=(prefix + template, f"use `{prefix}{template}` here"),
        validator=is_no_sample,
        misses=(f"the prefix {prefix} alone", f"{prefix}{'x' * 36}"),
    )


RULES: tuple[Rule, ...] = (*(_rule(row, number) for number, row in enumerate(CODE + CLOUD + MODELS + BUSINESS)), *URLS)
