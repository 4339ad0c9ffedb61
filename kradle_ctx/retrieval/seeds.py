"""Seeds: the records that a request's source refs, associations and words name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from kradle_ctx.model.graph import Document
from kradle_ctx.model.request import Request
from kradle_ctx.model.resources import Association
from kradle_ctx.retrieval.matches import TextMatch
from kradle_ctx.view import View

ID_PREFIXES: dict[str, tuple[str, ...]] = {
    "repository": ("repository", "repo"),
    "pullRequest": ("pull-request", "pullRequest", "pr"),
    "issue": ("issue",),
    "service": ("service",),
    "stack": ("stack", "agent-stack"),
    "trigger": ("trigger",),
    "skill": ("skill",),
    "job": ("job",),
}
"""Id prefixes under which a brain names what a source ref names; a `path` is matched as it is."""

KIND_WORDS = {
    "agentstack": "stack",
    "pr": "pullrequest",
    "repo": "repository",
}
"""Other words for the same kind of target in an `AgentMemoryAssociation`."""

WORD_SEEDS = 20
"""Records that the query's words name become seeds up to this number, the best first."""


class Seed(Struct, frozen=True):
    """A node to start from: an id (of a record or not), its distance, and the breadcrumb up to it."""

    key: str
    distance: int
    breadcrumb: tuple[str, ...]


class Tie(Struct, frozen=True):
    """A document tied to a source ref: by which relationship, and in which bucket (0 the most direct).

    The record that is the source ref itself has no relationship to it, and stands in the bucket of typed edges.
    """

    number: int
    relationship: str | None
    rank: int
    breadcrumb: tuple[str, ...]


def source_keys(request: Request) -> dict[str, tuple[str, ...]]:
    """The ids that each source ref may have in the brain, by the label under which it is shown."""
    keys: dict[str, tuple[str, ...]] = {}
    for kind, values in request.source_refs.items():
        for value in values:
            prefixes = ID_PREFIXES.get(kind, (kind,))
            if kind == "path" or ":" in value:
                keys[value] = (value,)
            else:
                keys[f"{prefixes[0]}:{value}"] = (*(f"{prefix}:{value}" for prefix in prefixes), value)
    return keys


def seeds_from_refs(view: View, keys: Mapping[str, tuple[str, ...]]) -> Iterator[Seed]:
    """Distance 0: the records that source refs name, and the bare ids, which edges may name without a record."""
    for label, candidates in keys.items():
        named = [view.document(number).key for candidate in candidates for number in itself(view, candidate)]
        for key in dict.fromkeys((*candidates, *named)):
            yield Seed(key, 0, (label,) if key == label else (label, "=", key) if key in named else (label,))


def ties(
    view: View, request: Request, keys: Mapping[str, tuple[str, ...]], associations: Iterable[Association]
) -> Iterator[Tie]:
    """Documents tied to a source ref by an association, a typed edge, or `repoRefs` and `sourceRefs`.

    An edge is a step of the traversal, so a depth of 0 leaves typed edges out.
    """
    for association in associations:
        label = associated_ref(request, association)
        if label is not None:
            for number in associated_documents(view, association):
                relationship = association.relationship
                yield Tie(number, relationship, 0, (label, f"<-{relationship}-", view.document(number).key))
    for label, candidates in keys.items():
        for candidate in candidates:
            for number in itself(view, candidate):
                yield Tie(number, None, 1, (label,))
            for edge in view.incoming(candidate) if request.edge_depth else ():
                for number in (*view.records(edge.source), *view.at_path(edge.source)):
                    yield Tie(number, edge.kind, 1, (label, f"<-{edge.kind}-", view.document(number).key))
            for number in view.referring(candidate):
                document = view.document(number)
                field = naming_field(document, candidate)
                yield Tie(number, field, 2, (label, f"<-{field}-", document.key))


def itself(view: View, name: str) -> list[int]:
    """The documents that a source ref names: by id, alias or path."""
    return [*view.named(name), *view.at_path(name)]


def naming_field(document: Document, value: str) -> str:
    """Which of its fields a document names a value in."""
    if value in document.repo_refs:
        return "repoRefs"
    return "sourceRefs" if value in document.source_refs else "tags"


def associated_ref(request: Request, association: Association) -> str | None:
    """The source ref that an association's target names, if the request has it."""
    wanted = association.target_kind.lower()
    wanted = KIND_WORDS.get(wanted, wanted)
    for kind, values in request.source_refs.items():
        if kind.lower() == wanted and association.target_name in values:
            return f"{ID_PREFIXES.get(kind, (kind,))[0]}:{association.target_name}"
    return None


def associated_documents(view: View, association: Association) -> list[int]:
    """The documents that an association's memory ref names, by id or else by path."""
    if association.memory_id is not None:
        return view.named(association.memory_id)
    return view.at_path(association.memory_path) if association.memory_path is not None else []


def seeds_from_words(view: View, found: Mapping[int, TextMatch], distance: int) -> list[Seed]:
    """The records whose title, names, tags or summary the query's words match, the best ones."""
    matching = [
        number for number, match in found.items() if match.field_score > 0 and view.outline(number).id is not None
    ]
    matching.sort(key=lambda number: (-round(found[number].field_score, 6), number))
    keys = dict.fromkeys(view.outline(number).key for number in matching[:WORD_SEEDS])
    return [Seed(key, distance, (key,)) for key in keys]
