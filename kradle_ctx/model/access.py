"""Read grants, and the decision whether a document may be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from msgspec import Struct

from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.expressions import lazy_expression, linear_expression

SENSITIVITIES = ("public", "internal", "restricted", "secret-metadata")
"""From the least to the most sensitive."""

DEFAULT_SENSITIVITIES = ("internal", "public")
"""What a source grants that names no sensitivities."""


class Breadth(IntEnum):
    """How specific the allow pattern is that let a document pass."""

    EXACT = 0
    NARROW = 1
    BROAD = 2


WILDCARD = lazy_expression(r"((?:\*\*/)+|\*\*+|\*|\?)")

BACKTRACKING_WILDCARDS = 2
"""Up to so many wildcards Python's backtracking matcher is quick on any path; beyond, RE2 keeps matching linear."""


@lru_cache(maxsize=4096)
def path_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a path pattern that knows `*`, `**` and `?` and nothing else.

    `*` and `?` stay inside a path segment, `**/` stands for any number of folders, none included, and `**`
    elsewhere for anything.
    """
    spoken = {"*": "[^/]*", "?": "[^/]"}
    expression = "(?s)"
    for token in WILDCARD.split(pattern):
        if token.startswith("**"):
            expression += "(?:[^/]*/)*" if token.endswith("/") else ".*"
        else:
            expression += spoken.get(token) or re.escape(token)
    if len(WILDCARD.findall(pattern)) <= BACKTRACKING_WILDCARDS:
        return re.compile(expression)
    return linear_expression(expression)


def folded(name: str) -> str:
    """A path or kind without what sets it off from its twins: case and normal form.

    The canonical caseless form of the Unicode Standard (3.13, D145), composed.
    """
    return name.lower() if name.isascii() else normalize("NFC", normalize("NFD", name).casefold())


@lru_cache(maxsize=4096)
def deny_patterns(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A path pattern that denies, as it is written and for folded paths."""
    return path_pattern(pattern), path_pattern(folded(pattern))


KIND_MARK = "kind:"
"""Begins the name under which a document passed by its kind alone."""


@lru_cache(maxsize=4096)
def breadth(pattern: str) -> Breadth:
    """Class what let a document pass: a literal path, a pattern that names a folder, or anything wider."""
    if pattern.startswith(KIND_MARK):
        return Breadth.BROAD
    if "*" not in pattern and "?" not in pattern:
        return Breadth.EXACT
    folder, _, _ = pattern.partition("*")
    return Breadth.NARROW if folder.count("/") >= 2 else Breadth.BROAD


def fill_placeholders(pattern: str, values: Mapping[str, str]) -> str:
    """Replace `[org]`, `[repo]` and `[stack]` where the request names them; any other bracket stays literal."""
    for name, value in values.items():
        pattern = pattern.replace(f"[{name}]", value)
    return pattern


class Grant(Struct, frozen=True):
    """What one source lets through, in normal form: sorted, placeholders filled.

    `paths` and `kinds` are None where the source does not restrict by them; a grant with both None grants
    nothing.
    """

    source: str
    paths: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    exclude_paths: tuple[str, ...] = ()
    exclude_kinds: tuple[str, ...] = ()
    sensitivities: tuple[str, ...] = DEFAULT_SENSITIVITIES
    allow_on_public: bool = False
    require_approved_commit: bool = False
    require_valid_ontology: bool = False
    allow_invalid_ontology: bool = False
    max_context_bytes: int | None = None

    @property
    def empty(self) -> bool:
        """Whether the grant lets nothing through; its excludes hold all the same."""
        return self.paths is None and self.kinds is None

    def to_json(self) -> dict[str, object]:
        """The normal form that `policyDigest` covers."""
        value: dict[str, object] = {"source": self.source, "sensitivities": list(self.sensitivities)}
        for name, names in (("paths", self.paths), ("kinds", self.kinds)):
            if names is not None:
                value[name] = list(names)
        for name, names in (("excludePaths", self.exclude_paths), ("excludeKinds", self.exclude_kinds)):
            if names:
                value[name] = list(names)
        for name, flag in (
            ("allowOnPublic", self.allow_on_public),
            ("requireApprovedCommit", self.require_approved_commit),
            ("requireValidOntology", self.require_valid_ontology),
            ("allowInvalidOntology", self.allow_invalid_ontology),
        ):
            if flag:
                value[name] = True
        if self.max_context_bytes is not None:
            value["maxContextBytes"] = self.max_context_bytes
        return value


