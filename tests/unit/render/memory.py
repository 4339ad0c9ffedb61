"""Small `spec.memory` values and bundles for tests of what is rendered."""

from __future__ import annotations

import hashlib
from typing import Any

from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.request import Request
from tests.fakes import Content
from tests.pipeline import assembled, brain

COMMIT = "1" * 40
HOSTILE = "[red]x[/red] [/] [link=http://a]y[/link] :smile: \x1b[31mz"
"""What rich would read as markup, and a terminal as a colour."""


def item(content: str, **fields: Any) -> dict[str, Any]:
    """One entry of `sources`."""
    digest = "sha256:" + hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    entry = {
        "kind": "memory-grep-excerpt",
        "path": "notes/a.md",
        "lineStart": 1,
        "lineEnd": 2,
        "digest": digest,
        "bytes": len(content),
        "tokens": 1,
        "trust": "approved",
        "why": {"summary": "1 term matched (brake)"},
        "content": content,
    }
    return entry | fields


def memory(*items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A `spec.memory` of these items."""
    value = {
        "repositoryRef": "org-brain",
        "resolvedCommit": COMMIT,
        "queryManifestDigest": "sha256:" + "2" * 64,
        "sources": list(items),
        "warnings": [],
    }
    return value | fields


def bundle_of(files: dict[str, Content], query: str = "brake", **fields: Any) -> Bundle:
    """A bundle made of a small brain."""
    return assembled(brain(files), Request(query=query, **fields))
