"""From one file's bytes to its documents: graph records, Markdown records and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.access import sensitivity_rank
from kradle_ctx.model.graph import Document, Edge, Form, Skipped
from kradle_ctx.model.timestamps import lenient_instant
from kradle_ctx.yamldoc import InvalidYaml, YamlDocument, YamlFault, read_documents, split_frontmatter

GRAPH_SUFFIXES = (".yaml", ".yml")
MARKDOWN_SUFFIX = ".md"

LFS_POINTERS = (
    b"version https://git-lfs.github.com/spec/v1\n",
    b"version https://hawser.github.com/spec/v1\n",
    b"version http://git-media.io/v/2\n",
)
"""First lines of a Git LFS pointer, by its specification and by its two older names, which git-lfs still reads."""

UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UTF_16_SAMPLE = 64
"""Bytes that are looked at to tell UTF-16 without a mark from binary."""

HEADING = lazy_expression(r"^#[ \t]++([^\n]*)", re.MULTILINE)

DATED = lazy_expression(r"\d{4}-\d{2}-\d{2}")
DATE_FIELD = lazy_expression(r"\bupdatedAt['\"]?[ \t]*:")

TITLE_FIELDS = ("title", "displayName", "name", "label")
SUMMARY_FIELDS = ("summary", "description", "purpose", "statement")

MENTION = lazy_expression(rb"[\w-]+(?:[./:@]\w[\w-]*)*")
NAME_BYTES = bytes(code if re.match(rb"[\w./:@-]", bytes([code])) else 32 for code in range(256)).lower()
"""Small letters for capitals, and blanks for what is in no mention."""

SEPARATOR = lazy_expression(rb"[./:@]")
"""What parts the words of an id."""

MOST_MENTIONS = 2_000
"""Mentions of one note that are told apart."""

NAME_LIMIT = 512
"""Longest id, kind, alias or tag in characters; a longer one is no name."""


class FileDocuments(Struct, frozen=True, array_like=True):
    """What one file holds: its documents in line order, and what could not be read."""

    documents: tuple[Document, ...] = ()
    skipped: tuple[Skipped, ...] = ()


class Declaration(Struct, frozen=True):
    """A record as its file states it: the whole value, and its fields, which are attributes or frontmatter.

    `document` has no id where the file states none, and is a note where it states no kind.
    """

    document: Document
    value: dict[str, Any]
    fields: dict[str, Any]

    def stated(self, field: str) -> Any:
        """What a field says, among the attributes or beside them; None where nothing does."""
        found = self.fields.get(field)
        return found if found is not None else self.value.get(field)


class FaultyText(Struct, frozen=True):
    """A part of a file, by its characters, whose YAML is not read, and why."""

    start: int
    end: int
    fault: YamlFault


class FileReading(Struct, frozen=True):
    """A file with the values of its records, the parts of it whose YAML is not read, and YAML that declares none."""

    documents: FileDocuments = FileDocuments()
    declarations: tuple[Declaration, ...] = ()
    faulty: tuple[FaultyText, ...] = ()
    others: tuple[tuple[Document, Any], ...] = ()


def mentionable(name: str) -> bool:
    """Whether every mention of an id is among what `mentioned` finds."""
    return name.isascii() and ":" in name and len(name) <= NAME_LIMIT and MENTION.fullmatch(name.encode()) is not None


def mentioned(data: bytes) -> tuple[str, ...]:
    """Everything in a text, in small letters, that can be the mention of an id with a colon.

    A mention is no part of a longer word; it may follow a `.`, `/`, `:` or `@`. A text with more of them than any
    honest one gives the empty name alone: it may mention anything.
    """
    names: dict[str, None] = {}
    for chunk in words_with_colon(data.translate(NAME_BYTES)):
        ending = chunk[-NAME_LIMIT:]
        borders = [0] if len(chunk) <= NAME_LIMIT else []
        borders += [found.end() for found in SEPARATOR.finditer(ending)]
        for border in borders:
            if b":" in ending[border:]:
                names[ending[border:].decode()] = None
        if len(names) > MOST_MENTIONS:
            return ("",)
    return tuple(names)


def words_with_colon(text: bytes) -> Iterator[bytes]:
    """What `MENTION` finds in a text that has a colon; after most colons comes a blank."""
    end = 0
    while (colon := text.find(b":", end)) >= 0:
        if text.startswith(b" ", colon + 1):
            end = colon + 1
            continue
        start = text.rfind(b" ", end, colon) + 1
        end = text.find(b" ", colon)
        end = end if end >= 0 else len(text)
        for word in MENTION.findall(text, start, end):
            if b":" in word:
                yield word


def is_readable(path: str) -> bool:
    """Whether a path has the form of a graph or Markdown file."""
    return path.endswith((*GRAPH_SUFFIXES, MARKDOWN_SUFFIX))


def read_file_documents(path: str, blob: str, data: bytes) -> FileDocuments:
    """Read every document of a file; what does not parse is listed, and takes only itself."""
    return read_declarations(path, blob, data).documents


def read_declarations(path: str, blob: str, data: bytes) -> FileReading:
    """Read every document of a file with its values; what does not parse is listed, and takes only itself.

    A Markdown file whose frontmatter does not parse, or that is not UTF-8, stays searchable as a note: the former
    as `restricted`, since what it would say of itself is unknown.
    """
    reason = unreadable(data)
    if reason is None and not path.endswith(MARKDOWN_SUFFIX):
        try:
            data.decode()
        except UnicodeDecodeError:
            reason = "not UTF-8"
    if reason is not None:
        return FileReading(FileDocuments(skipped=(Skipped(path, reason),)))
    if path.endswith(MARKDOWN_SUFFIX):
        return read_markdown(path, blob, data)
    return read_graph(path, blob, data)


def unreadable(data: bytes) -> str | None:
    """Why bytes are no text: an LFS pointer, UTF-16 or a binary file; None for text."""
    if data.startswith(LFS_POINTERS):
        return "Git LFS pointer, content not in the repository"
    if is_utf_16(data):
        return "UTF-16, not UTF-8"
    if b"\x00" in data:
        return "binary"
    return None


def is_utf_16(data: bytes) -> bool:
    """Whether bytes begin with the mark of UTF-16, or are plain letters with a NUL before or after each."""
    if b"\x00" not in data[:UTF_16_SAMPLE]:
        return data.startswith(UTF_16_MARKS)
    first, second = data[:UTF_16_SAMPLE:2], data[1:UTF_16_SAMPLE:2]
    pairs = ((first, second), (second, first)) if second else ()
    return data.startswith(UTF_16_MARKS) or any(not any(high) and all(low) for high, low in pairs)


def read_graph(path: str, blob: str, data: bytes) -> FileReading:
    """Read the graph records of a YAML file; documents without `nodeKind` and `id` are not records."""
    text = data.decode()
    documents: list[Document] = []
    declarations: list[Declaration] = []
    skipped: list[Skipped] = []
    faulty: list[FaultyText] = []
    others: list[tuple[Document, Any]] = []
    parsed = read_documents(text)
    offsets = byte_offsets(text, parsed, len(data))
    for found, (start, end) in zip(parsed, offsets, strict=True):
        if found.fault is not None:
            faulty.append(FaultyText(found.start, found.end, found.fault))
            skipped.append(Skipped(path, f"invalid YAML: {found.fault.message}", found.fault.line))
            continue
        lines = (found.line_start, found.line_end)
        place = Document(path, blob, Form.GRAPH, start, end, *lines, "", start, found.line_start)
        value = found.value if isinstance(found.value, dict) else {}
        if (record := graph_record(value, place)) is not None:
            documents.append(record)
            skipped.extend(impossible_date(record, text[found.start : found.end]))
        declared = tuple(graph_declaration(value, record or place))
        declarations.extend(declared)
        others.extend(() if declared else ((place, found.value),))
    read = FileDocuments(tuple(documents), tuple(skipped))
    return FileReading(read, tuple(declarations), tuple(faulty), tuple(others))


def graph_declaration(value: dict[str, Any], document: Document) -> Iterator[Declaration]:
    """What declares a record or adds edges to one, be it in part; nothing of any other mapping."""
    if "nodeKind" in value or "extendsNode" in value or ("id" in value and ("attributes" in value or "edges" in value)):
        attributes = value.get("attributes")
        yield Declaration(document, value, attributes if isinstance(attributes, dict) else {})


def ontology_document(path: str, blob: str, data: bytes) -> Document:
    """An ontology file as one document: validation context, which comes only where it is selected by its path."""
    lines = max(1, data.count(b"\n") + (not data.endswith(b"\n")))
    return Document(path, blob, Form.ONTOLOGY, 0, len(data), 1, lines, title=PurePosixPath(path).stem)


def byte_offsets(text: str, parsed: tuple[YamlDocument, ...], size: int) -> Iterator[tuple[int, int]]:
    """Byte ranges of documents from their character ranges."""
    if len(text) == size:
        yield from ((document.start, document.end) for document in parsed)
        return
    character = byte = 0
    for document in parsed:
        start = byte + len(text[character : document.start].encode())
        end = start + len(text[document.start : document.end].encode())
        yield start, end
        character, byte = document.end, end


def graph_record(value: dict[str, Any], place: Document) -> Document | None:
    """A graph record, or the edges that an `extendsNode` document adds; None for any other mapping."""
    extended = value.get("extendsNode")
    if isinstance(extended, dict) and (record_id := name(extended.get("id"))):
        edges = tuple(read_edges(record_id, value.get("edges")))
        kind = name(extended.get("nodeKind"))
        stated = stated_sensitivity(value, None)
        return replace(place, id=record_id, kind=kind, title=record_id, edges=edges, sensitivity=stated, extends=True)
    record_id, kind = name(value.get("id")), name(value.get("nodeKind"))
    if record_id is None or kind is None:
        return None
    attributes = value.get("attributes")
    fields: dict[str, Any] = {**value, **attributes} if isinstance(attributes, dict) else value
    return replace(
        place,
        id=record_id,
        kind=kind,
        edges=tuple(read_edges(record_id, value.get("edges"))),
        sensitivity=stated_sensitivity(value, attributes),
        **description(fields, title=record_id),
    )


def read_markdown(path: str, blob: str, data: bytes) -> FileReading:
    """Read a Markdown file: a record when its frontmatter has `id` and `kind`, else a note."""
    text = data.decode(errors="replace")
    lines = max(1, data.count(b"\n") + (not data.endswith(b"\n")))
    note = Document(path, blob, Form.NOTE, 0, len(data), 1, lines, title="")
    frontmatter = split_frontmatter(text)
    if frontmatter is None:
        return FileReading(FileDocuments((replace(note, title=heading(text) or PurePosixPath(path).stem),)))
    empty = frontmatter.body_start == len(text)
    note = replace(
        note,
        title=heading(text[frontmatter.body_start :]) or PurePosixPath(path).stem,
        body=len(data) if empty else len(data) - len(data.split(b"\n", frontmatter.body_line - 1)[-1]),
        body_line=lines + 1 if empty else frontmatter.body_line,
    )
    try:
        fields = frontmatter.value()
    except InvalidYaml as error:
        return restricted(note, FaultyText(frontmatter.start, frontmatter.end, error.fault))
    if fields is None:
        return FileReading(FileDocuments((note,)))
    if not isinstance(fields, dict):
        fault = YamlFault("not a mapping", frontmatter.first_line, 1)
        return restricted(note, FaultyText(frontmatter.start, frontmatter.end, fault))
    document = markdown_document(fields, note)
    read = FileDocuments((document,), tuple(impossible_date(document, text[: frontmatter.body_start])))
    # Documentation tools have ids of their own, without a prefix.
    declared = document.form is Form.MARKDOWN or "kind" in fields or ":" in (name(fields.get("id")) or "")
    return FileReading(read, (Declaration(document, fields, fields),) if declared else ())


def restricted(note: Document, faulty: FaultyText) -> FileReading:
    """A Markdown file whose frontmatter does not parse."""
    reason = f"invalid frontmatter, so it counts as restricted: {faulty.fault.message}"
    skipped = Skipped(note.path, reason, faulty.fault.line)
    return FileReading(FileDocuments((replace(note, sensitivity="restricted"),), (skipped,)), faulty=(faulty,))


def markdown_document(fields: dict[str, Any], note: Document) -> Document:
    """A Markdown record, or a note with what its frontmatter says."""
    record_id, kind = name(fields.get("id")), name(fields.get("kind"))
    described = description(fields, title=note.title) | {"sensitivity": sensitivity(fields.get("sensitivity"))}
    if record_id is not None and kind is not None:
        edges = (*read_edges(record_id, fields.get("related")), *read_edges(record_id, fields.get("edges")))
        return replace(note, form=Form.MARKDOWN, id=record_id, kind=kind, edges=edges, **described)
    described["aliases"] = (*described["aliases"], *names(record_id))
    return replace(note, edges=tuple(read_edges(note.path, fields.get("related"))), **described)


def description(fields: Mapping[str, Any], title: str) -> dict[str, Any]:
    """What a record's attributes or frontmatter say of it, as fields of a document."""
    return {
        "title": first_text(fields, TITLE_FIELDS) or title,
        "summary": first_text(fields, SUMMARY_FIELDS),
        "status": name(fields.get("status")),
        "updated_at": name(fields.get("updatedAt")),
        "owners": names(fields.get("owners") or fields.get("owner")),
        "aliases": names(fields.get("aliases")),
        "tags": names(fields.get("tags")),
        "repo_refs": names(fields.get("repoRefs")),
        "source_refs": names(fields.get("sourceRefs")),
    }


