"""CommitPin -> View: ontology and index at the commit, already cut to what the grants allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from kradle_ctx.digest import digest_value
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.access import Access
from kradle_ctx.model.graph import DESCRIBING, Document, Form
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.model.refs import CommitPin
from kradle_ctx.model.request import Request
from kradle_ctx.ports import Index, IndexStore, Repository, Snapshot
from kradle_ctx.today import Today
from kradle_ctx.view import Agreement, View
from kradle_ctx.yamldoc import parse, split_frontmatter

HIDDEN_ROOT = ".company-brain"

MERGING_PROFILE = "atlas-md-yaml-v1"
"""The layout profile under which an id may be declared in several places."""


def load(pin: CommitPin, request: Request, access: Access, *, repository: Repository, index_store: IndexStore) -> View:
    """Open the index at the pin and cut it; raises when the ontology does not parse."""
    require_approved(pin, access)
    snapshot = repository.snapshot(pin.commit.id)
    root = brain_root(snapshot, request)
    require_folder(snapshot, root)
    index = index_store.open(snapshot, root, request.ontology_path)
    require_parsed(index.ontology, access)
    agree = agreement(index, request.layout_profile)
    return cut(index, pin, request, access, root, agree, repository=repository, index_store=index_store)


def cut(
    index: Index,
    pin: CommitPin,
    request: Request,
    access: Access,
    root: str,
    agree: Agreement,
    *,
    repository: Repository,
    index_store: IndexStore,
) -> View:
    """What the grants show of an index that is open."""
    narrowed = with_request_excludes(access, request)
    today = brain_today(pin, request, narrowed, root, repository, index_store)
    return View(index, narrowed, today, agree, root, policy_name(narrowed, today, request.layout_profile))


def policy_name(access: Access, today: Today | None, layout_profile: str) -> str:
    """A name for all that decides what of an index is visible."""
    named = {"grants": [grant.to_json() for grant in access.grants], "public": access.public_dispatch}
    return digest_value(named | {"layout": layout_profile, "today": today.name if today is not None else None}).hex


def brain_root(snapshot: Snapshot, request: Request) -> str:
    """Where the brain is at a commit: as asked, else the hidden folder when there is one, else the whole tree."""
    if request.root is None:
        return HIDDEN_ROOT if snapshot.has_folder(HIDDEN_ROOT) else ""
    return request.root


def require_folder(snapshot: Snapshot, root: str) -> None:
    """Raise when the commit has no such folder, since an empty brain and a misspelt root must not look alike."""
    if root and not snapshot.has_folder(root):
        raise KradleError(
            ErrorCode.USAGE,
            f"the commit has no folder {root} for the brain",
            "check --root, or the root of the AgentMemoryRepository",
        )


def require_approved(pin: CommitPin, access: Access) -> None:
    """Raise when a grant asks for an approved commit and the pin is none, or may be none."""
    if not pin.approved and any(grant.require_approved_commit for grant in access.grants):
        raise KradleError(
            ErrorCode.MEMORY_REF_UNRESOLVED,
            f"commit {pin.commit.id} is not on the first-parent history of {pin.default_branch}",
            "a source asks for an approved commit: name one with --ref or --at",
            commit=pin.commit.id,
        )


def require_parsed(ontology: Ontology, access: Access) -> None:
    """Raise when the ontology does not parse, unless every grant that applies lives with that and none forbids it."""
    allowed = all(grant.allow_invalid_ontology and not grant.require_valid_ontology for grant in access.grants)
    if ontology.faults and not allowed:
        raise KradleError(
            ErrorCode.ONTOLOGY_INVALID,
            f"the ontology does not parse: {ontology.faults[0]}",
            "mend the file, or set allowInvalidOntology in the memory source",
            faults=list(ontology.faults),
        )


def with_request_excludes(access: Access, request: Request) -> Access:
    """The grants, narrowed by what the request itself leaves out."""
    narrowed = tuple(
        replace(
            grant,
            exclude_paths=(*grant.exclude_paths, *request.exclude_paths),
            exclude_kinds=(*grant.exclude_kinds, *request.exclude_kinds),
        )
        for grant in access.grants
    )
    return replace(access, grants=narrowed)


def brain_today(
    pin: CommitPin, request: Request, access: Access, root: str, repository: Repository, index_store: IndexStore
) -> Today | None:
    """The brain at the default branch's tip; None where that is the pin."""
    if not pin.historical:
        return None
    snapshot = repository.snapshot(pin.current.id)
    places = dict.fromkeys((root, brain_root(snapshot, request)))
    found = [place for place in places if not place or snapshot.has_folder(place)]
    return Today([index_store.open(snapshot, place, None) for place in found], access)


def agreement(index: Index, layout_profile: str) -> Agreement:
    """When declarations of one id count as one record: never, or under the merging profile when scalars agree.

    Texts that describe a record need not: partial declarations each tell their part, and the first text counts.
    """
    if layout_profile != MERGING_PROFILE:
        return lambda documents: False

    def agree(documents: Sequence[Document]) -> bool:
        seen: dict[str, Any] = {}
        for document in documents:
            for name, value in scalars(index, document).items():
                if seen.setdefault(name, value) != value:
                    return False
        return True

    return agree


def scalars(index: Index, document: Document) -> dict[str, Any]:
    """The kind and the scalar attributes, or frontmatter fields, that other declarations must not deny."""
    text = index.text(document)[document.start : document.end].decode(errors="replace")
    if document.form is Form.MARKDOWN:
        frontmatter = split_frontmatter(text)
        fields = frontmatter.value() if frontmatter is not None else None
    else:
        value = parse(text)
        fields = value.get("attributes") if isinstance(value, dict) else None
    stated = fields if isinstance(fields, dict) else {}
    beside = {
        name: field
        for name, field in stated.items()
        if field is not None and name not in DESCRIBING and not isinstance(field, list | dict)
    }
    return {**beside, "nodeKind": document.kind}
