"""Every fuzz target by its name."""

from __future__ import annotations

from tests.fuzz.target import Target
from tests.fuzz.targets import (
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

MODULES = (
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
TARGETS: dict[str, Target] = {module.TARGET.name: module.TARGET for module in MODULES}
