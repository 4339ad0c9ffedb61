"""The `IndexStore` that keeps what it reads; whatever is wrong with the cache, the answer is that without one."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kradle_ctx.adapters.index import folders
from kradle_ctx.adapters.index.kept import KeptFile
from kradle_ctx.adapters.index.lock import Busy, writing
from kradle_ctx.adapters.index.schema import open_reader
from kradle_ctx.adapters.index.stored_index import UNSOUND, StoredIndex, sound
from kradle_ctx.adapters.index.text_log import TEXT_LOG, LogReader
from kradle_ctx.adapters.index.views import StoredView, read_view
from kradle_ctx.digest import Digest
from kradle_ctx.errors import KradleError
from kradle_ctx.model.ontology import Ontology
from kradle_ctx.ports import Changes, Index, IndexDamaged, IndexStore, Kept, Listing, Progress, Snapshot

if TYPE_CHECKING:
    from kradle_ctx.adapters.index.writing import StoreWriter

LOCK_SECONDS = 60.0
"""How long a run waits for another one that reads the same brain: it reads for this one, too."""

SAMPLE = 64
"""Files of an unknown tree by which a store of the same brain is recognised: half of them are in it."""

BASES = 4
"""Trees of a store, the latest first, that are compared with a new one."""

NO_ONTOLOGY = Ontology("", Digest(""))

REFUSED = (OSError, sqlite3.OperationalError, folders.Untrusted, Busy)
"""What a cache can fail with that is whole."""

DAMAGED = (IndexDamaged, *UNSOUND, RuntimeError, MemoryError)
"""What a damaged one can fail with, and a process that reads for this one and is ended. All is then done without."""


class StoredIndexStore:
    """Indexes from the cache folder; `notes` says in a line each what was wrong with it."""

    def __init__(self, cache: Path, progress: Progress | None = None) -> None:
        self._cache = cache
        self._progress = progress
        self._without: IndexStore | None = None
        self._given_up = False
        self._looked_at: list[Path] = []
        self._opened: list[StoredIndex] = []
        self._kept = KeptFile()
        self._attached = False
        self.notes: list[str] = []

    @property
    def kept(self) -> Kept:
        """What is known again of blobs."""
        return self._kept

    def open(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Index:
        """The index of a snapshot below `root`; what was never indexed is now."""
        if not self._given_up:
            try:
                return self._open(snapshot, root, ontology_path)
            except REFUSED as error:
                self._stop(reason(error))
            except DAMAGED as error:
                self.give_up(reason(error))
        if self._without is None:
            from kradle_ctx.adapters.no_index import NoIndexStore

            self._without = NoIndexStore(self._progress)
        return self._without.open(snapshot, root, ontology_path)

    def knows(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> bool:
        """Whether a store holds the tree, or one of the same brain."""
        if self._given_up:
            return False
        try:
            return any(holds(folder, snapshot, root, ontology_path) for folder in self._sound_stores())
        except (*REFUSED, *DAMAGED):
            return False

    @property
    def keeps(self) -> bool:
        """Whether what is read is stored, as far as is known."""
        return not self._given_up

    def give_up(self, why: str) -> None:
        """Use no store from now on, say why, and have what was used looked through by the next run."""
        for folder in self._looked_at:
            folders.doubt(folder)
        self._kept.detach()
        self._stop(why)

    def _stop(self, why: str) -> None:
        self._given_up = True
        self.notes.append(f"the index is not used: {why}; the brain was read without it")

    def close(self) -> None:
        """Keep what was worked out, and close what was opened."""
        self._kept.close()
        for index in self._opened:
            index.close()
        self._opened.clear()

    def _open(self, snapshot: Snapshot, root: str, ontology_path: str | None) -> Index:
        tree = snapshot.tree(root)
        candidates = self._sound_stores()
        for folder in candidates:
            if (index := self._indexed(folder, tree, ontology_path)) is not None:
                return index
        folder, listing = self._home(candidates, snapshot, tree, root, ontology_path)
        with writing(folder, LOCK_SECONDS):
            self._make_sound(folder)
            if (index := self._indexed(folder, tree, ontology_path)) is None:
                self._build(folder, snapshot, root, ontology_path, listing)
                index = self._indexed(folder, tree, ontology_path)
        if index is None:
            raise IndexDamaged("what was written is not there")
        return index

    def _sound_stores(self) -> list[Path]:
        """The stores that can be read; a word on those that are somebody else's, which are left alone."""
        found = []
        for folder in folders.store_folders(self._cache):
            try:
                if self._is_sound(folder):
                    found.append(folder)
            except folders.Untrusted as error:
                if (note := f"an index in the cache is left alone: {error}") not in self.notes:
                    self.notes.append(note)
        return found

    def _is_sound(self, folder: Path) -> bool:
        """Whether a store can be read; one that was damaged is cleared, one that is written to can be read."""
        folders.require_own_files(folder)
        if folders.is_sealed(folder):
            return True
        try:
            with writing(folder, 0.0):
                return self._make_sound(folder)
        except Busy:
            if folders.is_being_written(folder):
                return True
        # Another process looks it through.
        with writing(folder, LOCK_SECONDS):
            return self._make_sound(folder)

    def _make_sound(self, folder: Path) -> bool:
        """Look a store through and clear it where it is damaged; whether there is one then. The lock is held."""
        if not (folder / folders.DATABASE).exists():
            return False
        if folders.is_sealed(folder):
            return True
        from kradle_ctx.adapters.index.checking import faults

        found = next(faults(folder), None)
        if found is None:
            folders.seal(folder)
            return True
        folders.clear(folder)
        self.notes.append(f"the index was damaged ({found}) and is made anew")
        return False

    def _indexed(self, folder: Path, tree: str, ontology_path: str | None) -> Index | None:
        """The index of a tree, where a store has it."""
        database = folder / folders.DATABASE
        if not database.exists():
            return None
        self._looked_at.append(folder)
        connection = open_reader(database)
        with sound():
            view = read_view(connection, tree, ontology_path or "")
        if view is None:
            connection.close()
            return None
        committed = dict(connection.execute("SELECT name, value FROM committed"))
        log = LogReader(folder / TEXT_LOG, committed["text"])
        if not self._attached:
            self._kept.attach(folder / folders.KEPT)
            self._attached = True
        folders.note_use(folder, time.time())
        self._opened.append(StoredIndex(connection, view, log, self._kept))
        return self._opened[-1]

    def _home(
        self, candidates: list[Path], snapshot: Snapshot, tree: str, root: str, ontology_path: str | None
    ) -> tuple[Path, Listing | None]:
        """The store that holds other trees of this brain, else a new one; the listing where it was needed for that."""
        for folder in candidates:
            if next(related(folder, snapshot, root, ontology_path), None) is not None:
                return folder, None
        listing = snapshot.listing(root)
        for folder in candidates:
            if knows(folder, listing):
                return folder, listing
        return folders.new_folder(self._cache, tree), listing

    def _build(
        self, folder: Path, snapshot: Snapshot, root: str, ontology_path: str | None, listing: Listing | None
    ) -> None:
        # Most runs find everything built, and start faster without what builds it.
        from kradle_ctx.adapters.index.building import build_changed, build_whole

        whole = listing is not None or not (folder / folders.DATABASE).exists()
        bases = [] if whole else list(related(folder, snapshot, root, ontology_path))
        with session(folder) as writer:
            view: StoredView | None = None
            for base, changes in bases[:1]:
                view = build_changed(writer, snapshot, base, changes, self._progress)
            if view is None:
                listing = listing or snapshot.listing(root)
                view = build_whole(writer, snapshot, listing, ontology_path, self._progress)
            writer.add_view(view)


