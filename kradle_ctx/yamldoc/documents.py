"""The documents of a YAML file, each read on its own, so that a bad one takes only itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from kradle_ctx.yamldoc.builder import Builder
from kradle_ctx.yamldoc.events import read_events
from kradle_ctx.yamldoc.faults import Refused, fault_at, translated
from kradle_ctx.yamldoc.values import LIMITS, InvalidYaml, Limits, Value, YamlDocument, YamlFault

BYTE_ORDER_MARK: Final = "\ufeff"
_BLANKS: Final = " \t\r\n"
# Three dashes or dots at column 0 are a marker even inside a block scalar (YAML 1.2.2, section 9.1.2).
_NEXT_MARKER: Final = re.compile(r"\n(?:---|\.\.\.)(?![^ \t\r\n])")
_MARKER: Final = re.compile(r"(?:---|\.\.\.)(?![^ \t\r\n])")
_BARE_MARKER_LINE: Final = re.compile(r"(?:---|\.\.\.)(?:[ \t]++(?:#[^\n]*+)?+)?+\r?+(?:\n|\Z)")
_DIRECTIVE: Final = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?+\r?+\n)*+%")


class _Piece(NamedTuple):
    """The text from one marker to the next: offsets of the marker, of the first line after it, of the end."""

    marker: int
    start: int
    end: int
    line: int  # of `start`


def read_documents(text: str, *, limits: Limits = LIMITS) -> tuple[YamlDocument, ...]:
    """Every document of a file, in order; a faulty one has a fault, with its place in the file, and no value.

    Past the limit of documents, one faulty document stands for the rest of the file.
    """
    documents = _documents(text, 1, limits)
    read = tuple(islice(documents, limits.documents))
    rest = next(documents, None)
    if rest is None:
        return read
    fault = YamlFault(f"more than {limits.documents} documents in a file", rest.line_start, 1)
    last_line = rest.line_start + text.count("\n", rest.start)
    return (*read, YamlDocument(None, rest.start, len(text), rest.line_start, last_line, fault))


def parse(text: str, *, first_line: int = 1, limits: Limits = LIMITS) -> Value:
    """The value of a text that is one document, or of a blank one (null).

    Raises `InvalidYaml`, with lines counted from `first_line`, for a fault or a second document.
    """
    document, second = [*islice(_documents(text, first_line, limits), 2), None, None][:2]
    if document is None:
        return None
    if document.fault is not None:
        raise InvalidYaml(document.fault)
    if second is not None:
        raise InvalidYaml(YamlFault("more than one document", second.line_start, 1))
    return document.value


def _documents(text: str, first_line: int, limits: Limits) -> Iterator[YamlDocument]:
    for piece in _pieces(text, first_line):
        document = _read(text, piece, first_line, limits)
        if document is not None:
            yield document


def _pieces(text: str, first_line: int) -> Iterator[_Piece]:
    marker = len(text) - len(text.lstrip(BYTE_ORDER_MARK))
    line = first_line
    while marker < len(text):
        bare = _BARE_MARKER_LINE.match(text, marker)
        start = bare.end() if bare else marker
        end = _next_marker(text, start - 1 if bare else marker)
        if not text.startswith("---", marker) and _DIRECTIVE.match(text, start):
            end = _next_marker(text, end)  # a directive belongs to the document that follows
        line += 1 if bare else 0
        yield _Piece(marker, start, end, line)
        line += text.count("\n", start, end)
        marker = end


def _next_marker(text: str, position: int) -> int:
    found = _NEXT_MARKER.search(text, position)
    return found.start() + 1 if found else len(text)


def _read(text: str, piece: _Piece, first_line: int, limits: Limits) -> YamlDocument | None:
    ends_a_document = text.startswith("...", piece.marker) and _MARKER.match(text, piece.marker)
    origin = piece.start if ends_a_document else piece.marker
    body = text[origin : piece.end]
    value: Value = None
    fault = None
    try:
        if ends_a_document and piece.start == piece.marker:
            raise Refused("text after a document end marker (...)", 0)
        values = _values(body, limits)
        if not values:
            return None
        value = values[0]
    except Refused as refused:
        fault = fault_at(refused, text, origin, first_line)
    return _placed(text, piece, value, fault)


def _placed(text: str, piece: _Piece, value: Value, fault: YamlFault | None) -> YamlDocument:
    last = piece.start + len(text[piece.start : piece.end].rstrip(_BLANKS))
    if last == piece.start:
        return YamlDocument(value, last, last, piece.line, piece.line, fault)
    line_end = piece.line + text.count("\n", piece.start, last)
    line_feed = text.find("\n", last, piece.end)
    return YamlDocument(value, piece.start, line_feed + 1 or piece.end, piece.line, line_end, fault)


def _values(body: str, limits: Limits) -> list[Value]:
    if len(body) > limits.characters:
        raise Refused(f"a document of more than {limits.characters} characters", 0)
    directive = _DIRECTIVE.match(body)
    if directive:
        raise Refused("directives (%) are not supported", directive.end() - 1)
    builder = Builder(body, limits)
    try:
        return builder.build(read_events(body))
    except Refused:
        raise
    except Exception as error:  # PyYAML lets ValueError, RecursionError and others escape its own class
        raise translated(error, body, builder.index) from error
