"""KB004: a key that stands twice in one mapping."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kradle_ctx.checks.check import Check, Elsewhere, Fault, File, Where, at_file
from kradle_ctx.model.constraints import Constraints
from kradle_ctx.model.findings import Severity
from kradle_ctx.yamldoc import shown
from kradle_ctx.yamldoc.places import ValuePlace, duplicate_keys

MOST_KEYS = 50
"""Duplicate keys of one document that are told."""


def duplicate_key(file: File, constraints: Constraints) -> Iterator[Fault]:
    """Every key that stands again in its mapping; the reader stops at the first, this one does not."""
    for part in file.faulty:
        if part.fault.duplicate:
            for pointer, first, again in islice(duplicate_keys(file.text[part.start : part.end]), MOST_KEYS):
                key = shown(str(pointer[-1]))
                yield Fault(
                    place_of(file, part.start, again),
                    f"duplicate key {key}: which of the two is meant?",
                    key="/".join(map(str, pointer)),
                    related=(Elsewhere(place_of(file, part.start, first), f"{key} stands here first"),),
                )


def place_of(file: File, start: int, place: ValuePlace) -> Where:
    """Where a key stands; `start` is where its document begins in the file."""
    offset = start + place.key_start
    line, column = file.text.count("\n", 0, offset) + 1, offset - file.text.rfind("\n", 0, offset)
    return at_file(file.path, line, column, place.key_end - place.key_start)


CHECK = Check(
    "KB004",
    "duplicate-key",
    Severity.ERROR,
    "A key that stands twice in one mapping",
    "keep one of the two, or join their values; the record is left out of every answer until then",
    of_file=duplicate_key,
)
