"""Refs by their full names, and what a requested name could mean; nothing here guesses."""

from __future__ import annotations

from collections.abc import Iterator

from kradle_ctx.adapters.git_files import MAX_REF_FILE, require_sound
from kradle_ctx.adapters.git_kinds import ObjectType
from kradle_ctx.adapters.git_library import AmbiguousPrefix, LibraryError, Target
from kradle_ctx.adapters.git_objects import ObjectReader, kind_name, missing
from kradle_ctx.adapters.git_open import OpenedRepository
from kradle_ctx.adapters.git_plain import OutOfTheOrdinary
from kradle_ctx.errors import ErrorCode, KradleError, quoted
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.refs import MAX_REF_NAME, Branch, RefCandidate

REMOTE_HEAD = "refs/remotes/origin/HEAD"
BRANCHES = "refs/heads/"
ORIGIN_BRANCHES = "refs/remotes/origin/"
PLACES = ("refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
"""Where a short name is looked for, in the order of gitrevisions(7)."""

KINDS = (("refs/heads/", "branch"), ("refs/tags/", "tag"), ("refs/remotes/", "remote branch"))

MAX_SYMBOLIC_DEPTH = 5
"""Longest chain of symbolic refs, as in Git."""

MAX_LISTED = 10
"""How many refs or objects a message lists."""

FULL_LENGTH = 40
HEX_PREFIX = lazy_expression(r"[0-9a-fA-F]{4,40}")


class RefReader:
    """Reads the refs of one repository, plain ones by itself and all others through libgit2."""

    def __init__(self, opened: OpenedRepository, objects: ObjectReader) -> None:
        self._folder = opened.folder
        self._library = opened.library
        self._plain = opened.plain
        self._objects = objects

    def default_branch(self, configured: str | None) -> Branch:
        """The default branch: as configured, else `origin/HEAD`, else HEAD.

        Raises `MEMORY_REF_UNRESOLVED` where the configured branch does not exist or the branch has no commit.
        """
        if configured is not None:
            return self._configured(configured)
        for name in (REMOTE_HEAD, "HEAD"):
            if self._lookup(name) is not None:
                return self._branch(name)
        raise unresolved("the repository has no HEAD", "set it with `git symbolic-ref HEAD refs/heads/main`")

    def candidates(self, name: str) -> tuple[RefCandidate, ...]:
        """Every object that a checked name could mean; `HEAD`, a full ref name and a full id mean one at most."""
        if name == "HEAD" or name.startswith("refs/"):
            full_names: tuple[str, ...] = (name,)
        elif len(name) == FULL_LENGTH and HEX_PREFIX.fullmatch(name):
            full_names = ()
        else:
            full_names = tuple(place + name for place in PLACES)
        refs = [self._candidate(full_name) for full_name in full_names if self._lookup(full_name) is not None]
        return (*refs, *self._objects_named(name))

    def _configured(self, configured: str) -> Branch:
        is_full = configured.startswith("refs/")
        for name in (configured,) if is_full else (BRANCHES + configured, ORIGIN_BRANCHES + configured):
            if self._lookup(name) is not None:
                return self._branch(name)
        raise unresolved(f"the default branch {configured!r} does not exist", self._what_exists())

    def _branch(self, name: str) -> Branch:
        full_name, target = self._resolve(name)
        if target is None:
            raise self._unborn(name, full_name)
        kind, commit = self._objects.peel(self._sound(full_name, target))
        if kind != ObjectType.COMMIT:
            raise unresolved(f"{full_name!r} names a {kind_name(kind)}, not a commit", self._what_exists())
        return Branch(commit if full_name == "HEAD" else short_name(full_name), full_name, commit)

    def _unborn(self, name: str, full_name: str) -> KradleError:
        if not self._listing():
            return unresolved("the repository has no commits yet", "commit something first")
        return unresolved(f"{name} names {shown_name(full_name)}, which has no commit", self._what_exists())

    def _candidate(self, name: str) -> RefCandidate:
        full_name, target = self._resolve(name)
        if target is None:
            raise self._unborn(name, full_name)
        kind, commit = self._objects.peel(self._sound(full_name, target))
        return RefCandidate(ref_kind(name), name, commit if kind == ObjectType.COMMIT else "")

    def _sound(self, name: str, target: str) -> str:
        if self._objects.find(target) is None:
            raise missing(f"{name!r} names object {target}, which is missing from the repository")
        return target

    def _objects_named(self, name: str) -> Iterator[RefCandidate]:
        if not HEX_PREFIX.fullmatch(name):
            return
        for object_id in self._expand(name.lower()):
            kind, commit = self._objects.peel(object_id)
            own_kind, _ = self._objects.header(object_id)
            yield RefCandidate(kind_name(own_kind), object_id, commit if kind == ObjectType.COMMIT else "")

    def _expand(self, prefix: str) -> list[str]:
        """Ids of objects that begin with a prefix, up to the number that a message lists."""
        if len(prefix) == FULL_LENGTH:
            return [prefix] if self._objects.find(prefix) else []
        found: list[str] = []
        waiting = [prefix]
        while waiting and len(found) < MAX_LISTED:
            begin = waiting.pop()
            try:
                expanded = self._library.expand(begin)
            except AmbiguousPrefix:
                waiting.extend(begin + digit for digit in "fedcba9876543210")
            except LibraryError as error:
                raise missing(f"objects that begin with {begin} cannot be read") from error
            else:
                found += [expanded] if expanded is not None else []
        return found

    def _lookup(self, name: str) -> Target | None:
        """What a ref holds, None where there is none; raises `MEMORY_REF_UNRESOLVED` where it cannot be read."""
        try:
            require_sound(self._folder / name, MAX_REF_FILE, "it", self._folder)
            return self._target(name)
        except (LibraryError, ValueError, OSError) as error:
            message = f"ref {shown_name(name)} cannot be read"
            raise unresolved(message, "look at the ref's file, or set it anew") from error

    def _target(self, name: str) -> Target | None:
        if self._plain is not None:
            try:
                return self._plain.target(name)
            except OutOfTheOrdinary:
                self._plain = None
        return self._library.target(name)

    def _resolve(self, name: str) -> tuple[str, str | None]:
        """Follow symbolic refs: the last name, and the id there, None when nothing is there yet."""
        begin = name
        for _ in range(MAX_SYMBOLIC_DEPTH):
            target = self._lookup(name)
            if target is None or isinstance(target, str):
                return name, target
            name = _symbolic_target(begin, target)
        raise unresolved(f"ref {begin!r} leads through more than {MAX_SYMBOLIC_DEPTH} symbolic refs", "set it anew")

    def _listing(self) -> list[str]:
        try:
            names = self._library.names()
        except LibraryError:
            return []
        return sorted(name.decode("utf-8", "replace") for name in names)

    def _what_exists(self) -> str:
        listed = (name for name in self._listing() if len(name) <= MAX_REF_NAME)
        branches = [name for name in listed if name.startswith((BRANCHES, ORIGIN_BRANCHES))]
        shown = ", ".join(repr(short_name(name))[1:-1] for name in branches[:MAX_LISTED])
        more = f" and {len(branches) - MAX_LISTED} more" if len(branches) > MAX_LISTED else ""
        return f"branches here: {shown}{more}" if branches else "there are no branches here"


def unresolved(message: str, hint: str) -> KradleError:
    """A `MEMORY_REF_UNRESOLVED` error."""
    return KradleError(ErrorCode.MEMORY_REF_UNRESOLVED, message, hint)


def short_name(full_name: str) -> str:
    """A branch's name without the place it stands in."""
    for place in (BRANCHES, ORIGIN_BRANCHES):
        if full_name.startswith(place):
            return full_name[len(place) :]
    return full_name


def shown_name(name: str) -> str:
    """A ref's name for a message: quoted, what is not printable escaped, and of a long one only how long it is."""
    return quoted(name, MAX_REF_NAME, "ref name")


def ref_kind(full_name: str) -> str:
    """What a full ref name stands for, in a word or two."""
    return next((kind for place, kind in KINDS if full_name.startswith(place)), "ref")


def _symbolic_target(begin: str, target: bytes) -> str:
    """The ref that a symbolic ref names; anything outside `refs/` is refused, and not shown."""
    name = target.decode("utf-8", "surrogateescape")
    if not name.startswith("refs/") or ".." in name:
        raise unresolved(f"ref {begin!r} is symbolic and names no ref", "set it anew with `git symbolic-ref`")
    if not name.isprintable():
        raise unresolved(
            f"ref {begin!r} is symbolic and names {shown_name(name)}, with a control character or an invisible one",
            "give that branch a plain name with `git branch -m`",
        )
    return name
