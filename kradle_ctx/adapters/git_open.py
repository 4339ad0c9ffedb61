"""Opening exactly one Git repository on disk, and refusing those that cannot be read safely."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from kradle_ctx.adapters.git_configuration import require_sound_configuration
from kradle_ctx.adapters.git_files import (
    MAX_REF_FILE,
    UnsoundFile,
    holds_link,
    require_sound,
    require_sound_files,
    side_file,
)
from kradle_ctx.adapters.git_library import Library, LibraryError
from kradle_ctx.adapters.git_plain import PlainRefs, is_plain
from kradle_ctx.errors import ErrorCode, KradleError

ALTERNATES_HINT = (
    "make the repository whole: `git repack -a -d && rm .git/objects/info/alternates`, "
    "or clone without --shared and --reference"
)

ELSEWHERE_HINT = (
    "name the repository itself with --brain; where a linked work tree was moved, `git worktree repair` mends the link"
)

UNSOUND_HINT = "take out of the repository's folder what Git did not put there, or make a fresh clone"

FORMAT_FAULTS = (
    (
        r"unknown object format '(\w+)'",
        "object format {}",
        "copy it to SHA-1 objects: git init --object-format=sha1 COPY; git fast-export --all | git -C COPY fast-import",
    ),
    (
        r"unsupported extension name (extensions\.refstorage)",
        "{}",
        "keep refs in files: git refs migrate --ref-format=files",
    ),
    (
        r"unsupported extension name (extensions\.\w+)",
        "{}",
        "make a clone without that extension",
    ),
    (
        r"unsupported repository version (\d+)",
        "repository format version {}",
        "make a clone with format version 0 or 1, Git's default",
    ),
)
"""What libgit2 says of a format that it does not know, how to name that format, and the remedy."""


class OpenedRepository(Struct, frozen=True):
    """The folder of refs and objects, the commits at which a shallow clone cuts history, and who reads the refs.

    `plain` is None where libgit2 has to read them all.
    """

    folder: Path
    boundary: frozenset[str]
    library: Library
    plain: PlainRefs | None


def open_exactly(path: Path) -> OpenedRepository:
    """Open the repository whose top folder, or bare folder, is `path`; no parent folder is searched.

    Variables such as `GIT_DIR` are not consulted, and `core.worktree` is not used, since no work tree is read. A linked
    work tree stands for its main repository: what it has checked out itself decides nothing.
    Raises `MEMORY_REPOSITORY_UNAVAILABLE`.
    """
    _require_repository(path)
    try:
        folder = _git_folder(path)
        common = _common_folder(folder)
        for place in dict.fromkeys((folder, common)):
            require_sound_files(place)
            require_sound_configuration(place)
        plain = PlainRefs(folder) if is_plain(path, folder, common) else None
        library = Library(path)
        if plain is None and library.folder() != folder:
            raise ValueError("libgit2 took another folder for the repository")
        _refuse_what_is_elsewhere(path, folder, common, library)
        if common != folder:
            library = Library(common)
            library.folder()
        return OpenedRepository(common, frozenset(side_file(common / "shallow")), library, plain)
    except UnsoundFile as error:
        raise unavailable(f"cannot open the repository {str(path)!r}: {error}", UNSOUND_HINT) from error
    except (LibraryError, ValueError, OSError) as error:
        raise _unavailable(path, str(error)) from error


def unavailable(message: str, hint: str) -> KradleError:
    """A `MEMORY_REPOSITORY_UNAVAILABLE` error."""
    return KradleError(ErrorCode.MEMORY_REPOSITORY_UNAVAILABLE, message, hint)


def _require_repository(path: Path) -> None:
    """Tell a path that is missing, no folder, or no repository, before libgit2 calls them all `not found`."""
    try:
        if not path.exists():
            raise unavailable(f"memory repository {str(path)!r} does not exist", "check the path of the brain")
        if not path.is_dir():
            raise unavailable(
                f"memory repository {str(path)!r} is not a folder",
                "name the top folder of a Git repository, or a bare repository; a bundle file must be cloned first",
            )
        if not (path / ".git").exists() and not (path / "HEAD").is_file():
            raise unavailable(f"{str(path)!r} is not a Git repository", _no_repository_hint(path))
    except (OSError, ValueError) as error:
        raise _unavailable(path, str(error)) from error


def _no_repository_hint(path: Path) -> str:
    for folder in path.absolute().parents:
        if (folder / ".git").exists():
            return f"no .git here; name the repository's top folder, {str(folder)!r}"
    return "no .git here; make one with `git init`, or name the top folder of a clone"


def _unavailable(path: Path, reason: str) -> KradleError:
    """Translate libgit2's words into what is wrong and what to do; its words are not shown."""
    foreign = re.search(r"repository path '(.+)' is not owned by current user", reason)
    if foreign:
        return unavailable(
            f"repository not trusted: {foreign[1]!r} belongs to another user",
            f"if you trust it: git config --global --add safe.directory {_quoted(foreign[1])}",
        )
    for pattern, name, remedy in FORMAT_FAULTS:
        found = re.search(pattern, reason)
        if found:
            return unavailable(f"unsupported repository format: {name.format(found[1])} ({str(path)!r})", remedy)
    if re.search(r"parse config file|config include depth", reason):
        return unavailable(
            f"the configuration of repository {str(path)!r} is unreadable",
            f"see what `git -C {_quoted(str(path))} config --list` says",
        )
    return unavailable(
        f"cannot open the repository {str(path)!r}",
        f"see what `git -C {_quoted(str(path))} fsck` says; the folder must hold HEAD, objects and refs",
    )


