"""The documents of a YAML file, each read on its own, so that a bad one takes only itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.yamldoc.faults import Refused, fault_at, translated
from kradle_ctx.yamldoc.plain import plain_mapping
from kradle_ctx.yamldoc.values import LIMITS, Expansion, InvalidYaml, Limits, Value, YamlDocument, YamlFault

BYTE_ORDER_MARK: Final = "\ufeff"
_BLANKS: Final = " \t\r\n"
# Three dashes or dots at column 0 are a marker even inside a block scalar (YAML 1.2.2, section 9.1.2).
_NEXT_MARKER: Final = lazy_expression(r"\n(?:---|\.\.\.)(?![^ \t\r\n])")
_END_MARKER: Final = lazy_expression(r"\.\.\.(?![^ \t\r\n])")
_BARE_MARKER_LINE: Final = lazy_expression(r"(?:---|\.\.\.)(?>(?:[ \t]++(?>(?:#[^\n]*+)?))?)\r?+(?:\n|\Z)")
_DIRECTIVE: Final = lazy_expression(r"(?>(?:[ \t]*+(?>(?:#[^\r\n]*+)?)(?:\r\n?+|\n))*)%")


class _Piece(NamedTuple):
    """The text from one marker to the next.

    Offsets of the marker, of the document's first line (its marker line where that has content) and of the
    end; `line` is the line of the marker.
    """

    marker: int
    start: int
    end: int
    line: int


def read_documents(text: str, *, limits: Limits = LIMITS) -> tuple[YamlDocument, ...]:
    """Every document of a file, in order; a faulty one has a fault, with its place in the file, and no value.

    Past the limit of documents, one faulty document stands for the rest of the file.
    """
    return tuple(_documents(text, 1, limits))


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
    found, expansion = 0, Expansion()
    for markers, piece in enumerate(_pieces(text, first_line)):
        document = _read(text, piece, limits, expansion)
        found += document is not None
        if found > limits.documents or markers > 2 * limits.documents:  # `...` and `---` for each document
            yield _rest(text, piece, limits)
            return
        if document is not None:
            yield document


def _rest(text: str, piece: _Piece, limits: Limits) -> YamlDocument:
    fault = YamlFault(f"more than {limits.documents} documents in a file", piece.line, 1)
    return _placed(text, piece._replace(start=piece.marker, end=len(text)), None, fault)


def _pieces(text: str, first_line: int) -> Iterator[_Piece]:
    marker = len(text) - len(text.lstrip(BYTE_ORDER_MARK))
    line = first_line
    while marker < len(text):
        bare = _BARE_MARKER_LINE.match(text, marker)
        start = bare.end() if bare else marker
        end = _next_marker(text, start - 1 if bare else marker)
        if not text.startswith("---", marker) and _DIRECTIVE.match(text, start):
            end = _next_marker(text, end)  # a directive belongs to the document that follows
        yield _Piece(marker, start, end, line)
        line += text.count("\n", marker, end)
        marker = end


def _next_marker(text: str, position: int) -> int:
    found = _NEXT_MARKER.search(text, position)
    return found.start() + 1 if found else len(text)


def _read(text: str, piece: _Piece, limits: Limits, expansion: Expansion) -> YamlDocument | None:
    """The document of a piece, or None where it has only comments and no marker that begins a document."""
    after_end = _END_MARKER.match(text, piece.marker) is not None
    skip_marker = after_end and piece.start > piece.marker
    body = text[piece.start if skip_marker else piece.marker : piece.end].lstrip(BYTE_ORDER_MARK)
    value: Value = None
    fault = None
    try:
        if after_end and not skip_marker:
            raise Refused("text after a document end marker (...)", 0)
        values = _values(body, limits, expansion)
        if not values:
            return None
        value = values[0]
    except Refused as refused:
        fault = fault_at(refused, body, piece.line + skip_marker)
    return _placed(text, piece, value, fault)


def _placed(text: str, piece: _Piece, value: Value, fault: YamlFault | None) -> YamlDocument:
    start = piece.start
    line = piece.line + text.count("\n", piece.marker, start)
    last = start + len(text[start : piece.end].rstrip(_BLANKS))
    if last == start:
        return YamlDocument(value, start, start, line, line, fault)
    line_feed = text.find("\n", last, piece.end)
    return YamlDocument(value, start, line_feed + 1 or piece.end, line, line + text.count("\n", start, last), fault)


def _values(body: str, limits: Limits, expansion: Expansion) -> list[Value]:
    if len(body) > limits.characters:
        raise Refused(f"a document of more than {limits.characters} characters", 0)
    directive = _DIRECTIVE.match(body)
    if directive:
        raise Refused("directives (%) are not supported", directive.end() - 1)
    mapping = plain_mapping(body, limits)
    if mapping is not None:
        return [mapping]
    # PyYAML is loaded only for a run that needs it.
    from kradle_ctx.yamldoc.builder import Builder
    from kradle_ctx.yamldoc.events import event_reader

    builder = Builder(body, limits, expansion)
    try:
        values = builder.build(event_reader(body))
    except Refused:
        raise
    except Exception as error:  # PyYAML lets ValueError, RecursionError and others escape its own class
        raise translated(error, body, builder.index) from error
    if len(values) > 1:
        raise Refused("a document marker after a line break that is not LF", 0)
    return values
