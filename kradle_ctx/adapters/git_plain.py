"""Repositories as `git init` and `git clone` make them, which are opened without libgit2.

What is plain here, libgit2 opens as well and reads alike; whatever is out of the ordinary is left to it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from kradle_ctx.adapters.git_files import open_regular
from kradle_ctx.adapters.git_library import Target
from kradle_ctx.expressions import lazy_expression

MAX_PLAIN_FILE = 1 << 20
"""Largest file of configuration or of packed refs that is read here: fifteen thousand refs."""

LINE = lazy_expression(
    rb"[ \t]*+(?:[#;][^\0]*+"
    rb"|\[(?P<section>[A-Za-z][A-Za-z0-9\-]*+(?:[ \t]++\"[^\"\\\0]*+\")?)\][ \t]*+"
    rb"|(?P<name>[A-Za-z][A-Za-z0-9\-]*+)[ \t]*+"
    rb"(?:=(?P<value>(?:[^\"\\\r\0]|\\[\"\\ntb]|\"(?:[^\"\\\r\0]|\\[\"\\ntb])*\")*))?"
    rb")?"
)
# No group is repeated possessively: before Python 3.11.5 that went wrong where the group can go back
# (https://github.com/python/cpython/issues/106052).
"""A line of gitconfig(5) that stands for itself: it does not go on, and holds a section or a variable."""

WRITTEN_BY_GIT = {b"repositoryformatversion": (b"0", b"1")} | dict.fromkeys(
    (b"bare", b"filemode", b"logallrefupdates", b"ignorecase", b"precomposeunicode", b"symlinks"), (b"true", b"false")
)
"""What Git itself writes into `[core]`; anything else there, such as a work tree, may change what is read."""

FOR_ALL = ("/etc/gitconfig", "~/.gitconfig", "~/.config/git/config", "$XDG_CONFIG_HOME/git/config")
"""Where configuration for all repositories can stand, by git-config(1)."""

DECIDING = (b"bare", b"repositoryformatversion", b"worktree")
"""Variables of `[core]` that count for one repository, and are odd in a configuration for all."""

CHANGING = (b"include", b"includeif", b"extensions")
"""Sections that lead to other files, or change the format."""

ODD_FILES = ("commondir", "config.worktree", "info/grafts")
"""Files that say of a repository what most do not say."""

SHALLOW = lazy_expression(rb"(?:[0-9a-f]{40}\n)*")

NAME_SIGNS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+=,-./"
ODD_PARTS = (b"//", b"/.", b"./", b"/-", b"..", b".lock/")

PACKED_REFS = lazy_expression(
    rb"(?:# pack-refs with:[^\n\0]*\n)?(?:[0-9a-f]{40} refs/[!-~\x80-\xff]+\n(?:\^[0-9a-f]{40}\n)?)*"
)


class OutOfTheOrdinary(Exception):
    """libgit2 has to look."""


def is_plain(path: Path, folder: Path, common: Path) -> bool:
    """Whether the repository in `folder`, which `path` stands for, is plain beyond doubt and this user's own.

    Its files have been found sound. Whose it is is asked for as in `safe.directory` of git-config(1).
    """
    try:
        top = path.resolve()
        if common != folder or folder not in (top, top / ".git") or not is_own(top, folder):
            return False
        is_laid_out = (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
        if not is_laid_out or any(os.path.lexists(folder / name) for name in ODD_FILES):
            return False
        if os.path.lexists(folder / "shallow") and SHALLOW.fullmatch(plain_file(folder / "shallow")) is None:
            return False
        core = core_of_one(plain_file(folder / "config"))
        return (core.get(b"bare") == b"true") == (folder == top) and is_configuration_of_all_plain()
    except (OSError, RuntimeError, OutOfTheOrdinary):
        return False


def is_own(*folders: Path) -> bool:
    """Whether all folders belong to the user whose rights this process has; False where there are no users."""
    return hasattr(os, "geteuid") and all(folder.lstat().st_uid == os.geteuid() for folder in folders)


def plain_file(path: Path) -> bytes:
    """A small regular file whole; raises `OSError` and `OutOfTheOrdinary`."""
    with open_regular(path) as stream:
        data = stream.read(MAX_PLAIN_FILE + 1)
    if len(data) > MAX_PLAIN_FILE:
        raise OutOfTheOrdinary
    return data


def variables(text: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Section, name and raw value of each variable of a configuration, names in small letters.

    Raises `OutOfTheOrdinary` for a line that does not stand for itself, or a section that leads further.
    """
    section = None
    for line in text.split(b"\n"):
        found = LINE.fullmatch(line)
        if found is None:
            raise OutOfTheOrdinary
        if found["section"]:
            section = found["section"].lower()
            if section.split()[0] in CHANGING:
                raise OutOfTheOrdinary
        elif found["name"]:
            if section is None:
                raise OutOfTheOrdinary
            yield section, found["name"].lower(), (found["value"] or b"").strip()


