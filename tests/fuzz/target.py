"""What a fuzz target is: how its inputs are made, and what must hold for each of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis.strategies import SearchStrategy

from kradle_ctx.errors import ErrorCode, KradleError

RECORD_MARK = b"\x1e"
"""Parts the records of an input that has several."""

LONGEST_MESSAGE = 2_000
"""Characters of an error's message or hint; the longest honest one lists ten refs."""

CHANGING = re.compile(r"\b[0-9a-f]{40}\b|\d+|'[^']*'|`[^`]*`|\"[^\"]*\"")
"""What differs between two messages of one kind: ids, numbers and quoted names."""


class Broken(AssertionError):
    """A promise that an input breaks."""


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that is fuzzed.

    `check` tries one input: it returns a word for the way it went, and raises whatever was not promised. `inputs`
    makes inputs of the right structure, `seeds` gives ones that are changed byte by byte, and `scraps` are pieces of
    the format that such changes put in.
    """

    name: str
    promise: str
    check: Callable[[bytes], str]
    inputs: SearchStrategy[bytes]
    seeds: Callable[[], list[bytes]]
    scraps: tuple[bytes, ...]


def require(holds: object, promise: str) -> None:
    """Raise `Broken` unless a promise holds."""
    if not holds:
        raise Broken(promise)


def text_of(data: bytes) -> str:
    """Bytes as text; what is not UTF-8 becomes a lone surrogate, as in an argument of a command."""
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """The input that `text_of` reads as a text."""
    return text.encode("utf-8", "surrogateescape" if text.isascii() else "surrogatepass")


def records_of(data: bytes, least: int) -> list[bytes]:
    """The records of an input, filled up with empty ones to the number that a target needs."""
    records = data.split(RECORD_MARK)
    return records + [b""] * (least - len(records))


def refusal(error: KradleError, *codes: ErrorCode) -> str:
    """The word for a documented refusal; it has one of these codes and says so in two lines that can be printed."""
    require(error.code in codes, f"refused with {error.code}")
    for text in (error.message, error.hint):
        require(text.isprintable(), f"{error.code} with a message that cannot be printed")
        require(0 < len(text) <= LONGEST_MESSAGE, f"{error.code} with a message of no proper length")
    return f"{error.code} {kind_of(error.message)}"


def kind_of(message: str) -> str:
    """A message without what differs between two of its kind."""
    return CHANGING.sub("#", message)[:80]
