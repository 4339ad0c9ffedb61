"""How a document is laid out: where its values begin and end, and where a line can be put between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.places import Pointer, ValuePlace, value_places

REST_OF_LINE = lazy_expression(r"(?P<comma>[ \t]*,)?[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
DEEPER_COMMENT = lazy_expression(r"\r?\n([ ]+)#[^\r\n]*")
BEFORE_ITEM = lazy_expression(r"[ \t]*-[ \t]+")


class LeftAlone(Exception):
    """What is wrong is not repaired, and why: the rest of a sentence that begins with what it is."""


class Layout:
    """One document's text and the places of its values."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places: Mapping[Pointer, ValuePlace] = value_places(text)

    @cached_property
    def _inside(self) -> Mapping[Pointer, Sequence[Pointer]]:
        found: dict[Pointer, list[Pointer]] = defaultdict(list)
        for pointer in self.places:
            if pointer:
                found[pointer[:-1]].append(pointer)
        return found

    def inside(self, pointer: Pointer) -> Sequence[Pointer]:
        """What stands in a collection itself, in order."""
        return self._inside.get(pointer, ())

    def is_mapping(self, pointer: Pointer) -> bool:
        """Whether a mapping with entries stands there."""
        return any(isinstance(each[-1], str) for each in self.inside(pointer)[:1])

    def is_flow(self, pointer: Pointer) -> bool:
        """Whether a value is in brackets."""
        return is_flow(self.text, self.places[pointer])

    def end(self, pointer: Pointer) -> int:
        """Where the last of a value's own characters ends; comments behind it are none of it."""
        while not self.is_flow(pointer) and self.inside(pointer):
            pointer = self.inside(pointer)[-1]
        place = self.places[pointer]
        return max(place.end, place.key_end)

    def last(self, pointers: Sequence[Pointer]) -> Pointer:
        """The one that ends last."""
        return max(pointers, key=self.end)

    def line_start(self, offset: int) -> int:
        """Where the line of a character begins."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Where the line of a character ends, before what breaks it."""
        found = self.text.find("\n", offset)
        end = found if found >= 0 else len(self.text)
        return end - 1 if end > offset and self.text[end - 1] == "\r" else end

    @cached_property
    def line_break(self) -> str:
        """What ends the lines."""
        found = self.text.find("\n")
        return "\r\n" if found > 0 and self.text[found - 1] == "\r" else "\n"

    def indent(self, offset: int) -> str | None:
        """What stands before the first word of a line, that word being at an offset; None where it is another."""
        before = self.text[self.line_start(offset) : offset]
        return before if not before.strip(" ") else None

    def before_item(self, pointer: Pointer) -> str | None:
        """What stands before an item of a list on its line, the dash included; None for one in brackets."""
        start = self.places[pointer].start
        before = self.text[self.line_start(start) : start]
        return before if BEFORE_ITEM.fullmatch(before) else None

    def with_lines(self, offset: int, lines: Sequence[str]) -> str:
        """The text with more lines after the one of an offset, and after comments below it that are indented deeper."""
        first = next(line for line in lines if line)
        deeper = len(first) - len(first.lstrip(" "))
        at = self.line_end(offset)
        while (found := DEEPER_COMMENT.match(self.text, at)) is not None and len(found[1]) > deeper:
            at = found.end()
        return self.text[:at] + "".join(self.line_break + line for line in lines) + self.text[at:]

    def with_items(self, pointer: Pointer, start: int, spelled: Sequence[str]) -> str:
        """The text with more items, or entries, behind one in brackets that begins at `start`.

        Where that one has its line for itself, so have they.
        """
        end = self.end(pointer)
        indent = self.indent(start)
        rest = REST_OF_LINE.match(self.text, end)
        if indent is None or rest is None:
            return self.text[:end] + "".join(f", {item}" for item in spelled) + self.text[end:]
        comma, at = rest["comma"], self.line_end(end)
        more = f",{self.line_break}{indent}".join(spelled)
        behind = self.text[end:at]
        return (
            f"{self.text[:end]}{'' if comma else ','}{behind}{self.line_break}{indent}{more}"
            f"{',' if comma else ''}{self.text[at:]}"
        )

    def with_value(self, pointer: Pointer, spelled: str) -> str:
        """The text with another value in the place of one that is empty or in one piece."""
        place = self.places[pointer]
        if place.end > place.start:
            return self.text[: place.start] + spelled + self.text[place.end :]
        at = self.text.find(":", place.key_end) + 1
        return f"{self.text[:at]} {spelled}{self.text[at:]}"


def is_flow(text: str, place: ValuePlace) -> bool:
    """Whether a value is a collection in brackets."""
    return place.scalar is None and text[place.start : place.start + 1] in ("[", "{")
