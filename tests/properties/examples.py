"""How many examples a property looks at: few in the suite, `KRADLE_EXAMPLES=2000` of each in `make properties`."""

from __future__ import annotations

import os

VARIABLE = "KRADLE_EXAMPLES"


def examples(usual: int, *, one_in: int = 1) -> int:
    """The usual number, or that of the environment where it is larger; a costly property takes one in so many."""
    return max(usual, int(os.environ.get(VARIABLE, "0")) // one_in)
