"""The known name that a wrong one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from kradle_ctx.yamldoc.faults import LONGEST_SHOWN

MOST_KNOWN = 1_000
"""Names that are looked at; honest ontologies have fewer."""

ALIKE = 0.7
"""Least likeness, by `difflib`: at its own 0.6 unlike words of one ending are taken for each other."""

MISSPELT = 0.8
"""Least likeness of two spellings of one word, a letter or two apart."""


def nearest(name: str, known: Iterable[str], alike: float = ALIKE) -> str | None:
    """The known name most like a wrong one, case aside; None where none is like it."""
    if not 0 < len(name) <= LONGEST_SHOWN:
        return None
    wrong = name.casefold()
    spread = 1 + len(wrong) // 2
    likely: dict[str, str] = {}
    for each in islice(known, MOST_KNOWN):
        # Most names are told apart by their length and ends; likeness takes ten times as long.
        if each and abs(len(each) - len(name)) <= spread:
            folded = each.casefold()
            if folded[0] == wrong[0] or folded[-1] == wrong[-1]:
                likely.setdefault(folded, each)
    if not likely:
        return None
    from difflib import get_close_matches

    found = get_close_matches(wrong, likely, n=1, cutoff=alike)
    return likely[found[0]] if found else None
