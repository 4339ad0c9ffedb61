"""From where a check found something to a line and a column."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate, islice

from kradle_ctx.checks.check import Where
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.findings import Span
from kradle_ctx.model.graph import Document, Edge, Form
from kradle_ctx.yamldoc import split_frontmatter
from kradle_ctx.yamldoc.places import Pointer, ValuePlace, value_places

EDGE_ROOTS = {Form.GRAPH: (("edges",),), Form.MARKDOWN: (("related",), ("edges",)), Form.NOTE: (("related",),)}
"""Where each form states edges."""

NESTED = "attributes"
"""Where a graph record has its fields, if not beside them."""


TOP_LINE = r"""^{}:[ ]++([^\s\#\"'\[\]{{}}&*!|>%@`,][^\s\#\"']*|"[^"\\\n]*"|'[^'\n]*')[ \t]*\r?$"""
"""A value of one word, or of one line in quotes, that is written at the top of a document on a line of its own."""

NEAREST: tuple[Pointer, ...] = (("id",), ("extendsNode",), ())
"""Where what is not there is shown: at what names the record, else where it begins."""

AT_TOP = {name: lazy_expression(TOP_LINE.format(name), re.MULTILINE) for name in ("id", "nodeKind", "kind")}
"""Fields that never stand among attributes."""

NEXT_KEY = lazy_expression(r"\n {0,2}[^\s\-]")
"""The line of a key that is indented no deeper than a kind of edge; the items of a list may be as deep as their key."""

EDGES_BLOCK = lazy_expression(r"^edges:[ \t]*\r?(?>(?:\n(?:[ \t\-#][^\n]*|\r?))*)", re.MULTILINE)
"""All that is indented below `edges`."""

QUOTES = ("'", '"')
PART_OF_A_WORD = "-_./:@"


FILES_AT_HAND = 64


class Places:
    """The places of values in files; `read` gives the text of a file by its path."""

    def __init__(self, read: Callable[[str], str]) -> None:
        # Related places lead back and forth between files.
        self._table = lru_cache(maxsize=FILES_AT_HAND)(lambda path: LineTable(read(path)))
        self._documents: dict[tuple[str, int], DocumentPlaces] = {}

    def span(self, where: Where) -> Span:
        """Lines and columns of a place; of a value that spans lines, or is a collection, those of its key."""
        if where.document is None:
            return Span(where.line, where.column, where.line, where.column + where.width)
        found = self._document(where.document)
        start, end = found.edge(where.edge) if where.edge is not None else found.value(where.pointer, where.at_key)
        return self._table(where.path).span(start, end)

    def _document(self, document: Document) -> DocumentPlaces:
        key = (document.path, document.start)
        found = self._documents.get(key)
        if found is None:
            if len(self._documents) >= FILES_AT_HAND:
                self._documents.clear()
            found = self._documents[key] = DocumentPlaces(document, self._table(document.path))
        return found


class LineTable:
    """A text and where its lines begin; lines are split at LF."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))][:-1]

    def span(self, start: int, end: int) -> Span:
        """The place of a range of characters."""
        return Span(*self._place(start), *self._place(max(start, end)))

    def start_of(self, line: int) -> int:
        """Where a line begins."""
        return self._starts[min(line, len(self._starts)) - 1]

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


class DocumentPlaces:
    """The character ranges of one document's values in the text of its file.

    The YAML is taken apart only for what cannot be told from its text: brains have findings by the ten thousand.
    """

    def __init__(self, document: Document, table: LineTable) -> None:
        self._form = document.form
        self._id = document.id
        self._start, self._yaml = yaml_of(document, table)
        # Where nothing is spelled otherwise than it reads, what stands once is what is meant.
        self._is_plain = "\\" not in self._yaml and "*" not in self._yaml

    @cached_property
    def _places(self) -> Mapping[Pointer, ValuePlace]:
        return value_places(self._yaml)

    def _standing_alone(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        """The range of a text that stands once in a part of the document, as a word of its own."""
        at = self._yaml.find(text, start, end)
        if at < 0 or self._yaml.find(text, at + 1, end) >= 0:
            return None
        after = at + len(text)
        before, behind = self._yaml[max(0, at - 1) : at], self._yaml[after : after + 1]
        if any(sign in PART_OF_A_WORD or sign.isalnum() for sign in before + behind):
            return None
        quoted = before == behind and before in QUOTES
        return (at - quoted, after + quoted)

    def _below_its_kind(self, edge: Edge) -> tuple[int, int] | None:
        """The range of a target in the lines that are indented below the kind of its edge, which stands once."""
        block = EDGES_BLOCK.search(self._yaml)
        key = f"\n  {edge.kind}:"
        start = self._yaml.find(key, block.start(), block.end()) if block is not None else -1
        if block is None or start < 0 or self._yaml.find(key, start + 1, block.end()) >= 0:
            return None
        following = NEXT_KEY.search(self._yaml, start + len(key))
        end = min(following.start(), block.end()) if following is not None else block.end()
        return self._standing_alone(edge.target, start + len(key), end)

    def value(self, pointer: Pointer, at_key: bool) -> tuple[int, int]:
        """The range of a value, or of the nearest that holds it."""
        line = AT_TOP.get(str(pointer[0])) if len(pointer) == 1 and not at_key else None
        if line is not None:
            lines = list(islice(line.finditer(self._yaml), 2))
            stated = lines[0][1].strip("\"'") if len(lines) == 1 else None
            if stated is not None and (pointer[0] != "id" or self._id in (None, stated)):
                return self._start + lines[0].start(1), self._start + lines[0].end(1)
        place = self._found(pointer)
        while place is None and pointer:
            pointer = pointer[:-1]
            place = self._found(pointer) if pointer else None
        return self._range(place, at_key)

    def edge(self, edge: Edge) -> tuple[int, int]:
        """The range of the target of an edge, else of what states edges."""
        whole = (0, len(self._yaml))
        alone = self._standing_alone(edge.target, *whole) or self._below_its_kind(edge) if self._is_plain else None
        if alone is not None:
            return self._start + alone[0], self._start + alone[1]
        place = self._edges.get((edge.kind, edge.target))
        if place is not None:
            return self._range(place, False)
        return self.value(EDGE_ROOTS.get(self._form, ((),))[0], True)

    @cached_property
    def _edges(self) -> Mapping[tuple[str, str], ValuePlace]:
        """The first place of each kind and target."""
        found: dict[tuple[str, str], ValuePlace] = {}
        for root in EDGE_ROOTS.get(self._form, ()):
            for pointer, kind in self._edge_pointers(root):
                place = self._places[pointer]
                found.setdefault((kind, (place.scalar or "").strip()), place)
        return found

    def _edge_pointers(self, root: Pointer) -> Iterator[tuple[Pointer, str]]:
        """Pointers that can lead to targets of edges, with the kind of each."""
        depth = len(root)
        for pointer, place in self._places.items():
            if pointer[:depth] != root or place.scalar is None or len(pointer) not in (depth + 1, depth + 2, depth + 3):
                continue
            below = pointer[depth:]
            if isinstance(below[0], int):
                kind = self._places.get((*root, below[0], "kind"))
                if len(below) == 2 and below[1] in ("target", "id") and kind is not None:
                    yield pointer, kind.scalar or ""
            elif len(below) < 3 or below[2] in ("target", "id"):
                yield pointer, below[0]

    def _found(self, pointer: Pointer) -> ValuePlace | None:
        if self._form is Form.GRAPH and pointer and pointer[0] != NESTED:
            nested = self._places.get((NESTED, *pointer))
            if nested is not None and pointer[0] not in ("id", "nodeKind", "edges"):
                return nested
        return self._places.get(pointer)

    def _range(self, place: ValuePlace | None, at_key: bool) -> tuple[int, int]:
        if place is None:
            places = (self._places.get(pointer) for pointer in NEAREST)
            place = next((place for place in places if place is not None), ValuePlace(0, len(self._yaml)))
        start, end = place.start, place.end
        first = self._yaml[start:end].partition("\n")[0].rstrip()
        if place.has_key and (at_key or place.scalar is None or start + len(first) < end):
            start, end = place.key_start, place.key_end
        else:
            end = start + len(first)
        return self._start + start, self._start + end


def yaml_of(document: Document, table: LineTable) -> tuple[int, str]:
    """A document's YAML, and where it begins in the text."""
    if document.form is Form.GRAPH:
        start = table.start_of(document.line_start)
        end = table.start_of(document.line_end + 1) if document.line_end < table.text.count("\n") + 1 else None
        return start, table.text[start : end if end is not None and end > start else len(table.text)]
    frontmatter = split_frontmatter(table.text) if document.form in (Form.MARKDOWN, Form.NOTE) else None
    if frontmatter is None:
        return 0, ""
    return frontmatter.start, frontmatter.yaml
