"""One entry of a bundle's `sources`, from a chosen item: the one place that knows its shape."""

from __future__ import annotations

from typing import Any

from kradle_ctx.characters import unsafe_counts
from kradle_ctx.digest import digest_text
from kradle_ctx.model.budget import tokens_of
from kradle_ctx.model.hits import Evidence, Item
from kradle_ctx.render.escape import plain

TIED = ("tied by an AgentMemoryAssociation to", "direct association of", "refers to")
"""How each bucket of association reads: by a resource, by a typed edge, by `repoRefs`, `sourceRefs` or `tags`."""

REPLACING = "replaces a record that matched"
"""The sentence of an approved replacement that comes along with what it supersedes, and has no evidence of its own."""

TERMS_SHOWN = 6
"""Matched terms that the sentence names; `grep.terms` lists all."""


def source_entry(item: Item) -> dict[str, Any]:
    """The entry without `lastChanged` and `trust`, which stand outside every digest."""
    document, passage = item.document, item.passage
    size = len(passage.text.encode())
    entry: dict[str, Any] = {"kind": item.kind}
    if document.id is not None:
        entry |= {"id": document.id, "nodeKind": document.kind}
    entry |= {
        "title": document.title,
        "path": document.path,
        "lineStart": passage.line_start,
        "lineEnd": passage.line_end,
        "blob": document.blob,
    }
    if (passage.line_start, passage.line_end) != (document.line_start, document.line_end) or passage.gaps:
        entry["excerpt"] = True
    if document.owners:
        entry["owners"] = list(document.owners)
    if document.status is not None:
        entry["status"] = document.status
    if item.flags:
        entry["flags"] = list(item.flags)
    hidden = unsafe_counts(passage.text)
    if hidden:
        entry["hiddenCharacters"] = dict(hidden)
    return entry | {
        "digest": digest_text(passage.text),
        "bytes": size,
        "tokens": tokens_of(size),
        "redactions": dict(sorted(passage.redactions.items())),
        "why": why(item.evidence, item.score),
        "content": passage.text,
    }


def why(evidence: Evidence, score: float) -> dict[str, Any]:
    """The value of every criterion, and one sentence."""
    value: dict[str, Any] = {"summary": summary(evidence), "selected": evidence.selected}
    if evidence.association is not None:
        value["association"] = evidence.association
    if evidence.distance is not None:
        value["distance"] = evidence.distance
    if evidence.breadcrumb:
        value["breadcrumb"] = list(evidence.breadcrumb)
    value["allow"] = evidence.allow
    if evidence.terms:
        grep = {"terms": list(evidence.terms), "matches": evidence.match_count, "score": round(evidence.text_score, 2)}
        value["grep"] = grep
    if evidence.recency is not None:
        value["recency"] = round(evidence.recency, 4)
    value["approved"] = evidence.approved
    if evidence.superseded_by is not None:
        value["supersededBy"] = evidence.superseded_by
    return value | {"sizeClass": evidence.size_class, "score": round(score, 4)}


def summary(evidence: Evidence) -> str:
    """One sentence: what selected, tied, reached or matched the item."""
    parts = ["selected by name"] if evidence.selected else []
    if evidence.association is not None:
        tied = TIED[evidence.association_rank]
        parts.append(f"{tied} {plain(evidence.breadcrumb[0])}")
    if evidence.distance is not None and evidence.association_rank in (1, 3):
        named = "named by the request" if evidence.association_rank == 1 else "its title, names or summary match"
        parts.append(nearness(evidence.breadcrumb) or named)
    if evidence.terms:
        shown = ", ".join(evidence.terms[:TERMS_SHOWN]) + (", ..." if len(evidence.terms) > TERMS_SHOWN else "")
        words = "term" if len(evidence.terms) == 1 else "terms"
        parts.append(f"{len(evidence.terms)} {words} matched ({shown})")
    if evidence.superseded_by is not None:
        parts.append(f"superseded by {plain(evidence.superseded_by)}")
    return ", ".join(part for part in parts if part) or REPLACING


def nearness(breadcrumb: tuple[str, ...]) -> str:
    """How many edges traversal went; a seed itself has none, and `=` is another name for the same node."""
    edges = sum(step != "=" for step in breadcrumb[1::2])
    if edges == 0:
        return ""
    return f"{edges} edge away" if edges == 1 else f"{edges} edges away"