def impossible_date(document: Document, stated: str) -> Iterator[Skipped]:
    """What to say of a document whose `updatedAt` looks like a date and is none; it is read all the same."""
    updated_at = document.updated_at
    if updated_at is not None and DATED.match(updated_at) and lenient_instant(updated_at) is None:
        field = DATE_FIELD.search(stated)
        line = document.line_start + (stated.count("\n", 0, field.start()) if field is not None else 0)
        yield Skipped(document.path, "updatedAt is no date that exists", line, read=True)


def read_edges(source: str, value: Any) -> Iterator[Edge]:
    """Edges from a map of edge kind to targets, or from a list of mappings with `kind` and `target`."""
    if isinstance(value, dict):
        for kind, targets in value.items():
            for target in targets if isinstance(targets, list) else [targets]:
                if reached := edge_target(target):
                    yield Edge(source, kind, reached)
    elif isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict) and (kind_name := name(entry.get("kind"))) and (reached := edge_target(entry)):
                yield Edge(source, kind_name, reached)


def edge_target(value: Any) -> str | None:
    """The id that an edge names: a bare string, or a mapping's `target` or `id`."""
    if isinstance(value, dict):
        return name(value.get("target")) or name(value.get("id"))
    return name(value)


def stated_sensitivity(value: dict[str, Any], attributes: Any) -> str:
    """The sensitivity that a graph document states beside or among its attributes; the stricter where both do."""
    parts = [part for part in (value, attributes) if isinstance(part, dict)]
    stated = [sensitivity(part["sensitivity"]) for part in parts if part.get("sensitivity") is not None]
    return max(stated, key=sensitivity_rank, default=sensitivity(None))


