"""YAML: documents with their places, values within limits, faults with their lines."""

from __future__ import annotations

import re
import zlib
from typing import Any

import ruamel.yaml
import yaml
from hypothesis import strategies as st

from kradle_ctx.yamldoc import LIMITS, Value, YamlDocument, emit, parse, read_documents
from tests.fuzz.target import Target, bytes_of, require, text_of
from tests.fuzz.yaml_promises import fault_word, require_value

PLAIN_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads every scalar as its text, so that only the structure is compared."""

BLANKS = re.compile(r"[ \t\r\n]*")
"""What trails a document: no line of it, but it can still belong to a text at its end."""

ANCHOR = re.compile(r"&[\w-]+")

SCRAPS = tuple(
    text.encode()
    for text in [
        *"--- ... ? : - , [ ] { } & * ! | > ' \" # % @ ` ~ << !!str !!int !!set !<!> &a *a |2- >+ %YAML null".split(),
        *["\n", "\r\n", "\r", ": ", " #", "\t", "  ", "\n- ", "\n  ", "\u2028", "\x85", "\ufeff", "\\x41"],
        *['"\\ud800"', "a: &a [1]\nb: *a\n", "---\na: 1\n...\n", "x: |\n  y\n", "0o17", "1e3", "9007199254740993"],
        *["-0.0", "2026-01-01"],
    ]
)
TOKENS = st.sampled_from(SCRAPS) | st.text(max_size=3).map(bytes_of)
SEEDS = (
    b"nodeKind: Runbook\nid: runbook:a\nedges:\n  documents: [term:b]\nattributes:\n  title: A\n  tags: [x, 'y']\n",
    b"a: 1\n---\nb: [1, 2.5, true, null, ~, 'x', \"y\\n\"]\n...\n# c\n---\n- &x {k: v}\n- *x\n",
    b"text: |\n  one\n  two\n\nfolded: >-\n  a\n  b\nflow: {a: [b, {c: d}], 'e f': \"\\u00e9\"}\n? key\n: value\n",
)


def check(data: bytes) -> str:
    """Read a file, and each of its documents once more alone."""
    text = text_of(data)
    documents = read_documents(text)
    require(len(documents) <= LIMITS.documents + 1, "documents are counted")
    require_places(text, documents)
    words = [checked(text, document) for document in documents]
    return f"{min(len(words), 3)} documents: {words[-1] if words else ''}"


def require_places(text: str, documents: tuple[YamlDocument, ...]) -> None:
    """Check that documents follow each other, and that their lines are those of their offsets."""
    reached, line = 0, 1
    for document in documents:
        require(reached <= document.start <= document.end <= len(text), "documents follow each other")
        line += text.count("\n", reached, document.start)
        require(document.line_start == line, "the first line is counted")
        last = line + text[document.start : document.end].rstrip("\n").count("\n")
        require(document.line_start <= document.line_end <= last, "the last line is counted")
        reached, line = document.end, line + text.count("\n", document.start, document.end)


def checked(text: str, document: YamlDocument) -> str:
    """The word for a document: its fault, or the type of its value."""
    if document.fault is not None:
        require(document.value is None, "a faulty document has no value")
        return fault_word(document.fault, 1, 1 + text.count("\n"))
    require_value(document.value)
    own = text[document.start : document.end] + (BLANKS.match(text, document.end) or [""])[0]
    if not any(mark in own for mark in "\x85\u2028\u2029\ufeff"):
        require_same_structure(document.value, own)
    require_written(document.value, zlib.crc32(own.encode()) % 16 == 0)
    return type(document.value).__name__


def require_same_structure(value: Value, own: str) -> None:
    """Check the structure against PyYAML's, which refuses an anchor's second place though YAML 1.2 allows it."""
    try:
        texts = yaml.load(own, Loader=PLAIN_LOADER)
    except yaml.composer.ComposerError:
        require(len(set(ANCHOR.findall(own))) < len(ANCHOR.findall(own)), "PyYAML reads what is read")
        return
    require(is_spelled(value, texts), "PyYAML reads the same structure")


def require_written(value: Value, by_others: bool) -> None:
    """Check that what was read can be written and read again, now and then by other readers as well."""
    written = emit(value)
    require(same(parse(written), value), "what is read, written and read again is the same")
    if by_others and len(written) < 2_000:
        require(same(yaml.safe_load(written), value), "PyYAML reads what is written")
        require(same(ruamel.yaml.YAML(typ="safe", pure=True).load(written), value), "ruamel.yaml reads what is written")


def same(first: Any, second: Any) -> bool:
    """Whether two values are the same, 1, 1.0 and True told apart, and 0.0 and -0.0."""
    return repr(first) == repr(second)


def is_spelled(value: Value, texts: Any) -> bool:
    """Whether a value has the structure of the same document read as texts, and each text is a spelling of it."""
    if isinstance(value, dict):
        return (
            isinstance(texts, dict)
            and list(value) == list(texts)
            and all(is_spelled(entry, texts[key]) for key, entry in value.items())
        )
    if isinstance(value, list):
        return isinstance(texts, list) and len(value) == len(texts) and all(map(is_spelled, value, texts))
    if value is None:
        return texts in ("", "~", "null", None)
    if isinstance(value, bool):
        return bool(texts == ("true" if value else "false"))
    return texts == value if isinstance(value, str) else isinstance(texts, str) and float(texts) == value


TARGET = Target(
    name="yaml",
    promise="documents, values and faults keep to the limits, and PyYAML reads the same structure",
    check=check,
    inputs=st.lists(TOKENS, max_size=30).map(b"".join),
    seeds=lambda: list(SEEDS),
    scraps=SCRAPS,
)
