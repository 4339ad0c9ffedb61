"""Regular expressions on RE2: linear in any text, whoever wrote them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import cast


@lru_cache(maxsize=1024)
def linear_expression(expression: str) -> re.Pattern[str]:
    """Compile an expression on texts; raises `ValueError` for what RE2 does not take.

    RE2's default is to tell stderr when a text takes too much memory; that is switched off.
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return cast("re.Pattern[str]", re2.compile(expression, options))
    except (re2.error, UnicodeEncodeError):
        raise ValueError("not an RE2 expression") from None


@lru_cache(maxsize=1024)
def linear_bytes_expression(expression: str) -> re.Pattern[bytes]:
    """Compile an expression on UTF-8 bytes; raises `ValueError` for what RE2 does not take."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return cast("re.Pattern[bytes]", re2.compile(expression.encode(), options))
    except (re2.error, UnicodeEncodeError):
        raise ValueError("not an RE2 expression") from None


def is_expression(expression: str) -> bool:
    """Whether RE2 takes an expression."""
    try:
        linear_bytes_expression(expression)
    except ValueError:
        return False
    return True
