"""Where in a document's text each of its values stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, TypeAlias

from msgspec import Struct

from kradle_ctx.yamldoc.documents import BYTE_ORDER_MARK
from kradle_ctx.yamldoc.faults import Refused
from kradle_ctx.yamldoc.values import LIMITS, Limits

Pointer: TypeAlias = "tuple[str | int, ...]"

_BLANKS: Final = " \t\r\n"


class ValuePlace(Struct):
    """The character range of a value, that of its key where it has one, and the text of a scalar or an alias of one."""

    start: int
    end: int
    key_start: int = -1
    key_end: int = -1
    scalar: str | None = None

    @property
    def has_key(self) -> bool:
        """Whether the value has a key; an item of a sequence and the document itself have none."""
        return self.key_start >= 0


class _Open:
    """A collection that is being read: where it is, and what comes next in it."""

    def __init__(self, pointer: Pointer, place: ValuePlace, *, is_mapping: bool) -> None:
        self.pointer = pointer
        self.place = place
        self.is_mapping = is_mapping
        self.count = 0
        self.key: tuple[str, int, int] | None = None

    def enter(self, place: ValuePlace) -> Pointer:
        """Take in what comes next, with its key; returns its pointer."""
        if self.key is not None:
            name, place.key_start, place.key_end = self.key
            self.key = None
            return (*self.pointer, name)
        self.count += 1
        return (*self.pointer, self.count - 1)


def value_places(text: str, *, limits: Limits = LIMITS) -> Mapping[Pointer, ValuePlace]:
    """The place of every value of one document by its keys and indexes; of a faulty one, up to the fault.

    Of a key that stands twice the last place counts.
    """
    places: dict[Pointer, ValuePlace] = {}
    for pointer, place in _places(text, limits):
        places[pointer] = place
    return places


def duplicate_keys(text: str, *, limits: Limits = LIMITS) -> Iterator[tuple[Pointer, ValuePlace, ValuePlace]]:
    """Every key that stands again in its mapping, with the place before and its own."""
    seen: dict[Pointer, ValuePlace] = {}
    for pointer, place in _places(text, limits):
        if pointer in seen and place.has_key:
            yield pointer, seen[pointer], place
            for below in [known for known in seen if known[: len(pointer)] == pointer]:
                del seen[below]
        seen[pointer] = place


def _places(text: str, limits: Limits) -> Iterator[tuple[Pointer, ValuePlace]]:
    """Pointers and places in the order in which values begin; ends are set when they are reached."""
    import yaml

    from kradle_ctx.yamldoc.events import event_reader

    scalar, alias = yaml.ScalarEvent, yaml.AliasEvent
    collections = {yaml.MappingStartEvent: True, yaml.SequenceStartEvent: False}
    values = {scalar, alias, *collections}
    opened: list[_Open] = []
    around: _Open | None = None
    anchored: dict[str, str] = {}
    # libyaml does not count the mark.
    skipped = text.startswith(BYTE_ORDER_MARK)
    with suppress(yaml.YAMLError, Refused, ValueError, RecursionError):
        next_event = event_reader(text[skipped:])
        for _ in range(limits.nodes):
            event: Any = next_event()
            kind = type(event)
            if kind in values:
                start, end = skipped + event.start_mark.index, skipped + event.end_mark.index
                if around is not None and around.is_mapping and around.key is None:
                    if kind is not scalar:
                        return  # a key that is no text is refused where values are read
                    around.key = (event.value, start, end)
                    continue
                place = ValuePlace(start, _trimmed(text, start, end))
                pointer = around.enter(place) if around is not None else ()
                if kind is scalar:
                    place.scalar = event.value
                    if event.anchor is not None:
                        anchored[event.anchor] = event.value
                elif kind is alias:
                    place.scalar = anchored.get(event.anchor or "")
                else:
                    around = _Open(pointer, place, is_mapping=collections[kind])
                    opened.append(around)
                yield pointer, place
            elif issubclass(kind, yaml.CollectionEndEvent):
                closed = opened.pop().place
                closed.end = _trimmed(text, closed.start, skipped + event.end_mark.index)
                around = opened[-1] if opened else None
            elif kind is yaml.StreamEndEvent:
                return


def _trimmed(text: str, start: int, end: int) -> int:
    """An end without the blanks that a block or a collection takes along."""
    while end > start and text[end - 1] in _BLANKS:
        end -= 1
    return end
