"""The versions of what decides a bundle: who changes what stands behind one is asked whether it has to be raised."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kradle_ctx.model import versions

PACKAGE = Path(versions.__file__).parents[1]

BEHIND = {
    "RULES_VERSION": (
        ("redaction/**/*.py", "instructions/**/*.py", "characters.py", "expressions.py"),
        "6 1dc2b67435a1037f",
    ),
    "INDEXER_VERSION": (
        ("documents.py", "yamldoc/*.py", "tokens.py", "words.py", "model/graph.py", "ontology.py"),
        "4 43f037116125a46e",
    ),
    "CHECKS_VERSION": (
        (
            "checks/*.py",
            "validation/*.py",
            "constraints.py",
            "suppressions.py",
            "model/constraints.py",
            "model/access.py",
            "model/findings.py",
            "model/graph.py",
            "model/timestamps.py",
            "source_commit.py",
            "starter_ontology.yaml",
            "validate.py",
        ),
        "3 b4cb272c395ccb21",
    ),
}
"""By version, the files that it stands for, and a digest of their code as it was when this was last looked at.

What the index keeps is taken for right as long as these versions are the same: spans of redaction under rules that have
changed would show what the new ones hide.
"""


def code(patterns: tuple[str, ...]) -> Iterator[str]:
    """The lines of some files, without empty ones and those that only comment."""
    for pattern in patterns:
        for file in sorted(PACKAGE.glob(pattern)):
            yield file.relative_to(PACKAGE).as_posix()
            lines = (line.strip() for line in file.read_text().splitlines())
            yield from (line for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("name", BEHIND)
def test_code_behind_a_version_is_that_which_was_looked_at(name: str) -> None:
    patterns, known = BEHIND[name]
    found = hashlib.sha256("\n".join(code(patterns)).encode()).hexdigest()[:16]
    assert f"{getattr(versions, name)} {found}" == known, (
        f"raise {name} if what follows from this code can have changed for any text, then write the new digest here"
    )
