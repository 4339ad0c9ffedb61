"""Where a rendered page does not show what its source says."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from kradle_ctx.expressions import lazy_linear_expression
from kradle_ctx.instructions.matching import Finding
from kradle_ctx.instructions.reading import SMUGGLED

_UNSEEN_STYLE = (
    r"display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0|\shidden\b|color\s?:\s?(?:white"
    r"|#fff)"
)
_places = lazy_linear_expression(
    "|".join(
        (
            r"<!--(?s:.*?)(?:-->|\z)",
            r"!\[[^\]\n]*\]",
            r"\]\([^)\n]*\)",
            r"(?m:^)[ \t>]*\[[^\]\n]+\]:[^\n]*",
            rf"<[A-Za-z]+\s[^<>]*(?:{_UNSEEN_STYLE})[^<>]*>[^<]*",
            r"<[A-Za-z]+\s[^<>]*>",
            f"{SMUGGLED[0]}[^{SMUGGLED[1]}]*{SMUGGLED[1]}",
        )
    ),
    latin=True,
)
"""HTML comments, image texts, link targets with titles, link definitions, elements without a look, attributes, and what
was spelled in characters that are not displayed."""


class Hidden:
    """The places of a reading that are not shown; found only when they are asked for."""

    def __init__(self, reading: str) -> None:
        self._reading = reading

    def holds(self, finding: Finding) -> bool:
        """Whether a finding stands in one such place as a whole."""
        place = bisect_right(self._places, (finding.start, len(self._reading) * 4)) - 1
        return place >= 0 and finding.end <= self._places[place][1]

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        return [(match.start(), match.end()) for match in _places.finditer(self._reading.encode("utf-8", "replace"))]
