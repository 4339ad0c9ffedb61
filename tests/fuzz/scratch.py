"""Repositories on disk that targets write into, made once in each process that tries inputs."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from tests.conftest import GitBuilder

DAY_1, DAY_2, DAY_3 = "2026-05-01T12:00:00Z", "2026-05-02T12:00:00Z", "2026-05-03T12:00:00Z"


@cache
def _made(process: int, name: str) -> GitBuilder:
    build = GitBuilder(Path(tempfile.mkdtemp()) / name, "--bare")
    shutil.rmtree(build.path / "hooks", ignore_errors=True)
    return build


def repository(name: str) -> GitBuilder:
    """An empty bare repository; a fork of this process gets one of its own."""
    return _made(os.getpid(), name)


@cache
def _with_refs(process: int) -> tuple[GitBuilder, str, str]:
    build = repository("refs")
    first = build.add_commit({"a.md": "1", "open/b.md": "2"}, DAY_1)
    second = build.add_commit({"a.md": "3"}, DAY_2)
    build.set_branch("old", first)
    build.set_branch(first, second)
    build.set_branch("feature/x", second)
    build.set_tag("v1", first, annotated=True)
    build.set_tag("main", first)
    build.set_tag("memory/snapshots/s1", first)
    build.set_remote_branch("only-there", second)
    tree = build.git("rev-parse", f"{first}^{{tree}}")
    build.set_tag("a-tree", tree)
    return build, first, tree


def repository_with_refs() -> tuple[GitBuilder, str, str]:
    """A bare repository with branches, tags and ambiguous names; its first commit, and that one's tree."""
    return _with_refs(os.getpid())
