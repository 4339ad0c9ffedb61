"""The whole pipeline on ports in memory, and the small brains that tests feed to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.assemble import assemble
from kradle_ctx.model.access import Access, Grant
from kradle_ctx.model.bundle import Bundle
from kradle_ctx.model.graph import Document
from kradle_ctx.model.refs import MemoryRef, RefMode
from kradle_ctx.model.request import Request
from kradle_ctx.model.resources import Association
from kradle_ctx.passages import BlobRedactor
from kradle_ctx.ports import IndexStore, Repository, Searcher
from kradle_ctx.redaction import Redactor
from kradle_ctx.stages.load import load
from kradle_ctx.stages.resolve import resolve
from kradle_ctx.view import View
from tests.emitted import assert_bundle_fits
from tests.fakes import Content, FixedClock, InMemoryRepository, InMemorySearcher

EVERYTHING = Access((Grant("all", paths=("**",)),))
"""The whole brain at `public` and `internal`."""

REDACTOR = Redactor()
"""One for all tests: it keeps nothing of what it reads."""

FIRST_DAY, SECOND_DAY = "2026-05-01T12:00:00Z", "2026-05-03T15:00:00Z"


def brain(files: Mapping[str, Content], at: str = FIRST_DAY) -> InMemoryRepository:
    """A repository of one commit."""
    repository = InMemoryRepository()
    repository.add_commit(files, at)
    return repository


def graph_record(record_id: str, kind: str = "Runbook", **fields: Any) -> str:
    """A graph record's YAML, written as JSON; `edges` and `sensitivity` stand beside the attributes."""
    beside = {name: fields.pop(name) for name in ("edges", "sensitivity") if name in fields}
    return json.dumps({"nodeKind": kind, "id": record_id, "attributes": fields, **beside}, ensure_ascii=False) + "\n"


def markdown(body: str = "", **fields: Any) -> str:
    """A Markdown file with frontmatter."""
    return "---\n" + "".join(f"{name}: {json.dumps(value)}\n" for name, value in fields.items()) + f"---\n{body}"


def explicit(name: str) -> MemoryRef:
    """A ref asked for by name."""
    return MemoryRef(RefMode.EXPLICIT, name)


def granting(*paths: str, **fields: Any) -> Access:
    """One grant of some paths."""
    return Access((Grant("source", paths=paths, **fields),))


def assembled(
    repository: Repository,
    request: Request,
    access: Access = EVERYTHING,
    associations: Iterable[Association] = (),
    searcher: Searcher | None = None,
    signers: Sequence[str] = (),
    index_store: IndexStore | None = None,
) -> Bundle:
    """A bundle made on ports in memory, but for those that are given; it fits its schemas."""
    bundle = assemble(
        request,
        access,
        associations,
        signers=signers,
        open_repository=lambda: repository,
        index_store=index_store or NoIndexStore(),
        searcher=searcher or InMemorySearcher(),
        redactor=REDACTOR,
        clock=FixedClock(),
    )
    assert_bundle_fits(bundle)
    return bundle


def view_of(repository: InMemoryRepository, access: Access = EVERYTHING, request: Request | None = None) -> View:
    """The granted view of the commit that a request names."""
    request = request or Request()
    pin = resolve(repository, request.ref)
    return load(pin, request, access, repository=repository, index_store=NoIndexStore())


def blob_redactor() -> BlobRedactor:
    """A redactor of blobs with nothing kept yet."""
    return BlobRedactor(REDACTOR)


def document_of(view: View, name: str) -> Document:
    """The one visible document of that id, alias or path."""
    numbers = view.named(name) or view.at_path(name)
    assert len(numbers) == 1
    return view.document(numbers[0])


def names_of(bundle: Bundle) -> list[str]:
    """The ids, or else the paths, of a bundle's items in order."""
    return [source.get("id", source["path"]) for source in bundle.memory["sources"]]


def source_of(bundle: Bundle, name: str) -> dict[str, Any]:
    """The one item of that id or path."""
    found = [source for source in bundle.memory["sources"] if name in (source.get("id"), source["path"])]
    assert len(found) == 1, names_of(bundle)
    entry: dict[str, Any] = found[0]
    return entry
