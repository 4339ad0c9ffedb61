"""What libgit2 says of a repository; to load it takes longer than most runs, so it is loaded when it is first asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pygit2

HARMLESS_EXTENSIONS = ["partialclone", "relativeworktrees"]
"""Format extensions that do not change how objects and refs are read; libgit2 never fetches what is missing."""

SUBMODULE_MODE = 0o160000

Target = str | bytes
"""What a ref holds: the id of an object, or as raw bytes the name of another ref."""


class LibraryError(Exception):
    """libgit2 refused; its words may hold what stands in a file, and are not to be shown."""


class AmbiguousPrefix(LibraryError):
    """Several objects begin with a prefix."""


class Library:
    """The repository at exactly `path` as libgit2 has it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _handle(self) -> pygit2.Repository:
        import pygit2
        from pygit2.enums import RepositoryOpenFlag

        pygit2.settings.set_extensions(HARMLESS_EXTENSIONS)
        return pygit2.Repository(str(self._path), RepositoryOpenFlag.NO_SEARCH)

    def folder(self) -> Path:
        """The folder that libgit2 reads; raises `LibraryError` where it does not open the repository."""
        with _refusals():
            return Path(self._handle.path).resolve()

    def work_tree(self) -> str | None:
        """`core.worktree` of the configuration."""
        with _refusals(), suppress(KeyError):
            return str(self._handle.config["core.worktree"])
        return None

    def target(self, name: str) -> Target | None:
        """What a ref holds, by its full name; None where there is none, `LibraryError` where it cannot be read."""

        with _refusals(), suppress(KeyError):
            target: bytes | pygit2.Oid = self._handle.lookup_reference(name).raw_target
            return target if isinstance(target, bytes) else str(target)
        return None

    def tracked(self) -> frozenset[str]:
        """The paths in Git's index, and the folders above them; raises `LibraryError`."""
        paths = [path for path, _ in self._indexed()]
        return frozenset(above for path in paths for above in (path, *_folders_above(path)))

    def submodules(self) -> frozenset[str]:
        """The paths of submodules in Git's index; raises `LibraryError`."""
        return frozenset(path for path, mode in self._indexed() if mode == SUBMODULE_MODE)

    def _indexed(self) -> Iterator[tuple[str, int]]:
        """The paths in Git's index with their modes; one that is not UTF-8 cannot be asked for."""
        with _refusals():
            index = self._handle.index
            for place in range(len(index)):
                with suppress(UnicodeDecodeError):
                    entry = index[place]
                    yield entry.path, int(entry.mode)

    def ignores(self, path: str) -> bool:
        """Whether Git's rules ignore a path; raises `LibraryError`. One that is not UTF-8 cannot be asked for."""
        with _refusals(), suppress(UnicodeEncodeError):
            return self._handle.path_is_ignored(path)
        return False

    def names(self) -> list[bytes]:
        """The names of all refs; raises `LibraryError`."""
        with _refusals():
            return self._handle.raw_listall_references()

    def expand(self, prefix: str) -> str | None:
        """The id that begins with a prefix; None where there is none, `AmbiguousPrefix` where there are several."""
        import pygit2

        with _refusals(), suppress(KeyError):
            try:
                return str(self._handle.expand_id(prefix))
            except pygit2.AmbiguousError as error:
                raise AmbiguousPrefix from error
        return None


def _folders_above(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn whatever libgit2 raises into a `LibraryError`."""
    import pygit2

    try:
        yield
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        raise LibraryError(str(error)) from error
