"""Making the view of a tree: from the whole listing, or from another tree's view and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kradle_ctx.adapters.git_tree import TreeLimits
from kradle_ctx.adapters.index.rows import ONTOLOGY, RECORDS, Wanted, rows_of
from kradle_ctx.adapters.index.views import Base, StoredView, by_path, places_of
from kradle_ctx.adapters.index.writing import (
    COMMIT_EVERY,
    StoreWriter,
    changed_ids,
    documents_of,
    duplicates_among,
    duplicates_of,
    edited,
    unread_of,
)
from kradle_ctx.adapters.no_index import DERIVED_FOLDER, MAX_DOCUMENTS, MAX_TEXT, require_bounded, skipped_by
from kradle_ctx.adapters.reading import read_each
from kradle_ctx.documents import is_readable
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ontology import FOLDER, MANIFEST, read_ontology
from kradle_ctx.ports import Changes, File, Listing, Progress, Snapshot, index_name

MAX_ENTRIES = TreeLimits().entries
"""Past it the whole listing says what is wrong."""


def build_whole(
    writer: StoreWriter, snapshot: Snapshot, listing: Listing, ontology_path: str | None, progress: Progress | None
) -> StoredView:
    """Read what was never read of a listing, and make its view; raises what a reading without a store would."""
    text = text_bytes(listing.files)
    require_bounded("bytes of text", text, MAX_TEXT)
    ontology = ontology_of(snapshot, listing.files, ontology_path)
    files = chosen(listing.files, ontology)
    missing = writer.missing(files)
    if len(missing) > COMMIT_EVERY:
        writer.write_many()
    add_files(writer, snapshot, missing, progress)
    documents = documents_of(writer.connection, files)
    unread = unread_of(writer.connection, files)
    listed = skipped_by(listing)
    require_bounded("documents", len(documents) + len(listed) + len(unread), MAX_DOCUMENTS)
    places = places_of(documents)
    return StoredView(
        listing.tree,
        ontology_path or "",
        documents,
        places,
        ontology,
        tuple(listed),
        tuple(unread),
        listing.entries,
        text,
        tuple(duplicates_of(writer.connection, places)),
    )


def build_changed(
    writer: StoreWriter, snapshot: Snapshot, base: StoredView, changes: Changes, progress: Progress | None
) -> StoredView | None:
    """Make a view from another one; None where only the whole listing can tell."""
    text = base.text + text_bytes(changes.added) - text_bytes(changes.removed)
    if changes.skipped or touches_ontology(changes, base) or base.entries + changes.entries > MAX_ENTRIES:
        return None
    if text > MAX_TEXT:
        return None
    files = chosen(changes.added, base.ontology)
    add_files(writer, snapshot, writer.missing(files), progress)
    connection = writer.connection
    added = [(file.path, numbers) for file in files if (numbers := writer.numbers(file)) is not None]
    removed = [file.path for file in changes.removed]
    documents = edited(connection, base.documents, removed, added)
    changed = {*removed, *(file.path for file in files)}
    kept = [entry for entry in base.unread if entry.path not in changed]
    unread = by_path([*kept, *unread_of(connection, files)])
    if len(documents) + len(base.listed) + len(unread) > MAX_DOCUMENTS:
        return None
    places = places_of(documents)
    gone = [number for file in chosen(changes.removed, base.ontology) for number in writer.numbers(file) or ()]
    come = [number for _, numbers in added for number in numbers]
    ids = [*base.duplicates, *changed_ids(connection, come)]
    return StoredView(
        changes.tree,
        base.ontology_path,
        documents,
        places,
        base.ontology,
        base.listed,
        tuple(unread),
        base.entries + changes.entries,
        text,
        tuple(duplicates_among(connection, ids, places)),
        Base(index_name(base.tree, base.ontology_path), base.duplicates, tuple(gone), tuple(come)),
    )


def add_files(writer: StoreWriter, snapshot: Snapshot, files: Sequence[Wanted], progress: Progress | None) -> None:
    """Read files and add them; what is added when reading fails is kept for the next time."""
    found = 0
    try:
        for done, rows in enumerate(read_each(snapshot, files, rows_of)):
            if progress is not None:
                progress(done, len(files))
            writer.add(rows)
            found += len(rows.documents)
            require_bounded("documents", found, MAX_DOCUMENTS)
    finally:
        writer.commit()


def chosen(files: Iterable[File], ontology: Ontology) -> list[Wanted]:
    """The files that hold documents, with what each is read as."""
    named = frozenset(ontology.paths)
    return [
        Wanted(file.path, file.blob, ONTOLOGY if file.path in named else RECORDS)
        for file in files
        if (is_readable(file.path) or file.path in named) and not file.path.startswith(DERIVED_FOLDER)
    ]


def ontology_of(snapshot: Snapshot, files: Sequence[File], ontology_path: str | None) -> Ontology:
    """The ontology of a listing."""
    blobs = {file.path: file.blob for file in files}

    def read(path: str) -> bytes | None:
        return snapshot.read(blobs[path]) if path in blobs else None

    return read_ontology(list(blobs), read, ontology_path)


def touches_ontology(changes: Changes, base: StoredView) -> bool:
    """Whether a change can have changed the ontology."""
    if base.ontology.faults:
        return True
    named, override = frozenset(base.ontology.paths), base.ontology_path.rstrip("/")
    places = (FOLDER, MANIFEST, *((override, f"{override}/") if override else ()))
    changed = (file.path for file in (*changes.removed, *changes.added))
    return any(path in named or path.startswith(places) for path in changed)


def text_bytes(files: Iterable[File]) -> int:
    """Bytes of the files that have the form of a graph or Markdown file."""
    return sum(file.size for file in files if is_readable(file.path))
