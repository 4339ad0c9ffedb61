"""Repairs of one file: text in, text out. What would not be the same file but for the repair is not made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from msgspec import Struct

from kradle_ctx.documents import MARKDOWN_SUFFIX
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.graph import Form
from kradle_ctx.repairs.dates import UPDATED_AT, with_updated_at
from kradle_ctx.repairs.edges import EdgeStyle, edge_style, with_edges
from kradle_ctx.repairs.layout import LeftAlone
from kradle_ctx.repairs.meaning import adds_date, adds_edges, alike, reorders
from kradle_ctx.repairs.ordering import in_order, is_out_of_order, may_be_out_of_order
from kradle_ctx.repairs.quoting import Patience, quoted
from kradle_ctx.yamldoc import InvalidYaml, Value, parse, read_documents, shown, split_frontmatter
from kradle_ctx.yamldoc.documents import BYTE_ORDER_MARK

COMMENT = lazy_expression(r"(?:^|(?<=[ \t]))#[^\r\n]*", re.MULTILINE)
MARKER = lazy_expression(r"^---", re.MULTILINE)

OTHERWISE = "the file would then say something else"

MOST_KINDS = 100
"""Kinds of edges that one document is given at a time."""

MOST_NAMED = 3
"""Targets that a note names."""


class Wanted(Struct, frozen=True):
    """What one document is to be given: the instant of its last change, edges by kind, its keys in order.

    `subject` is the id by which notes name it.
    """

    subject: str
    updated_at: str | None = None
    edges: dict[str, list[str]] = {}
    order: bool = False


class Note(Struct, frozen=True):
    """What was done at a line, or was not, and then why."""

    line: int
    what: str
    why: str = ""


class Fixed(Struct, frozen=True):
    """A file's text after its repairs, what was done, and what was left alone."""

    text: str
    done: tuple[Note, ...] = ()
    left: tuple[Note, ...] = ()


class Part(Struct):
    """The YAML of one document in its file.

    `line` is the document's first line and `first_line` that of the YAML; `fault_line` tells where it does not parse.
    """

    start: int
    end: int
    line: int
    first_line: int
    text: str
    value: Value
    fault_line: int | None


def fixed(path: str, text: str, wanted: Mapping[int, Wanted], unquoted: Collection[int] = ()) -> Fixed:
    """Repair a file.

    `wanted` is by the first lines of documents, that of frontmatter being 1; `unquoted` are lines at which documents do
    not parse. All else in the file stays as it is, byte for byte.
    """
    form = form_of(path)
    work = FileWork(form, parts_of(text, form))
    for part in work.parts:
        if part.fault_line is not None:
            if part.fault_line in unquoted:
                work.quote(part)
        elif part.line in wanted and isinstance(part.value, dict):
            work.complete(part, wanted[part.line])
    made = joined(text, work.parts)
    if not work.done or is_same_file(text, made, work.parts, form):
        return Fixed(made, tuple(work.done), tuple(work.left))
    undone = (Note(note.line, note.what, OTHERWISE) for note in work.done)
    return Fixed(text, (), (*work.left, *undone))


