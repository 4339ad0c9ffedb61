"""What a change does to what agents see: records, edges, and the golden queries that name them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from msgspec.structs import replace

from kradle_ctx.model.findings import Change, EdgeChange, GoldenQuery, Impact, RecordChange
from kradle_ctx.model.graph import Document, Edge
from kradle_ctx.ontology import texts
from kradle_ctx.validation.files import BrainFiles
from kradle_ctx.validation.scope import Changed, documents, edges_of, numbers_at
from kradle_ctx.validation.survey import Survey
from kradle_ctx.yamldoc import InvalidYaml, parse

GOLDEN_FOLDER = "evals"
SUFFIXES = (".yaml", ".yml")

REPOSITORY_EDGE, REPOSITORY_KIND = "applies_to_repo", "Repository"

MOST_TOLD = 1_000
"""Records, and edges, of one change that are told; the others are counted."""


def impact_of(before: Survey, after: Survey, changed: Changed, *, merges: bool) -> Impact:
    """Compare the documents of changed files; `merges` tells that several declarations of an id are one record."""
    old = documents(before.index, sorted(numbers_at(before.index, changed.removed)))
    new = documents(after.index, sorted(numbers_at(after.index, changed.added)))
    records = sorted(
        record_changes(before, after, old, new, merges=merges), key=lambda each: (each.change, each.id, each.path)
    )
    edges = list(edge_changes(before, after, old, new))
    names = {each.id for each in records} | changed.paths
    gone = (path for path in before.files.within(GOLDEN_FOLDER) if after.files.blob(path) is None)
    golden = chain(
        golden_queries(after.files, after.files.within(GOLDEN_FOLDER), names),
        (replace(query, removed=True) for query in golden_queries(before.files, gone, names)),
    )
    return Impact(
        tuple(records[:MOST_TOLD]),
        tuple(edges[:MOST_TOLD]),
        len(records[MOST_TOLD:]),
        len(edges[MOST_TOLD:]),
        dict(sorted(Counter(each.kind for each in records).items())),
        tuple(sorted(repositories_of(chain(old, new)))),
        tuple(sorted(golden, key=lambda query: query.path.encode("utf-8", "surrogateescape"))),
    )


def record_changes(
    before: Survey, after: Survey, old: Iterable[Document], new: Iterable[Document], *, merges: bool
) -> Iterator[RecordChange]:
    """Records that came, went, were renamed, or say something else; one that only moved in its file is none."""
    was, now = declared(old), declared(new)
    for record_id, document in now.items():
        earlier = was.get(record_id)
        if not merges and declarations(after, record_id) > 1:
            if declarations(before, record_id) < 2:
                yield told(Change.WITHHELD, document)
            continue
        if earlier is not None and earlier.sensitivity != document.sensitivity:
            yield told(Change.RECLASSIFIED, document, earlier.sensitivity)
        elif earlier is None and not declarations(before, record_id):
            yield told(Change.ADDED, document)
        elif earlier is not None and name_of(earlier) != name_of(document):
            differing = zip(name_of(earlier), name_of(document), strict=True)
            yield told(Change.RENAMED, document, next(left for left, right in differing if left != right))
        elif earlier is None or content(before, earlier) != content(after, document):
            yield told(Change.EDITED, document)
    for record_id, document in was.items():
        if record_id not in now:
            yield told(Change.EDITED if declarations(after, record_id) else Change.REMOVED, document)


def declarations(survey: Survey, record_id: str) -> int:
    """How often an id is declared: a record with several is in no answer, unless the layout profile joins them."""
    found = (survey.index.document(number) for number in survey.index.named(record_id))
    return sum(document.id == record_id and not document.extends for document in found)


def declared(found: Iterable[Document]) -> dict[str, Document]:
    """Records by their ids; of several declarations the first."""
    records: dict[str, Document] = {}
    for document in found:
        if document.id is not None and not document.extends:
            records.setdefault(document.id, document)
    return records


def name_of(document: Document) -> tuple[str, str]:
    """By what people find a record: its title and its path."""
    return document.title, document.path


def told(change: Change, document: Document, was: str | None = None) -> RecordChange:
    """A change of a record."""
    return RecordChange(change, document.id or "", document.kind or "", document.path, was)


def content(survey: Survey, document: Document) -> bytes:
    """The bytes of a document, whatever its line breaks are: a work tree may have other ones than the commit."""
    return survey.index.text(document)[document.start : document.end].replace(b"\r\n", b"\n")


def edge_changes(
    before: Survey, after: Survey, old: Iterable[Document], new: Iterable[Document]
) -> Iterator[EdgeChange]:
    """Edges that came or went; one that another file states on the other side, too, did neither."""
    was, now = edges_of(old), edges_of(new)
    for change, edges, other in ((Change.ADDED, now - was, before), (Change.REMOVED, was - now, after)):
        for edge in sorted(edges - stated_in(other, edges), key=lambda each: (each.source, each.kind, each.target)):
            yield EdgeChange(change, edge.source, edge.kind, edge.target)


def stated_in(survey: Survey, edges: Collection[Edge]) -> set[Edge]:
    """Those of some edges that a brain states."""
    targets: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        targets[edge.kind].add(edge.target)
    found: set[Edge] = set()
    for kind, ends in targets.items():
        for target in survey.index.with_incoming(ends, kind):
            found.update(edge for _, edge in survey.index.incoming(target, kind) if edge in edges)
    return found


def repositories_of(found: Iterable[Document]) -> set[str]:
    """The repositories that documents are about."""
    about: set[str] = set()
    for document in found:
        about.update(document.repo_refs)
        about.update(edge.target for edge in document.edges if edge.kind == REPOSITORY_EDGE)
        if document.kind == REPOSITORY_KIND and document.id is not None:
            about.add(document.id)
    return about


def golden_queries(files: BrainFiles, paths: Iterable[str], names: Collection[str]) -> Iterator[GoldenQuery]:
    """The golden queries whose `must` or `mustNot` names something; one that does not parse names nothing."""
    for path in paths:
        value = golden_value(files, path) if path.endswith(SUFFIXES) else {}
        must = tuple(name for name in texts(value.get("must")) if name in names)
        must_not = tuple(name for name in texts(value.get("mustNot")) if name in names)
        if must or must_not:
            stated = value.get("name")
            yield GoldenQuery(stated if isinstance(stated, str) else path, path, must, must_not)


def golden_value(files: BrainFiles, path: str) -> Mapping[str, object]:
    """What the file of a golden query says."""
    try:
        value = parse(files.text(path))
    except InvalidYaml:
        return {}
    return value if isinstance(value, dict) else {}
