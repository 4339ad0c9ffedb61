"""The YAML block at the head of a Markdown file."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.documents import BYTE_ORDER_MARK, parse
from kradle_ctx.yamldoc.values import LIMITS, InvalidYaml, Limits, Value, YamlFault

_OPENING: Final = lazy_expression(BYTE_ORDER_MARK + r"?---[ \t]*+\r?\n")
_CLOSING: Final = lazy_expression(r"^---[ \t]*+\r?(?:\n|\Z)", re.MULTILINE)


class Frontmatter(Struct, frozen=True):
    """The text between two fences and its place in the file.

    `start` and `end` are the character offsets of `yaml`, `first_line` the line it begins on; the body begins
    at offset `body_start` on line `body_line`, from 1. `fault` is set where the block is over the limit.
    """

    yaml: str
    first_line: int
    start: int
    end: int
    body_start: int
    body_line: int
    fault: YamlFault | None = None

    def value(self) -> Value:
        """What the block says, null where it is blank; raises `InvalidYaml` with lines counted in the file."""
        if self.fault is not None:
            raise InvalidYaml(self.fault)
        return parse(self.yaml, first_line=self.first_line)


def split_frontmatter(text: str, *, limits: Limits = LIMITS) -> Frontmatter | None:
    """The frontmatter of a Markdown text, or None: it opens at character 0 (after a BOM) and must be closed.

    A fence is a line of three dashes; blanks after them and CRLF are accepted, and so is the end of the file.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return None
    block = text[opening.end() : closing.start()]
    body_line = 2 + text.count("\n", opening.end(), closing.end())
    return Frontmatter(
        yaml=block,
        first_line=2,
        start=opening.end(),
        end=closing.start(),
        body_start=closing.end(),
        body_line=body_line,
        fault=_oversize(block, limits),
    )


def _oversize(block: str, limits: Limits) -> YamlFault | None:
    if len(block.encode("utf-8", "surrogatepass")) <= limits.frontmatter:
        return None
    return YamlFault(f"frontmatter of more than {limits.frontmatter} bytes", 2, 1)
