"""Reading raw objects: size before content, kind as expected, and every failure named by object id."""

from __future__ import annotations

import errno
import struct
import zlib
from datetime import UTC, datetime
from pathlib import Path

from kradle_ctx.adapters.git_kinds import ObjectType
from kradle_ctx.adapters.git_loose import LooseObjects
from kradle_ctx.adapters.git_packs import MAX_WEIGHT, PackedObjects
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.refs import CommitInfo

MAX_COMMIT_BYTES = 1 << 20
"""Largest commit or tag object that is read."""

MAX_TAG_DEPTH = 16
"""Longest chain of tags that point to tags."""

LATEST_TIME = int(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp())

MISSING_HINT = "check the clone with `git fsck`; a partial or damaged clone must be replaced by a full one"

EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""What says nothing about an object: the machine has no more descriptors or memory."""

UNREADABLE = (ValueError, IndexError, OSError, zlib.error, struct.error)
"""What parsing raises for an object that is not sound."""

KIND_NAMES: dict[int, str] = {
    ObjectType.COMMIT: "commit",
    ObjectType.TREE: "tree",
    ObjectType.BLOB: "blob",
    ObjectType.TAG: "tag",
}


class ObjectReader:
    """Reads from the packs and loose objects of one repository; hashes are checked on every read."""

    def __init__(self, folder: Path) -> None:
        try:
            self._packed = PackedObjects(folder)
        except UNREADABLE as error:
            raise missing("the repository has a damaged pack") from error
        self._loose = LooseObjects(folder)

    def find(self, object_id: str) -> tuple[int, int] | None:
        """Kind and size of an object, without reading it; None when it is absent, `MEMORY_OBJECT_MISSING` if unsound.

        An object that is built from much larger ones counts as large as those.
        """
        try:
            found = self._packed.measure(object_id) or self._loose.header(object_id)
            if found is None:
                self._packed.refresh()
                found = self._packed.measure(object_id)
        except UNREADABLE as error:
            raise _corrupt(object_id) from error
        return None if found is None else (found.kind, found.size if found.weight <= MAX_WEIGHT else found.weight)

    def header(self, object_id: str) -> tuple[int, int]:
        """Kind and size of an object that must be there; raises `MEMORY_OBJECT_MISSING`."""
        found = self.find(object_id)
        if found is None:
            raise missing(f"object {object_id} is missing from the repository")
        return found

    def place(self, object_id: str) -> tuple[str, int]:
        """The pack that holds an object and its offset there, the empty name and 0 where none does."""
        try:
            return self._packed.place(object_id)
        except UNREADABLE as error:
            raise _corrupt(object_id) from error

    def read(self, object_id: str, kind: ObjectType, limit: int) -> bytes:
        """Read an object of the given kind and at most `limit` bytes.

        Raises `MEMORY_OBJECT_MISSING` when it is absent, unsound or of another kind, `LIMIT_EXCEEDED` when it is
        larger.
        """
        found, size = self.header(object_id)
        if found != kind:
            raise missing(f"object {object_id} is a {kind_name(found)} where a {kind_name(kind)} is expected")
        if size > limit:
            raise KradleError(
                ErrorCode.LIMIT_EXCEEDED,
                f"{kind_name(kind)} {object_id} has {size} bytes, more than {limit}",
                "shrink what that object holds, and commit again",
            )
        return self.read_sized(object_id)

    def read_sized(self, object_id: str) -> bytes:
        """Read an object whose size has been checked; raises `MEMORY_OBJECT_MISSING`."""
        try:
            try:
                return self._read_whole(object_id)
            except FileNotFoundError:
                # Git has moved it into a pack since it was measured.
                self._packed.refresh()
                return self._read_whole(object_id)
        except UNREADABLE as error:
            if isinstance(error, OSError) and error.errno in EXHAUSTED:
                raise
            raise _corrupt(object_id) from error

    def _read_whole(self, object_id: str) -> bytes:
        packed = self._packed.read(object_id)
        return packed if packed is not None else self._loose.read(object_id)

    def commit(self, commit_id: str) -> CommitInfo:
        """Read a commit as it was written: grafts and replacements change nothing."""
        return parse_commit(commit_id, self.raw_commit(commit_id))

    def raw_commit(self, commit_id: str) -> bytes:
        """The bytes of a commit as it was written."""
        return self.read(commit_id, ObjectType.COMMIT, MAX_COMMIT_BYTES)

    def peel(self, object_id: str) -> tuple[int, str]:
        """Follow annotated tags to what they name: its kind and id."""
        for _ in range(MAX_TAG_DEPTH):
            kind, _ = self.header(object_id)
            if kind != ObjectType.TAG:
                return kind, object_id
            object_id = _tag_target(object_id, self.read(object_id, ObjectType.TAG, MAX_COMMIT_BYTES))
        raise missing(f"tag {object_id} is {MAX_TAG_DEPTH} tags away from what it names")


def kind_name(kind: int) -> str:
    """The word Git uses for a kind of object."""
    return KIND_NAMES.get(kind, "object of unknown kind")


def missing(message: str) -> KradleError:
    """A `MEMORY_OBJECT_MISSING` error."""
    return KradleError(ErrorCode.MEMORY_OBJECT_MISSING, message, MISSING_HINT)


def parse_commit(commit_id: str, data: bytes) -> CommitInfo:
    """Parse a raw commit; an unreadable committer time counts as 1970, as it does for Git."""
    header = data.partition(b"\n\n")[0].split(b"\n")
    tree = _object_id(header[0], b"tree ")
    if tree is None:
        raise missing(f"commit {commit_id} is malformed: it names no tree")
    parents = []
    for line in header[1:]:
        parent = _object_id(line, b"parent ")
        if parent is None:
            break
        parents.append(parent)
    return CommitInfo(commit_id, tree, tuple(parents), _committer_time(header))


def _object_id(line: bytes, field: bytes) -> str | None:
    value = line[len(field) :]
    if not line.startswith(field) or len(value) != 40:
        return None
    try:
        return bytes.fromhex(value.decode("ascii")).hex()
    except ValueError:
        return None


def _committer_time(header: list[bytes]) -> datetime:
    line = next((line for line in header if line.startswith(b"committer ")), b"")
    words = line.rpartition(b">")[2].split()
    seconds = int(words[0][:20]) if words and words[0].isdigit() else 0
    return datetime.fromtimestamp(min(seconds, LATEST_TIME), UTC)


def _tag_target(tag_id: str, data: bytes) -> str:
    target = _object_id(data.partition(b"\n")[0], b"object ")
    if target is None:
        raise missing(f"tag {tag_id} is malformed: it names no object")
    return target


def _corrupt(object_id: str) -> KradleError:
    return missing(f"object {object_id} is corrupt or unreadable")
