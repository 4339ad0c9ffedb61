"""Regular expressions: those of the code, compiled when they are first used, and those that people write, on RE2."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    import re2


class LazyExpression:
    """Stands for an expression, and compiles it when something of it is first used.

    To compile the two hundred of the code takes longer than most runs, which use a part of them.
    """

    def __init__(self, compiled: Callable[[], Any]) -> None:
        self._compiled = cache(compiled)

    def __getattr__(self, name: str) -> Any:
        # It is an attribute from now on, as fast as the expression's own.
        found = self.__dict__[name] = getattr(self._compiled(), name)
        return found


def lazy_expression(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """An expression of Python's own kind, compiled at first use."""
    return cast("re.Pattern[AnyStr]", LazyExpression(partial(re.compile, expression, flags)))


def lazy_linear_expression(expression: str | bytes, *, latin: bool = False) -> re2._Regexp:
    """An RE2 expression on UTF-8 bytes, compiled at first use; with `latin`, on bytes that are each a character."""
    written = expression if isinstance(expression, bytes) else expression.encode()
    return LazyExpression(partial(compiled, written, latin=latin))


def compiled(
    expression: str | bytes,
    *,
    latin: bool = False,
    captures: bool = True,
    longest: bool = False,
    mebibytes: int = 8,
) -> re2._Regexp:
    """An RE2 expression on texts, or on the bytes of one; raises `re2.error` for what RE2 does not take.

    With `latin` each byte is a character. `mebibytes` is the memory that RE2 may use, 8 by its own default; that it
    needs more is not told on stderr, as RE2 would.
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = not captures
    options.longest_match = longest
    options.max_mem = mebibytes << 20
    if latin:
        options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(expression, options)


@lru_cache(maxsize=1024)
def linear_expression(expression: str) -> re.Pattern[str]:
    """Compile an expression on texts, linear in any text; raises `ValueError` for what RE2 does not take."""
    return cast("re.Pattern[str]", _checked(expression))


@lru_cache(maxsize=1024)
def linear_bytes_expression(expression: str) -> re.Pattern[bytes]:
    """Compile an expression on UTF-8 bytes; raises `ValueError` for what RE2 does not take."""
    return cast("re.Pattern[bytes]", _checked(expression, in_bytes=True))


def _checked(expression: str, *, in_bytes: bool = False) -> re2._Regexp:
    import re2

    try:
        return compiled(expression.encode() if in_bytes else expression)
    except (re2.error, UnicodeEncodeError):
        raise ValueError("not an RE2 expression") from None


def is_expression(expression: str) -> bool:
    """Whether RE2 takes an expression."""
    try:
        linear_bytes_expression(expression)
    except ValueError:
        return False
    return True