class Access(Struct, frozen=True):
    """The grants that apply to a request, and whether it is a dispatch on a public repository.

    Deny beats allow: an exclude of any applicable grant holds for all of them. What allows names exactly; what denies
    also fits each twin of what it names, since one of the two may stand for the other on a disk.
    """

    grants: tuple[Grant, ...]
    public_dispatch: bool = False

    def allows(self, path: str, kind: str | None, sensitivity: str) -> str | None:
        """The most specific pattern or kind by which a document passes, or None when it does not."""
        return Rules(self).allows(path, kind, sensitivity)

    def covers_path(self, path: str) -> bool:
        """Whether a file that holds no readable document lies within the granted paths."""
        if Rules(self).denies(path, None):
            return False
        granting = [grant for grant in self.grants if grant.allow_on_public or not self.public_dispatch]
        return any(path_pattern(pattern).fullmatch(path) for grant in granting for pattern in grant.paths or ())


class Allow(NamedTuple):
    """One way to pass: its name, the paths it takes, the kinds it takes, None for all, and the sensitivities.

    Where it takes kinds alone, `paths` is None, and a document needs one of them.
    """

    name: str
    paths: re.Pattern[str] | None
    kinds: frozenset[str] | None
    sensitivities: frozenset[str]


class Rules:
    """An access, prepared for very many decisions."""

    def __init__(self, access: Access) -> None:
        grants = access.grants
        self._allows = sorted(
            (allow for grant in grants for allow in allows_of(grant, access.public_dispatch)),
            key=lambda allow: (breadth(allow.name), -len(allow.name), allow.name),
        )
        self._denied_kinds = {folded(kind) for grant in grants for kind in grant.exclude_kinds}
        self._denied_paths = [deny_patterns(pattern) for grant in grants for pattern in grant.exclude_paths]

    def allows(self, path: str, kind: str | None, sensitivity: str) -> str | None:
        """The most specific pattern or kind by which a document passes, or None when it does not."""
        if (self._denied_kinds or self._denied_paths) and self.denies(path, kind):
            return None
        for name, paths, kinds, sensitivities in self._allows:
            if sensitivity not in sensitivities:
                continue
            if paths is None:
                if kind is not None and kinds is not None and kind in kinds:
                    return name
            elif (kind is None or kinds is None or kind in kinds) and paths.fullmatch(path):
                return name
        return None

    def denies(self, path: str, kind: str | None) -> bool:
        """Whether an exclude of any grant fits a path or a kind, or a twin of it."""
        if kind is not None and folded(kind) in self._denied_kinds:
            return True
        twin = folded(path) if self._denied_paths else path
        return any(exact.fullmatch(path) or caseless.fullmatch(twin) for exact, caseless in self._denied_paths)


def allows_of(grant: Grant, public_dispatch: bool) -> Iterator[Allow]:
    """The ways in which a grant lets documents pass; on a public repository only public ones, unless it allows more."""
    if grant.empty:
        return
    passing = frozenset(grant.sensitivities)
    if public_dispatch and not grant.allow_on_public:
        passing &= {"public"}
    kinds = frozenset(grant.kinds) if grant.kinds is not None else None
    if grant.paths is None:
        yield from (Allow(f"{KIND_MARK}{kind}", None, frozenset((kind,)), passing) for kind in kinds or ())
    else:
        yield from (Allow(pattern, path_pattern(pattern), kinds, passing) for pattern in grant.paths)


def require_grant(access: Access) -> None:
    """Raise `MEMORY_PERMISSION_DENIED` when no grant lets anything through."""
    if all(grant.empty for grant in access.grants):
        raise KradleError(
            ErrorCode.MEMORY_PERMISSION_DENIED,
            "no memory source applies to this request",
            "give an AgentMemorySource whose appliesTo fits organisation, repository, team, stack, trigger and user "
            "with --resources, or --local-grant on your own word",
        )


def sensitivity_rank(sensitivity: str) -> int:
    """Position from least to most sensitive; an unknown word counts as the most sensitive."""
    return SENSITIVITIES.index(sensitivity) if sensitivity in SENSITIVITIES else len(SENSITIVITIES)
