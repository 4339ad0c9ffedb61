"""KB051: a path that the ontology forbids, or that some systems cannot hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from kradle_ctx.checks.check import Brain, Check, Elsewhere, Fault, at_field, at_file
from kradle_ctx.expressions import lazy_expression
from kradle_ctx.model.access import folded, path_pattern
from kradle_ctx.model.findings import Severity
from kradle_ctx.model.graph import Document
from kradle_ctx.yamldoc import shown

MOST_PATTERNS = 100
"""Patterns of one list that are looked at."""

LONGEST_NAME = 255
"""Bytes of a name that the file systems in use can hold."""

DEVICE = lazy_expression(
    r"(?:con|prn|aux|nul|(?:com|lpt)[1-9\u00b9\u00b2\u00b3]) *(?:\..*)?", re.IGNORECASE | re.DOTALL
)
RESERVED = lazy_expression(r'[<>:"|?*\\]')
"""Names of devices, and characters, that Windows keeps for itself: "Naming Files, Paths, and Namespaces"."""

OTHER_SPELLING = frozenset({"control-character-in-path", "path-not-utf8", "path-too-long", "folder-too-deep"})
"""Reasons for which KB001 lists a path in other characters than its own."""


def path_policy(brain: Brain) -> Iterator[Fault]:
    """What is wrong with the paths of files."""
    respelled = {entry.path for entry in brain.skipped if entry.reason in OTHER_SPELLING}
    paths = [path for path in brain.paths() if path not in respelled]
    yield from forbidden(paths, brain.constraints.forbidden_paths)
    # What a change touched is looked at on both sides: a folder that was there before it is no news.
    looked_at = sorted(set(brain.touched) - respelled) if brain.touched else paths
    places = list(files_and_folders(looked_at))
    there = {whole: found for _, whole in places if whole in (found := brain.twins(whole))}
    places = [place for place in places if place[1] in there]
    yield from twins(places, there, brain)
    yield from unfit(places)


def forbidden(paths: Sequence[str], stated: Sequence[str]) -> Iterator[Fault]:
    """Files where the ontology's rules allow none."""
    rules = list(compiled(stated))
    for path in paths if rules else ():
        found = next((pattern for pattern, rule in rules if rule.fullmatch(path)), None)
        if found is not None:
            message = f"no file may be here: `forbiddenPaths` of the ontology's rules has {shown(found)}"
            yield Fault(at_file(path), message, key="forbidden", hint="move or remove the file")


def compiled(stated: Iterable[str]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Patterns, each with its expression; one that is too long for an expression is left out."""
    for pattern in islice(stated, MOST_PATTERNS):
        try:
            yield pattern, path_pattern(pattern)
        except ValueError:
            continue


def files_and_folders(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every file, and every folder once with the first file in it: that file's path, and its own."""
    seen: set[str] = set()
    for path in paths:
        whole = path
        while whole and whole not in seen:
            seen.add(whole)
            yield path, whole
            whole = whole.rpartition("/")[0]


def twins(places: Iterable[tuple[str, str]], there: Mapping[str, Collection[str]], brain: Brain) -> Iterator[Fault]:
    """Files and folders that are told apart only by case, or by accents; that which came later is told."""
    firsts: dict[str, str] = {}
    for path, whole in places:
        group = next(iter(there[whole]))
        if group not in firsts:
            before = brain.base.twins(whole) if brain.base is not None else ()
            firsts[group] = next((each for each in there[whole] if each in before), group)
        other = firsts[group]
        if other != whole:
            yield Fault(
                at_file(path),
                f"{shown(whole)} and {shown(other)} are one path where case or the form of accents does not count",
                key=f"twin {folded(whole)}",
                subject=whole,
                related=(Elsewhere(at_file(brain.first_file(other)), f"{shown(other)} is here"),),
                hint="rename one of the two: a clone on Windows or macOS has only one of them",
                severity=Severity.WARNING,
            )


def unfit(places: Iterable[tuple[str, str]]) -> Iterator[Fault]:
    """Names that some file systems cannot hold."""
    for path, whole in places:
        name = whole.rpartition("/")[2]
        found = trouble(name)
        if found is not None:
            yield Fault(
                at_file(path),
                f"the name {shown(name)} {found}",
                key="name",
                subject=whole,
                hint="rename it, so that every system can hold a clone",
                severity=Severity.INFO,
            )


def trouble(name: str) -> str | None:
    """Why a name cannot be held everywhere."""
    if len(name) > LONGEST_NAME // 4 and len(name.encode("utf-8", "surrogatepass")) > LONGEST_NAME:
        return f"has more than {LONGEST_NAME} bytes"
    if name[-1] in " .":
        return "ends in a blank or a dot, which Windows drops"
    if DEVICE.fullmatch(name):
        return "is that of a device on Windows"
    return "has a character that Windows does not allow" if RESERVED.search(name) else None


def misplaced(document: Document, brain: Brain) -> Iterator[Fault]:
    """A record outside of the paths of its kind."""
    kind = brain.constraints.kinds.get(document.kind or "")
    if kind is None or not kind.paths or document.extends:
        return
    if not any(rule.fullmatch(document.path) for _, rule in compiled(kind.paths)):
        yield Fault(
            at_field(document, "id"),
            f"a record of the kind {shown(kind.name)} must be in {shown(kind.paths[0])}",
            key="misplaced",
            hint="move it there; `kindPaths` of the ontology's rules says so",
        )


CHECK = Check(
    "KB051",
    "path-policy",
    Severity.ERROR,
    "A path that the ontology forbids, or that some systems cannot hold",
    "move or rename the file",
    of_document=misplaced,
    of_brain=path_policy,
)
