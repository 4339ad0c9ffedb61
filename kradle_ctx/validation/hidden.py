"""The values that redaction hides in the files of a brain, which no finding may repeat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache

from msgspec.structs import replace

from kradle_ctx.model.findings import Finding, Span
from kradle_ctx.redaction import marker
from kradle_ctx.validation.places import LineTable
from kradle_ctx.validation.survey import Survey
from kradle_ctx.yamldoc import InvalidYaml, parse

FILES_AT_HAND = 256

ESCAPED = ("\\", "''", "\n")
"""What a value in quotes is written with that reads otherwise."""

AROUND = "[]{}()<>\"'`,; \t\r\n"
"""What can stand around a value."""


class HiddenValues:
    """What redaction hides in each file of a brain: a message is no place from which the rules would know it again."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._kinds = lru_cache(maxsize=FILES_AT_HAND)(self._kinds_in)

    def within(self, path: str) -> Mapping[str, str]:
        """The hidden values of a file, and what each reads as, with their kinds."""
        return self._kinds(path)

    def at(self, path: str, span: Span) -> str | None:
        """The hidden value that a span of a file touches first."""
        text = self._survey.files.text(path)
        table = LineTable(text)
        start, end = table.start_of(span.line) + span.column - 1, table.start_of(span.end_line) + span.end_column - 1
        for secret in self._survey.inspection_of(path).secrets:
            if secret.start < max(end, start + 1) and start < secret.end:
                return text[secret.start : secret.end]
        return None

    def _kinds_in(self, path: str) -> Mapping[str, str]:
        secrets = self._survey.inspection_of(path).secrets
        text = self._survey.files.text(path) if secrets else ""
        return {
            reading: secret.kind
            for secret in secrets
            for reading in readings(text[secret.start : secret.end])
            if reading.strip()
        }


def readings(value: str) -> Iterator[str]:
    """A value as it is written, without the signs around it, and what it reads as in quotes of either kind."""
    yield value
    value = value.strip(AROUND)
    yield value
    if any(sign in value for sign in ESCAPED):
        for quote in ('"', "'"):
            with suppress(InvalidYaml):
                yield str(parse(f"{quote}{value}{quote}"))


def withheld(found: Iterable[Finding], hidden: HiddenValues) -> Iterator[Finding]:
    """Findings without the hidden values of their files, in what is shown and in what fingerprints are made from."""
    for each in found:
        kinds = dict(hidden.within(each.path))
        for other in each.related:
            kinds |= hidden.within(other.path)
        yield without(each, kinds) if kinds else each


def without(found: Finding, kinds: Mapping[str, str]) -> Finding:
    """A finding in which the kinds of some values stand in their place."""
    values = re.compile("|".join(re.escape(value) for value in sorted(kinds, key=len, reverse=True)))

    def told(text: str) -> str:
        return values.sub(lambda match: marker(kinds[match[0]]), text)

    return replace(
        found,
        message=told(found.message),
        hint=told(found.hint),
        fingerprint=told(found.fingerprint),
        suppressed=told(found.suppressed) if found.suppressed is not None else None,
        related=tuple(replace(other, message=told(other.message)) for other in found.related),
    )
