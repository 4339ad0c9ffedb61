"""Reading the values that stand after a separator: quoted, bare, in lists, in blocks, on the next lines.

What is read is bounded everywhere, so that a text full of separators is read in linear time: a value is judged by
its beginning, and only one that is a secret is followed to its end. Where a marker in place of a secret could move
a bound that counts bytes, lines or elements are counted. Every expression is possessive or has nothing to repeat in
two ways, so `re`, whose calls take a fifth of the time of RE2's, has nothing to try twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.redaction.model import Extent
from kradle_ctx.redaction.never_touch import JUDGED, judged

FARTHEST = 8192
"""Bytes within which a quote is looked for."""

MOST_LINES = 256
MOST_ELEMENTS = 64

_PROPERTIES = rb"(?>(?:(?:!!?[\w./:\-]++|&[\w.\-]++)[ \t]++){0,2})"
"""Tag and anchor of a YAML value."""

_start = lazy_expression(
    rb"[ \t]*+" + _PROPERTIES + rb"(?>(?:(?>(?:[A-Za-z]{1,16}+-)?)SecureString[ \t]++(?>(?:-String[ \t]++)?))?)"
    rb"(?:(?:new )?[Ss]tring\(|[brfuBRFU@$]{1,2})?(?:\*{1,3}|_{1,3})?[ \t]*+"
    rb"('{3}|\\*+(?:\"{3}|[\"'])|\x60{1,3}|<!\[CDATA\[|&quot;|&#3[49];)"
    rb"|([ \t]*+" + _PROPERTIES + rb"[>|](?:[+\-]?\d?|\d[+\-])[ \t]*+(?:#[^\n]{0,200}+)?\r?\n)"
    rb"|([ \t]*+(?:#[^\n]{0,200}+)?\r?\n)"
    rb"|[ \t]*+" + _PROPERTIES + rb"(?:\*{1,3}[ \t]*+)?"
)
_QUOTED, _FOLDED, _NEXT_LINE = 1, 2, 3
_space = lazy_expression(rb"[ \t]*+(?:\*{1,3}[ \t]*+)?")
_indent = lazy_expression(rb"[ \t]*+")
_key_indent = lazy_expression(rb"[ \t]*+(?>(?:-[ \t]++)*)")
_bare = lazy_expression(rb"[^ \t\n\r\f\v\"'\x60<>|]++")
_plain = lazy_expression(rb"[^ \t\n\r\f\v\"'\x60<>|,;&\\%*)\]}]*+")
_continued = lazy_expression(rb"\r?\n[^\s\"'\x60<>|\-]{4,512}+")
_element = lazy_expression(rb"\s*+(?:\"([^\"\n]{0,512}+)\"|'([^'\n]{0,512}+)')\s*+,?+")
_list_item = lazy_expression(rb"[ \t]*+-[ \t]++[\"']?([^\s\"'#]{6,512}+)[\"']?[ \t]*+\r?(?:\n|\Z)")

_ends = lazy_expression(
    rb"[,;&](?:\Z|[\w.\-]++[=:]|[)\]}])|(?<![,;])[,;]++\Z|\\[nrt\"']|%26|\*\*|(?<![)\]}])[)\]}]++[,;.:]?\Z"
)
_MAY_END = frozenset((b",", b";", b"&", b"\\", b"%", b"*", b")", b"]", b"}"))
_OPENERS = bytes.maketrans(b")]}", b"([{")
_CLOSERS = {b"<![CDATA[": b"]]>"}


class Value(Struct, frozen=True):
    """A value in the scan copy; `opener` is what quotes it, and `open` means that only its beginning was read."""

    start: int
    end: int
    opener: bytes = b""
    open: bool = False

    @property
    def quoted(self) -> bool:
        """Whether quotes, or the lines of a block, set its ends."""
        return bool(self.opener)

    def text(self, data: bytes) -> str:
        """As much of the value as it is judged by."""
        return judged(data[self.start : min(self.end, self.start + JUDGED + 1)].decode("utf-8", "replace"))

    def extent(self, data: bytes) -> Extent:
        """The value to its end, however far that is."""
        if not self.open:
            return self.start, self.end
        if not self.opener:
            return self.start, _trimmed(data, self.start, bare_end(data, self.start, len(data)))
        ends = (data.find(self.opener, self.end), data.find(b"\n", self.end))
        return self.start, min((end for end in ends if end >= 0), default=len(data))


def bare_end(data: bytes, start: int, limit: int) -> int:
    """Where a run without blanks and quotes ends; `start` when there is none."""
    run = _bare.match(data, start, limit)
    return run.end() if run else start


def read_values(data: bytes, position: int) -> Iterable[Value]:
    """The value (or the elements of a list of values) that starts at the position after a separator."""
    start = _start.match(data, position)
    if start is None:
        return ()
    if start.lastindex == _QUOTED:
        return (_quoted(data, start.end(), start[_QUOTED]),)
    if start.lastindex == _FOLDED:
        return _block(data, position, start.end())
    if start.lastindex == _NEXT_LINE:
        return _following(data, position, start.end())
    return _unquoted(data, start.end())


def _quoted(data: bytes, start: int, opener: bytes) -> Value:
    closer = _CLOSERS.get(opener, opener)
    limit = min(len(data), start + FARTHEST)
    end = data.find(closer, start, limit)
    while end > start and len(closer) == 1 and data[end - 1] == 0x5C and _is_escaped(data, start, end):
        end = data.find(closer, end + 1, limit)
    if end < 0 or closer == b"`":
        newline = data.find(b"\n", start, limit if end < 0 else end)
        end = newline if newline >= 0 else end
    return Value(start, limit if end < 0 else end, closer, open=end < 0 and limit < len(data))


def _is_escaped(data: bytes, start: int, end: int) -> bool:
    """Whether an odd number of backslashes stands before the place."""
    before = data[max(start, end - 64) : end]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def _line_start(data: bytes, position: int) -> int:
    return data.rfind(b"\n", max(0, position - FARTHEST), position) + 1


def _line_end(data: bytes, position: int) -> int:
    newline = data.find(b"\n", position)
    return newline if newline >= 0 else len(data)


def space_end(data: bytes, position: int) -> int:
    """Where blanks and marks of emphasis end."""
    space = _space.match(data, position)
    return space.end() if space else position


def _indent_end(data: bytes, start: int) -> int:
    indent = _indent.match(data, start)
    return indent.end() if indent else start


def _block(data: bytes, position: int, start: int) -> Iterator[Value]:
    """The lines of a folded or literal YAML scalar, each a value."""
    line = _line_start(data, position)
    parent = _indent_end(data, line) - line
    for _ in range(MOST_LINES):
        text, end = _indent_end(data, start), _line_end(data, start)
        inner = end - (data[end - 1 : end] == b"\r")
        if inner > text:
            if text - start <= parent:
                return
            yield Value(text, inner, b"\n")
        start = end + 1
        if start >= len(data):
            return


def _following(data: bytes, position: int, start: int) -> Iterator[Value]:
    """A value or a list that stands on the next lines, further in than the field."""
    line = _line_start(data, position)
    key = _key_indent.match(data, line)
    column = key.end() - line if key else 0
    for _ in range(MOST_LINES):
        item = _list_item.match(data, start)
        if item is None or _indent_end(data, start) - start < column:
            break
        yield Value(item.start(1), item.end(1))
        start = item.end()
    text = _indent_end(data, start)
    if text - start > _indent_end(data, line) - line and bare_end(data, text, text + 1) > text:
        end = _line_end(data, text)
        content = data[text : min(end, text + FARTHEST)].rstrip()
        if b" " not in content and not content.endswith(b":"):
            yield Value(text, text + len(content), open=len(content) == FARTHEST)


def _unquoted(data: bytes, start: int) -> Sequence[Value]:
    opening = data[start : start + 2]
    if opening[:1] == b"[" and (elements := tuple(_elements(data, start + 1))):
        return elements
    return (bare_value(data, start),) if opening[:1] != b"{" or opening == b"{{" else ()


def _elements(data: bytes, position: int) -> Iterator[Value]:
    """The quoted strings of a list."""
    for _ in range(MOST_ELEMENTS):
        element = _element.match(data, position)
        if element is None:
            return
        group = element.lastindex or 1
        yield Value(element.start(group), element.end(group), b'"')
        position = element.end()


def bare_value(data: bytes, start: int) -> Value:
    """A value without quotes, or an empty one."""
    limit = start + JUDGED
    plain = _plain.match(data, start, limit)
    end = plain.end() if plain else start
    if data[end : end + 1] in _MAY_END and end < limit:
        end = _trimmed(data, start, bare_end(data, end, limit))
    if data[end - 1 : end] == b"." and data[end - 2 : end - 1].isalnum():
        return Value(start, end - 1)
    if data[end - 1 : end] == b"\\" and (more := _continued.match(data, end)):
        return Value(start, more.end())
    return Value(start, end, open=end == limit)


def _trimmed(data: bytes, start: int, end: int) -> int:
    """Where an unquoted value ends: before a separator of pairs, an unopened bracket, an escape."""
    for cut in _ends.finditer(data, start, end):
        mark = cut[0][:1]
        if mark in b")]}" and data.find(mark.translate(_OPENERS), start, end) >= 0:
            continue
        if cut.start() > start:
            return cut.start()
    return end