def records_out_of_order(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The documents that say late which record they are: their first lines and ids.

    Most files are known to have none from a glance at their lines.
    """
    form = form_of(path)
    pieces = MARKER.split(text) if form is Form.GRAPH else [text.partition("\n---")[0]]
    if not any(may_be_out_of_order(piece, form) for piece in pieces):
        return
    kind = "nodeKind" if form is Form.GRAPH else "kind"
    for part in parts_of(text, form):
        value = part.value if isinstance(part.value, dict) else {}
        record_id = value.get("id")
        if isinstance(record_id, str) and kind in value and is_out_of_order(value, form):
            yield part.line, record_id


class FileWork:
    """The repairs of one file's documents; their parts take the new texts and values."""

    def __init__(self, form: Form, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.done: list[Note] = []
        self.left: list[Note] = []
        self._form = form
        self._patience = Patience()
        self._styles: list[EdgeStyle | None] = []

    def quote(self, part: Part) -> None:
        """Put quotes around the values that lack them."""
        try:
            part.text, lines = quoted(part.text, self._patience)
        except LeftAlone as reason:
            self.left.append(Note(part.fault_line or part.line, "YAML that is not read", str(reason)))
            return
        part.value, part.fault_line = parse(part.text), None
        self.done += [Note(part.first_line + line - 1, "quotes") for line in lines]

    def complete(self, part: Part, wanted: Wanted) -> None:
        """Give a document what it is to be given."""
        form, subject = self._form, shown(wanted.subject)
        if wanted.updated_at is not None:
            date = partial(with_updated_at, form=form, instant=wanted.updated_at)
            self._change(part, f"{UPDATED_AT} of {subject}", date, partial(adds_date, wanted.updated_at))
        for kind, targets in islice(wanted.edges.items(), MOST_KINDS):
            edges = partial(with_edges, form=form, kind=kind, record_ids=targets, style=self._style())
            what = f"{shown(kind)} of {subject} to {listed(targets)}"
            self._change(part, what, edges, partial(adds_edges, kind, targets))
        if wanted.order:
            order = partial(in_order, form=form)
            self._change(part, f"order of the keys of {subject}", order, partial(reorders, form))

    def _change(
        self, part: Part, what: str, change: Callable[[str], str], is_meant: Callable[[Any, Any], bool]
    ) -> None:
        """Make a change, if the new text says what is meant, and has all comments that the old one has."""
        try:
            made = change(part.text)
            value = parse(made)
            if not is_meant(part.value, value) or comments(part.text) - comments(made):
                raise LeftAlone(OTHERWISE)
        except (LeftAlone, InvalidYaml) as reason:
            why = str(reason) if isinstance(reason, LeftAlone) else OTHERWISE
            self.left.append(Note(part.line, what, why))
            return
        part.text, part.value = made, value
        self.done.append(Note(part.line, what))

    def _style(self) -> EdgeStyle | None:
        """How the first document of the file that has edges writes them."""
        if not self._styles and self._form is Form.GRAPH:
            stating = (part for part in self.parts if isinstance(part.value, dict) and part.value.get("edges"))
            self._styles = [next((edge_style(part.text, self._form) for part in stating), None)]
        return self._styles[0] if self._styles else None


def form_of(path: str) -> Form:
    """The form of a file's records."""
    return Form.MARKDOWN if path.endswith(MARKDOWN_SUFFIX) else Form.GRAPH


def parts_of(text: str, form: Form) -> list[Part]:
    """The YAML of a file by its documents."""
    if form is Form.GRAPH:
        return [
            Part(
                found.start,
                found.end,
                found.line_start,
                found.line_start,
                text[found.start : found.end],
                found.value,
                found.fault.line if found.fault is not None else None,
            )
            for found in read_documents(text)
        ]
    frontmatter = split_frontmatter(text)
    if frontmatter is None:
        return []
    value, fault_line = None, None
    try:
        value = frontmatter.value()
    except InvalidYaml as error:
        fault_line = error.fault.line
    start, end, first_line = frontmatter.start, frontmatter.end, frontmatter.first_line
    return [Part(start, end, 1, first_line, frontmatter.yaml, value, fault_line)]


def joined(text: str, parts: Sequence[Part]) -> str:
    """A file's text with the parts as they are now."""
    pieces, at = list[str](), 0
    for part in parts:
        pieces += (text[at : part.start], part.text)
        at = part.end
    return "".join((*pieces, text[at:]))


def is_same_file(text: str, made: str, parts: Sequence[Part], form: Form) -> bool:
    """Whether a file that is read again says what its parts say, with its lines and its begin and end as they were."""
    again = parts_of(made, form)
    says = len(again) == len(parts) and all(
        alike(new.value, part.value) and (new.fault_line is None) is (part.fault_line is None)
        for new, part in zip(again, parts, strict=True)
    )
    return says and frame(made) == frame(text) and line_breaks(made) <= line_breaks(text)


def frame(text: str) -> tuple[bool, bool]:
    """Whether a text begins with a byte order mark, and whether it ends with a line break."""
    return text.startswith(BYTE_ORDER_MARK), text.endswith("\n")


def line_breaks(text: str) -> set[str]:
    """What ends the lines of a text; both of them where it has no lines yet."""
    windows = text.count("\r\n")
    found = {"\r\n"} if windows else set[str]()
    if text.count("\n") > windows:
        found.add("\n")
    return found or {"\r\n", "\n"}


def comments(text: str) -> Counter[str]:
    """Everything in a text that may be a comment."""
    return Counter(COMMENT.findall(text))


def listed(targets: Sequence[str]) -> str:
    """Some ids, of many the first."""
    told = ", ".join(shown(target) for target in targets[:MOST_NAMED])
    return told if len(targets) <= MOST_NAMED else f"{told} and {len(targets) - MOST_NAMED} more"
