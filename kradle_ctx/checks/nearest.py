"""The known name that a wrong one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.faults import LONGEST_SHOWN

MOST_KNOWN = 1_000
"""Names that are looked at; honest ontologies have fewer."""

WORD = lazy_expression(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
"""A word of a name, with hyphens, underscores or a capital between it and the next."""

SHORTEST, LONG = 4, 8
"""Letters of a word that may be misspelt, and of one that may be wrong in two letters."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one known name that a wrong one is a slip of; None where there is none, or several.

    Names are compared word by word: `static-config` looks like `dynamic-config`, and is its opposite.
    """
    if not 0 < len(name) <= LONGEST_SHOWN:
        return None
    wrong = words(name)
    alike: list[str] = []
    for each in islice(known, MOST_KNOWN):
        if each and len(each) <= LONGEST_SHOWN * 2:
            meant = words(each)
            if wrong and "".join(wrong) == "".join(meant):
                return each
            if len(wrong) == len(meant) and all(map(is_slip, wrong, meant)):
                alike.append(each)
    return alike[0] if len(alike) == 1 else None


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of a name in small letters."""
    return tuple(found.casefold() for found in WORD.findall(name))


def is_slip(wrong: str, meant: str) -> bool:
    """Whether a word is another with a letter or two wrong in one place.

    The first letter must be the same: `unsupported` is no slip of `supported`, nor is `xhigh` one of `high`.
    """
    if wrong == meant:
        return True
    if wrong[0] != meant[0] or min(len(wrong), len(meant)) < SHORTEST or wrong.isdigit():
        return False
    begun = shared(wrong, meant)
    left, right = wrong[begun:], meant[begun:]
    ended = shared(left[::-1], right[::-1])
    left, right = left[: len(left) - ended], right[: len(right) - ended]
    changed = max(len(left), len(right))
    is_long = min(len(wrong), len(meant)) >= LONG
    return changed == 1 or (changed == 2 and (left == right[::-1] or is_long))


def shared(first: str, second: str) -> int:
    """How many letters two texts begin with alike."""
    unlike = (place for place, (one, other) in enumerate(zip(first, second, strict=False)) if one != other)
    return next(unlike, min(len(first), len(second)))
