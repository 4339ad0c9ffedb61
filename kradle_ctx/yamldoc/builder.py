"""Values from YAML events, in one loop without recursion, so that depth is a limit and not a crash."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from typing import Any, Final

from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from kradle_ctx.yamldoc.faults import Refused, shown
from kradle_ctx.yamldoc.scalars import (
    MAPPING_TAG,
    SEQUENCE_TAG,
    STARTS_NUMBER,
    SUPPORTED_TAGS,
    TEXT_TAG,
    WORDS,
    fits,
    resolve,
)
from kradle_ctx.yamldoc.values import Expansion, Limits, Value

_OPEN: Final = object()  # what an anchor names while its own collection is still being read
UNSUPPORTED_TAG: Final = "unsupported tag"
_UNFIT_TAG: Final = "a tag that does not fit its value"


class Builder:
    """Turns the events of one document's text into its value; `index` is the last place it took note of."""

    def __init__(self, text: str, limits: Limits, expansion: Expansion) -> None:
        self.index = 0
        self._text = text
        self._limits = limits
        self._anchors: dict[str | None, Any] = {}  # None: whatever has no anchor, never looked up
        self._expansion = expansion

    def build(self, next_event: Callable[[], Event]) -> list[Value]:
        """The values of the documents whose events come next: none for blank text, one otherwise."""
        documents: list[Value] = []
        container: Any = documents
        places: list[Any] | None = None  # marks of the keys where the container is a mapping
        key: str | None = None  # the key whose value comes next
        frames: list[tuple[Any, list[Any] | None, str | None, str | None]] = []
        depth = self._limits.depth
        event: Any = None
        value: Any
        for _ in repeat(None, self._limits.nodes):
            event = next_event()
            kind = type(event)
            if kind is ScalarEvent:
                value = event.value
                if event.tag or event.anchor or (not event.style and (value in WORDS or value[0] in STARTS_NUMBER)):
                    value = self._scalar(event)
                if places is not None and key is None:
                    if type(value) is not str or value in container:
                        self._refuse_key(event, value, container, places)
                    key = value
                    places.append(event.start_mark)
                    continue
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                out_of_place = places is not None and (key is None or key == "<<")
                if event.tag or event.anchor or out_of_place or len(frames) >= depth:
                    self._open(event, len(frames), key, places)
                frames.append((container, places, key, event.anchor))
                container, places = ({}, []) if kind is MappingStartEvent else ([], None)
                key = None
                continue
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                value = container
                container, places, key, anchor = frames.pop()
                self._anchors[anchor] = value
            elif kind is AliasEvent:
                value = self._alias(event, len(frames), key, places)
            elif kind is StreamEndEvent:
                return documents
            else:
                continue
            if key is None:
                container.append(value)
            else:
                container[key] = value
                key = None
        raise Refused(f"more than {self._limits.nodes} nodes in a document", _index(event))

    def _scalar(self, event: ScalarEvent) -> Value:
        """The value of a scalar that its tag or its spelling makes more than text, or that has an anchor."""
        value: Value = event.value
        if event.tag is None:
            value = value if event.style else resolve(event.value)
        elif event.tag not in SUPPORTED_TAGS:
            raise Refused(UNSUPPORTED_TAG, _index(event))
        else:
            value = value if event.tag == TEXT_TAG else resolve(event.value)
            if not fits(event.tag, value):
                raise Refused(_UNFIT_TAG, _index(event))
        self._anchors[event.anchor] = value
        return value

    def _open(self, event: CollectionStartEvent, depth: int, key: str | None, places: list[Any] | None) -> None:
        self.index = _index(event)
        if depth >= self._limits.depth:
            raise Refused(f"nested deeper than {self._limits.depth}", self.index)
        self._check_position(event, key, places)
        if event.anchor is not None:
            self._anchors[event.anchor] = _OPEN
        expected = MAPPING_TAG if isinstance(event, MappingStartEvent) else SEQUENCE_TAG
        if event.tag is None or event.tag == expected:
            return
        raise Refused(_UNFIT_TAG if event.tag in SUPPORTED_TAGS else UNSUPPORTED_TAG, self.index)

    def _check_position(self, event: NodeEvent, key: str | None, places: list[Any] | None) -> None:
        """Refuse a collection or alias as a key, and as the value of a merge key (YAML 1.1's `<<`)."""
        if places is None:
            return
        if key is None:
            raise Refused("a key that is not text", _index(event))
        place = places[-1].index
        if key == "<<" and self._text[place] not in "\"'|>":
            raise Refused("merge keys (<<) are not supported", place)

    def _alias(self, event: AliasEvent, depth: int, key: str | None, places: list[Any] | None) -> Value:
        self.index = _index(event)
        self._check_position(event, key, places)
        if event.anchor not in self._anchors:
            raise Refused("an alias without an anchor (text that starts with * needs quotes)", self.index)
        return self._copy(self._anchors[event.anchor], depth)

    def _copy(self, value: Any, depth: int) -> Value:
        """A copy of what an alias stands for, counted node by node; recursion ends at the depth limit."""
        if value is _OPEN:
            raise Refused("an alias inside its own anchor", self.index)
        self._expansion.nodes += 1
        if self._expansion.nodes > self._limits.expanded:
            raise Refused(f"aliases expand to more than {self._limits.expanded} nodes", self.index)
        if not isinstance(value, (dict, list)):
            return value  # type: ignore[no-any-return]
        if depth >= self._limits.depth:
            raise Refused(f"nested deeper than {self._limits.depth}", self.index)
        if isinstance(value, list):
            return [self._copy(item, depth + 1) for item in value]
        self._expansion.nodes += len(value)
        return {key: self._copy(item, depth + 1) for key, item in value.items()}

    def _refuse_key(self, event: ScalarEvent, value: Value, container: dict[str, Value], places: list[Any]) -> None:
        if not isinstance(value, str):
            raise Refused("a key that is not text: quote it", _index(event))
        earlier = places[list(container).index(value)].index
        raise Refused(f"duplicate key {shown(value)}", _index(event), earlier)


def _index(event: Any) -> int:
    return int(event.start_mark.index)