@contextmanager
def session(folder: Path) -> Iterator[StoreWriter]:
    """A session of writing that is sealed at its end, also where the brain is at fault."""
    from kradle_ctx.adapters.index.writing import StoreWriter

    writer = StoreWriter(folder)
    try:
        yield writer
    except KradleError:
        writer.finish()
        raise
    except BaseException:
        writer.abandon()
        raise
    writer.finish()


def related(
    folder: Path, snapshot: Snapshot, root: str, ontology_path: str | None
) -> Iterator[tuple[StoredView, Changes]]:
    """The latest trees of a store that the repository holds, too, and how the snapshot differs from them."""
    connection = open_reader(folder / folders.DATABASE)
    try:
        query = "SELECT tree FROM views WHERE ontology_path = ? ORDER BY made DESC LIMIT ?"
        for (tree,) in connection.execute(query, (ontology_path or "", BASES)).fetchall():
            changes = changes_from(snapshot, tree, root)
            view = read_view(connection, tree, ontology_path or "") if changes is not None else None
            if changes is not None and view is not None and is_kept(view, changes):
                yield view, changes
    finally:
        connection.close()


def holds(folder: Path, snapshot: Snapshot, root: str, ontology_path: str | None) -> bool:
    """Whether a store has the view of a tree, or one that the snapshot is made from."""
    connection = open_reader(folder / folders.DATABASE)
    try:
        if read_view(connection, snapshot.tree(root), ontology_path or "") is not None:
            return True
    finally:
        connection.close()
    return next(related(folder, snapshot, root, ontology_path), None) is not None


def is_kept(view: StoredView, changes: Changes) -> bool:
    """Whether at least half of a tree's documents are still there: another brain can hold a small one inside it."""
    return 2 * len(changes.removed) < len(view.documents)


def changes_from(snapshot: Snapshot, tree: str, root: str) -> Changes | None:
    """How a snapshot differs from a tree; None where that cannot be told, and a whole listing says why."""
    try:
        return snapshot.changes(tree, root)
    except KradleError:
        return None


def knows(folder: Path, listing: Listing) -> bool:
    """Whether a store holds half of a sample of the files."""
    from kradle_ctx.adapters.index.building import chosen

    files = chosen(listing.files, NO_ONTOLOGY)
    sample = files[:: max(1, len(files) // SAMPLE)]
    connection = open_reader(folder / folders.DATABASE)
    try:
        query = "SELECT 1 FROM files WHERE path = ? AND blob = ? LIMIT 1"
        found = sum(connection.execute(query, file[:2]).fetchone() is not None for file in sample)
    finally:
        connection.close()
    return found > 0 and 2 * found >= len(sample)


def reason(error: BaseException) -> str:
    """What was wrong with the cache, in words."""
    if isinstance(error, Busy):
        return f"{error} is still writing it"
    if isinstance(error, OSError):
        return f"its folder cannot be used ({error.strerror or type(error).__name__})"
    if isinstance(error, (IndexDamaged, folders.Untrusted)):
        return str(error)
    if isinstance(error, sqlite3.OperationalError):
        return f"its database cannot be used ({error.sqlite_errorname})"
    return f"it does not read ({type(error).__name__})"
