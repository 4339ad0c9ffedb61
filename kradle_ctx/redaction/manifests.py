"""Kubernetes Secrets: the lines that belong to one, and the values under `data` and `stringData`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import ascii_letters

from msgspec import Struct

from kradle_ctx.expressions import lazy_expression, lazy_linear_expression
from kradle_ctx.redaction.keys import Strength, classify
from kradle_ctx.redaction.model import Extent, Match
from kradle_ctx.redaction.never_touch import is_placeholder, is_public_material
from kradle_ctx.redaction.reading import read_values
from kradle_ctx.redaction.values import is_secret, is_typed_password

_KIND = r"(?m)^([ \t]*(?:-[ \t]+)?)[\"']?kind[\"']?:"
SECRET_KIND = _KIND + r"[ \t]*[\"']?Secret[\"']?[ \t]*,?\r?$"
"""The line that makes a YAML or JSON object a Secret."""

_VERSION = r"^([ \t]*(?:-[ \t]+)?)[\"']?apiVersion[\"']?:"
_border = lazy_linear_expression(rf"{_KIND}|{_VERSION}|^---|^[ \t>]*\x60{{3}}", latin=True)
_secret_kind = lazy_linear_expression(SECRET_KIND, latin=True)


class _Object(Struct, frozen=True):
    """An object that is still open: its `kind` line, and where the one around or before it begins."""

    line: int
    indent: int
    start: int
    is_secret: bool


@lru_cache(maxsize=1)
def _documents(data: bytes) -> Mapping[int, Extent]:
    """The parts of a text that belong to Secrets, disjoint, by the first `kind: Secret` line in each.

    An object reaches from the last `kind` line before it that is no further in, or from its own `apiVersion`, to
    the next such line, and no further than `---` or the end of a code block.
    """
    parts: list[tuple[int, int, int]] = []
    around: list[_Object] = []
    versions: dict[int, int] = {}
    start = 0
    for border in _border.finditer(data):
        line, indent = border.start(), len(border.group(1) or border.group(2) or b"")
        if border.start(2) >= 0:
            versions[indent] = line
            continue
        if border.start(1) < 0:
            parts += _closed(around, 0, line)
            start = line
            continue
        before = next((each.line for each in reversed(around) if each.indent <= indent), start)
        parts += _closed(around, indent, line)
        before = max(before, versions.get(indent, 0))
        around.append(_Object(line, indent, before, _secret_kind.match(data, line) is not None))
    return _disjoint(parts + _closed(around, 0, len(data)))


def _closed(around: list[_Object], least: int, end: int) -> list[tuple[int, int, int]]:
    """Start, end and line of the Secrets among the objects at least so far in, which end here."""
    parts = []
    while around and around[-1].indent >= least:
        closed = around.pop()
        parts += [(closed.start, end, closed.line)] if closed.is_secret else []
    return parts


def _disjoint(parts: list[tuple[int, int, int]]) -> Mapping[int, Extent]:
    """Union of overlapping parts, each by the first line of those in it."""
    united: list[tuple[int, int, int]] = []
    for start, end, line in sorted(parts):
        if united and start < united[-1][1]:
            first = united.pop()
            start, end, line = first[0], max(end, first[1]), min(line, first[2])
        united.append((start, end, line))
    return {line: (start, end) for start, end, line in united}


_SECTION = lazy_linear_expression(rb"(?m)^([ \t]*)\"?(data|stringData)\"?:[ \t]*\{?[ \t]*\r?\n", latin=True)
_ENTRY = lazy_expression(rb"([ \t]*+)\"?([\w.\-]++)\"?:")
_base64 = lazy_expression(r"[A-Za-z0-9+/]{4,}+={0,2}")
_PUBLIC_FIELDS = frozenset("crt cert certificate pub hosts chain".split())
_OPEN_FIELDS = frozenset(
    "host hostname port user username database dbname url uri endpoint region name email server scheme".split()
)


def secret_manifest(data: bytes, match: Match) -> Iterator[Extent]:
    """The values under `data` and `stringData` of a Kubernetes Secret."""
    start, end = _documents(data).get(match.start(), (0, 0))
    for section in _SECTION.finditer(data, start, end):
        position, inset = section.end(), len(section.group(1))
        while position < end:
            entry = _ENTRY.match(data, position)
            if entry is None or len(entry.group(1)) <= inset:
                break
            name, encoded = entry.group(2).decode("ascii", "replace"), section.group(2) == b"data"
            yield from _entry_values(data, name, entry.end(), encoded)
            position = _next_entry(data, entry.end(), len(entry.group(1)), end)


def _entry_values(data: bytes, name: str, position: int, encoded: bool) -> Iterator[Extent]:
    strength = classify(name)
    if strength is Strength.NONE and _open_field(name, encoded):
        return
    for value in read_values(data, position):
        text = value.text(data)
        if is_placeholder(text) or is_public_material(text):
            continue
        if (
            (encoded and _base64.fullmatch(text))
            or (" " not in text and is_typed_password(text))
            or is_secret(text, strength, quoted=True)
        ):
            yield value.extent(data)


def _open_field(name: str, encoded: bool) -> bool:
    """Whether a field of a Secret is public by name: certificates, known hosts, and plain addresses."""
    last = name[len(name.rstrip(ascii_letters)) :].lower()
    return last in _PUBLIC_FIELDS or (not encoded and last in _OPEN_FIELDS)


def _next_entry(data: bytes, position: int, inset: int, end: int) -> int:
    """The next line that is not further in than the entries of the section."""
    while (newline := data.find(b"\n", position, end)) >= 0:
        position = newline + 1
        line = data[position : position + inset + 1]
        if line.strip() and line[inset:].strip():
            return position
    return end
