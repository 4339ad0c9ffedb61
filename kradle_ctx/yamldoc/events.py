"""PyYAML's events for one document's text, with what libyaml would change on the way put right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import yaml
from yaml.events import CollectionStartEvent, Event, ScalarEvent

from kradle_ctx.yamldoc.builder import UNSUPPORTED_TAG
from kradle_ctx.yamldoc.faults import Refused

# Line breaks in YAML 1.1, and so in libyaml, but ordinary characters in YAML 1.2.
_OLD_BREAKS: Final = "\x85\u2028\u2029"
_PRIVATE_USE: Final = range(0xE000, 0xF900)
_NON_SPECIFIC_TAG: Final = re.compile(r"!(?:<!>|[\s,\[\]{}]|\Z)")


class PureParser(yaml.SafeLoader):
    """PyYAML's own parser, for an installation without libyaml, made as strict about lone surrogates."""

    def get_event(self) -> Event | None:
        """The next event, or None after the last; UnicodeEncodeError for text that is not Unicode."""
        event: Event | None = super().get_event()
        if isinstance(event, ScalarEvent):
            event.value.encode("utf-8")
        return event


try:
    from yaml.cyaml import CParser as _Parser
except ImportError:  # PyYAML was installed without libyaml
    _Parser = PureParser  # type: ignore[assignment, misc]


def read_events(text: str) -> Iterator[Event]:
    """The events of `text`, whose marks count characters; raises what PyYAML raises."""
    table = _stand_ins(text)
    parser: Any = _Parser(text.translate(table) if table else text)
    events: Iterator[Event] = iter(parser.get_event, None)
    if table:
        events = _restored(events, {ord(stand_in): mark for mark, stand_in in table.items()})
    if _NON_SPECIFIC_TAG.search(text):
        events = _without_non_specific_tags(events, text)
    return events


def _stand_ins(text: str) -> dict[int, str]:
    """For each old line break in `text` a character that neither it nor an escape in it can produce."""
    if text.isascii() or not any(mark in text for mark in _OLD_BREAKS):
        return {}
    lower = text.lower()
    unused = (chr(code) for code in _PRIVATE_USE if chr(code) not in text and f"{code:x}" not in lower)
    chosen = list(islice(unused, len(_OLD_BREAKS)))
    if len(chosen) < len(_OLD_BREAKS):
        raise Refused("too many private-use characters beside a Unicode line break", 0)
    return dict(zip(map(ord, _OLD_BREAKS), chosen, strict=True))


def _restored(events: Iterator[Event], table: dict[int, int]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, ScalarEvent):
            event.value = event.value.translate(table)
        yield event


def _without_non_specific_tags(events: Iterator[Event], text: str) -> Iterator[Event]:
    """The same events, unless a node has the tag `!`: libyaml drops it, so `! 12` would be a number."""
    for event in events:
        if isinstance(event, (ScalarEvent, CollectionStartEvent)) and event.tag is None:
            start = event.start_mark.index if event.start_mark else 0
            if text.startswith("!", start):
                raise Refused(UNSUPPORTED_TAG, start)
        yield event
