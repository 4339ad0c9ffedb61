"""Flags text that addresses an agent: looked for around keywords, in the text and in what it hides.

The lint says what it found and nothing about the rest: a text without a flag is not thereby safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.instructions.disguises import unscrambled
from kradle_ctx.instructions.encodings import decoded
from kradle_ctx.instructions.hidden import Hidden
from kradle_ctx.instructions.matching import findings
from kradle_ctx.instructions.model import DISGUISED_INSTRUCTION, HIDDEN_INSTRUCTION, INSTRUCTION_LIKE
from kradle_ctx.instructions.reading import as_shown, has_invisible_within_words, undisguised

DEPTH = 2
"""How many encodings around each other are undone."""

_BETWEEN_PIECES = "\n.\n"


def flags(text: str) -> tuple[str, ...]:
    """The names of what was found in a text, sorted: `instruction-like` and, with it, flags that say how it is put.

    Nothing found gives an empty tuple, which does not mean that the text is safe. Linear in the text.
    """
    shown = undisguised(text)
    found = set(_flags(shown))
    if found and shown != text and _rules(as_shown(text)) != _rules(shown):
        found.add(DISGUISED_INSTRUCTION)
    for reading in _readings(text, shown):
        if more := {finding.rule.flag for finding in findings(reading)}:
            found |= more | {INSTRUCTION_LIKE, DISGUISED_INSTRUCTION}
    return tuple(sorted(found))


def _flags(shown: str) -> Iterator[str]:
    hidden = Hidden(shown)
    for finding in findings(shown):
        yield from (INSTRUCTION_LIKE, finding.rule.flag)
        if hidden.holds(finding):
            yield HIDDEN_INSTRUCTION


def _rules(reading: str) -> set[str]:
    return {finding.rule.id for finding in findings(reading)}


def _readings(text: str, shown: str) -> Iterator[str]:
    """What the text says when encodings are undone, or when invisible characters part its words."""
    if has_invisible_within_words(text):
        yield undisguised(text, between=" ")
    for _ in range(DEPTH):
        data = shown.encode()
        pieces = [*decoded(data, most=len(data)), *unscrambled(data)]
        if not pieces:
            return
        shown = undisguised(_BETWEEN_PIECES.join(piece.decode("utf-8", "replace") for piece in pieces))
        yield shown
