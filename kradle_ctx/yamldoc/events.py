"""PyYAML's events for one document's text, with what libyaml would change on the way put right."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any, Final

import yaml
from yaml.events import CollectionStartEvent, Event, ScalarEvent

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.builder import UNSUPPORTED_TAG
from kradle_ctx.yamldoc.faults import Refused

# Line breaks in YAML 1.1, and so in libyaml, but ordinary characters in YAML 1.2.
_OLD_BREAKS: Final = "\x85\u2028\u2029"
_PRIVATE_USE: Final = range(0xE000, 0xF900)
_SPELLED: Final = lazy_expression(r"(?=([ef][0-9a-f]{3}))", re.IGNORECASE)  # as an escape would spell one of them
_SURROGATE: Final = lazy_expression("[\ud800-\udfff]")
_NON_SPECIFIC_TAG: Final = lazy_expression(r"!(?:<!>|[\s,\[\]{}]|\Z)")
_TAGGED: Final = lazy_expression(r"(?:&\S+(?:\s|#[^\n]*+\n)+)?!")


class PureParser(yaml.SafeLoader):
    """PyYAML's own parser, for an installation without libyaml, made as strict about lone surrogates."""

    def get_event(self) -> Event | None:
        """The next event, or None after the last."""
        event: Any = super().get_event()  # type: ignore[no-untyped-call]
        if isinstance(event, ScalarEvent) and _SURROGATE.search(event.value):
            place: Any = event.start_mark
            raise yaml.MarkedYAMLError(problem="found invalid Unicode character escape code", problem_mark=place)
        return event  # type: ignore[no-any-return]


_Parser: Any = PureParser
with suppress(ImportError):  # PyYAML may have been installed without libyaml
    from yaml.cyaml import CParser as _Parser  # type: ignore[attr-defined]


def event_reader(text: str) -> Callable[[], Event]:
    """A function that returns the next event of `text`; marks count characters, errors are PyYAML's."""
    table = _stand_ins(text)
    parser: Any = _Parser(text.translate(table) if table else text)
    next_event: Callable[[], Event] = parser.get_event
    if table:
        next_event = _restoring(next_event, {ord(stand_in): mark for mark, stand_in in table.items()})
    if _NON_SPECIFIC_TAG.search(text):
        next_event = _refusing_non_specific_tags(next_event, text)
    return next_event


def _stand_ins(text: str) -> dict[int, str]:
    """For each old line break in `text` a character that neither it nor an escape in it can produce."""
    if text.isascii() or not any(mark in text for mark in _OLD_BREAKS):
        return {}
    used, spelled = set(text), {code.lower() for code in _SPELLED.findall(text)}
    unused = (chr(code) for code in _PRIVATE_USE if chr(code) not in used and f"{code:x}" not in spelled)
    chosen = list(islice(unused, len(_OLD_BREAKS)))
    if len(chosen) < len(_OLD_BREAKS):
        raise Refused("too many private-use characters beside a Unicode line break", 0)
    return dict(zip(map(ord, _OLD_BREAKS), chosen, strict=True))


def _restoring(next_event: Callable[[], Event], table: dict[int, int]) -> Callable[[], Event]:
    def restored() -> Event:
        event = next_event()
        if isinstance(event, ScalarEvent):
            event.value = event.value.translate(table)
        return event

    return restored


def _refusing_non_specific_tags(next_event: Callable[[], Event], text: str) -> Callable[[], Event]:
    """The same events, unless a node has the tag `!`: libyaml drops it, so `! 12` would be a number."""

    def checked() -> Event:
        event = next_event()
        if isinstance(event, (ScalarEvent, CollectionStartEvent)) and event.tag is None:
            start = event.start_mark.index if event.start_mark else 0
            if _TAGGED.match(text, start):
                raise Refused(UNSUPPORTED_TAG, start)
        return event

    return checked
