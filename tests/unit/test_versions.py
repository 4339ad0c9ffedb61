"""The versions of what decides a bundle: who changes what stands behind one is asked whether it has to be raised."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kradle_ctx.model import versions

PACKAGE = Path(versions.__file__).parents[1]

BEHIND = {
    "RULES_VERSION": (
        ("redaction/**/*.py", "instructions/**/*.py", "characters.py", "expressions.py"),
        "3 5a1a0f1a04327535",
    ),
    "INDEXER_VERSION": (
        ("documents.py", "yamldoc/*.py", "tokens.py", "words.py", "model/graph.py", "ontology.py"),
        "3 d2ab5b89d90a9722",
    ),
}
"""By version, the files that it stands for, and a digest of their code as it was when this was last looked at.

What the index keeps is taken for right as long as these versions are the same: spans of redaction under rules that have
changed would show what the new ones hide.
"""


def bare(tree: ast.AST) -> ast.AST:
    """A tree without docstrings."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not is_text(each)]  # type: ignore[attr-defined]
    return tree


def is_text(node: ast.AST) -> bool:
    """Whether a statement is a text alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def code(patterns: tuple[str, ...]) -> Iterator[str]:
    """The code of some files, without layout, comments and docstrings."""
    for pattern in patterns:
        for file in sorted(PACKAGE.glob(pattern)):
            yield f"{file.relative_to(PACKAGE)} {ast.unparse(bare(ast.parse(file.read_bytes())))}"


@pytest.mark.parametrize("name", BEHIND)
def test_code_behind_a_version_is_that_which_was_looked_at(name: str) -> None:
    patterns, known = BEHIND[name]
    found = hashlib.sha256("\n".join(code(patterns)).encode()).hexdigest()[:16]
    assert f"{getattr(versions, name)} {found}" == known, (
        f"raise {name} if what follows from this code can have changed for any text, then write the new digest here"
    )