def _quoted(path: str) -> str:
    """A path as a shell word, control characters escaped."""
    import shlex

    return shlex.quote(repr(path)[1:-1])


def _git_folder(path: Path) -> Path:
    """The folder that holds HEAD: `.git`, what a file `.git` names, or a bare repository itself."""
    link = path / ".git"
    if link.is_dir():
        return link.resolve()
    if not link.is_file():
        return path.resolve()
    require_sound(link, MAX_REF_FILE, ".git")
    named = link.read_bytes().decode("utf-8", "surrogateescape").strip().removeprefix("gitdir:").strip()
    return (path / named).resolve()


def _common_folder(folder: Path) -> Path:
    """The folder that holds objects and shared refs: for a linked work tree, the main repository's."""
    require_sound(folder / "commondir", MAX_REF_FILE, "commondir")
    return folder.joinpath(*side_file(folder / "commondir")[:1]).resolve()


def _refuse_what_is_elsewhere(path: Path, folder: Path, common: Path, library: Library) -> None:
    """Refuse a repository, or objects, that lie elsewhere: through them, what belongs to others could be read.

    A repository outside the folder that was named must itself name that folder, as the main repository of a linked
    work tree and the parent of a submodule do.
    """
    if common != folder and common / "worktrees" != folder.parent:
        raise unavailable(f"the repository {str(path)!r} borrows objects from another one", ALTERNATES_HINT)
    if not folder.is_relative_to(path.resolve()) and not _names(folder, path, library):
        raise unavailable(f"{str(path)!r} leads to a repository elsewhere, which does not know of it", ELSEWHERE_HINT)
    objects = common / "objects"
    linked = objects.is_symlink() or any(holds_link(place) for place in (objects, objects / "pack", objects / "info"))
    if linked or side_file(objects / "info" / "alternates"):
        raise unavailable(f"the repository {str(path)!r} borrows objects from another one", ALTERNATES_HINT)


def _names(folder: Path, path: Path, library: Library) -> bool:
    """Whether a repository's own folder says that its work tree is at `path`."""
    trees = [(folder / name).parent for name in side_file(folder / "gitdir")[:1]]
    work_tree = library.work_tree()
    if work_tree is not None:
        trees.append(folder / work_tree)
    return any(tree.resolve() == path.resolve() for tree in trees)
