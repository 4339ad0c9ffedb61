"""What reading YAML yields: values, documents with their place in the file, faults, and the limits."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | None"


class Limits(Struct, frozen=True):
    """The caps on what is read, so that no input costs more than a moment.

    `depth` counts nested collections, `nodes` a document's events (a scalar is one, a collection two),
    `expanded` the nodes that aliases add in a file, `documents` those of a file, `characters` those of a
    document and `frontmatter` the UTF-8 bytes between two fences.
    """

    depth: int = 64
    nodes: int = 100_000
    expanded: int = 10_000
    documents: int = 10_000
    characters: int = 8 * 1024 * 1024
    frontmatter: int = 256 * 1024


LIMITS = Limits()


class Expansion(Struct):
    """The nodes that aliases have added so far, in all documents of a file: many small bombs are one."""

    nodes: int = 0


class YamlFault(Struct, frozen=True):
    """Why a document cannot be read, in one line, and where: `line` and `column` from 1, lines end at LF.

    `duplicate` tells that it is a key that stands twice.
    """

    message: str
    line: int
    column: int
    duplicate: bool = False


class InvalidYaml(ValueError):
    """A text that is not a YAML document as the product reads it."""

    def __init__(self, fault: YamlFault) -> None:
        super().__init__(f"{fault.message} (line {fault.line}, column {fault.column})")
        self.fault = fault


class YamlDocument(Struct, frozen=True):
    """One document of a file; `value` is None where `fault` is set, and for a null document.

    `start` and `end` are character offsets of its whole lines, without marker lines and the blank lines
    that trail; `line_start` and `line_end` are the first and last of them, from 1.
    """

    value: Value
    start: int
    end: int
    line_start: int
    line_end: int
    fault: YamlFault | None
