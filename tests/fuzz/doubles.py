"""Broken doubles of what the targets try: the driver has to find, minimise and report each of them.

Run as a program, it prints what became of each as JSON: the name of the target, the fault and the minimised input.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any
from unittest.mock import patch

from hypothesis import given, settings

from tests import conftest
from tests.fuzz import driver, limits
from tests.fuzz.engines import QUIET
from tests.fuzz.target import Target
from tests.fuzz.targets import (
    MODULES,
    deltas,
    emission,
    fences,
    frontmatter,
    globs,
    instructions,
    loose,
    packs,
    pipeline,
    queries,
    records,
    redaction,
    ref_files,
    refs,
    requests,
    resources,
    signatures,
    tokens,
    trees,
    yaml_documents,
)

Double = Callable[[Any], Any]
"""From the right function to a broken one."""

SECONDS = 8.0

LIMIT, SHORT_LIMIT = 0.5, 0.1
"""CPU seconds for an input of a double, and of one that may hang: to minimise it takes a dozen that do."""


def changed(change: Callable[[Any], Any]) -> Double:
    """A function whose result is changed."""
    return lambda right: lambda *given, **named: change(right(*given, **named))


def raising(holds: Callable[[Any], bool]) -> Double:
    """A function that raises what nothing promises where its first argument has some property."""

    def broken(right: Any) -> Any:
        def call(first: Any, *given: Any, **named: Any) -> Any:
            if holds(first):
                raise LookupError
            return right(first, *given, **named)

        return call

    return broken


def lying(reader: Any) -> Any:
    """An object reader that gives one byte too few of anything long enough."""

    class Lying(reader):  # type: ignore[misc]
        def read_sized(self, object_id: str) -> bytes:
            data: bytes = super().read_sized(object_id)
            return data[:-1] if len(data) > 2 else data

    return Lying


DOUBLES: tuple[tuple[ModuleType, str, Double], ...] = (
    (deltas, "apply_delta", changed(lambda built: built[:-1])),
    (emission, "emit", changed(lambda text: text.replace("\t", " "))),
    (fences, "prompt_section", changed(lambda section: section.replace("\\u{200b}", "\u200b"))),
    (frontmatter, "split_frontmatter", lambda right: lambda text: None if "\r" in text else right(text)),
    (globs, "path_pattern", lambda right: lambda pattern: right(pattern.replace("?", "*"))),
    (instructions, "flags", changed(lambda found: found[1:])),
    (loose, "ObjectReader", lying),
    (packs, "ObjectReader", lying),
    (pipeline, "to_yaml", changed(lambda text: text.replace("query", "Query"))),
    (queries, "search_text", changed(lambda found: replace(found, documents={}))),
    (records, "read_ontology", raising(lambda paths: True)),
    (redaction, "redact", lambda right: lambda text: right(text[:5])),
    (ref_files, "open_repository", raising(lambda path: b"ref" in (path / "HEAD").read_bytes())),
    (refs, "check_ref_name", lambda right: lambda name: None),
    (requests, "parse_memory_mode", raising(lambda text: "a" in text)),
    (resources, "read_resources", raising(lambda texts: "kind" in texts[0][1])),
    (signatures, "check_commit", lambda right: lambda raw, keys: right(signatures.signed_commit(), keys)),
    (tokens, "query_terms", changed(lambda terms: terms * 2)),
    (trees, "read_tree", changed(lambda entries: entries[:1])),
    (yaml_documents, "read_documents", lambda right: lambda text: right(text.replace("\r", "\n"))),
)


def hang(data: bytes) -> str:
    """Never end where an input holds a certain byte."""
    while b"!" in data:
        pass
    return "ended"


def devour(data: bytes) -> str:
    """Take more memory than there is for an input with a certain byte."""
    return str(len(bytes(2 << 30)) if b"!" in data else 0)


def crash(data: bytes) -> str:
    """End the whole process at a certain byte, as a fault in a C library does."""
    if b"!" in data:
        os.abort()
    return "alive"


def main() -> None:
    """Let the driver loose on every double."""
    conftest.pytest_configure()
    load_hypothesis()
    limits.SECONDS = LIMIT
    for module, name, double in DOUBLES:
        with patch.object(module, name, double(getattr(module, name))):
            report(module.TARGET)
    limits.SECONDS = SHORT_LIMIT
    plain: Target = replace(tokens.TARGET, seeds=lambda: [b"some!thing"])
    for check in (hang, devour, crash):
        report(replace(plain, name=check.__name__, check=check))
    conftest.pytest_unconfigure()


def load_hypothesis() -> None:
    """Let Hypothesis make an input, so that what it loads for its first one is not loaded in every child again."""
    settings(QUIET, max_examples=1)(given(tokens.TARGET.inputs)(lambda data: None))()


def report(target: Target) -> None:
    """Print what the driver makes of a target, as a line of JSON."""
    find = driver.fuzz(target, SECONDS, 1, "hypothesis").find
    fault, data = (find.fault, find.data.decode("latin-1")) if find else (None, "")
    sys.stdout.write(json.dumps([target.name, fault, data]) + "\n")


if __name__ == "__main__":
    assert {double[0] for double in DOUBLES} == set(MODULES)
    main()