def core_of_one(text: bytes) -> dict[bytes, bytes]:
    """`[core]` of a repository's own configuration; raises `OutOfTheOrdinary` for what Git has not written."""
    core = {name: value for section, name, value in variables(text) if section == b"core"}
    if any(value not in WRITTEN_BY_GIT.get(name, ()) for name, value in core.items()):
        raise OutOfTheOrdinary
    return core


def is_configuration_of_all_plain() -> bool:
    """Whether what is configured for every repository can be read, and says nothing of a single one."""
    files = (os.path.expandvars(Path(name).expanduser()) for name in FOR_ALL)
    texts = (plain_file(Path(file).resolve()) for file in files if os.path.lexists(file))
    stated = (variable for text in texts for variable in variables(text))
    return not any(section == b"core" and name in DECIDING for section, name, _ in stated)


class PlainRefs:
    """The refs of a plain repository."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: tuple[tuple[int, int, int], dict[bytes, str]] | None = None

    def target(self, name: str) -> Target | None:
        """What a ref holds, None where there is none; raises `OutOfTheOrdinary` where libgit2 has to look."""
        if name != "HEAD" and not is_plain_name(name.encode("utf-8", "surrogateescape")):
            raise OutOfTheOrdinary
        try:
            return target_of(plain_file(self._folder / name))
        except FileNotFoundError:
            return self._packed.get(name.encode())
        except OSError as error:
            raise OutOfTheOrdinary from error

    @property
    def _packed(self) -> dict[bytes, str]:
        """The packed refs as the file holds them now: a process that stays sees what is packed meanwhile."""
        file = self._folder / "packed-refs"
        try:
            state = file.stat()
            known = (state.st_mtime_ns, state.st_size, state.st_ino)
            if self._read is None or self._read[0] != known:
                self._read = known, packed_refs(plain_file(file))
            return self._read[1]
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise OutOfTheOrdinary from error


def is_plain_name(name: bytes) -> bool:
    """Whether a name is one that every rule of git-check-ref-format(1) allows for a ref."""
    closed = name + b"/"
    return name.startswith(b"refs/") and not name.translate(None, NAME_SIGNS) and not any(map(closed.count, ODD_PARTS))


def target_of(text: bytes) -> Target:
    """What a ref's file says; raises `OutOfTheOrdinary` unless it says it as Git writes it."""
    line = text.removesuffix(b"\n")
    if len(line) == 40 and not line.translate(None, b"0123456789abcdef"):
        return line.decode()
    target = line.removeprefix(b"ref: ")
    if target != line and is_plain_name(target):
        return target
    raise OutOfTheOrdinary


def packed_refs(text: bytes) -> dict[bytes, str]:
    """Ids by names of refs; raises `OutOfTheOrdinary` unless each is there once, in order, as Git writes them."""
    if PACKED_REFS.fullmatch(text) is None:
        raise OutOfTheOrdinary
    refs = [line for line in text.split(b"\n") if line[:1] not in (b"#", b"^", b"")]
    names = [line[41:] for line in refs]
    if names != sorted(set(names)):
        raise OutOfTheOrdinary
    return {line[41:]: line[:40].decode() for line in refs}