def sensitivity(value: Any) -> str:
    """The stated sensitivity; absent is `internal`, and what is no text is `restricted`."""
    if value is None:
        return "internal"
    return value if isinstance(value, str) else "restricted"


def name(value: Any) -> str | None:
    """A one-line name, or None when the value is none."""
    if type(value) is not str and (isinstance(value, bool) or not isinstance(value, (str, int, float))):
        return None
    text = str(value).strip()
    return text if 0 < len(text) <= NAME_LIMIT and text.isprintable() else None


def names(value: Any) -> tuple[str, ...]:
    """Names from a list or a single value; what is no name is passed over."""
    if value is None:
        return ()
    values = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(found for entry in values if (found := name(entry)) is not None))


def first_text(fields: Mapping[str, Any], candidates: tuple[str, ...]) -> str:
    """The first field that holds text, on one line."""
    for candidate in candidates:
        value = fields.get(candidate)
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and str(value).strip():
            return " ".join(str(value).split())
    return ""


def heading(text: str) -> str | None:
    """The first level-one heading of a Markdown text, without the marks that may close it."""
    for found in HEADING.finditer(text):
        stated = found.group(1).strip()
        bare = stated.rstrip("#")
        title = bare.rstrip() if not bare or bare[-1] in " \t" else stated
        if title:
            return title
    return None
